"""Published methods a second time, written from the documents alone and as plainly as they are described there.

Nothing of newscrawler.research.methods is used, so that a misreading in one shows as a difference from the other. They are slow
and take any lxml tree; each returns the text of the article, None where it finds none.
"""

from __future__ import annotations

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
    is_named: bool = False
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
                is_named = bool(child.get("id") or child.get("class"))
                node.children.append(Node(tag=child.tag, is_named=is_named))
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


def modified_ttr(root: etree._Element, *, whole_grandchildren: bool = False) -> str | None:
    """Add up the characters of the children p, strong, h1 to h6, and of the children of the others."""
    text_tags = {"p", "strong", "h1", "h2", "h3", "h4", "h5", "h6"}

    def direct(node: Node) -> int:
        return len(node.text) + sum(len(child.text) for child in node.children)

    def characters(node: Node) -> int:
        return sum(len(each.text) for each in node.walk())

    def length(node: Node) -> int:
        found = 0
        for child in node.children:
            if child.tag in text_tags:
                found += characters(child)
            else:
                found += sum((characters if whole_grandchildren else direct)(each) for each in child.children)
        return found

    best, most = None, 0
    for node in tree_of(root).walk():
        if node.is_named and (size := length(node)) > most:
            best, most = node, size
    return best.whole_text if best else None


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


METHODS: dict[str, Callable[[etree._Element], str | None]] = {
    "mdr": mdr,
    "node_energy": node_energy,
    "modified_ttr": modified_ttr,
    "tag_path_clustering": tag_path_clustering,
}
