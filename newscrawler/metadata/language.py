"""The language of a text, told by its script and by its commonest words, offline.

Fifty words a language suffice for texts of a few sentences; what two languages share counts for both. Short texts, and
texts in which no language stands out, are left undecided.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain

_LONGEST_SAMPLE = 1500
_LEAST_WORDS = 8
#: The winner must have this share of the words, and this much more than the next.
_LEAST_SHARE, _LEAST_LEAD = 0.08, 1.12
#: From this share of the winner's words on, the language that the page states is believed.
_BENEFIT = 0.75

_COMMON = {
    "en": (
        "the of and to in a is that for it was on with as be by at from this have are not his he they which or an were has "
        "their but had been who will would about its after she more said"
    ),
    "de": (
        "der die das und in zu den von mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass "
        "sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor"
    ),
    "fr": (
        "le la les de des et à un une en du que qui dans est pour il sur au pas par plus ce se avec ne sont cette son ont "
        "mais elle aux ses nous été comme ou leur être fait lui deux après"
    ),
    "es": (
        "el la los las de que y en un una del se por con no para su al lo como más pero sus le ha este sí porque esta son "
        "entre cuando muy sin sobre también fue hasta hay donde desde está todo nos durante"
    ),
    "it": (
        "il la di che e in un una per è del non si con da le della i al dei sono come lo nel alla più gli ha anche ma su "
        "delle questo dal se ai nella degli stato essere era tra hanno suo dopo alle"
    ),
    "pt": (
        "o a os as de que e do da em um uma para com não por no na se mais dos como mas foi ao das ele à seu sua ou quando "
        "muito nos já também só pelo pela até isso entre era depois são está pelos você"
    ),
    "nl": (
        "de het een van en in is dat op te zijn met voor niet aan er om ook als dan maar bij nog door over uit naar heeft "
        "hij ze wordt worden werd deze was meer hebben geen kan tot zich al we die ook"
    ),
    "pl": (
        "w i na z się do nie że to jest o jak po za ale od przez tym dla są przy co ma tego oraz jego był także które który "
        "tylko już może było być ze jej lub tak roku został ich czy pod również będzie"
    ),
    "cs": (
        "a v se na je že to s z do o i k ve pro za by ale jako po od až jsou podle které který jeho také nebo jen při už "
        "může bude byl bylo byla před jsme jak ještě mezi však více roce tak toho které než"
    ),
    "sk": (
        "a v sa na je že to s z do o aj k vo pre za by ale ako po od až sú podľa ktoré ktorý jeho tiež alebo len pri už môže "
        "bude bol bolo bola pred sme však viac roku tak toho ktorá než čo medzi ešte"
    ),
    "sl": (
        "in je v na za se da so z ki pa ne po bi tudi kot ali s o od pri do še bo že ga med kar le iz več lahko pred bil "
        "bila ter njegov kako sta sem smo ko jih leta proti jo samo tako"
    ),
    "hr": (
        "i u je na se da za su od s o kako koji što ne a će to iz bi koja koje ali još nakon nije je sam do kao samo te ili "
        "prema zbog bio bila više godine već kod može uz tijekom također tko gdje svih"
    ),
    "sr": (
        "и у је на се да за су од са о који не а ће то из би која које али још након није до као само те или према због био "
        "била више године већ код може"
    ),
    "bg": (
        "и на да в за се от не е с по са че до като ще които това но или при след който има той тя са му беше през между "
        "както която може бъде още само също си бил година какво към"
    ),
    "mk": (
        "и на во да се за од не е со по дека до како ќе кои тоа но или при што го ги тој таа беше меѓу која може бидат уште "
        "само исто година кон биде овој нема имаат сите се"
    ),
    "ru": (
        "и в не на что с по как это он к из за от у но для о же бы его так все она то они был была было были который которые "
        "также после или уже может при если до только чтобы есть года ещё"
    ),
    "uk": (
        "і в не на що з у та як це він до за від й для про але його так все вона то вони був була було були який які також "
        "після або вже може при якщо тільки щоб є року ще із під"
    ),
    "be": (
        "і ў не на што з у як гэта ён да за ад для пра але яго так усе яна то яны быў была было былі які якія таксама пасля "
        "або ўжо можа пры калі толькі каб ёсць года яшчэ"
    ),
    "hu": (
        "a az és hogy nem is egy ez meg van volt mint csak de még már el azt szerint amely után vagy aki ki lesz pedig "
        "minden fel ha több lehet ezt majd be én kell nagyon két mert így ami ahol"
    ),
    "ro": (
        "și de a în la cu că nu pe se din este un o pentru mai care au fost sunt ca prin după sau al dar ale cel fi lui sa "
        "va fără între cei său am până această acest fost lor fie spre"
    ),
    "tr": (
        "ve bir bu da de için ile olarak çok daha ne en olan gibi kadar sonra var ama olduğu her ya değil mi diye ise o şu "
        "yeni göre büyük iki önce dedi oldu ancak üzerinde eden tarafından bin"
    ),
    "fi": (
        "ja on ei se että oli hän ovat kun mukaan myös mutta kuin joka vuoden sekä tai niin ole jo jos nyt mitä voi hänen "
        "olla siitä vain sen koska kanssa ollut tämä ovat jotka vielä sanoo noin"
    ),
    "et": (
        "ja on ei et see oma ta kui aga ka mis või kes siis nii veel ning mida selle üle pärast aasta juba mitte kuid oli "
        "nad seda olid pole saab tema kohta välja ainult kõik"
    ),
    "lv": (
        "un ir ka ar no par uz lai gada kas arī nav tā to pēc bet kā pie vai tiek vairāk savu tas bija līdz jau šo būs tikai "
        "laikā viņš kuri var ja tika"
    ),
    "lt": (
        "ir kad į su yra iš tai kaip bet nuo už apie ne jau dar per buvo po ar metų savo taip kurie jis jo gali tik kuris "
        "jie bus prie nėra labai"
    ),
    "sv": (
        "och i att det som en på är av för med den till inte har de ett om men han var jag sig från vi så kan när år under "
        "också efter eller nu över vid ska mot skulle där"
    ),
    "da": (
        "og i at det er en til på som af for med de den der ikke har et han var fra vi jeg om men kan sig så også efter "
        "eller hun blev nu over ved skal mod skulle hvor være blevet"
    ),
    "no": (
        "og i at det er en til på som av for med de den ikke har et han var fra vi jeg om men kan seg så også etter eller "
        "hun ble nå over ved skal mot skulle hvor være blitt sier"
    ),
    "ca": (
        "el la els les de i que a en un una per amb no es del al és són com més ha però seva seu aquest aquesta dels també "
        "ser han sobre entre quan fins pel o va hi ens"
    ),
    "gl": (
        "o a os as de e que en un unha para con non por do da no na se máis dos como pero foi ao das seu súa ou cando moi "
        "nos xa tamén pola polo ata entre son está"
    ),
    "eu": (
        "eta da ez bat du ere dira izan zuen hau baina egin behar zen dute duen baino beste oso dago gabe arte bere horrek den dela"
    ),
    "sq": (
        "e në të dhe që për me nga një është ka si nuk u por do se më ishte janë kanë ai kjo ky pas tij mund edhe duke vetëm sipas"
    ),
    "id": (
        "yang dan di dengan untuk dari ini itu pada tidak dalam akan ke oleh juga sebagai ada dia mereka bisa telah kami "
        "saya karena tersebut lebih atau kata sudah saat menjadi bahwa secara para"
    ),
    "ms": (
        "yang dan di dengan untuk dari ini itu pada tidak dalam akan ke oleh juga sebagai ada beliau mereka boleh telah kami "
        "saya kerana tersebut lebih atau kata sudah ketika menjadi bahawa para berkata daripada"
    ),
    "vi": (
        "và của là có các được trong cho một với không đã người này để những khi đến về từ cũng như ra đó trên vào tại năm "
        "sẽ nhiều theo sau"
    ),
    "sw": (
        "na ya wa kwa katika ni la za kuwa hiyo hii alisema hilo huo pia baada wake watu cha yake lakini kama zaidi moja hao kutoka"
    ),
    "tl": "ang ng sa na mga at ay ni si para hindi may kung kay ito niya din rin lang siya nang isang mula ayon",
    "el": "και το να του η της με που την από τα για είναι στο οι ο τον σε των δεν θα στην ένα μια αυτό στη ότι έχει τους αλλά",
    "ar": "في من على إلى أن التي الذي عن مع هذا هذه كان ما لا بعد قد كما بين كل أو قبل ذلك خلال حيث وقال",
    "fa": "و در به از که این را با است برای آن یک خود تا بر هم کرد شد گفت ها می شده های نیز",
    "ur": "کے کی میں اور ہے کا سے نے کو ہیں پر کہ اس یہ ان بھی کر نہیں تھا ایک",
    "hi": "के में की है और से को का ने पर एक यह भी हैं कि लिए नहीं इस कर था",
    "mr": "आहे आणि या च्या ते तो ही हे की आहेत होते मध्ये असे त्या केला नाही",
    "ne": "र छ को मा ले भएको गरेको पनि हो यो छन् गर्न थियो लागि",
}
_SCRIPTS = (
    ("he", re.compile("[\u05d0-\u05ea]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("th", re.compile("[\u0e01-\u0e2e]")),
    ("ka", re.compile("[\u10d0-\u10ff]")),
    ("hy", re.compile("[\u0561-\u0587]")),
    ("bn", re.compile("[\u0985-\u09b9]")),
    ("ta", re.compile("[\u0b85-\u0bb9]")),
    ("te", re.compile("[\u0c05-\u0c39]")),
    ("kn", re.compile("[\u0c85-\u0cb9]")),
    ("ml", re.compile("[\u0d05-\u0d39]")),
    ("gu", re.compile("[\u0a85-\u0ab9]")),
    ("pa", re.compile("[\u0a05-\u0a39]")),
    ("si", re.compile("[\u0d85-\u0dc6]")),
    ("km", re.compile("[\u1780-\u17b3]")),
    ("my", re.compile("[\u1000-\u102a]")),
    ("am", re.compile("[\u1200-\u137f]")),
)
_WORDS = re.compile(r"[^\W\d_]+(?:[\u0900-\u0903\u093a-\u094f][^\W\d_]*)*")
_LETTERS = "".join(re.findall(r"[^\W\d_]", "".join(map(chr, range(0x530)))))
#: The same where letters are Latin, Greek or Cyrillic; listed, they are found twice as fast.
_WESTERN_WORDS = re.compile(f"[{_LETTERS}]+")
_OTHER_SCRIPT = re.compile("[\u0530-\u05ff\u0980-\uffff]")
_CODE = re.compile(r"(?:[a-z]{2}|fil|yue|ast|hsb|dsb|szl|ckb|kab)$")
#: Languages by common word.
_SPOKEN: dict[str, list[str]] = {}
for _language, _words in _COMMON.items():
    for _word in set(_words.split()):
        _SPOKEN.setdefault(_word, []).append(_language)
_OWN = {language: frozenset(words.split()) for language, words in _COMMON.items()}
#: Codes that mean the same language, or one that the detector does not part from another.
_SAME = (
    {"no", "nb", "nn"},
    {"hr", "bs", "sr", "sh"},
    {"id", "ms"},
    {"tl", "fil"},
    {"he", "iw"},
    {"da", "no", "nb"},
    {"gl", "pt"},
    {"zh", "yue"},
)


def detect_language(text: str) -> str | None:
    """Name the language of a text by its two-letter code; None where it is too short or too mixed to tell."""
    return _detect(text, None)


def _detect(text: str, stated: str | None) -> str | None:
    """Name the language of a text; the stated one has the benefit of the doubt."""
    sample = text[:_LONGEST_SAMPLE].lower()
    western = sample.isascii() or all(map(_is_western, set(sample)))
    if not western and (by_script := _by_script(sample)) is not None:
        return by_script
    words = (_WESTERN_WORDS if western else _WORDS).findall(sample)
    if len(words) < _LEAST_WORDS:
        return None
    if stated in _OWN:
        own, known = sum(map(_OWN[stated].__contains__, words)), sum(map(_SPOKEN.__contains__, words))
        if own >= _LEAST_SHARE * len(words) and own >= _BENEFIT * known:
            return stated  # no other language can have more words than all have together
    found = Counter(chain.from_iterable(_SPOKEN[word] for word in words if word in _SPOKEN))
    best = found.most_common(2)
    if not best or best[0][1] < _LEAST_SHARE * len(words):
        return None
    if stated is not None and found[stated] >= _BENEFIT * best[0][1]:
        return stated
    if len(best) > 1 and best[0][1] < _LEAST_LEAD * best[1][1] and not same_language(best[0][0], best[1][0]):
        return None
    return best[0][0]


def _is_western(sign: str) -> bool:
    """Tell a sign that stands in texts in Latin, Greek and Cyrillic letters: one of these, or punctuation."""
    return sign < "\u0530" or "\u2010" <= sign <= "\u203a"


def _by_script(sample: str) -> str | None:
    """Name the language of a script that one language alone writes; kana make Japanese of Chinese characters."""
    if sample.isascii() or len(_OTHER_SCRIPT.findall(sample)) < 12:
        return None
    letters = sum(map(str.isalpha, sample))
    for language, pattern in _SCRIPTS:
        count = len(pattern.findall(sample))
        if count > (0.1 if language == "ja" else 0.4) * max(1, letters) and count >= 12:
            return language
    return None


def same_language(one: str, other: str) -> bool:
    """Tell whether two codes name one language, or two that are not told apart."""
    return one == other or any(one in group and other in group for group in _SAME)


def choose_language(configured: str | None, declared: str | None, text: str) -> tuple[str | None, str | None]:
    """Choose between what the portal is said to write, what the page declares and what its body is written in.

    Returns:
        The language, and the one detected in the body where that is another than the one declared or configured.
    """
    stated = configured or (declared if declared and _CODE.match(declared) else None)
    detected = _detect(text, stated)
    if stated is None or detected is None:
        return stated or detected, None
    if same_language(stated, detected):
        return stated, None
    # templates that were never adapted declare "en"; the text itself is the better witness
    return (configured or detected), detected
