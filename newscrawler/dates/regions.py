"""Which clock the readers of a page have: named in the data of its scripts, or guessed by domain, declared region or language.

Countries with several zones stand with that of their largest press. Languages stand here only where most of their readers share
a clock, and country domains that are sold to everybody (.tv, .io, .me, .co) do not.
"""

from __future__ import annotations

import re
from datetime import tzinfo
from zoneinfo import ZoneInfo

from newscrawler.dates.order import top_level
from newscrawler.dates.zones import zone_of
from newscrawler.page import Document

_ZONES = {
    "Europe/": """de:Berlin at:Vienna ch:Zurich fr:Paris nl:Amsterdam be:Brussels it:Rome es:Madrid pt:Lisbon pl:Warsaw cz:Prague
        sk:Bratislava hu:Budapest se:Stockholm no:Oslo dk:Copenhagen fi:Helsinki gr:Athens ro:Bucharest bg:Sofia hr:Zagreb
        si:Ljubljana rs:Belgrade ba:Sarajevo mk:Skopje al:Tirane ua:Kyiv by:Minsk lt:Vilnius lv:Riga ee:Tallinn tr:Istanbul
        uk:London gb:London ie:Dublin lu:Luxembourg mt:Malta md:Chisinau ru:Moscow""",
    "Asia/": """il:Jerusalem ir:Tehran in:Kolkata lk:Colombo np:Kathmandu jp:Tokyo kr:Seoul cn:Shanghai tw:Taipei hk:Hong_Kong
        sg:Singapore my:Kuala_Lumpur th:Bangkok vn:Ho_Chi_Minh ph:Manila id:Jakarta pk:Karachi bd:Dhaka ae:Dubai sa:Riyadh
        qa:Qatar iq:Baghdad jo:Amman lb:Beirut ge:Tbilisi am:Yerevan az:Baku kz:Almaty uz:Tashkent cy:Nicosia""",
    "Africa/": "eg:Cairo za:Johannesburg ng:Lagos ke:Nairobi gh:Accra ma:Casablanca dz:Algiers tn:Tunis",
    "America/": """us:New_York ca:Toronto mx:Mexico_City br:Sao_Paulo ar:Argentina/Buenos_Aires cl:Santiago pe:Lima uy:Montevideo
        ve:Caracas ec:Guayaquil bo:La_Paz py:Asuncion gt:Guatemala cr:Costa_Rica""",
    "Australia/": "au:Sydney",
    "Pacific/": "nz:Auckland",
    "Atlantic/": "is:Reykjavik",
}
_OF_COUNTRY = {entry.split(":")[0]: area + entry.split(":")[1] for area, entries in _ZONES.items() for entry in entries.split()}
_COUNTRY_OF_LANGUAGE = {
    "de": "de", "nl": "nl", "it": "it", "pl": "pl", "cs": "cz", "sk": "sk", "hu": "hu", "sv": "se", "nb": "no", "nn": "no",
    "no": "no", "da": "dk", "fi": "fi", "el": "gr", "ro": "ro", "bg": "bg", "hr": "hr", "sl": "si", "sr": "rs", "uk": "ua",
    "be": "by", "lt": "lt", "lv": "lv", "et": "ee", "tr": "tr", "he": "il", "fa": "ir", "hi": "in", "ta": "in", "te": "in",
    "mr": "in", "ja": "jp", "ko": "kr", "th": "th", "vi": "vn", "id": "id", "is": "is", "ka": "ge", "hy": "am",
}  # fmt: skip
_TAG = re.compile(r"([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}))?\b")
#: What site builders write into every page unless somebody changes it.
_DEFAULT_TAG = "en-us"


_AREAS = ("America/", "Europe/", "Asia/", "Australia/", "Africa/", "Pacific/")
_ZONE_WORDS = ("zone", "Zone", "ZONE")
_CITY = re.compile(r"[A-Z][A-Za-z]+(?:[_/-][A-Z][A-Za-z]+){0,3}")


def zone_named_on(page: Document) -> tzinfo | None:
    """Give the zone that a page's scripts name ("timezone": "America/New_York"); None where they name none, or several."""
    found: set[str] = set()
    for script in page.declarations["script"]:
        text = script.text or ""
        if not any(word in text for word in _ZONE_WORDS):
            continue
        for area in _AREAS:
            at = text.find(area)
            while at >= 0 and len(found) < 2:
                city = _CITY.match(text, at + len(area))
                if city and "zone" in text[max(0, at - 40) : at].lower():
                    found.add(area + city.group())
                at = text.find(area, at + 1)
    zone = zone_of(found.pop()) if len(found) == 1 else None
    return zone if isinstance(zone, ZoneInfo) else None


def zone_of_page(page: Document, language: str | None = None) -> tzinfo | None:
    """Guess the zone of a page's readers, at last by the language in which it is written; None where nothing tells."""
    tags = [page.root.get("lang"), page.first_meta("og:locale", "content-language")]
    found = [m for tag in tags if tag and (m := _TAG.match(tag.strip().replace("_", "-").lower()))]
    countries = [top_level(page)]
    countries += [m[2] for m in found if m[2] and f"{m[1]}-{m[2]}" != _DEFAULT_TAG]
    countries += [_COUNTRY_OF_LANGUAGE.get(m[1], "") for m in found]
    countries += [_COUNTRY_OF_LANGUAGE.get(language or "", "")]
    for country in countries:
        if name := _OF_COUNTRY.get(country):
            zone = zone_of(name)
            return zone if isinstance(zone, ZoneInfo) else None
    return None
