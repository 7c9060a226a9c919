from __future__ import annotations

import gzip

import pytest

from newscrawler.page.encoding import find_binary_kind

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
    ],
)
def test_what_is_no_page_is_named(body: bytes, kind: str) -> None:
    assert find_binary_kind(body) == kind


@pytest.mark.parametrize("charset", ["utf-8", "windows-1250", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-2"])
def test_a_page_is_text_in_any_encoding(charset: str) -> None:
    assert find_binary_kind(PAGE.encode(charset)) is None


@pytest.mark.parametrize("text", ["新聞記事。" * 40, "Новости дня. " * 40, "ニュース" * 40, "뉴스 기사 " * 40])
@pytest.mark.parametrize("charset", ["utf-8", "gb18030"])
def test_letters_beyond_ascii_are_text(text: str, charset: str) -> None:
    assert find_binary_kind(text.encode(charset)) is None


def test_iso_2022_jp_and_stray_control_characters_are_text() -> None:
    assert find_binary_kind("ニュース記事".encode("iso-2022-jp") * 9) is None
    assert find_binary_kind(PAGE.replace("Zpráva", "Zpr\x00\x1a\x01áva").encode()) is None


def test_nothing_is_text() -> None:
    assert find_binary_kind(b"") is None
