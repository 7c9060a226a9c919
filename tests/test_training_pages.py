"""The pages that models learn from: what is in them, and that the tests' own pages are others."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from own_pages import layouts, pages_of

from newscrawler.page import Document
from training.disturb import put_in_unnamed, remove_names
from training.own_pages import generated_articles, generated_live_blog, generated_negatives, generated_sites
from training.records import read_records, structure
from training.sitegen.markup import LAYOUTS, ROLES, Markup, load_layout
from training.sitegen.unnamed import UnnamedForms
from training.walk import choose, kind_of, loopback, part_of, walk

DATA = Path(__file__).parents[1] / "training/data"
TEST_LAYOUTS = LAYOUTS.with_name("test_layouts")
KINDS = {
    "front", "section", "tag", "author", "archive", "search", "error", "login", "wall", "video", "gallery", "product", "forum",
}  # fmt: skip


def test_the_files_hold_what_the_generator_writes_today() -> None:
    written = {record["id"]: record for name in ("negatives", "articles") for record in read_records(DATA / f"{name}.jsonl.gz")}

    for site in list(generated_sites())[::11]:
        for record in [*generated_articles(site), generated_live_blog(site), *generated_negatives(site)]:
            assert written[record["id"]] == record, f"{record['id']} differs; run `python -m training.own_pages --generated-only`"


def test_pages_that_are_no_articles_are_of_all_kinds_and_of_many_sites() -> None:
    pages = list(read_records(DATA / "negatives.jsonl.gz"))
    sources, kinds = Counter(page["source"] for page in pages), Counter(page["kind"] for page in pages)

    assert set(kinds) == KINDS
    assert min(kinds.values()) >= 40
    assert len(sources) >= 50
    assert max(sources.values()) <= 40
    assert len({page["id"] for page in pages}) == len(pages)
    assert {urlsplit(page["url"]).hostname for page in pages} == {f"{source}.example" for source in sources}


def test_every_site_has_articles_in_the_same_markup() -> None:
    articles = list(read_records(DATA / "articles.jsonl.gz"))
    sources = Counter(page["source"] for page in articles)

    assert set(sources) == {page["source"] for page in read_records(DATA / "negatives.jsonl.gz")}
    assert min(sources.values()) >= 3
    assert all(page["gold"]["title"] and page["gold"]["body"] and page["gold"]["date"] for page in articles)


def test_the_tests_hold_no_page_and_no_layout_that_models_learn_from() -> None:
    learned = [record for name in ("negatives", "articles") for record in read_records(DATA / f"{name}.jsonl.gz")]
    held = [page for layout in layouts() for page in pages_of(layout)]

    assert not {record["url"] for record in learned} & {page.url for page in held}
    assert not {record["html"] for record in learned} & {page.html for page in held}
    assert not {path.name for path in LAYOUTS.glob("*")} & {path.name for path in TEST_LAYOUTS.glob("*")}


@pytest.mark.parametrize("path", sorted([*LAYOUTS.glob("*.toml"), *TEST_LAYOUTS.glob("*.toml")]), ids=lambda path: path.stem)
def test_a_layout_names_only_roles_that_there_are(path: Path) -> None:
    layout = load_layout(path.stem, path.parent)

    assert set(layout["roles"]) <= set(ROLES)
    assert set(layout) <= {"frame", "naming", "roles", "plain", "head", "body", "html", "doctype", "separator"}


def test_a_role_becomes_the_elements_that_its_notation_names() -> None:
    markup = Markup(layout={"roles": {"p": "div.a.b[data-x=y z]>p#t", "li": "&<br>"}, "naming": "bem"}, seed="s")

    assert (
        markup("p", "text", title="<") == '<div class="a b" data-x="y z"><p class="c-p__inner" id="t" title="&lt;">text</p></div>'
    )
    assert markup("li", "text") == "text<br>"
    assert markup("teaser-title", "text") == '<h2 class="c-teaser__title">text</h2>'


def test_a_walk_keeps_what_is_no_article_and_stays_on_its_site() -> None:
    site = {
        "/": (
            200,
            '<a href="/tag/a/">a</a><a href="/story">s</a><a href="https://other.example/tag/b/">o</a><a href="/feed/">f</a>',
        ),
        "/tag/a/": (200, '<a href="/">home</a>'),
        "/no-such-page/": (404, "nothing"),
    }

    pages = list(walk(site.__getitem__, "http://n.example", ["/", "/no-such-page/"], {"/story"}, limit=9))

    assert [(page["path"], page["kind"]) for page in pages] == [("/", "front"), ("/no-such-page/", "error"), ("/tag/a/", "tag")]


def test_only_this_machine_is_walked_over() -> None:
    with pytest.raises(ValueError, match="not on this machine"):
        loopback("http://n.example/")


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("/2026/11/", "archive"),
        ("/2026/11/a-title/", None),
        ("/?cat=2", "section"),
        ("/?s=a", "search"),
        ("/cs/sport/?page=2", "section"),
    ],
)
def test_an_address_tells_what_a_listing_lists(target: str, kind: str | None) -> None:
    assert kind_of(target) == kind


def test_of_pages_built_alike_few_are_kept() -> None:
    pages = [{"path": f"/tag/{number}/", "kind": "tag", "html": "<p>a</p>"} for number in range(30)]
    pages.append({"path": "/tag/other/", "kind": "tag", "html": "<table></table>"})
    parts = {part: choose(pages, "n", part, most=40) for part in ("training", "tests")}

    assert max(Counter(structure(page["html"]) for page in parts["training"]).values()) == 2
    assert all(part_of("n", page["path"]) == part for part, chosen in parts.items() for page in chosen)


def test_a_bare_copy_names_nothing_and_keeps_its_article() -> None:
    html = "<body class=post><article id=a role=main>" + "".join(
        f"<p class=text>Paragraph {n} of the article.</p>" for n in range(9)
    )
    named = 0
    for seed in range(40):
        document = Document.parse(html)
        spots = [block.element for block in document.layout.blocks]
        remove_names(document.body, tags=seed % 2 == 0)
        put = put_in_unnamed(spots, [f"Stranger number {n} says this." for n in range(80)], random.Random(seed))
        again = Document(document.root)
        inside = " ".join(str(text) for element in put for text in element.itertext())

        named += sum(name in element.attrib for element in document.body.iter("*") for name in ("class", "id", "role"))
        texts = [block.text for block in again.layout.blocks]
        assert "Paragraph 0 of the article." in texts
        assert "Paragraph 8 of the article." in texts
        assert len(texts) >= 4
        assert "Paragraph" not in inside
        assert inside.count("Stranger number") == "".join(map(str, document.body.itertext())).count("Stranger number")

    assert named == 0


def test_forms_without_names_differ_and_hold_all_texts() -> None:
    sections = set()
    for seed in range(60):
        dice = random.Random(seed)
        forms = UnnamedForms.draw(dice)
        section = forms.section_of([("Ann", "First."), ("Bob", "Second.")], dice)
        sections.add(section)

        assert "Caption" in forms.caption_of("Caption")
        assert "<img" in forms.caption_of("Caption")
        assert section.index("First.") < section.index("Second.")
        assert "{" not in section + forms.caption_of("x")

    assert len(sections) > 40
