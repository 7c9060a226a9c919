"""Words that tell what a date is the date of, in the languages of the news."""

from __future__ import annotations

import re
from functools import lru_cache

from newscrawler.dates.candidate import Role
from newscrawler.dates.month_names import month_of

_MODIFIED = re.compile(
    r"(?:last\s)?(?:updat|modif|revis|edited\b|changed\b)|aktualis|aktualiz|zaktualiz|ge[äa]ndert|[äa]nderung|überarbeitet|"
    r"letztes update|bearbeitet"
    r"|mis(?:e)? à jour|modifié|màj|actualiz|atualiza|aggiorna|ultima modifica|oppdater|uppdater|opdater|päivitetty|muokattu|"
    r"bijgewerkt|gewijzigd|"
    r"обновл|изменен|редактир|оновлен|змінен|актуализ|ажурир|ενημ[εέ]ρωση|τελευταία|frissít|módos|güncelle|upraven|zmenen|"
    r"změněn|poslední změna|"
    r"ostatnia zmiana|modyfikac|עודכן|עדכון|آخر تحديث|تحديث|به‌روز|diperbarui|cập nhật|更新|最終|수정|最后修改|업데이트|अपडेट|अद्यतन|"
    r"zuletzt|ostatni[ao] |posodob|dopunjeno|izmijenj",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    r"publi(?:sh|é|car|cat|cad|ka|k\.|ceret|cē)|publikov|opublikow|publi[kc]|posted|erschienen|veröffentlicht|erstellt|"
    r"verfasst|online seit|ver[öo]ff|"
    r"created\b|dateline|written|gepost|geplaatst|zveřejn|vydán|vložen|přidán|zverejnen|pridan|uverejnen|dodan[oay]|data "
    r"publikacji|utworzon|"
    r"опубликован|дата публ|размещен|добавлен|опубл|публик|објав|δημοσι|megjelen|közzét|létrehoz|yayın|eklenme|oluşturul|פורסם|"
    r"نشر|تاريخ|منتشر|انتشار|"
    r"发布|發布|公開|掲載|投稿|登録|입력|등록|发表|時間：|प्रकाशित|terbit|đăng|julkaist|publicer|objavlj|data:\s|date:\s|datum:\s|"
    r"(?:artikel|meldung|mitteilung|bericht|beitrag|news|stand|ausgabe|text) vom\b|\bstand:",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"expir|valid until|gültig bis|until\s|\bbis\b|deadline|einsendeschluss|anmeldeschluss|event date|veranstaltung|termin|"
    r"beginn|starts?\b|"
    r"born|geboren|geb\.|abgerufen|accessed|retrieved|zugriff|since|seit\s|founded|joined|beigetreten|registriert|member since|"
    r"abbildung|\babb\.|\bfig(?:ure|\.)|\bbild\b|\bfoto\b|\bphoto\b|\bimage\b|dabei seit|mitglied seit|kdy:|kiedy|wann\b|when:|"
    r"heute ist|today is|dnes je|svátek|imieniny|meniny|"
    # directly before a date: from when on, or until when, something holds
    r"(?<![^\W_])(?:ab(?:\sdem)?|till|through|od|à\spartir\sdu|dès\sle|jusqu['’]au|desde(?:\sel)?|hasta(?:\sel)?|dal|fino\sal|"
    r"a\spartir\sd[eo]|até|vanaf|från|з|із|до|с|по)\s?$",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(?<![\d:./-])(?P<day>\d{1,2})\.?(?:\s?(?P<month>[^\W\d_]{3,12})\.?)?\s?[-–—]\s?$")


_COPYRIGHT = re.compile(r"copyright|©|\(c\)", re.IGNORECASE)


def is_copyright(text: str) -> bool:
    """Tell whether the words before a date are those of a copyright notice: a hint, where it gives the day."""
    return _COPYRIGHT.search(text) is not None


def ends_a_range(before: str, day: int) -> bool:
    """Tell whether the day that stands behind these words is the last of several, as events have them: "9-23 Feb 2017"."""
    match = _RANGE.search(before[-24:])
    if match is None or not 1 <= int(match["day"]) <= 31:
        return False
    return month_of(match["month"]) is not None if match["month"] else int(match["day"]) < day


@lru_cache(maxsize=4096)  # the labels of a site's pages are always the same, and boxes hold what the elements in them hold
def role_of_label(text: str) -> tuple[str, bool] | None:
    """Tell from the words right before a date what it is the date of.

    Returns:
        The role, and whether the words say so outright; None where they say nothing.
    """
    if not text:
        return None
    best: tuple[int, str] | None = None
    for role, pattern in ((Role.OTHER, _EVENT), (Role.MODIFIED, _MODIFIED), (Role.PUBLISHED, _PUBLISHED)):
        position = -1
        for match in pattern.finditer(text):
            position = match.end()
        if position >= 0 and (best is None or position > best[0]):
            best = (position, role)
    return (best[1], True) if best else None
