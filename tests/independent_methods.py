"""Published methods a second time, written from the documents alone and as plainly as they are described there.

Nothing of newscrawler.research.methods is used, so that a misreading in one shows as a difference from the other. They are slow
and take any lxml tree; each returns the text of the article, None where it finds none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain

import numpy as np
from lxml import etree

#: What readers never see.
_HIDDEN = frozenset({
    "script", "style", "noscript", "template", "svg", "math", "head", "title", "iframe", "object", "textarea", "select", "datalist",
    "audio", "video", "canvas",
})  # fmt: skip


@dataclass(eq=False)
class Node:
    """An element, or a text between two tags (`tag` is empty)."""

    tag: str = ""
    text: str = ""
    #: "#" and the id of an element, or "." and its class.
    name: str = ""
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """Yield the node and all below it in preorder."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    @property
    def whole_text(self) -> str:
        """Return the text of the node and of all below it."""
        return " ".join(node.text for node in self.walk() if node.text)


def tree_of(root: etree._Element) -> Node:
    """Return a page as nodes: elements that readers see, and texts that are not only white space."""
    made = Node(tag="html")
    stack = [(root, made)]
    while stack:
        element, node = stack.pop()
        _add_text(node, element.text)
        for child in element:
            if isinstance(child.tag, str) and child.tag not in _HIDDEN:
                names = ((sign, " ".join((child.get(key) or "").split())) for sign, key in (("#", "id"), (".", "class")))
                node.children.append(Node(tag=child.tag, name=next((sign + name for sign, name in names if name), "")))
                stack.append((child, node.children[-1]))
            _add_text(node, child.tail)
    return made


def _add_text(node: Node, text: str | None) -> None:
    if text and not text.isspace():
        node.children.append(Node(text=" ".join(text.split())))


# ---------------------------------------------------------------------- 003 section 3.1


def node_energy(root: etree._Element, p: float = 5.0) -> str | None:
    """E(leaf) = characters; E(inner) = sum of E(children) * (1 - p/k); coherent: no child has more, from the root down."""
    tree = tree_of(root)
    nodes = list(tree.walk())
    depth = {id(tree): 0}
    for node in nodes:
        depth.update((id(child), depth[id(node)] + 1) for child in node.children)
    k = max(depth.values())
    if p >= k:
        return None
    energy: dict[int, float] = {}
    for node in reversed(nodes):
        energy[id(node)] = sum(energy[id(child)] for child in node.children) * (1 - p / k) if node.children else len(node.text)
    coherent, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        if all(energy[id(child)] <= energy[id(node)] for child in node.children):
            coherent.append(node)
        else:
            waiting.extend(node.children)
    best = max(coherent, key=lambda node: energy[id(node)])
    return best.whole_text or None


# ---------------------------------------------------------------------- 002 pseudo-code 4.1


def modified_ttr(root: etree._Element) -> str | None:
    """Add up the characters of the children p, strong, h1 to h6, and of the children of the others."""
    best = max((node for node in tree_of(root).walk() if node.name), key=_text_of_children, default=None)
    return best.whole_text or None if best and _text_of_children(best) else None


def _text_of_children(node: Node) -> int:
    found = 0
    for child in node.children:
        if child.tag in {"p", "strong", "h1", "h2", "h3", "h4", "h5", "h6"}:
            found += sum(len(each.text) for each in child.walk())
        else:
            found += sum(len(each.text) + sum(len(text.text) for text in each.children) for each in child.children)
    return found


# ---------------------------------------------------------------------- 002 section 2.1.3.2, after the paper that it names


def tag_path_clustering(root: etree._Element, *, scale: float = 10.0, most_cut: float = 0.6, least: int = 3) -> str | None:
    """Cluster the paths of tags that occur at least three times by their rhythm; take the text in the elements of one cluster.

    Text in inline elements counts as the element's own, and paths without any as no signal; the cluster with most text outside of
    links is the article. The thesis is silent on all three.
    """
    tree = tree_of(root)
    places: dict[str, list[int]] = {}
    for position, (node, path) in enumerate(_with_paths(tree)):
        if node.tag:
            places.setdefault(path, []).append(position)
    texts = {path for node, path in _with_paths(tree) for child in node.children if child.text}
    paths = [path for path in places if len(places[path]) >= least and path in texts]
    if not paths:
        return None
    similarity = np.array([[_similarity(places[a], places[b], scale) for b in paths] for a in paths])
    clusters = _normalized_cuts(similarity, list(range(len(paths))), most_cut)
    chosen = [{paths[number] for number in cluster} for cluster in clusters]
    best = max(chosen, key=lambda taken: len("".join("".join(_text_in(tree, "", taken, skipped="a")).split())))
    return "\n".join(_text_in(tree, "", best)) or None


def _with_paths(tree: Node) -> Iterator[tuple[Node, str]]:
    stack = [(tree, "")]
    while stack:
        node, above = stack.pop()
        yield node, (path := f"{above}/{node.tag}")
        stack.extend((child, path) for child in reversed(node.children))


def _text_in(node: Node, above: str, paths: set[str], *, is_inside: bool = False, skipped: str = "") -> list[str]:
    if node.tag == skipped:
        return []
    path = f"{above}/{node.tag}"
    is_inside = path in paths or (is_inside and node.tag in _INLINE)
    found: list[str] = []
    for child in node.children:
        if child.text:
            found += [child.text] if is_inside else []
        else:
            found += _text_in(child, path, paths, is_inside=is_inside, skipped=skipped)
    return found


_INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
    "label", "mark", "nobr", "q", "ruby", "rb", "rt", "rp", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time",
    "tt", "u", "var", "wbr",
})  # fmt: skip


def _similarity(one: list[int], other: list[int], scale: float) -> float:
    if one is other:
        return 1.0
    apart = abs(float(np.mean(one)) - float(np.mean(other)))
    uneven = max(_interleaving(one, other), _interleaving(other, one))
    return scale / (apart * uneven + scale) if np.isfinite(uneven) else 0.0


def _interleaving(one: list[int], other: list[int]) -> float:
    """Return variance by mean of how often the other occurs between two occurrences of the one."""
    counts = np.diff(np.searchsorted(other, one))
    return float(np.var(counts) / np.mean(counts)) if counts.any() else float("inf")


def _normalized_cuts(similarity: np.ndarray, members: list[int], most_cut: float) -> list[list[int]]:
    if len(members) < 2:
        return [members]
    part = similarity[np.ix_(members, members)]
    degrees = part.sum(axis=1)
    scaled = part / np.sqrt(np.outer(degrees, degrees))
    _, vectors = np.linalg.eigh(scaled)
    order = np.argsort(vectors[:, -2] / np.sqrt(degrees))
    costs = []
    for end in range(1, len(members)):
        left, right = order[:end], order[end:]
        crossing = part[np.ix_(left, right)].sum()
        costs.append(crossing / degrees[left].sum() + crossing / degrees[right].sum())
    best = int(np.argmin(costs))
    if costs[best] >= most_cut:
        return [members]
    halves = ([members[place] for place in side] for side in (order[: best + 1], order[best + 1 :]))
    return [cluster for half in halves for cluster in _normalized_cuts(similarity, half, most_cut)]


# ---------------------------------------------------------------------- 002 section 2.1.3.1, after the paper that it names


def mdr(root: etree._Element, *, most_nodes: int = 10, threshold: float = 0.3, least_depth: int = 3) -> str | None:
    """Compare neighbouring generalised nodes of every tree of three levels; take the region with the most text."""
    tree = tree_of(root)
    best = ""
    depths: dict[int, int] = {}
    for node in reversed(list(tree.walk())):
        tags = [child for child in node.children if child.tag]
        depths[id(node)] = 1 + max((depths[id(child)] for child in tags), default=0)
    for node in tree.walk():
        tags = [child for child in node.children if child.tag]
        if depths[id(node)] < least_depth or len(tags) < 2:
            continue
        strings = [[each.tag for each in child.walk() if each.tag][:_LONGEST] for child in tags]
        for start, length in _regions(strings, most_nodes, threshold):
            text = "\n".join(child.whole_text for child in tags[start : start + length])
            best = max(best, text, key=len)
    return best or None


#: Tags of a subtree that are compared, so that a test ends.
_LONGEST = 60


def _regions(strings: list[list[str]], most_nodes: int, threshold: float) -> Iterator[tuple[int, int]]:
    """Yield start and length of the data regions (IdentDRs): the one that starts first, of these the longest; then behind it."""
    start = 0
    while start < len(strings):
        region = _first_region(strings, start, most_nodes, threshold)
        if region is None:
            return
        yield region
        start = sum(region)


def _first_region(strings: list[list[str]], start: int, most_nodes: int, threshold: float) -> tuple[int, int] | None:
    found: tuple[int, int] | None = None
    for size in range(1, most_nodes + 1):
        for first in range(start, start + size):
            begin, length = 0, 0
            for place in range(first, len(strings) - 2 * size + 1, size):
                one, other = (list(chain(*strings[at : at + size]))[:_LONGEST] for at in (place, place + size))
                if _distance(one, other) <= threshold:
                    begin, length = (begin, length + size) if length else (place, 2 * size)
                elif length:
                    break
            if length and (found is None or (length > found[1] and begin <= found[0])):
                found = begin, length
    return found


@cache
def _levenshtein(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    row = list(range(len(other) + 1))
    for number, tag in enumerate(one, 1):
        diagonal, row[0] = row[0], number
        for place, letter in enumerate(other, 1):
            diagonal, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, diagonal + (tag != letter))
    return row[-1]


def _distance(one: list[str], other: list[str]) -> float:
    """Return the edit distance by the mean length."""
    mean = (len(one) + len(other)) / 2
    if one == other:
        return 0.0
    if abs(len(one) - len(other)) / mean > 1:  # so far apart that no threshold in use is met
        return 1.0
    return _levenshtein(tuple(one), tuple(other)) / mean


# ---------------------------------------------------------------------- 002 section 2.1.4.1, pseudo-code 2.2


def ttr_lines(root: etree._Element, *, around: int = 2, least: int = 4) -> str | None:
    """Characters outside of tags by the tags of each line of the source; lines above the deviation, and two on each side."""
    lines = [line for line in "".join(_source(root)).split("\n") if line.strip()]
    texts = [" ".join(_TAG.sub("", line).split()) for line in lines]
    ratios = [len(text) / max(1, len(_TAG.findall(line))) for text, line in zip(texts, lines, strict=True)]
    if not ratios:
        return None
    high = [place for place, ratio in enumerate(ratios) if ratio > np.std(ratios)]
    near = {other for place in high for other in range(place - around, place + around + 1) if 0 <= other < len(lines)}
    return "\n".join(texts[place] for place in sorted(near) if place in high or len(texts[place]) >= least) or None


_TAG = re.compile("\0[^\1]*\1")


def _source(element: etree._Element) -> Iterator[str]:
    """Yield the source without attributes and scripts; tags are marked by signs that no text has."""
    yield f"\0{element.tag}\1{element.text or ''}"
    for child in element:
        if isinstance(child.tag, str) and child.tag not in _HIDDEN:
            yield from _source(child)
        yield child.tail or ""
    yield "\0/\1"


# ---------------------------------------------------------------------- 003 section 3.2


def link_position(root: etree._Element, tolerance: float = 0.1, *, least_beside: int = 40) -> str | None:
    """Every link is a text of its own, but those directly beside long text; the first node without others from the root down."""
    tree = tree_of(root)
    own: dict[int, list[int]] = {id(node): [len(node.text), 0] for node in tree.walk()}
    beside: dict[int, int] = {}
    for node in tree.walk():  # text beside, also where a word is set in bold
        outside = sum(len(each.text) for each in _walk_line(node))
        for child in node.children:
            beside[id(child)] = beside[id(node)] if node.tag in _INLINE else outside
    for node in reversed(list(tree.walk())):
        for child in node.children:
            running, links = own[id(child)]
            if child.tag == "a" and beside[id(child)] < least_beside:
                running, links = 0, running + links
            own[id(node)][0] += running
            own[id(node)][1] += links
    found, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        running, links = own[id(node)]
        if running and links <= tolerance * (running + links):
            found.append(node)
        else:
            waiting.extend(node.children)
    best = max(found, key=lambda node: own[id(node)][0], default=None)
    return best.whole_text or None if best else None


def _walk_line(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        if child.text or (child.tag in _INLINE and child.tag != "a"):
            yield from _walk_line(child)


# ---------------------------------------------------------------------- 002 section 2.1.2


def dom_comparison(samples: list[etree._Element]) -> Reading:
    """Remember what two pages have at the same absolute path; of another page return the rest."""
    seen = Counter(place for sample in samples for place in set(_texts_by_path(tree_of(sample))))
    return lambda root: "\n".join(text for path, text in _texts_by_path(tree_of(root)) if seen[path, text] < 2) or None


def _texts_by_path(node: Node, path: str = "") -> Iterator[tuple[str, str]]:
    positions: Counter[str] = Counter()
    for child in node.children:
        positions[child.tag] += 1
        if child.text:
            yield path, child.text
        else:
            yield from _texts_by_path(child, f"{path}/{child.tag}[{positions[child.tag]}]")


# ---------------------------------------------------------------------- 002 sections 4.1 and 4.2


def modified_ttr_wrapper(samples: list[etree._Element]) -> Reading:
    """Learn the id or class of the body that most samples have; of another page return the element that carries it."""
    found = [max((node for node in tree_of(sample).walk() if node.name), key=_text_of_children) for sample in samples]
    name = max(votes := Counter(node.name for node in found), key=lambda name: (votes[name], name[0] == "#"))

    def read(root: etree._Element) -> str | None:
        carriers = [node for node in tree_of(root).walk() if node.name == name]
        return max(carriers, key=_text_of_children).whole_text or None if carriers else None

    return read


# ---------------------------------------------------------------------- 004


def trinity(samples: list[etree._Element], *, is_strict: bool = False) -> Reading:
    """Cut pages at the longest shared pattern, and the prefixes, separators and suffixes in the same way; all other text varies.

    Where a pattern is missing on another page, it does not match; or it is cut at the longest pattern below that it has.
    """
    tree = _grow([_marks(sample) for sample in samples])

    def read(root: etree._Element) -> str | None:
        try:
            return "\n".join(mark[1:] for mark in _varying(tree, _marks(root), is_strict) if mark[0] == " ") or None
        except LookupError:
            return None

    return read


def trinity_strict(samples: list[etree._Element]) -> Reading:
    """As `trinity`; a page without a pattern does not match."""
    return trinity(samples, is_strict=True)


Marks = tuple[str, ...]


@dataclass
class Ternary:
    """A node of the tree: what the pages share, and its three parts."""

    shared: Marks = ()
    parts: dict[str, Ternary] = field(default_factory=dict)
    is_optional: bool = False

    def below(self) -> Iterator[Marks]:
        """Yield the shared patterns of all parts."""
        for part in self.parts.values():
            yield from ([part.shared] if part.shared else [])
            yield from part.below()


def _marks(root: etree._Element) -> Marks:
    """Return a page as tags with their attributes, as the paper's expressions have them, and texts."""
    found: list[str] = []

    def add(text: str | None) -> None:
        if text and not text.isspace():
            found.append(" " + " ".join(text.split()))

    def walk(element: etree._Element) -> None:
        found.append("<" + element.tag + "".join(f' {key}="{value}"' for key, value in element.attrib.items()))
        add(element.text)
        for child in element:
            if isinstance(child.tag, str) and child.tag not in _HIDDEN:
                walk(child)
            add(child.tail)
        if element.tag not in {"br", "img", "hr", "input", "wbr", "source", "embed", "track", "col", "area", "meta", "link"}:
            found.append("</" + element.tag)

    walk(root.find("body") if root.find("body") is not None else root)
    return tuple(found)


def _grow(pages: list[Marks]) -> Ternary:
    full = [page for page in pages if page]
    node = Ternary(is_optional=len(full) < len(pages))
    node.shared = _longest(full) if len(full) > 1 else ()
    if node.shared:
        pieces = [_split(page, node.shared) for page in full]
        groups = {"prefix": [piece[0] for piece in pieces], "suffix": [piece[-1] for piece in pieces]}
        groups["separator"] = [between for piece in pieces for between in piece[1:-1]]
        node.parts = {name: _grow(found) for name, found in groups.items() if any(found) or (found and name == "separator")}
    return node


def _split(page: Marks, shared: Marks) -> list[Marks]:
    found, start, place = [], 0, 0
    while place <= len(page) - len(shared):
        if page[place : place + len(shared)] == shared:
            found.append(page[start:place])
            start = place = place + len(shared)
        else:
            place += 1
    return [*found, page[start:]]


def _longest(pages: list[Marks]) -> Marks:
    low, high, best = 1, min(map(len, pages)), ()
    while low <= high:
        size = (low + high) // 2
        pieces = [{page[at : at + size] for at in range(len(page) - size + 1)} for page in pages]
        if shared := set.intersection(*pieces):
            best = next(pages[0][at : at + size] for at in range(len(pages[0])) if pages[0][at : at + size] in shared)
            low = size + 1
        else:
            high = size - 1
    return best


def _varying(node: Ternary | None, page: Marks, is_strict: bool) -> Iterator[str]:  # noqa: FBT001  as everywhere here
    if not page:
        if is_strict and node and not node.is_optional:
            raise LookupError
        return
    if node is None or not node.shared:
        if is_strict and node is None:
            raise LookupError
        yield from page
        return
    first, *between = _split(page, node.shared)
    if between:
        *between, last = between
        if between and "separator" not in node.parts:
            last = tuple(chain.from_iterable((*piece, *node.shared) for piece in between)) + last
            between = []
        parts = [("prefix", first), *(("separator", piece) for piece in between), ("suffix", last)]
        for name, piece in parts:
            if piece or name in node.parts:
                yield from _varying(node.parts.get(name), piece, is_strict)
        return
    if is_strict:
        raise LookupError
    known = [shared for shared in node.below() if len(_split(page, shared)) > 1]
    if not known:
        yield from page
        return
    before, *rest = _split(page, longest := max(known, key=len))
    yield from _varying(node, before, is_strict)
    yield from _varying(node, tuple(chain.from_iterable((*piece, *longest) for piece in rest[:-1])) + rest[-1], is_strict)


Reading = Callable[[etree._Element], str | None]
METHODS: dict[str, Callable[[etree._Element], str | None]] = {
    "link_position": link_position,
    "mdr": mdr,
    "node_energy": node_energy,
    "modified_ttr": modified_ttr,
    "tag_path_clustering": tag_path_clustering,
    "ttr_lines": ttr_lines,
}
#: Those that learn from several pages of a site.
SITE_METHODS: dict[str, Callable[[list[etree._Element]], Reading]] = {
    "dom_comparison": dom_comparison,
    "modified_ttr_wrapper": modified_ttr_wrapper,
    "trinity": trinity,
    "trinity_strict": trinity_strict,
}
