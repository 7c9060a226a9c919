"""Decoding follows browsers."""

from __future__ import annotations

import codecs
import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.page.encoding import decode, find_other_format

SENTENCES = {
    "cs": "Zastupitelé včera večer odsouhlasili rozpočet, přestože opozice žádala, aby se jednání přesunulo na příští týden.",
    "pl": "Radni przyjęli wczoraj późnym wieczorem budżet, choć opozycja żądała, żeby głosowanie odłożyć o tydzień.",
    "hu": "A képviselők tegnap késő este elfogadták a költségvetést, bár az ellenzék szerint előbb meg kellett volna vitatni.",
    "de": "Der Gemeinderat hat gestern Abend den Haushalt für das nächste Jahr beschlossen, während die Opposition dagegen stimmte.",  # noqa: E501
    "fr": "Les élus ont adopté hier soir le budget, même si l’opposition réclamait que la séance fût reportée à plus tard.",
    "ru": "Депутаты вчера поздно вечером приняли бюджет, хотя оппозиция требовала перенести голосование на следующую неделю.",
    "he": "חברי המועצה אישרו אמש את התקציב, אף שהאופוזיציה דרשה לדחות את ההצבעה בשבוע נוסף כדי לדון בו.",
    "zh": "市议会昨天晚上通过了明年的预算，尽管反对派要求把表决推迟到下个星期，他们说这是不合理的。",
    "ja": "市議会は昨夜、来年度の予算案を可決したが、野党は採決を来週に延期するように求めていた。",
    "ko": "시의회는 어젯밤 늦게 내년 예산안을 통과시켰지만 야당은 표결을 다음 주로 미루자고 요구하였다. 이에 대해 시장은 답하지 않았다.",  # noqa: E501
}
LEGACY = [
    ("cs", "windows-1250", "cp1250"), ("cs", "iso-8859-2", "iso-8859-2"), ("pl", "windows-1250", "cp1250"),
    ("pl", "iso-8859-2", "iso-8859-2"), ("hu", "windows-1250", "cp1250"), ("de", "iso-8859-1", "cp1252"), ("fr", "windows-1252", "cp1252"),  # noqa: E501
    ("ru", "windows-1251", "cp1251"), ("ru", "koi8-r", "koi8-r"), ("he", "windows-1255", "cp1255"), ("zh", "gb18030", "gb18030"),
    ("zh", "gb2312", "gbk"), ("ja", "shift_jis", "cp932"), ("ja", "euc-jp", "euc_jp"), ("ko", "euc-kr", "cp949"),
]  # fmt: skip


def page(sentence: str, head: str = "") -> str:
    return f"<html><head>{head}<title>x</title></head><body><p>{sentence}</p></body></html>"


@pytest.mark.parametrize(("language", "label", "codec"), LEGACY)
def test_a_charset_in_the_header_is_followed(language, label, codec):
    body = page(SENTENCES[language]).encode(codec)

    assert SENTENCES[language] in decode(body, f"text/html; charset={label}")


@pytest.mark.parametrize("header", ["iso-8859-1", "windows-1250", "UTF-16", "shift_jis"])
def test_utf_8_that_says_so_is_read_as_such_whatever_the_header_says(header):
    body = page(SENTENCES["cs"], "<meta charset=utf-8>").encode()

    assert SENTENCES["cs"] in decode(body, f"text/html; charset={header}")
    assert SENTENCES["cs"] in decode(
        f"<?xml version='1.0' encoding='utf-8'?><p>{SENTENCES['cs']}".encode(), f"text/xml; charset={header}"
    )


@pytest.mark.parametrize("header", ["iso-8859-1", "windows-1251", "gb2312"])
def test_utf_8_beyond_doubt_is_read_as_such_whatever_the_header_of_a_server_says(header):
    assert SENTENCES["cs"] in decode(page(SENTENCES["cs"]).encode(), f"text/html; charset={header}")


def test_a_declaration_of_utf_16_in_ascii_is_that_of_utf_8():
    assert SENTENCES["cs"] in decode(f"<?xml version='1.0' encoding='UTF-16'?><p>{SENTENCES['cs']}".encode())


@pytest.mark.parametrize(("language", "label", "codec"), LEGACY)
def test_a_charset_in_a_meta_element_is_followed(language, label, codec):
    body = page(SENTENCES[language], f'<meta http-equiv="Content-Type" content="text/html; charset={label}">').encode(codec)

    assert SENTENCES[language] in decode(body)


@pytest.mark.parametrize(("language", "label", "codec"), LEGACY)
def test_an_undeclared_legacy_encoding_is_detected(language, label, codec):
    body = page(SENTENCES[language] + " ").encode(codec)

    assert SENTENCES[language] in decode(body)


@pytest.mark.parametrize("language", SENTENCES)
def test_undeclared_utf_8_stays_utf_8(language):
    assert SENTENCES[language] in decode(page(SENTENCES[language]).encode())


def test_a_byte_order_mark_beats_the_header_and_the_header_beats_the_meta_element():
    sentence = SENTENCES["cs"]
    marked = codecs.BOM_UTF8 + page(sentence).encode()
    told = page(sentence, '<meta charset="utf-8">').encode("cp1250")

    assert sentence in decode(marked, "text/html; charset=windows-1250")
    assert sentence in decode(told, "text/html; charset=windows-1250")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_with_a_byte_order_mark_is_read(codec):
    mark = codecs.BOM_UTF16_LE if codec == "utf-16-le" else codecs.BOM_UTF16_BE

    assert SENTENCES["ja"] in decode(mark + page(SENTENCES["ja"]).encode(codec))


def test_a_meta_element_cannot_declare_utf_16():
    assert SENTENCES["cs"] in decode(page(SENTENCES["cs"], '<meta charset="utf-16">').encode())


def test_latin_1_means_windows_1252_as_in_browsers():
    assert "“quoted” – €" in decode("<p>“quoted” – €</p>".encode("cp1252"), "text/html; charset=iso-8859-1")


def test_one_broken_byte_does_not_turn_utf_8_into_something_else():
    body = page(SENTENCES["pl"] * 5).encode() + b"\xff<p>end</p>"

    assert SENTENCES["pl"] in decode(body)


@given(st.binary(max_size=400), st.sampled_from([None, "text/html", "text/html; charset=nonsense", "text/html; charset=utf-8"]))
def test_any_bytes_give_text_without_nul(body, content_type):
    assert "\x00" not in decode(body, content_type)


@pytest.mark.parametrize(("language", "label", "codec"), LEGACY)
@pytest.mark.parametrize("place", ["header", "meta"])
def test_a_page_that_only_says_it_is_utf8_is_read_as_what_it_is(language, label, codec, place):
    head = "<meta charset=utf-8>" if place == "meta" else ""

    text = decode(page(SENTENCES[language], head).encode(codec), "text/html; charset=utf-8" if place == "header" else None)

    assert SENTENCES[language] in text


def test_utf8_with_some_broken_places_stays_utf8():
    body = page(SENTENCES["ru"], "<meta charset=utf-8>").encode().replace(b"</p>", b" \xe9\xe8 \xf8</p>")

    assert SENTENCES["ru"] in decode(body)


@pytest.mark.parametrize(
    "label", ["idna", "base64", "undefined", "punycode", "unicode_escape", "raw-unicode-escape", "rot13", "hex", "zlib", "nonsense"]
)
def test_what_is_no_encoding_of_pages_is_not_believed(label: str) -> None:
    page = f"<html><head><meta charset='{label}'></head><body><p>Příliš žluťoučký kůň pěl ďábelské ódy \\ud800.</p></body></html>"

    assert "Příliš žluťoučký kůň" in decode(page.encode())
    assert "\\ud800" in decode(page.encode())
    assert "Příliš žluťoučký kůň" in decode(page.replace(label, "utf-8").encode(), f"text/html; charset={label}")


PAGE = "<!doctype html><meta charset=utf-8><title>Zpráva</title><p>Žluťoučký kůň úpěl ďábelské ódy."


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "application/pdf"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "image/png"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image/jpeg"),
        (b"PK\x03\x04\x14\x00", "application/zip"),
        (gzip.compress(PAGE.encode()), "application/gzip"),
        (b"RIFF\x24\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"\xca\xfe\xba\xbe\x00\x00\x00\x02" * 100, "application/octet-stream"),
        (b'[project]\nname = "ferry"\nauthors = [{name = "A. Novak <a@example.org>"}]\n', "text/plain"),
        (b"body { color: red }\n", "text/plain"),
        (b'{"title": "Ferry", "body": "<p>The ferry sails again.</p>"}', "application/json"),
        (b'[{"id": 1, "text": "<b>Ferry</b>"}]', "application/json"),
    ],
)
def test_what_is_no_page_is_named(body: bytes, kind: str) -> None:
    assert find_other_format(body) == kind


@pytest.mark.parametrize("charset", ["utf-8", "windows-1250", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-2"])
def test_a_page_is_text_in_any_encoding(charset: str) -> None:
    assert find_other_format(PAGE.encode(charset)) is None


@pytest.mark.parametrize("text", ["新聞記事。" * 40, "Новости дня. " * 40, "ニュース" * 40, "뉴스 기사 " * 40])
@pytest.mark.parametrize("charset", ["utf-8", "gb18030"])
def test_letters_beyond_ascii_are_text(text: str, charset: str) -> None:
    assert find_other_format(text.encode(charset)) == "text/plain"
    assert find_other_format(f"<p>{text}".encode(charset)) is None


def test_iso_2022_jp_and_stray_control_characters_are_text() -> None:
    assert find_other_format(b"<p>" + "ニュース記事".encode("iso-2022-jp") * 9) is None
    assert find_other_format(PAGE.replace("Zpráva", "Zpr\x00\x1a\x01áva").encode()) is None


@pytest.mark.parametrize("content_type", [None, "text/html; charset=utf-8", "text/plain", "application/xhtml+xml", "unknown"])
def test_a_header_that_may_be_of_a_page_is_not_believed(content_type: str | None) -> None:
    assert find_other_format(PAGE, content_type) is None


def test_a_header_of_another_format_is_believed() -> None:
    assert find_other_format(PAGE, "application/json; charset=utf-8") == "application/json"


def test_nothing_is_text() -> None:
    assert find_other_format(b"") is None
