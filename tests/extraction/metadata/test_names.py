"""Names in bylines of nineteen languages; roles, places, dates, photo credits and what the site offers are none.

Of a line that is not clear nobody is named: a wrong name is worse than none.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.extraction.metadata.names import clean_name, find_marked_names, find_shown_names

LINES: dict[str, dict[str, list[str]]] = {
    "cs": {
        "Autor: Jan Novák": ["Jan Novák"],
        "Napsal Jan Novák": ["Jan Novák"],
        "Napsala: Eva Malá, Praha": ["Eva Malá"],
        "Autor článku: Eva Malá": ["Eva Malá"],
        "Text: Jan Novák, foto: Karel Černý": ["Jan Novák"],
        "Eva Malá, redaktorka": ["Eva Malá"],
        "Jan Novák, ČTK": ["Jan Novák", "ČTK"],
        "Praha, 20. listopadu 2026": [],
        "Foto: Karel Černý": [],
        "Redakce": ["Redakce"],
        "ČTK": ["ČTK"],
        "Připravil Jan Novák": ["Jan Novák"],
        "Jan Novák | 20. 11. 2026 14:05": ["Jan Novák"],
        "Jan Novák 20. listopadu 2026": ["Jan Novák"],
        "(nov, čtk)": ["nov", "čtk"],
        "Šéfredaktor Jan Novák": ["Jan Novák"],
        "Jan Novák a Eva Malá": ["Jan Novák", "Eva Malá"],
        "Zpracovala Eva Malá": ["Eva Malá"],
        "Rozhovor vedla Eva Malá": ["Eva Malá"],
        "Publikoval: Jan Novák": ["Jan Novák"],
        "Zdroj: ČTK": ["ČTK"],
        "Všechny články autora": [],
        "Sdílet na Facebooku": [],
    },
    "sk": {
        "Autor: Ján Kováč": ["Ján Kováč"],
        "Napísala Eva Horváthová": ["Eva Horváthová"],
        "Pripravil Ján Kováč": ["Ján Kováč"],
        "Ján Kováč, TASR": ["Ján Kováč", "TASR"],
        "Eva Horváthová, redaktorka": ["Eva Horváthová"],
        "Foto: TASR": [],
        "Bratislava 20. novembra": [],
        "SITA": ["SITA"],
        "Redakcia": ["Redakcia"],
        "Ján Kováč a Eva Horváthová": ["Ján Kováč", "Eva Horváthová"],
        "Zdroj: TASR": ["TASR"],
        "Autorka článku: Eva Horváthová": ["Eva Horváthová"],
        "Ďalšie články autora": [],
    },
    "pl": {
        "Autor: Jan Kowalski": ["Jan Kowalski"],
        "Napisał Jan Kowalski": ["Jan Kowalski"],
        "Opracowała Anna Nowak": ["Anna Nowak"],
        "Oprac. Anna Nowak": ["Anna Nowak"],
        "Tekst: Anna Nowak, zdjęcia: Piotr Lis": ["Anna Nowak"],
        "Jan Kowalski, dziennikarz": ["Jan Kowalski"],
        "Jan Kowalski, PAP": ["Jan Kowalski", "PAP"],
        "Anna Nowak i Jan Kowalski": ["Anna Nowak", "Jan Kowalski"],
        "Rozmawiała Anna Nowak": ["Anna Nowak"],
        "Warszawa, 20 listopada 2026": [],
        "fot. Piotr Lis": [],
        "Redakcja": ["Redakcja"],
        "Dodał: Jan Kowalski": ["Jan Kowalski"],
        "Źródło: PAP": ["PAP"],
        "Redaktor naczelny Jan Kowalski": ["Jan Kowalski"],
        "(jk)": ["jk"],
        "Więcej artykułów autora": [],
        "Dominika Rafalska": ["Dominika Rafalska"],
    },
    "de": {
        "Von Hans Müller": ["Hans Müller"],
        "Von Hans Müller, Berlin": ["Hans Müller"],
        "Ein Kommentar von Eva Klein": ["Eva Klein"],
        "Text: Eva Klein, Fotos: Max Groß": ["Eva Klein"],
        "Hans Müller ist Redakteur im Ressort Politik": ["Hans Müller"],
        "Hans Müller (Redakteur)": ["Hans Müller"],
        "Eva Klein, stellvertretende Chefredakteurin": ["Eva Klein"],
        "Eva Klein, dpa": ["Eva Klein", "dpa"],
        "dpa/AFP": ["dpa", "AFP"],
        "Foto: dpa": [],
        "Redaktion": ["Redaktion"],
        "Aus Nairobi berichtet Eva Klein": ["Eva Klein"],
        "Protokoll: Eva Klein": ["Eva Klein"],
        "Interview: Eva Klein": ["Eva Klein"],
        "Eva Klein, 20.11.2026, 14:05 Uhr": ["Eva Klein"],
        "20. November 2026": [],
        "Stand: 20.11.2026": [],
        "Alle Beiträge": [],
        "Zur Autorenseite": [],
        "Weitere Artikel": [],
        "Hans von der Tann": ["Hans von der Tann"],
        "Leitender Wirtschaftsredakteur": [],
        "Holger Zschäpitz Leitender Wirtschaftsredakteur": ["Holger Zschäpitz"],
        "Lesezeit 5 Minuten": [],
        "Veröffentlicht von Hans Müller am 3. Mai": ["Hans Müller"],
        "Gepostet von Eva Klein": ["Eva Klein"],
        "Hinterlasse einen Kommentar": [],
        "Quelle: dpa": ["dpa"],
    },
    "en": {
        "By Jane Doe": ["Jane Doe"],
        "By Jane Doe and John Roe": ["Jane Doe", "John Roe"],
        "Written by Jane Doe": ["Jane Doe"],
        "Jane Doe, Staff Writer": ["Jane Doe"],
        "Jane Doe Senior Political Reporter": ["Jane Doe"],
        "By Jane Doe, Political Correspondent": ["Jane Doe"],
        "Jane Doe in London": ["Jane Doe"],
        "Jane Doe, London": ["Jane Doe"],
        "Analysis by Jane Doe": ["Jane Doe"],
        "Opinion by Jane Doe": ["Jane Doe"],
        "Story by Jane Doe": ["Jane Doe"],
        "Photo by John Roe": [],
        "Photographs by John Roe": [],
        "Edited by John Roe": [],
        "Fact checked by John Roe": [],
        "Medically reviewed by John Roe": [],
        "Posted on September 21": [],
        "Published November 1, 2026": [],
        "Updated: 3 hours ago": [],
        "Get author RSS feed": [],
        "View Author Archive": [],
        "More by Jane Doe": ["Jane Doe"],
        "See all posts by Jane Doe": ["Jane Doe"],
        "Full Bio": [],
        "Follow @janedoe": [],
        "Jane Doe @janedoe": ["Jane Doe"],
        "jane@example.org": [],
        "Associated Press": ["Associated Press"],
        "Jane Doe, Associated Press": ["Jane Doe", "Associated Press"],
        "Reuters": ["Reuters"],
        "Staff": [],
        "Staff Reporter": [],
        "Guardian staff reporter": [],
        "By Jane Doe | Nov 20, 2026": ["Jane Doe"],
        "Jane Doe Monday, November 20": ["Jane Doe"],
        "5 min read": [],
        "Director of Education Equity": [],
        "About the Author": [],
        "About the Author - Jane Doe": ["Jane Doe"],
        "Posted by admin": [],
        "Jane Doe for Example News": ["Jane Doe"],
        "Dr. Jane Doe": ["Dr. Jane Doe"],
        "Jane O'Neill-Smith": ["Jane O'Neill-Smith"],
        "Ludwig van Beethoven": ["Ludwig van Beethoven"],
        "Source: Reuters": ["Reuters"],
        "Leave a comment": [],
        "Share this article": [],
        "Sign up for our newsletter": [],
    },
    "fr": {
        "Par Marie Dupont": ["Marie Dupont"],
        "Par Marie Dupont et Jean Martin": ["Marie Dupont", "Jean Martin"],
        "Publié par Marie Dupont": ["Marie Dupont"],
        "Propos recueillis par Marie Dupont": ["Marie Dupont"],
        "Marie Dupont, journaliste": ["Marie Dupont"],
        "Marie Dupont, envoyée spéciale à Kiev": ["Marie Dupont"],
        "Marie Dupont avec AFP": ["Marie Dupont", "AFP"],
        "AFP": ["AFP"],
        "Photo : Jean Martin": [],
        "Publié le 20 novembre 2026": [],
        "La rédaction": ["La rédaction"],
        "Rédaction": ["Rédaction"],
        "Voir tous les articles": [],
        "Crédit photo Jean Martin": [],
        "Jean-Pierre de La Tour": ["Jean-Pierre de La Tour"],
        "Auteur : Marie Dupont": ["Marie Dupont"],
        "Correspondant à Londres": [],
    },
    "es": {
        "Por María García": ["María García"],
        "Por María García y Juan Pérez": ["María García", "Juan Pérez"],
        "Escrito por María García": ["María García"],
        "María García, periodista": ["María García"],
        "María García | Madrid": ["María García"],
        "María García. Corresponsal en París": ["María García"],
        "Redacción": ["Redacción"],
        "EFE": ["EFE"],
        "María García / EFE": ["María García", "EFE"],
        "Fotos: Juan Pérez": [],
        "Texto: María García": ["María García"],
        "Publicado el 20 de noviembre": [],
        "Ver más artículos": [],
        "Madrid, 20 nov 2026": [],
        "Juan de la Cruz": ["Juan de la Cruz"],
        "Publicado por María García": ["María García"],
    },
    "it": {
        "di Marco Rossi": ["Marco Rossi"],
        "di Marco Rossi e Anna Bianchi": ["Marco Rossi", "Anna Bianchi"],
        "Scritto da Marco Rossi": ["Marco Rossi"],
        "A cura di Marco Rossi": ["Marco Rossi"],
        "Marco Rossi, inviato a Roma": ["Marco Rossi"],
        "dal nostro inviato Marco Rossi": ["Marco Rossi"],
        "Redazione": ["Redazione"],
        "ANSA": ["ANSA"],
        "Foto di Marco Rossi": [],
        "Pubblicato il 20 novembre": [],
        "Articolo di Marco Rossi": ["Marco Rossi"],
        "Marco De Luca": ["Marco De Luca"],
        "Leggi tutti gli articoli": [],
    },
    "pt": {
        "Por João Silva": ["João Silva"],
        "Por João Silva e Ana Costa": ["João Silva", "Ana Costa"],
        "João Silva, repórter": ["João Silva"],
        "João Silva, em Lisboa": ["João Silva"],
        "Lusa": ["Lusa"],
        "Redação": ["Redação"],
        "Publicado em 20 de novembro": [],
        "Foto: Ana Costa": [],
        "Texto de João Silva": ["João Silva"],
        "Escrito por João Silva": ["João Silva"],
        "Patrícia Cassese 10/12/20 - 10h02": ["Patrícia Cassese"],
        "Agência Brasil": ["Agência Brasil"],
    },
    "uk": {
        "Автор: Олена Шевченко": ["Олена Шевченко"],
        "Текст: Олена Шевченко": ["Олена Шевченко"],
        "Автори: Олена Шевченко, Іван Франко": ["Олена Шевченко", "Іван Франко"],
        "Олена Шевченко та Іван Франко": ["Олена Шевченко", "Іван Франко"],
        "Підготувала Олена Шевченко": ["Олена Шевченко"],
        "Написав Іван Франко": ["Іван Франко"],
        "Олена Шевченко, журналістка": ["Олена Шевченко"],
        "Фото: Іван Франко": [],
        "Укрінформ": ["Укрінформ"],
        "Редакція": ["Редакція"],
        "20 листопада 2026, 14:05": [],
        "Київ": [],
        "УНІАН": ["УНІАН"],
    },
    "ru": {
        "Автор: Иван Петров": ["Иван Петров"],
        "Иван Петров, корреспондент": ["Иван Петров"],
        "Текст: Иван Петров Фото: Анна Иванова": ["Иван Петров"],
        "Подготовила Анна Иванова": ["Анна Иванова"],
        "Беседовала Анна Иванова": ["Анна Иванова"],
        "Иван Петров и Анна Иванова": ["Иван Петров", "Анна Иванова"],
        "ТАСС": ["ТАСС"],
        "РИА Новости": ["РИА Новости"],
        "Редакция": ["Редакция"],
        "Фото: РИА Новости": [],
        "20 ноября 2026": [],
        "Источник: ТАСС": ["ТАСС"],
        "Обозреватель Иван Петров": ["Иван Петров"],
    },
    "hu": {
        "Írta: Nagy Péter": ["Nagy Péter"],
        "Szerző: Kovács Anna": ["Kovács Anna"],
        "Nagy Péter, újságíró": ["Nagy Péter"],
        "Nagy Péter és Kovács Anna": ["Nagy Péter", "Kovács Anna"],
        "MTI": ["MTI"],
        "Fotó: Kovács Anna": [],
        "2026. november 20.": [],
        "Szerkesztőség": ["Szerkesztőség"],
        "Készítette: Nagy Péter": ["Nagy Péter"],
        "Forrás: MTI": ["MTI"],
        "Szerkesztette: Kovács Anna": [],
    },
    "he": {
        "מאת: דוד כהן": ["דוד כהן"],
        "מאת דוד כהן": ["דוד כהן"],
        "דוד כהן, כתב": ["דוד כהן"],
        "צילום: דוד כהן": [],
        "כתב: דוד כהן": ["דוד כהן"],
        "20 בנובמבר 2026": [],
        "מערכת": ["מערכת"],
        "רויטרס": ["רויטרס"],
        "דוד כהן ושרה לוי": ["דוד כהן", "שרה לוי"],
    },
    "tr": {
        "Yazan: Ali Yılmaz": ["Ali Yılmaz"],
        "Haber: Ali Yılmaz": ["Ali Yılmaz"],
        "Ali Yılmaz, muhabir": ["Ali Yılmaz"],
        "Ali Yılmaz ve Ayşe Demir": ["Ali Yılmaz", "Ayşe Demir"],
        "AA": ["AA"],
        "DHA": ["DHA"],
        "Fotoğraf: Ayşe Demir": [],
        "20 Kasım 2026": [],
        "Editör: Ayşe Demir": ["Ayşe Demir"],
        "Kaynak: AA": ["AA"],
        "Hazırlayan: Ali Yılmaz": ["Ali Yılmaz"],
    },
    "fa": {
        "نویسنده: سارا محمدی": ["سارا محمدی"],
        "نویسنده: سارا محمدی و امیر حسینی": ["سارا محمدی", "امیر حسینی"],
        "خبرنگار: لیلا کریمی، عکس: علی رستمی": ["لیلا کریمی"],
        "کد خبر: ۱۴۰۵۰۸۰۱۰۰": [],
    },
    "th": {
        "โดย กนกวรรณ ใจดี": ["กนกวรรณ ใจดี"],
        "โดย กนกวรรณ ใจดี และ ธนพล รักไทย": ["กนกวรรณ ใจดี", "ธนพล รักไทย"],
        "ผู้เขียน: ธนพล รักไทย": ["ธนพล รักไทย"],
        "ภาพโดย ธนพล รักไทย": [],
    },
    "ar": {
        "بقلم: أحمد علي": ["أحمد علي"],
        "كتب أحمد علي": ["أحمد علي"],
        "كتبت: سارة محمد": ["سارة محمد"],
        "أحمد علي، مراسل": ["أحمد علي"],
        "تصوير: أحمد علي": [],
        "رويترز": ["رويترز"],
        "إعداد: أحمد علي": ["أحمد علي"],
        "20 نوفمبر 2026": [],
        "أ ف ب": ["أ ف ب"],
        "وكالات": ["وكالات"],
    },
    "zh": {
        "记者：王小明": ["王小明"],
        "作者：王小明": ["王小明"],
        "文/王小明": ["王小明"],
        "记者 王小明 报道": ["王小明"],
        "王小明、李华": ["王小明", "李华"],
        "责任编辑：李华": ["李华"],
        "摄影：李华": [],
        "来源：新华网": ["新华网"],
        "新华社": ["新华社"],
        "2026年11月20日": [],
        "本报记者 王小明": ["王小明"],
        "新华社记者王小明": ["王小明"],
    },
    "ja": {
        "執筆：山田太郎": ["山田太郎"],
        "文・山田太郎": ["山田太郎"],
        "山田太郎 記者": ["山田太郎"],
        "【山田太郎】": ["山田太郎"],
        "写真：山田太郎": [],
        "共同通信": ["共同通信"],
        "2026年11月20日": [],
        "山田太郎、佐藤花子": ["山田太郎", "佐藤花子"],
        "著者：山田太郎": ["山田太郎"],
        "編集部": ["編集部"],
        "ロンドン=山田太郎": ["山田太郎"],
    },
}


PROMISED = "cs sk pl de en fr es it pt uk ru hu he tr ar fa th zh ja"


@pytest.mark.parametrize(
    ("line", "names"),
    [pytest.param(line, names, id=f"{language} {line}") for language, lines in LINES.items() for line, names in lines.items()],
)
def test_a_line_gives_who_wrote_and_nothing_else(line: str, names: list[str]) -> None:
    assert find_shown_names(line) == names


def test_every_promised_language_is_here() -> None:
    assert set(LINES) == set(PROMISED.split())


@pytest.mark.parametrize(
    "line",
    [
        "Theresa May",
        "J. K. Rowling",
        "KENNETH P. VOGEL",
        "Ed de Leon",
        "Ursula von der Leyen",
        "Jean d'Ormesson",
        "María-José O’Higgins",
        "Leonardo DiCaprio",
        "Luigi Di Maio",
        "Oleh Kovalchuk",
        "Jane Doe Jr.",
        "大渡 美咲",
    ],
)
def test_names_of_any_build_are_left_whole(line: str) -> None:
    assert find_shown_names(line) == [line]


@pytest.mark.parametrize("line", ["Interview von Eva Klein mit Hans Groß.", "Rozhovor vedla Eva Klein s Hansem Großem"])
def test_who_was_asked_did_not_write(line: str) -> None:
    assert find_shown_names(line) == ["Eva Klein"]


def test_what_stands_in_elements_of_its_own_is_not_joined_to_a_name() -> None:
    assert find_shown_names("By\nJane Doe\nand\nJohn Roe\nNews Reporter") == ["Jane Doe", "John Roe"]


def test_a_single_word_is_a_name_only_where_the_markup_says_so() -> None:
    assert find_shown_names("c1ph4") == []
    assert find_shown_names("c1ph4", single=True) == ["c1ph4"]
    assert find_shown_names("weiter", single=True) == []


@given(st.text(max_size=200))
def test_any_line_is_read(line: str) -> None:
    assert all(name.strip() == name for name in find_shown_names(line))


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Autor: Žofie Ďurišová Čtvrtek, 19. listopadu 2026", ["Žofie Ďurišová"]),
        ("Autor: Anna Maria Wesołowska Piątek, 13 listopada 2026, 12:00", ["Anna Maria Wesołowska"]),
        ("Autor: Krzysztof Piątek", ["Krzysztof Piątek"]),
        ("Autor: Krzysztof Piątek 13.11.2026", ["Krzysztof Piątek"]),
    ],
)
def test_the_day_of_the_week_behind_a_name_is_no_part_of_it(line: str, names: list[str]) -> None:
    assert find_shown_names(line) == names


@pytest.mark.parametrize(
    "text",
    ["5 days ago", "14 hours ago", "před 8 hodinami", "vor 3 Stunden", "przed 3 godzinami", "il y a 2 jours", "hace 5 horas",
     "5 минут назад",
     "8 ore fa", "2 timer siden", "há 3 horas", "3小时前", "3時間前", "3시간 전", "yesterday, 13:06", "včera, 8:30", "Heute, 9.15",
     "hier, 10h30"],
)  # fmt: skip
def test_how_long_ago_a_page_appeared_is_not_its_author(text: str) -> None:
    assert clean_name(text) is None
    assert find_marked_names(text) == []


@pytest.mark.parametrize("name", ["10 News", "France 24", "Channel 4 News", "TVN24"])
def test_a_number_may_belong_to_the_name_of_a_broadcaster(name: str) -> None:
    assert clean_name(name) == name
