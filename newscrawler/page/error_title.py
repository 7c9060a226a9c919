"""Titles of what a server shows where it has no page, and headlines in which the same words tell of the world."""

from __future__ import annotations

import re

#: For titles in small letters: a pattern that ignores case takes three times as long.
_ERROR = re.compile(
    # "404 jobs are at risk", "on Highway 404": a number like others
    r"(?:\A|[|–—:·•»!?.(\[-]\s*)404\b(?!\s+[^\W\d_])|\b404 (?:error|fehler|chyba|błąd|erreur|errore|hiba|page)\b|"
    r"(?:error|fehler|chyba|błąd|erreur|errore?|erro|hiba|ошибка|virhe|feil|fejl|fel|http|code) 404\b|"
    r"not found|page (?:does not|doesn.t) exist|nicht gefunden|nenalezen|nenájden|neexistuje|nie znaleziono|nie istnieje|"
    r"no encontrad|non trovat|introuvable|não encontrad|niet gevonden|hittades inte|не найден|не знайден|not exist|nem található|"
    r"bulunamad|βρέθηκε|見つかりません|找不到|не съществува|nu a fost găsit|ikke funnet|ikke fundet|"
    r"stránka (?:nebyla nalezena|sa nenašla)|sidan finns inte|siden (?:findes|finnes) ikke|sivua ei löy|lehte ei leitud|"
    r"puslapis nerastas|lapa nav atrasta|stranica nije pronađena|stran ni (?:bila )?najdena|страницата не е намерена|"
    r"không tìm thấy trang|halaman tidak ditemukan|페이지를 찾을 수 없|[页頁]面(?:不存在|未找到)|"
    r"(?:הדף|העמוד) (?:לא נמצא|אינו קיים)|الصفحة غير موجودة|صفحه.{0,25}(?:پیدا|یافت) نشد|ไม่พบหน้า"
)
#: What is missing where a page is: itself, by the words of many languages, or a number.
_PAGES = re.compile(
    r"404|\b(?:page|pages|site|website|url|link|file|document|content|contents|article|post|resource|results?|request\w*|"
    r"seiten?|webseite|datei|dokument|inhalte?|artikel|beitrag|ergebnisse?|angefordert\w*|"
    r"stránk\w*|strank\w*|adres\w*|soubor\w*|článek|clanek|článok|obsah|dokument\w*|výsled\w*|stron\w*|zasób|artykuł\w*|treść|treści|plik\w*|"
    r"pages?|contenu|adresse|fichier|ressource|résultats?|págin\w*|artículo|contenido|archivo|recurso|resultados?|pagin\w*|contenut\w*|"
    r"articolo|risorsa|conteúdo|artigo|oldal\w*|cikk\w*|tartalom|страниц\w*|сторінк\w*|документ\w*|стать\w*|файл\w*|сайт\w*|sidan?|"
    r"siden|side|innhold\w*|indhold\w*|innehåll\w*|sivu\w*|sayfa\w*|içerik|σελίδα|stranica|stran|pagina|bestand|inhoud)\b|"
    r"ページ|記事|[页頁]面|网页|網頁|내용|페이지"
)
#: Letters beside the words of an error that tell of something; a sign of Chinese or Japanese stands for two.
_LEAST_BESIDE = 15
_EASTERN = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]")
_LETTERS = re.compile(r"[^\W\d_]")


def says_error(title: str) -> bool:
    """Tell whether a title has the words of an error."""
    return _ERROR.search(title.lower()) is not None


def tells_what_is_missing(headline: str) -> bool:
    """Tell whether a headline with the words of an error names something else than a page that was not found."""
    lower = headline.lower()
    if _ERROR.search(lower) is None or _PAGES.search(lower):
        return False
    beside = _ERROR.sub("", lower)
    return len(_LETTERS.findall(beside)) + len(_EASTERN.findall(beside)) >= _LEAST_BESIDE
