"""Labels of sections that stand beside the date like a name: "Breaking News", "Domácí Zprávy", "Aus Der Region".

Looked at only where no word says who wrote; so a word that could be a surname is left out rather than taken in.
"""

from __future__ import annotations

import re

#: Words of which one is enough; a surname in none of the languages.
_WORDS = """
    news breaking stories headlines latest trending exclusive politics sports business technology tech culture
    entertainment opinion opinions lifestyle travel health science education economy weather world international national
    local regional daily weekly weekend magazine choice picks editorial feature features analysis review reviews
    nachrichten eilmeldung schlagzeilen aktuell aktuelles meldungen politik wirtschaft kultur wissenschaft gesundheit
    panorama region regionales lokales feuilleton ratgeber meinung kommentar unterhaltung technik reise ausland
    inland
    zprávy zpravodajství aktuality aktuálně politika ekonomika kultura domácí zahraničí krimi názory komentáře zdraví věda
    vzdělávání cestování bydlení regiony správy spravodajstvo ekonomika kultúra domáce zahraničie zdravie veda názory
    wiadomości aktualności polityka gospodarka kultura nauka zdrowie opinie kraj świat społeczeństwo lokalne
    actualités actualité politique économie culture santé sciences société monde régions opinions dernière
    noticias actualidad última política economía cultura salud ciencia sociedad opinión deportes internacional nacional
    notizie cronaca attualità politica economia cultura salute scienza società mondo esteri interni ultim'ora
    notícias atualidade últimas política economia cultura saúde ciência sociedade mundo opinião desporto esportes
    nieuws actueel politiek economie cultuur wetenschap gezondheid buitenland binnenland
    nyheter politikk ekonomi økonomi kultur vetenskap utrikes inrikes nyheder økonomi samfund uutiset talous kulttuuri
    hírek gazdaság kultúra belföld külföld közélet egészség tudomány
    новости политика экономика культура общество наука здоровье мир новини політика економіка суспільство здоров'я світ
    новини икономика общество здраве
    știri politică sănătate societate vijesti gospodarstvo kultura društvo novice naujienos politika ekonomika kultūra
    haberler ekonomi siyaset kültür sağlık ειδήσεις πολιτική οικονομία κόσμος sport sporty esport
"""
_RUBRICS = frozenset(_WORDS.split())
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
#: Small words with which no name begins, but with a capital many a rubric.
_FIRST = frozenset({"aus", "zur", "zum", "из", "про", "the", "our", "your", "notre", "nuestro", "nostra", "editor's", "editors"})


def is_rubric(name: str) -> bool:
    """Tell whether what looks like a name is the label of a section."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(name)]
    return not _RUBRICS.isdisjoint(words) or (bool(words) and words[0] in _FIRST)
