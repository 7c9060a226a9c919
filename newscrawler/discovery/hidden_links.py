"""Links outside `a` elements: meta refresh, frames, JSON-LD lists, and whatever else a page names to load next.

No framework is known by name: addresses are read from attributes, from the values that scripts and attributes carry, in whatever
wrapping, and from the calls of programs. An attribute that loads (`hx-get`, `src`, `data-next-url`) names a further part of the
list, one that leads (`data-href`, `onclick`) a page. Lists, frames and loading attributes are read on any page that may be a
listing; the rest only where a page has few links in `a` elements, since elsewhere they repeat those, with pictures and services
among them.
"""

from __future__ import annotations

import contextlib
import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from html import escape
from itertools import islice
from typing import Any
from urllib.parse import urlencode, urlsplit

from lxml import etree

from newscrawler.discovery.links import FoundLink, Resolver, collect_links, find_place
from newscrawler.discovery.pagination import CAPITAL, CURSOR, NEXT_KEY, find_following, set_parameter
from newscrawler.discovery.urls.vocabulary import PAGE_PARAMETERS, find_category
from newscrawler.limits import HIDDEN_LINKS, STATE_VALUE_DEPTH
from newscrawler.page import Document, extract_visible_text, state_values

#: A page with more links in `a` elements needs no others.
FEW_LINKS = 20
#: https://html.spec.whatwg.org/multipage/document-lifecycle.html#shared-declarative-refresh-steps
_REFRESH = re.compile(
    r"\s*(\d{0,4})(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:'([^']+)|\"([^\"]+)|([^'\"].*))", re.IGNORECASE | re.DOTALL
)
#: A refresh that comes later reloads a ticker; from a page with more words it leads to the next thing to see.
_SOON_SECONDS, _FEW_WORDS = 10, 60
#: A program that does little but go to another page.
_LEAVES = re.compile(r"\blocation(?:\.href)?\s*(?:=|\.(?:replace|assign)\()\s*['\"]([^'\"\s]+)['\"]")
_SHORT_PROGRAM = 300
_LITERAL = re.compile(
    r"(\\|(?<!\\))['\"`]((?:https?:\\?/\\?/|\\?/(?![/*]))(?:[^'\"`\s<>\[\]{}()$^*|\\]|\\/)+)(?: [#.][\w-]+)?\1['\"`]"
)
#: Calls that load an address, in programs.
_CALL = re.compile(
    r"\b(?:(?:fetch|axios|ajax|getJSON|get|load|request)\w*\(\s*|open\(\s*['\"]GET['\"]\s*,\s*)(?=['\"`])", re.IGNORECASE
)
#: Words in names of attributes that load, and of their elements; and of attributes that neither load nor lead anywhere.
_LOADS = re.compile(
    r"(?:^|[-_:.])(?:get|load\w*|fetch|src|source|more|next|endpoint|api|ajax|remote|defer|frame|lazy|infinite)(?=$|[-_:.])"
)
_MORE = re.compile(r"(?:load|show|view)[-_]?more|more[-_]?(?:posts|articles|news|stories)|infinite|lazy[-_]?load", re.IGNORECASE)
_NO_ADDRESS = frozenset(
    {"id", "class", "style", "action", "formaction", "cite", "content", "d", "srcset", "poster", "name", "value"}
)
_NO_LOADERS = frozenset(
    {"img", "script", "iframe", "source", "video", "audio", "embed", "object", "link", "base", "meta", "form", "track"}
)
_COMMENT = re.compile(rb"<!--(?!\[if)((?:(?!-->)[\s\S])*)-->")
_SLASH = re.compile(r"\\u002f", re.IGNORECASE)
_MOST_LOADS, _FEWEST_BLANKS = 5, 3
#: A month or day in an address, as in those of archives.
_MONTH = re.compile(r"(?<!\d)(?:19|20)\d\d[-/_.]?(?:0?[1-9]|1[0-2])(?!\d{3})")
_BUTTONS = frozenset({"submit", "button", "image"})
#: Elements that show another document within the page.
_FRAMES = {"iframe": "src", "object": "data", "embed": "src"}
#: Kinds of pages that no list is loaded from, and parts of pages that list no articles.
_SERVICES = frozenset({"asset", "comments", "donate", "login", "mail", "newsletter", "search", "share", "shop", "subscribe"})
_ASIDES = frozenset({"nav", "menu", "header", "footer", "aside", "comments", "share", "search"})
#: Keys of a script's state whose values are URLs of pages.
_OWN_KEY = re.compile(r"(?:full|web|page|article|canonical)?_?(?:ur[il]|link|href|path)$|permalink$|canonical$", re.IGNORECASE)
_ADDRESS_KEY = re.compile(r"(?:ur[il]|link|href|path|canonical|^item|^@id)$", re.IGNORECASE)
_NO_PAGE_KEY = re.compile(r"image|img|thumb|photo|pic|avatar|icon|logo|video|audio|media|api|file|asset", re.IGNORECASE)
_TITLE_KEYS = ("title", "headline", "name", "children")
_ASSET = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|css|js|mjs|woff2?|mp[34]|ico|(json|xml))(?:[?#]|\Z)", re.IGNORECASE)
#: Addresses in base64, which begin with a slash or "http"; scripts that hand data to a function; places of parameters in addresses.
_BASE64 = re.compile(r"(?:L|aHR0c)[\w+/-]{8,}=*\Z")
_CALLBACK = re.compile(r"[?&](?:json_?p?)?(?:callback|cb|jsonp)=", re.IGNORECASE)
_PLACE = re.compile(r"(?:\{+|(?:%7B)+|:)(?:cursor|offset|page|start)(?:_?(?:number|no))?(?:\}+|(?:%7D)+|\b)", re.IGNORECASE)
#: A variable in an address of a program, in a template or between texts.
_VARIABLE = re.compile(
    r"\$\{\s*(?:\+\+)?(?:\w+\.)*(?P<in>\w+)(?:\+\+)?\s*\}"
    r"|(?<=[\w/=-])(?P<quote>['\"])\s*\+\s*\(?(?:\+\+)?(?:\w+\.)*(?P<behind>\w+)(?:\+\+)?\)?\s*(?P<more>\+\s*(?P=quote))?"
)
#: How addresses begin, and names of attributes that contain programs.
_BEGINNINGS = ("/", "http://", "https://", "?", "./", "../")
_PROGRAMS = ("on", "@", "x-", "v-", ":", "data-on")
_RELATIVE = re.compile(r"[\w.~%-]+(?:[/?][\w.~%=&-]+)+/?")
_LONGEST_ADDRESS, _LONGEST_PROGRAM = 1_000, 500_000
#: Calls of a program whose variables are looked up, and characters of each.
_MOST_CALLS, _LONGEST_CALL = 20, 300

_Resolve = Callable[[str | None], str | None]


def collect_hidden_links(page: Document, links: tuple[FoundLink, ...], source: bytes = b"") -> tuple[FoundLink, ...]:
    """Collect the links of a page that no `a` element has; each URL once, those in `links` left out; `source` has its comments."""
    resolve = Resolver.of(page)
    found = [
        *(FoundLink(url=url, where="menu") for text in _list_refreshes(page) if (url := _read_refresh(text, page))),
        *_read_frames(page, resolve, has_few=len(links) < FEW_LINKS),
        *_read_json_ld(page, resolve),
    ]
    loads, leads = _read_attributes(page, resolve)
    if not any(link.where == "pagination" or "next" in link.rel for link in links):
        found += loads[:_MOST_LOADS]
    if len(links) < FEW_LINKS:
        values = page.view(read_values)
        states, endpoints = _read_states(values, resolve), filter(None, map(resolve, _collect_endpoints(values, 0)))
        found += [FoundLink(url=url, where="pagination", is_further=True) for url in islice(endpoints, _MOST_LOADS)]
        found += [
            *leads[:HIDDEN_LINKS],
            *islice(states, HIDDEN_LINKS),
            *_read_calls(page, resolve),
            *_read_markup(page, values, source),
        ]
    else:
        found += [link for link in leads if _MONTH.search(link.url)][:HIDDEN_LINKS]
    known = {link.url for link in links} | {page.url}
    return tuple({link.url: link for link in reversed(found) if link.url not in known}.values())[::-1]


def find_refresh(page: Document, header: str | None) -> str | None:
    """Return where a page without much text leads: by `Refresh`, or a program that is all its content; None: it shows something."""
    target = next((url for text in (header, *_list_refreshes(page)) if (url := _read_refresh(text, page))), None)
    programs = (page.body.get("onload") or "") + "".join(script.text or "" for script in page.declarations["script"])
    if target is None and len(programs) <= _SHORT_PROGRAM and (leaves := _LEAVES.search(programs)) is not None:
        target = Resolver.of(page)(leaves[1].replace("\\/", "/")) if next(page.body.iter("div"), None) is None else None
    is_bare = target not in {None, page.url} and len(extract_visible_text(page.body).split()) <= _FEW_WORDS
    return target if is_bare else None


def convert_json_to_html(data: bytes, here: str = "") -> str | None:
    """Write a listing from JSON: its pieces of HTML, a link for each address, its next page, and its data; None: it is not JSON.

    `here`: its own address, in which a cursor of the answer takes the place of the last one.
    """
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, (dict, list)):
        return None
    parts = list(islice(_write_html(value, 0), 2 * HIDDEN_LINKS))
    said = json.dumps(value).replace("<", "\\u003c")  # of articles without an address
    is_named = any("<a rel=next " in part for part in parts)
    following = find_following(value, here) if (parts or "[{" in said) and not is_named else None
    parts += [f"<a rel=next href='{escape(following)}'>›</a>"] if following and following != here else []
    return f"<html><body><main>{''.join(parts)}</main><script type=application/json>{said}</script></body></html>"


def _list_refreshes(page: Document) -> Iterator[str]:
    for element in page.declarations["meta"]:
        if (element.get("http-equiv") or "").strip().lower() == "refresh":
            yield element.get("content") or ""


def _read_refresh(text: str | None, page: Document) -> str | None:
    """Return where a refresh leads soon; None: it reloads the page."""
    found = _REFRESH.match(text or "")
    if found is None or int(found[1] or 0) > _SOON_SECONDS:
        return None
    url = Resolver.of(page)(found[2] or found[3] or found[4])
    return url if url != page.url else None


def _read_frames(page: Document, resolve: _Resolve, *, has_few: bool) -> Iterator[FoundLink]:
    """Yield the frames of a frameset; of a page with few links also frames of its own host, and data that its head preloads."""
    for element in page.root.iter("frame"):
        url = resolve(element.get("src"))
        yield from [FoundLink(url=url, where="menu")] if url else []
    if has_few:
        host = urlsplit(page.base_url or "").netloc
        shown = [element.get(_FRAMES[str(element.tag)]) for element in page.body.iter(*_FRAMES)]
        shown += [link.get("href") for link in page.declarations["link"] if (link.get("as") or "").lower() in {"fetch", "document"}]
        for url in map(resolve, shown[:_MOST_LOADS]):
            if url and urlsplit(url).netloc == host and not _is_service(url):
                yield FoundLink(url=url, where="pagination", is_further=True)


def _read_json_ld(page: Document, resolve: _Resolve) -> Iterator[FoundLink]:
    """Yield the items of JSON-LD lists."""
    lists = [entry for entry in page.json_ld if "itemListElement" in entry and "BreadcrumbList" not in str(entry.get("@type"))]
    return islice(_read_states([entry["itemListElement"] for entry in lists], resolve), HIDDEN_LINKS)


def _read_attributes(page: Document, resolve: _Resolve) -> tuple[list[FoundLink], list[FoundLink]]:
    """Return the addresses in attributes outside of links: further parts of the list, and pages."""
    loads: dict[str, FoundLink] = {}
    leads: dict[str, FoundLink] = {}
    places: dict[etree._Element, str] = {}
    for element in page.body.iter(etree.Element):
        if element.tag == "form":
            leads |= {link.url: link for link in _read_choices(element, resolve)}
        if element.tag == "form" and (url := _read_form(element, resolve, said := _read_text(element))) is not None:
            if _is_headline(said):
                leads.setdefault(url, FoundLink(url=url, anchor=said, where="main"))
            else:
                loads.setdefault(url, FoundLink(url=url, where="pagination", is_further=True))
        is_property = element.tag in {"link", "meta"} and "itemprop" in element.attrib
        if (element.tag in _NO_LOADERS and not is_property) or not element.attrib:
            continue
        for name, value in element.attrib.items():
            is_own = (element.tag == "option" and name == "value") or (is_property and name == "content")
            is_link = name == "href" and element.tag in {"a", "area"}
            if (name in _NO_ADDRESS and not is_own) or (is_link and not str(value).startswith("javascript:")):
                continue
            address = _find_address(str(name), str(value))
            if address is None:
                continue
            is_loading = bool(_LOADS.search(str(name)) or _MORE.search(f"{element.get('class') or ''} {element.get('id') or ''}"))
            is_loading = (is_loading or bool(_CALL.search(str(value)))) and not is_property
            is_bare = element.tag not in {"a", "area"} or "href" not in element.attrib
            url = resolve(address) if is_loading or is_link or is_bare else None
            if url is None or _is_service(url) or (is_loading and find_place(element, places) in _ASIDES):
                continue
            shown = element.getparent() if is_property else element
            if is_loading or shown is None or not (text := _read_text(shown)):
                url = _add_cursor(url, element)
                loads.setdefault(url, FoundLink(url=url, where="pagination", is_further=True))
            else:
                leads.setdefault(url, FoundLink(url=url, anchor=text, where="main"))
    return list(loads.values()), list(leads.values())


def _read_text(element: etree._Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())[:160]


def _is_headline(text: str) -> bool:
    return text.count(" ") >= _FEWEST_BLANKS


def _find_address(name: str, value: str) -> str | None:
    """Return the address that an attribute is, or that its program contains; None: it has none."""
    if _BASE64.match(value):
        with contextlib.suppress(ValueError):
            value = b64decode(value).decode("ascii")
    asset = _ASSET.search(value)
    if asset is not None and not (asset[1] and _LOADS.search(name)):
        return None
    if (name == "src" or name.endswith("-get")) and _RELATIVE.fullmatch(value):
        return value
    is_program = name.startswith(_PROGRAMS) or value.startswith("javascript:")
    if not (is_program or value.startswith(_BEGINNINGS)) or len(value) > _LONGEST_ADDRESS:
        return None
    is_local = (value[:1] == "?" and "=" in value) or value.startswith(("./", "../"))
    if _is_address(value) or is_local or (asset is not None and value[:2] != "//"):
        return value if " " not in value.strip() else None
    literal = _LITERAL.search(value) if is_program else None
    return literal[2] if literal else None


def _read_form(element: etree._Element, resolve: _Resolve, said: str) -> str | None:
    """Return the part of a list, or the page with a headline, that a form without fields for the user leads to; None: neither."""
    fields = [each for each in element.iter("input", "select", "textarea") if (each.get("type") or "").lower() not in _BUTTONS]
    values = {each.get("name") or "": each.get("value") or "" for each in fields if each.get("type") == "hidden"}
    if len(values) < len(fields) or (element.get("method") or "get").lower() != "get":
        return None
    button = next((each for each in element.iter("button", "input") if each not in fields), element)
    if button.get("name") and button.get("value"):
        values |= {button.get("name") or "": button.get("value") or ""}
    action = (button.get("formaction") or element.get("action") or "").partition("?")[0]
    is_list = any(value and (CURSOR.search(name) or name.lower() in PAGE_PARAMETERS) for name, value in values.items())
    is_list = is_list or (not values and bool(button.get("formaction") or _is_headline(said)))
    return resolve(f"{action}?{urlencode(values)}" if values else action) if is_list else None


def _read_choices(form: etree._Element, resolve: _Resolve) -> Iterator[FoundLink]:
    """Yield the months and days of an archive among which a form lets the user choose."""
    fields = [each for each in form.iter("input", "select", "textarea") if (each.get("type") or "").lower() not in _BUTTONS]
    choices = [each for each in fields if each.tag == "select"]
    values = {each.get("name") or "": each.get("value") or "" for each in fields if each.get("type") == "hidden"}
    if len(choices) != 1 or len(values) + 1 < len(fields) or (form.get("method") or "get").lower() != "get":
        return
    action, name = (form.get("action") or "").partition("?")[0], choices[0].get("name") or ""
    for option in choices[0].iter("option"):
        said = option.get("value") or ""
        if name and _MONTH.search(f"={said}") and (url := resolve(f"{action}?{urlencode(values | {name: said})}")) is not None:
            yield FoundLink(url=url, anchor=_read_text(option), where="menu")


def _is_service(url: str) -> bool:
    return any(find_category(part) in _SERVICES for part in urlsplit(url).path.strip("/").split("/"))


def _add_cursor(url: str, element: etree._Element) -> str:
    """Return an address with what its element says of where the list goes on: `data-next-page`, an object of parameters."""
    named = {str(name).removeprefix("data-"): str(value) for name, value in element.attrib.items() if str(name) not in _NO_ADDRESS}
    for name, value in named.items():
        found = CURSOR.search(name)
        if found and value and not _is_address(value):
            turned = str(int(value) + 1) if found[1] == "page" and value == "1" else value
            return _PLACE.sub(turned, url) if _PLACE.search(url) else set_parameter(url, found[1], turned)
    objects = (said for value in named.values() if value[:1] == "{" and (said := _load_object(value)))
    for said in objects:
        if any(map(CURSOR.search, said)):
            url = reduce(lambda made, pair: set_parameter(made, pair[0], str(pair[1])), said.items(), url)
    return _PLACE.sub("2", url)


def _load_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return {key: inner for key, inner in value.items() if isinstance(inner, (str, int))} if isinstance(value, dict) else {}


def _read_calls(page: Document, resolve: _Resolve) -> Iterator[FoundLink]:
    """Yield the addresses in programs: those that calls load are further parts of the list."""
    for script in page.declarations["script"]:
        text, source = _SLASH.sub("/", script.text or ""), script.get("src")
        if source and _CALLBACK.search(source) and (url := resolve(source)):
            yield FoundLink(url=url, where="pagination", is_further=True)
        if source or len(text) > _LONGEST_PROGRAM:
            continue
        text = _put_numbers(text)
        called = {match.end() for match in _CALL.finditer(text)}
        for literal in islice(_LITERAL.finditer(text), HIDDEN_LINKS):
            address, is_loading = literal[2].replace("\\", ""), literal.start() in called
            asset = _ASSET.search(address)
            url = resolve(address) if asset is None or (asset[1] and is_loading) else None
            if url is None or _is_service(url):
                continue
            yield FoundLink(url=url, where="pagination" if is_loading else "main", is_further=is_loading)


def _put_numbers(text: str) -> str:
    """Return a program with numbers of pages in place of variables in the addresses it loads: `/list/${page}`, '/list/' + page."""

    def put(found: re.Match[str]) -> str:
        name = found["in"] or found["behind"]
        assigned = re.search(rf"\b{re.escape(name)}\s*[=:]\s*(\d{{1,6}})\b", text)
        if assigned is None and _PLACE.fullmatch(f":{name}") is None:
            return found[0]
        number = assigned[1] if assigned is not None and assigned[1] != "1" else "2"
        return number + (found["quote"] or "" if not found["more"] else "")

    parts, at = [], 0
    for call in islice(_CALL.finditer(text), _MOST_CALLS):
        if call.end() >= at:
            parts += [text[at : call.end()], _VARIABLE.sub(put, text[call.end() : call.end() + _LONGEST_CALL])]
            at = call.end() + _LONGEST_CALL
    return "".join([*parts, text[at:]])


def _read_markup(page: Document, values: Iterable[Any], source: bytes) -> Iterator[FoundLink]:
    """Yield the headlines in markup that a program puts into the page: documents of frames, data, comments."""
    texts = [frame.get("srcdoc") or "" for frame in page.body.iter("iframe")]
    texts += [comment.decode(page.encoding, "replace") for comment in _COMMENT.findall(source)]
    texts += [text for value in values for text in _collect_html(value, 0)]
    for text in islice((text for text in texts if "<a " in text), HIDDEN_LINKS):
        links = collect_links(Document.parse(text, page.base_url))
        yield from (link._replace(where=link.where or "main") for link in links if _is_headline(link.anchor))


def _read_states(values: Iterable[Any], resolve: _Resolve) -> Iterator[FoundLink]:
    for value in values:
        for address, title in _collect_addresses(value, 0):
            if url := resolve(address):
                yield FoundLink(url=url, anchor=title, where="main")


def _collect_addresses(value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """Yield (address, title) of all pages that a value names."""
    if depth > STATE_VALUE_DEPTH:
        return
    if isinstance(value, Mapping):
        title = find_title(value)
        for key, inner in value.items():
            if isinstance(inner, str):
                if _is_address_key(key) and _is_address(inner):
                    yield inner, title[:160]
            else:
                yield from _collect_addresses(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _collect_addresses(inner, depth + 1)


def _collect_endpoints(value: Any, depth: int) -> Iterator[str]:
    """Yield the addresses of lists that a value names by keys that load: `nextUrl`, `feedEndpoint`."""
    for key, inner in value.items() if isinstance(value, Mapping) else enumerate(value if isinstance(value, list) else ()):
        if not isinstance(inner, str):
            yield from _collect_endpoints(inner, depth + 1) if depth <= STATE_VALUE_DEPTH else ()
        elif inner[:1] == "/" and _is_address(inner) and _LOADS.search(CAPITAL.sub("-", str(key)).lower()):
            yield from [] if _is_service(inner) else [inner]


def read_values(page: Document) -> list[Any]:
    """Return the values from which a page builds itself (`state_values`)."""
    return list(state_values(page.root))


def find_title(value: Mapping[str, Any]) -> str:
    """Return the title of an object; "" where it has none."""
    return next((said for key in _TITLE_KEYS if isinstance(said := value.get(key), str)), "")


def has_address(value: Mapping[str, Any]) -> bool:
    """Return whether an object names its own page."""
    return any(_OWN_KEY.match(str(key)) and isinstance(inner, str) and _is_address(inner) for key, inner in value.items())


def _is_address_key(key: object) -> bool:
    return bool(_ADDRESS_KEY.search(str(key))) and not _NO_PAGE_KEY.search(str(key))


def _is_address(text: str) -> bool:
    return text.startswith(("/", "http://", "https://")) and not text.startswith("//") and not _ASSET.search(text) and len(text) > 1


def _write_html(value: Any, depth: int) -> Iterator[str]:
    """Yield the HTML of a value's strings, links for its addresses, and one for its next page."""
    for address, title in _collect_addresses(value, depth):
        yield f"<li><a href='{escape(address)}'>{escape(title)}</a></li>"
    yield from _collect_html(value, depth)


def _collect_html(value: Any, depth: int) -> Iterator[str]:
    if depth > STATE_VALUE_DEPTH:
        return
    if isinstance(value, str):
        if "<a " in value:
            yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            is_next = NEXT_KEY.fullmatch(CAPITAL.sub("_", str(key)).lower()) is not None
            said = inner.get("href") or inner.get("url") if is_next and isinstance(inner, Mapping) else inner
            if is_next and isinstance(said, str) and said.startswith(_BEGINNINGS):
                yield f"<a rel=next href='{escape(said)}'>›</a>"
            else:
                yield from _collect_html(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _collect_html(inner, depth + 1)
