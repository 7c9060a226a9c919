"""`newscrawler template`: versions are listed, shown, compared, passed on and gone back from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from kept_pages import NOON, Archive
from portal_server import address

from newscrawler.corpus import forget_in_templates

Run = Callable[..., Result]
BASE = "https://example.org"
SUBJECTS = ["most", "škola", "nádraží", "divadlo", "knihovna", "nemocnice", "tramvaj", "park"]


def page(number: int) -> str:
    subject = SUBJECTS[number % len(SUBJECTS)].capitalize()
    lines = [
        f"{subject} {number} projde podle starosty úpravami, o kterých rada jednala {part} týdnů; stojí {number * 7 + part} "
        f"milionů korun a hotovo má být do {part + 2} let, řekl v pondělí mluvčí radnice."
        for part in range(1, 6)
    ]
    paragraphs = "".join(f"<p>{line}</p>" for line in lines)
    return (
        f"<html lang=cs><head><title>{subject} {number} čeká na opravu | Deník</title></head><body>"
        f"<div id=menu><a href=/>Domů</a></div><div class=story><h1 class=hl>{subject} {number} čeká na opravu</h1>"
        f"<div class=story-text>{paragraphs}</div></div></body></html>"
    )


@pytest.fixture
def archive(folder: Path) -> Archive:
    """Eight articles whose pages are kept."""
    made = Archive(folder)
    made.night([(BASE + address(number), page(number)) for number in range(8)])
    return made


@pytest.fixture
def learned(run: Run, archive: Archive) -> Archive:
    """The same, with a template in use."""
    assert "version 1 was learned" in run("template", "learn", archive.portal).stdout
    return archive


def states(run: Run) -> list[tuple[int, str]]:
    return [(line["version"], line["state"]) for line in map(json.loads, run("template", "list", "--json").stdout.splitlines())]


def test_a_learned_template_is_in_use_and_shown(run: Run, learned: Archive) -> None:
    assert states(run) == [(1, "in use")]
    shown = run("template", "show", learned.portal).stdout
    assert "adopted: explains 100%" in shown
    assert "layout 1" in shown
    told = json.loads(run("template", "show", learned.portal, "--json").stdout)
    assert told["template"]["layouts"]


def test_a_template_goes_out_as_a_file_and_comes_in_again(run: Run, learned: Archive, folder: Path) -> None:
    run("template", "export", learned.portal, "--output", "template.json")
    edited = json.loads((folder / "template.json").read_text("utf-8"))
    edited["provenance"]["note"] = "reviewed"
    (folder / "template.json").write_text(json.dumps(edited), "utf-8")
    result = run("template", "import", learned.portal, "template.json")

    assert "version 2 is in use (imported from template.json)" in result.stdout
    assert states(run) == [(1, "replaced"), (2, "in use")]
    assert "reviewed" in run("template", "diff", learned.portal).stdout


@pytest.mark.parametrize("content", ["", "[]", '{"layouts": 3}', "{" * 5000, '{"overrides": {"lead": "//*["}}', "\x00"])
def test_a_file_that_is_no_template_is_refused(run: Run, learned: Archive, folder: Path, content: str) -> None:
    (folder / "bad.json").write_text(content, "utf-8")
    result = run("template", "import", learned.portal, "bad.json")

    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert states(run) == [(1, "in use")]


def test_a_field_is_set_by_hand_kept_by_what_is_learned_later_and_taken_back(run: Run, learned: Archive) -> None:
    result = run("template", "override", learned.portal, "lead", ".story-text > p")
    assert result.exit_code == 0, result.stderr
    assert "lead        css: .story-text > p" in run("template", "show", learned.portal).stdout
    run("template", "learn", learned.portal, "--force")
    assert "lead        css: .story-text > p" in run("template", "show", learned.portal).stdout
    run("template", "override", learned.portal, "lead", "--remove")
    assert ".story-text > p" not in run("template", "show", learned.portal).stdout
    assert states(run)[-1] == (4, "in use")


def test_a_selector_that_no_kept_page_has_is_refused_unless_forced(run: Run, learned: Archive) -> None:
    result = run("template", "override", learned.portal, "lead", ".perex")

    assert result.exit_code == 2
    assert "css: .perex finds nothing on any of 8 kept pages" in result.stderr
    assert states(run) == [(1, "in use")]
    assert "found on 0 of 8 kept pages" in run("template", "override", learned.portal, "lead", ".perex", "--force").stdout
    assert "finds nothing" in run("template", "override", learned.portal, "body", "section").stderr


def test_a_field_that_cannot_be_placed_is_named(run: Run, learned: Archive) -> None:
    result = run("template", "override", learned.portal, "price", "h1")

    assert result.exit_code == 2
    assert "price is not a field that can be set by hand; these can: title" in result.stderr


def test_a_template_is_tried_on_the_kept_pages_before_it_is_used(run: Run, learned: Archive, folder: Path) -> None:
    run("template", "export", learned.portal, "--output", "template.json")
    edited = json.loads((folder / "template.json").read_text("utf-8")) | {"overrides": {"section": "css: h1"}}
    (folder / "template.json").write_text(json.dumps(edited), "utf-8")

    told = json.loads(run("template", "test", learned.portal, "--file", "template.json", "--json").stdout)

    assert (told["pages"], told["explained"], told["changes"]) == (8, 8, {"section": 8})
    assert "8 pages tried, 8 explained by the template, 0 would change" in run("template", "test", learned.portal).stdout
    assert states(run) == [(1, "in use")]


def test_a_template_file_is_tried_on_a_file_of_pages_without_a_database(run: Run, folder: Path) -> None:
    lines = [json.dumps({"url": BASE + address(number), "html": page(number)}) for number in range(6)]
    (folder / "pages.jsonl").write_text("\n".join(lines), "utf-8")
    run("template", "learn", "--pages", "pages.jsonl", "--output", "template.json")
    result = run("template", "test", "--file", "template.json", "--pages", "pages.jsonl")

    assert result.exit_code == 0, result.stderr
    assert "6 pages tried, 6 explained by the template, 0 would change" in result.stdout
    assert not (folder / "newscrawler.sqlite").exists()


def test_one_goes_back_to_an_earlier_version_and_to_none(run: Run, learned: Archive) -> None:
    run("template", "override", learned.portal, "lead", "p")
    run("template", "rollback", learned.portal)
    assert states(run) == [(1, "in use"), (2, "withdrawn")]
    assert "no template is in use" in run("template", "rollback", learned.portal, "--to", 0).stdout
    assert states(run) == [(1, "withdrawn"), (2, "withdrawn")]
    run("template", "rollback", learned.portal, "--to", 2)
    assert states(run) == [(1, "withdrawn"), (2, "in use")]


def test_without_a_database_pages_make_a_file(run: Run, folder: Path) -> None:
    lines = [json.dumps({"url": BASE + address(number), "html": page(number)}) for number in range(4)]
    (folder / "pages.jsonl").write_text("\n".join(lines), "utf-8")
    result = run("template", "learn", "--pages", "pages.jsonl", "--output", "template.json")

    assert "Learned from 4 of 4 pages" in result.stderr
    assert json.loads((folder / "template.json").read_text("utf-8"))["layouts"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "portal"], "nothing was learned of portal yet"),
        (["show", "nobody"], "the database has no portal nobody"),
        (["rollback", "portal"], "no template in use to go back from"),
        (["rollback", "portal", "--to", "7"], "no template of version 7"),
        (["learn"], "name a PORTAL"),
        (["test", "template.json"], "write --file template.json"),
        (["learn", "--pages", "none.jsonl", "--output", "x.json"], "none.jsonl"),
        (["learn", "--output", "x.json"], "--output needs"),
        (["import", "portal", "none.json"], "none.json cannot be read"),
        (["override", "portal", "lead"], "give a SELECTOR"),
    ],
)
def test_what_cannot_be_is_told(run: Run, archive: Archive, arguments: list[str], said: str) -> None:
    assert archive
    result = run("template", *arguments)

    assert result.exit_code == 2
    assert said in result.stderr


def test_the_portal_shows_that_its_layout_has_changed_and_what_to_do(run: Run, learned: Archive) -> None:
    run("init", "--contact", "me@example.org")
    run("portal", "add", BASE, "--name", learned.portal, "--no-probe")
    with learned.open() as store:
        broken = ["share of articles whose layout the template knows: 0.00, the usual is above 0.85 (of 8 pages)"]
        store.drift_checks.note(learned.portal, 9, template=1, figures={}, broken=broken, done="", now=NOON)
    shown = run("portal", "show", learned.portal, "--json")

    assert shown.exit_code == 0, shown.stderr
    assert json.loads(shown.stdout)["layout"]["changed"] is True
    told = run("portal", "show", learned.portal).stdout
    assert broken[0] in told
    assert f"newscrawler template learn {learned.portal}" in told


def test_a_purged_article_leaves_all_versions_of_what_was_learned(run: Run, learned: Archive) -> None:
    run("template", "override", learned.portal, "lead", "p")
    with learned.open() as store:
        known = {url for version in store.templates.versions() for url in json.loads(version.document)["provenance"]["urls"]}
        article = next(page for page in store.rights.stored() if page.url in known)

        forget_in_templates(store, [(article.article_id, article.portal, article.url)])

        documents = [version.document for version in store.templates.versions(learned.portal)]
    assert len(documents) == 2
    assert [article.url in document for document in documents] == [False, False]
    assert run("template", "show", learned.portal).exit_code == 0


# ------------------------------------------------------------------------------------ templates of published methods


@pytest.fixture
def trinity(run: Run, archive: Archive) -> Archive:
    """Eight articles, with a template of Trinity in use."""
    assert "version 1 is in use" in run("template", "learn", archive.portal, "--method", "trinity").stdout
    return archive


def test_kept_pages_are_read_by_a_published_method_whose_template_is_in_use(run: Run, trinity: Archive) -> None:
    again = run("reextract", trinity.portal)
    chosen = run("reextract", trinity.portal, "--template", "1")

    assert again.exit_code == 0, again.stderr
    assert "8 articles" in again.stdout
    assert chosen.stdout == again.stdout


def test_a_template_of_a_published_method_is_tried_from_the_database_and_from_a_file(run: Run, trinity: Archive) -> None:
    run("template", "export", trinity.portal, "--output", "tri.json")
    lines = [json.dumps({"url": BASE + address(number), "html": page(number)}) for number in range(6)]
    Path("pages.jsonl").write_text("\n".join(lines), "utf-8")

    for arguments in ((trinity.portal,), (trinity.portal, "--file", "tri.json")):
        result = run("template", "test", *arguments)
        assert result.exit_code == 0, result.stderr
        assert "8 pages tried, 8 explained by the template" in result.stdout
    alone = run("template", "test", "--file", "tri.json", "--pages", "pages.jsonl")
    assert "6 pages tried, 6 explained by the template" in alone.stdout, alone.stderr
    assert "a template of trinity" in run("template", "show", trinity.portal).stdout


def test_no_field_of_a_published_method_is_set_by_hand(run: Run, trinity: Archive) -> None:
    result = run("template", "override", trinity.portal, "lead", "h1")

    assert result.exit_code == 2
    assert "is of a published method; none of its fields can be set by hand" in result.stderr
    assert states(run) == [(1, "in use")]


@pytest.mark.parametrize("content", ["{", '{"method": "none"}', '{"method": "trinity"}', '{"method": "trinity", "version": 0}'])
def test_an_error_in_a_template_names_its_file(run: Run, archive: Archive, folder: Path, content: str) -> None:
    (folder / "wrong.json").write_text(content, "utf-8")
    (folder / "pages.jsonl").write_text(json.dumps({"html": page(1)}), "utf-8")

    for arguments in (
        ("test", "--file", "wrong.json", "--pages", "pages.jsonl"),
        ("import", archive.portal, "wrong.json"),
        ("groups", "wrong.json"),
        ("compare", "wrong.json", "--pages", "pages.jsonl"),
    ):
        result = run("template", *arguments)
        assert result.exit_code == 2
        assert result.stderr.startswith("Error: wrong.json"), result.stderr


def test_the_template_of_a_portal_has_no_groups(run: Run, learned: Archive) -> None:
    run("template", "export", learned.portal, "--output", "template.json")

    assert "template.json is not a template of Trinity; only those have groups" in run("template", "groups", "template.json").stderr


def test_a_method_that_learns_is_given_as_a_template(run: Run, folder: Path) -> None:
    (folder / "page.html").write_text(page(1), "utf-8")

    result = run("extract", "page.html", "--method", "trinity")

    assert result.exit_code == 2
    assert "`newscrawler template learn --method trinity" in " ".join(result.stderr.split())
    assert "--template" in result.stderr
