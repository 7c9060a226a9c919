"""Dates counted from the time of the fetch: "Dnes 19:25", "včera", "przed 3 godzinami", "3時間前".

The words of some forty languages stand in tables, because they must be read in microseconds and because dateparser does
not know some common forms ("przed 3 godzinami"). Without the time of the fetch nothing is read.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from newscrawler.article import DatePrecision
from newscrawler.dates.moment import Clock, Moment, time_in
from newscrawler.dates.writing import fold, tidy
from newscrawler.dates.zones import localize

_LONGEST_TEXT = 120
#: What may stand beside "today" in a date: a time, "at", "Uhr", a label.
_LONGEST_REST = 24

_DAYS_BACK = {
    0: """today dnes dneska dziś dzisiaj heute aujourd'hui hoy oggi hoje сьогодні сегодня ma היום bugün اليوم 今天 今日 本日
        きょう vandaag azi
        astăzi idag i_dag tänään σήμερα днес danas danes šiandien šodien täna 오늘 hari_ini hôm_nay сёння avui आज امروز آج""",
    1: """yesterday včera wczoraj gestern hier ayer ieri ontem вчора вчера tegnap אתמול dün أمس امس 昨天 昨日 きのう gisteren
        igår i_går eilen
        χθες χτες jučer juče včeraj vakar eile 어제 kemarin hôm_qua учора ahir कल دیروز""",
    2: """předevčírem predvčerom przedwczoraj vorgestern avant-hier anteayer antier l'altro_ieri avantieri anteontem позавчора
        позавчера
        tegnapelőtt שלשום evvelsi_gün önceki_gün أول_أمس 前天 一昨日 おととい eergisteren i_förrgår i_forgårs toissapäivänä
        προχθές 그저께""",
}
#: A word before "today" that is no label of a date.
_NAME_BEFORE = re.compile(r"(?<![^\W_])(?!(?:[a-z]*ed|new|on|of|at|from|since|date)\s)[^\W\d_]+\s$")
_NOW = """just_now now právě_teď před_chvílí pred_chvíľou práve_teraz przed_chwilą przed_momentem teraz gerade_eben soeben eben
    à_l'instant
    maintenant ahora ahora_mismo hace_un_momento hace_instantes adesso poco_fa agora agora_mesmo щойно только_что сейчас
    éppen_most az_imént עכשיו
    הרגע כרגע şimdi az_önce الآن 刚刚 剛剛 刚才 たった今 zojuist nyss just_nu akkurat_nå lige_nu juuri_nyt μόλις_τώρα 방금
    baru_saja vừa_xong"""
_UNITS = {
    "second": """sec sek segund second secondi vteřin сек másodperc mp שני saniye sn ثاني ثوان δευτερόλεπτ giây detik thani""",
    "minute": """min mins minut minuut perc дак мин хвилин хв хвіл דק דקה דקות dakika dk دقيق دقائق λεπτ phút menit minút""",
    "hour": """h hr hrs hour hours hod godz godzin std stund stunde stunden heure hora ora ore orą óra órá ч час годин гадзін
        שעה שעות saat ساع uur sa timm
        timme timer time tim tunti tunt tund ώρ sat sati sata ur ura uro urami valand stundām jam giờ tiima घंटे""",
    "day": """d j day days den dny dni dní dnem dňa dňami dňom dniami dniem dzień tag tage tagen jour día dia giorn ден день дня
        дней дн дні днів дзень nap
        יום ימים gün يوم أيام ايام dag dagar dage dagen dager päiv μέρ ημέρ dan dana dienas dien päev hari ngày zi zile दिन""",
    "week": """week weken woche týd týž tydz tygod semain seman settiman тижн тижд недел неделя hét hete שבוע שבועות hafta أسبوع
        أسابيع veck uke uker w wk wks
        uge uger viik viikko εβδομ седмиц tjed nedelj savait nädal minggu tuần săptăm""",
    "month": """mo month months měsíc mesiac miesi monat mois mes meses mese mesi mês місяц меся мес hónap חודש חודשים ay شهر
        أشهر maand månad måned
        kuukau μήν mjesec mesec mėnes mēneš kuu bulan tháng lun""",
    "year": """y yr year years rok roky roku lety let rokmi lata lat jahr an ans année año ann anno anni ano anos рік рок роки
        год года лет év éve שנה
        שנים yıl سنة سنوات jaar år vuo vuosi χρόν metai gad aasta tahun năm ani""",
}
_MOST = {"second": 3600, "minute": 2000, "hour": 1000, "day": 400, "week": 60, "month": 24, "year": 0}
_ONE_WORDS = (
    "a an one ein eine einem einer einen un une uno una jeden jedna jednu jednou jednym jedną um uma один одна одну egy אחת "
    "אחד bir واحد een en et ett ena eno"
)
_ONE = frozenset(_ONE_WORDS.split())
_FEW_WORDS = {
    2: "two zwei deux dos due dois duas dvě dvěma dva dvoma dwie dwa dwoma dwiema два две двi дві deux twee två to kaksi két iki",
    3: "three drei trois tres tre três třemi tři troma trzy trzema три drie tre kolme három üç",
    4: "four vier quatre cuatro quattro quatro čtyřmi čtyři štyrmi cztery четыре чотири négy dört",
    5: "five fünf cinq cinco cinque pěti pět piatimi pięć pięcioma пять п'ять öt beş",
    6: "six sechs seis sei šesti šest sześć шесть шість hat",
    7: "seven sieben sept siete sette sete sedmi sedm siedem семь сім hét",
    8: "eight acht huit ocho otto oito osmi osm osiem восемь вісім nyolc",
    9: "nine neun neuf nueve nove devíti devět dziewięć kilenc",
    10: "ten zehn dix diez dieci dez deseti deset dziesięć десять tíz",
}  # fmt: skip
_TWICE = {"שעתיים": ("hour", 2), "יומיים": ("day", 2), "שבועיים": ("week", 2), "חודשיים": ("month", 2), "דקתיים": ("minute", 2),
          "ساعتين": ("hour", 2),
          "يومين": ("day", 2), "دقيقتين": ("minute", 2), "أسبوعين": ("week", 2), "شهرين": ("month", 2)}  # fmt: skip
_HALF_HOURS = {
    "30 min": (
        "půl hodinou|půlhodinou|pol hodinou|polhodinou|pół godziny|pół godziną|einer halben stunde|half an hour|une demi-heure|"
        "une demi heure|media hora|mezz'ora|mezzora|meia hora|пів години|півгодини|полчаса|חצי שעה|yarım saat|نصف ساعة"
    ),
    "30 perce": "fél órája",
    "30分": "半小时|半小時|半个小时|半個小時|半時間",
}
_ARABIC_ONE = frozenset({"واحد", "واحدة"})
_BEFORE = r"před|pred|przed|vor|il\sy\sa|hace|há|לפני|منذ|قبل|prije|pre|преди|acum|πριν|fa"
_BEHIND = (
    r"ago|temu|fa|atrás|тому|назад|таму|önce|geleden|sedan|siden|sitten|lalu|trước|nazaj|atpakaļ|prieš|tagasi|पहले|back|enne|"
    r"ezelőtt|πριν"
)
_NUMBER = r"(?:(?P<n>\d{1,4})\s?|(?P<w>[^\W\d_]{1,8})[\s'])?"
_PREFIXED = re.compile(
    rf"(?<![^\W_])(?P<b>{_BEFORE})\s(?:(?:about|cca|asi|ok\.?|około|etwa|ca\.?|circa|environ|unos?|casi|cerca\sde|più\sdi)\s)?"
    rf"{_NUMBER}(?P<u>[^\W\d_]{{1,14}})"
)
_SUFFIXED = re.compile(rf"(?<![^\W_]){_NUMBER}(?P<u>[^\W\d_]{{1,14}})\.?\s(?:{_BEHIND})(?![^\W_])")
_HUNGARIAN = re.compile(
    r"(?<![^\W_])(?P<n>\d{1,4}|egy|két|három|négy|öt|hat|hét|nyolc|kilenc|tíz)\s(?P<u>másodperce|perce|órája|napja|hete|hónapja)(?![^\W_])"
)
_HUNGARIAN_UNITS = {"más": "second", "per": "minute", "órá": "hour", "nap": "day", "het": "week", "hón": "month"}
_EASTERN = re.compile(
    r"(?P<n>\d{1,4})\s?(?P<u>秒钟?|秒鐘?|分钟|分鐘|分|個?小时|個?小時|个小时|時間|天|日|"
    r"周|週間|週|个月|個月|か月|ヶ月|カ月|초|분|시간|일|주|개월)\s?(?:之?以?前|전)"
)
_EASTERN_UNITS = {"秒": "second", "分": "minute", "小": "hour", "時": "hour", "天": "day", "日": "day", "周": "week", "週": "week",
                  "月": "month",
                  "초": "second", "분": "minute", "시": "hour", "일": "day", "주": "week", "か": "month", "ヶ": "month",
                  "カ": "month", "개": "month",
                  "个": "month", "個": "month"}  # fmt: skip


def _unpack(words: str) -> list[str]:
    return [word.replace("_", " ") for word in words.split()]


_DAY_WORDS = {fold(word): back for back, words in _DAYS_BACK.items() for word in _unpack(words)}
_DAY_WORD = re.compile(
    "|".join(
        rf"(?<![^\W_]){re.escape(word)}(?![^\W_])" if ord(word[0]) < 0x2E80 else re.escape(word)
        for word in sorted(_DAY_WORDS, key=len, reverse=True)
    )
)
_NOW_WORDS = frozenset(fold(word) for word in _unpack(_NOW))
_STEMS = {fold(stem): unit for unit, stems in _UNITS.items() for stem in _unpack(stems)}
_LONGEST_STEM = max(map(len, _STEMS))


def read_relative(text: str, clock: Clock) -> Moment | None:
    """Read a date that counts from the time of the fetch; None where the text holds none."""
    if clock.fetched_at is None or not text or len(text) > _LONGEST_TEXT:
        return None
    now = clock.fetched_at.astimezone(clock.zone)
    text = fold(tidy(text).lower().replace("’", "'"))
    if text.strip(" .…!") in _NOW_WORDS:
        return Moment(value=now, precision=DatePrecision.MINUTE)
    if _TELLING.isdisjoint(_LETTERS.findall(text)) and (text.isascii() or not _UNPARTED.search(text)):
        return None
    text = _HALF_HOUR.sub(lambda found: _HALF_HOURS_FOLDED[found.group()], text)
    match = next((m for m in _DAY_WORD.finditer(text) if m.group() != "ma" or "hu" in clock.languages), None)
    if match:
        if match.group() == "today" and _NAME_BEFORE.search(text[: match.start()]):
            return None  # "USA Today" is a newspaper
        if len(text) - len(match.group()) > _LONGEST_REST:
            return None  # "Dnes je pátek, svátek má Nikola" says what day it is, not when something was written
        time = time_in(text[match.end() : match.end() + 24]) or time_in(text[: match.start()])
        return _day_back(_DAY_WORDS[match.group()], time, now, clock)
    found = _amount(text)
    if found is None:
        return None
    count, unit = found
    return _before(now, count, unit, clock)


def _amount(text: str) -> tuple[int, str] | None:
    """Find "3 hours" of "3 hours ago" in a folded text."""
    if match := _EASTERN.search(text):
        return int(match["n"]), _EASTERN_UNITS[match["u"][0] if match["u"] not in {"个小时", "個小時", "個小时"} else "小"]
    if match := _HUNGARIAN_FOLDED.search(text):
        number = match["n"]
        return (1 if number == "egy" else _FEW[number] if number in _FEW else int(number)), _HUNGARIAN_FOLDED_UNITS[match["u"][:3]]
    for pattern in (_SUFFIXED_FOLDED, _PREFIXED_FOLDED):
        for match in pattern.finditer(text):
            if found := _counted(match):
                return found
    return None


def _counted(match: re.Match[str]) -> tuple[int, str] | None:
    number, word, unit_word = match["n"], match["w"], match["u"]
    if unit_word in _TWICE_FOLDED:
        return _TWICE_FOLDED[unit_word][1], _TWICE_FOLDED[unit_word][0]
    if word and unit_word in _ARABIC_ONE:
        unit_word, word = word, None
    unit = unit_of(unit_word)
    if unit is None:
        return None
    if "b" in match.re.groupindex and match["b"] == "преди" and unit_word.startswith("годин"):
        unit = "year"
    if number:
        return int(number), unit
    count = 1 if word is None or word in _ONE else _FEW.get(word)
    return None if count is None else (count, unit)


def unit_of(word: str) -> str | None:
    """Name the unit of time that a folded word begins with; the longest stem decides."""
    for length in range(min(len(word), _LONGEST_STEM), 0, -1):
        if unit := _STEMS.get(word[:length]):
            return unit if length > 2 or length == len(word) else None
    return None


def _before(now: datetime, count: int, unit: str, clock: Clock) -> Moment | None:
    if count > _MOST[unit]:
        return None
    if unit in {"second", "minute", "hour"}:
        value = now - timedelta(**{f"{unit}s": count})
        # "3 hours ago" was any minute of an hour: the day is what it tells
        precision = DatePrecision.DAY if unit == "hour" else DatePrecision.MINUTE
        return Moment(value=value.astimezone(clock.zone), precision=precision)
    days = {"day": 1, "week": 7, "month": 30}[unit] * count
    moment = _day_back(days, None, now, clock)
    if moment and unit == "month":
        return Moment(value=moment.value, precision=DatePrecision.MONTH)
    return moment


def _day_back(days: int, time: tuple[int, int, int] | None, now: datetime, clock: Clock) -> Moment | None:
    hour, minute, second = time or (0, 0, 0)
    try:
        wall = (now - timedelta(days=days)).replace(hour=hour, minute=minute, second=second, microsecond=0, tzinfo=None)
        value = localize(wall, clock.zone)
    except (ValueError, OverflowError):
        return None
    return Moment(value=value, precision=DatePrecision.MINUTE if time else DatePrecision.DAY)


def _folded(pattern: re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(fold(pattern.pattern))


_PREFIXED_FOLDED, _SUFFIXED_FOLDED, _HUNGARIAN_FOLDED = _folded(_PREFIXED), _folded(_SUFFIXED), _folded(_HUNGARIAN)
_HUNGARIAN_FOLDED_UNITS = {fold(stem): unit for stem, unit in _HUNGARIAN_UNITS.items()}
_FEW = {fold(word): count for count, words in _FEW_WORDS.items() for word in words.split()}
_TWICE_FOLDED = {fold(word): found for word, found in _TWICE.items()}
_HALF_HOURS_FOLDED = {fold(phrase): minutes for minutes, phrases in _HALF_HOURS.items() for phrase in phrases.split("|")}
_HALF_HOUR = re.compile("|".join(map(re.escape, sorted(_HALF_HOURS_FOLDED, key=len, reverse=True))))
#: Signs of scripts that part no words.
_UNPARTED = re.compile("[\u2e80-\U0010ffff]")
_LETTERS = re.compile(r"[^\W\d_]+")
#: The first letters, up to a blank or a mark, of whatever tells that a date is relative; looked for before the expressions are.
_TELLING = frozenset(
    found.group()
    for word in (
        *_DAY_WORDS, *_HALF_HOURS_FOLDED, *_HUNGARIAN_FOLDED.pattern.split("u>")[1].split(")")[0].split("|"),
        *fold(f"{_BEFORE}|{_BEHIND}").replace("\\s", " ").split("|"),
    )
    if (found := _LETTERS.search(word))
)  # fmt: skip
