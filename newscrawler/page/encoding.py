"""The page that a caller passes (text, bytes, a tree, a response of an HTTP library) as text, decoded as browsers do it.

In this order: BOM, HTTP header, meta declaration, detection; but what is UTF-8 beyond doubt is read as such whatever the header of
a server's defaults or a stale declaration says. Where browsers show nothing but question marks, for a page that only says that it
is UTF-8, it is read as what it is. A page that declares no encoding is UTF-8 if it can be, else it has the legacy encoding in
which the share of common characters of a language is highest; ties go to the first of the table.

Binary files are recognised by their first bytes, as in the WHATWG's standard "MIME Sniffing" (§6 and §7.1, read in 2026). A page
may contain stray control characters, and UTF-16 contains NULs by nature, so single ones decide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from os import PathLike
from typing import Any, NamedTuple, Protocol, runtime_checkable

from lxml import etree
from w3lib.encoding import html_to_unicode

from newscrawler.errors import ConfigError

#: A page that could be read up to its declaration is not UTF-16, whatever it declares.
_WRONG_DECLARATION = re.compile(
    rb"""((?:<meta\b[^>]{0,200}?charset|<\?xml\b[^>]{0,200}?encoding)\s*=\s*["']?\s*)(utf-?(?:16|32)(?:-?[lb]e)?|x-user-defined)""",
    re.IGNORECASE,
)
_WIDE_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*(?:utf-?(?:16|32)|ucs-?2)", re.IGNORECASE)
_HEAD_BYTES = 4096
#: What Python calls encodings as well, and what no browser reads pages by.
_NO_ENCODING = re.compile(
    rb"""(charset\s*=\s*["']?\s*)(idna|punycode|undefined|(?:raw[-_ ])?unicode[-_ ]escape)\b""", re.IGNORECASE
)
#: Declarations of another encoding than UTF-8, in a header and in a page.
_HEADER_STATES_OTHER = re.compile(r"""charset\s*=\s*["']?\s*(?!utf-?8)\w""", re.IGNORECASE)
_STATES_OTHER = re.compile(rb"""<meta\b[^>]{0,200}?charset\s*=\s*["']?\s*(?!utf-?8)\w""", re.IGNORECASE)


def decode(body: bytes, content_type: str | None = None) -> str:
    """Decode a page.

    Args:
        body: the response body, decompressed.
        content_type: the Content-Type header, if there is one.

    Returns:
        Text without NUL characters; undecodable bytes become U+FFFD.
    """
    return decode_page(body, content_type)[1]


def decode_page(body: bytes, content_type: str | None = None) -> tuple[str, str]:
    """Return the encoding of a page by Python's name, and its text as `decode` does."""
    encoding, text = _decode_bytes(body, content_type)
    return encoding, text.replace("\x00", "") if encoding != "utf-8" or b"\x00" in body else text


def find_encoding(beginning: bytes, content_type: str | None = None) -> str:
    """Name the encoding of a document by its beginning, for one that is decoded in pieces; Python knows it."""
    return _decode_bytes(beginning, content_type)[0]


def _decode_bytes(body: bytes, content_type: str | None) -> tuple[str, str]:
    if content_type and _NO_ENCODING.search(content_type.encode("latin-1", "replace")):
        content_type = None
    head = body[:_HEAD_BYTES]
    if _NO_ENCODING.search(head):
        body = _NO_ENCODING.sub(rb"\1", head) + body[_HEAD_BYTES:]
    if not body.startswith((b"\xff\xfe", b"\xfe\xff")):
        body = _WRONG_DECLARATION.sub(lambda found: found[1] + b"utf-8", body[:_HEAD_BYTES]) + body[_HEAD_BYTES:]
        if content_type and b"\x00" not in head and _WIDE_CHARSET.search(content_type):
            content_type = None
    has_charset = content_type is not None and "charset" in content_type.lower()
    states_other = _HEADER_STATES_OTHER.search(content_type or "") if has_charset else _STATES_OTHER.search(head)
    if states_other and (text := _read_utf8(body)):
        return "utf-8", text
    try:
        encoding, text = html_to_unicode(content_type, body, default_encoding="utf-8", auto_detect_fun=detect)
    except LookupError:  # "base64" and the like: a codec, but of no text
        encoding = detect(body)
        text = body.decode(encoding, "replace")
    if encoding == "utf-8" and "\ufffd" in text and _is_no_utf8(text):
        encoding = detect(body)
        text = body.decode(encoding, "replace")
    return encoding, text


def _read_utf8(body: bytes) -> str:
    """Return a page as UTF-8 where that is certain, though it states another encoding: it was saved anew; else an empty string."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return text if _count_beyond_ascii(text) >= 4 else ""  # no text in another encoding has as many by chance


def _count_beyond_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _is_no_utf8(text: str) -> bool:
    """Return whether most of what is beyond ASCII could not be read: the page only says that it is UTF-8."""
    broken = text.count("\ufffd")
    return broken >= 3 and 2 * broken > _count_beyond_ascii(text)  # fewer say nothing of the whole


#: Bytes looked at; enough for any page to show its language.
_SAMPLE_BYTES = 65_536
_NOT_TEXT = re.compile(rb"<(script|style)\b.*?</\1\s*>|<[^>]*>|[\x00-\x7f]{200,}", re.DOTALL | re.IGNORECASE)

#: The letters beyond ASCII of the languages that are written in a single-byte encoding.
_ALPHABETS: Mapping[str, tuple[str, ...]] = {
    "cp1252": (
        "äöüß„“", "éèàçêôùûîïëœ«»’", "áéíóúñ¿¡ü", "ãçáéõâêíóúà", "àèéìòù", "åäöéøæ", "éëïóè", "áðéíóúýþæö", "’“”‘–—",
    ),
    "cp1250": (
        "áíéěšřčžýůúťďňó„“", "łąęóżśćźń„”", "áéóöőíúűü", "áäčďéíĺľňóôŕšťúýž", "ăâîşţ", "čšžćđ",
    ),
    "iso-8859-2": ("áíéěšřčžýůúťďňó", "łąęóżśćźń", "áéóöőíúűü", "áäčďéíĺľňóôŕšťúýž", "čšžćđ"),
    "cp1251": ("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", "оаинвітерсклудмпязьгбчхцюжйїєщфшґ", "аоиенртсјукмвдлпзгбшчњљжћцхђфџ"),
    "koi8-r": ("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",),
    "koi8-u": ("оаинвітерсклудмпязьгбчхцюжйїєщфшґ",),
    "cp1253": ("αοιετνσηυρπκμλςςίόάέήγδωχθύφβώξζψ",),
    "cp1254": ("çğıöşüâîİ",),
    "cp1255": ("יוהלאבתמרשנםדפחקעכצןטגסזץףך",),
    "cp1256": ("اليمنورتبدةعهسفكحقجأشصىطخإضذزثئغظءؤآ،",),
    "cp1257": ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž"),
    "cp874": ("านรอกเงมยลวดทตะส่้บปคหิีัไแจพชขใโื็ุูธถผึณญซฉ์ภศษฟฐฝ",),
}  # fmt: skip
#: The most common characters of the languages that are written in a multi-byte encoding, and the share they have at least.
_COMMON: Mapping[str, tuple[str, float]] = {
    "cp932": ("のにをはがとでたしてるいれなさあこかもられりうっきまくすそ、。", 0.3),
    "euc_jp": ("のにをはがとでたしてるいれなさあこかもられりうっきまくすそ、。", 0.3),
    "cp949": ("이다는을의에가고하지로기한도사은서를인대자있것과니나해어리시", 0.2),
    "gb18030": ("的一是了在有人不这中大为上个国我以要他时来用们生到作地于出就，。", 0.12),
    "big5hkscs": ("的一是了在有人不這中大為上個國我以要他時來用們生到作地於出就，。", 0.12),
}


def detect(body: bytes) -> str:
    """Name the encoding of an undeclared page."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start > len(body) - 4 or _is_nearly_utf8(body):
            return "utf-8"
    else:
        return "utf-8"
    sample = _NOT_TEXT.sub(b" ", body[:_SAMPLE_BYTES]) or body[:_SAMPLE_BYTES]
    return _guess_multi_byte(sample) or _guess_single_byte(sample)


def _is_nearly_utf8(body: bytes) -> bool:
    """Return whether the page is UTF-8 with a few broken places, as where two sources were pasted together."""
    text = body[:_SAMPLE_BYTES].decode("utf-8", "replace")
    return text.count("\ufffd") * 20 < _count_beyond_ascii(text)


def _guess_multi_byte(sample: bytes) -> str | None:
    best, found = 0.0, None
    for encoding, (common, least) in _COMMON.items():
        text = sample.decode(encoding, "replace")
        beyond = [character for character in text if character > "\x7f"]
        if not beyond or text.count("\ufffd") * 50 > len(beyond):
            continue
        share = sum(character in common for character in beyond) / len(beyond)
        if share >= least and share / least > best:
            best, found = share / least, encoding
    return found


def _guess_single_byte(sample: bytes) -> str:
    # the sign of copyright and quotation marks without a neighbour: letters in other encodings
    sample = re.sub(rb"(?<![^\s>(])[\xa9\xab](?=[\s<])|(?<=\s)\xbb(?=[\s.,;<])", b" ", sample)
    best, found = 0.5, "cp1252"
    for encoding, alphabets in _ALPHABETS.items():
        text = sample.decode(encoding, "replace")
        beyond = [character for character in text if character > "\x7f" and character not in "\xa0\xad–—…"]
        if not beyond:
            continue
        for alphabet in alphabets:
            share = sum(
                (character in alphabet) + 0.8 * (character.lower() in alphabet and character not in alphabet)
                for character in beyond
            )
            share /= len(beyond)
            if len(alphabet) > 20:  # a whole script, ordered by how often a letter occurs: other text has few of the first
                share *= 0.6 + min(0.4, sum(character.lower() in alphabet[:9] for character in beyond) / len(beyond))
            if share > best + 0.001:
                best, found = share, encoding
    return found


_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "application/pdf"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"Rar!\x1a\x07", "application/x-rar-compressed"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"OggS\x00", "application/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"wOF2", "font/woff2"),
    (b"\x7fELF", "application/x-executable"),
)
#: RIFF files name their format behind their length.
_RIFF = {b"WEBP": "image/webp", b"AVI ": "video/avi", b"WAVE": "audio/wave"}
_TEXT_BYTES = bytes(sorted({*range(0x20, 0x100), 0x09, 0x0A, 0x0C, 0x0D, 0x1B}))


def read_media_type(content_type: str) -> str:
    """Return the last media type that a Content-Type header names and that says something; "": there is none.

    https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
    """
    named = [kind for value in content_type.lower().split(",") if _MEDIA_TYPE.fullmatch(kind := value.partition(";")[0].strip())]
    return next((kind for kind in reversed(named) if kind not in {"unknown/unknown", "application/unknown"}), "")


def find_other_format(content: str | bytes, content_type: str | None = None) -> str | None:
    """Return the media type of content that is not HTML; None: it is HTML, or empty.

    What is not text is `application/octet-stream` where that is all that can be said, text without an element of HTML `text/plain`.

    Args:
        content: the beginning decides.
        content_type: the HTTP header; that text is only text, or XML, is not believed, since many servers say it of pages.
    """
    declared = read_media_type(content_type or "")
    if declared and not declared.startswith("text/") and not declared.endswith("xml"):
        return declared
    if isinstance(content, bytes):
        if (binary := _find_binary_kind(content[:1445])) is not None:  # as much as the standard looks at
            return binary
        # the signs that matter are those of ASCII, in UTF-16 as well
        content = content[:_SEARCHED_BYTES].replace(b"\x00", b"").decode("latin-1")
    if _JSON.match(content, 0, _SEARCHED_BYTES):
        return "application/json"
    is_text = _ELEMENT.search(content, 0, _SEARCHED_BYTES) is None and content[:_SEARCHED_BYTES].strip()
    return "text/plain" if is_text else None


def _find_binary_kind(head: bytes) -> str | None:
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            return kind
    if head.startswith(b"RIFF") and head[8:12] in _RIFF:
        return _RIFF[head[8:12]]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"<\x00" in head or b"\x00<" in head:
        return None
    binary = len(head.translate(None, _TEXT_BYTES))  # no text has one such byte in ten
    return "application/octet-stream" if binary > 0.1 * len(head) else None


_MEDIA_TYPE = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+", re.ASCII)
#: How much of a text is searched for an element.
_SEARCHED_BYTES = 1 << 16
_JSON = re.compile(r"\s*\{\s*(?:\"[^\"<]*\"\s*:|\})|\s*\[\s*(?:[\[{\"\]]|-?\d)")
#: The beginning of an element that any page has; an address in angle brackets, as in a list of authors, is none.
_ELEMENT = re.compile(
    r"<!doctype\s|</?(?:html|head|body|title|meta|link|script|style|div|span|p|br|hr|a|b|i|em|strong|h[1-6]|ul|ol|li|dl|table|t[rdh]"
    r"|img|article|main|section|header|footer|nav|aside|font|center|pre|blockquote|form|frame|frameset)(?=[\s/>])",
    re.IGNORECASE,
)


@runtime_checkable
class Response(Protocol):
    """A response of Scrapy (`body`), httpx or requests (`content`); both have headers and the URL of the page."""

    @property
    def url(self) -> Any:
        """The address, after redirects."""

    @property
    def headers(self) -> Any:
        """The HTTP headers, a mapping."""


#: What `newscrawler.extract` takes.
Page = str | bytes | bytearray | memoryview | etree._Element | etree._ElementTree | Response  # noqa: SLF001  lxml names its classes so


class Content(NamedTuple):
    """A page as the parser takes it."""

    html: str | bytes
    url: str | None
    content_type: str | None


def read_content(page: Page, url: str | None = None, content_type: str | bytes | None = None) -> Content:
    """Return the text or the bytes of a page, with what is known of it.

    Args:
        page: text, bytes, an lxml tree (it is copied), or a response.
        url: goes before the response's own.
        content_type: goes before the response's own.

    Raises:
        ConfigError: it is an address, the path of a file, or nothing that holds a page.
    """
    kind = content_type.decode("latin-1") if isinstance(content_type, bytes) else content_type
    if isinstance(page, str):
        _check_text(page)
        return Content(page, url, kind)
    if isinstance(page, (bytes, bytearray, memoryview)):
        return Content(bytes(page), url, kind)
    if isinstance(page, (etree._Element, etree._ElementTree)):  # noqa: SLF001
        return Content(etree.tostring(page, encoding="unicode", method="html"), url, kind)
    if isinstance(page, PathLike):
        raise ConfigError(f"{str(page)!r} is the path of a file, not a page. Pass what it holds: extract(path.read_bytes()).")
    if isinstance(page, Response):
        return _read_response(page, url, kind)
    raise ConfigError(f"A page is text, bytes, an lxml tree or a response, not {type(page).__name__}.")


def _check_text(text: str) -> None:
    """Refuse an address and the name of a file, which are not pages."""
    bare = text.strip() if len(text) < 4096 else ""
    if re.fullmatch(r"[a-z][a-z0-9+.-]*://\S+", bare, re.IGNORECASE):
        raise ConfigError(
            f"{bare} is an address, not a page. Fetch it and pass the response, or run `newscrawler extract {bare}`, "
            "which asks robots.txt first."
        )
    if re.fullmatch(r"[^<>\n]*\.(?:html?|xhtml|mht(?:ml)?|php|aspx?|warc|gz|txt)", bare, re.IGNORECASE):
        raise ConfigError(f"{bare!r} is the name of a file, not a page. Pass what it holds: extract(Path({bare!r}).read_bytes()).")


def _read_response(response: Response, url: str | None, content_type: str | None) -> Content:
    body = getattr(response, "body", None)  # Scrapy
    if not isinstance(body, bytes):
        body = getattr(response, "content", None)  # httpx, requests
    if not isinstance(body, bytes):
        raise ConfigError(f"{type(response).__name__} has neither `body` nor `content` with the bytes of a page.")
    if content_type is None:
        declared = response.headers.get("Content-Type")
        content_type = declared.decode("latin-1") if isinstance(declared, bytes) else declared
    return Content(body, url or str(response.url), content_type)
