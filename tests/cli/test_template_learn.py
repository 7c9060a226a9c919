"""`newscrawler template learn` and `newscrawler extract --template`: without a database, lines in and lines out."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner, Result
from portal_pages import PROMOTION, page, paragraphs_of

from newscrawler import extract
from newscrawler.cli.main import main


def run(*arguments: str | Path, source: str = "") -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=source)


def lines(*numbers: int) -> str:
    return "".join(json.dumps({"url": f"https://valley.example/{n}", "html": page(n)}) + "\n" for n in numbers)


def learned(folder: Path) -> Path:
    (folder / "pages.jsonl").write_text(lines(1, 2, 3, 4), "utf-8")
    template = folder / "template.json"
    result = run("template", "learn", "--pages", folder / "pages.jsonl", "--output", template, "--name", "valley")
    assert result.exit_code == 0, result.output
    assert "Learned from 4 of 4 pages" in result.stderr
    return template


def test_what_is_learned_of_some_pages_reads_the_others(tmp_path: Path) -> None:
    template = learned(tmp_path)

    alone = json.loads(run("extract", "--jsonl", source=lines(9)).stdout)
    record = json.loads(run("extract", "--jsonl", "--template", template, source=lines(9)).stdout)

    assert PROMOTION in alone["body"]
    assert record["body"].split("\n") == paragraphs_of(9)
    assert (alone["method"], record["method"]) == ("default", "template")
    assert json.loads(template.read_text("utf-8"))["provenance"]["portal"] == "valley"


def test_a_single_page_is_read_with_a_template_too(tmp_path: Path) -> None:
    template = learned(tmp_path)
    (tmp_path / "page.html").write_text(page(9), "utf-8")

    result = run("extract", tmp_path / "page.html", "--url", "https://valley.example/9", "--json", "--template", template)

    assert json.loads(result.stdout)["method"] == "template"


def test_poisoned_pages_are_refused_with_the_reason(tmp_path: Path) -> None:
    result = run("template", "learn", "--pages", "-", "--output", tmp_path / "template.json", source=lines(1, 1, 1))

    assert result.exit_code == 2
    assert "one text on several pages" in result.stderr
    assert not (tmp_path / "template.json").exists()


def test_a_line_without_a_page_is_named(tmp_path: Path) -> None:
    result = run("template", "learn", "--pages", "-", "--output", tmp_path / "template.json", source=lines(1) + '{"url": null}\n')

    assert result.exit_code == 2
    assert 'line 2: "html" is missing or not a string' in result.stderr


def test_a_template_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "template.json").write_text('{"method": "portal_template", "version": 8}', "utf-8")

    result = run("extract", "--jsonl", "--template", tmp_path / "template.json", source=lines(9))

    assert result.exit_code == 2
    assert "template.json: version is 8; input should be 7" in result.stderr


def test_a_template_goes_with_the_default_method_only(tmp_path: Path) -> None:
    result = run("extract", "--jsonl", "--method", "mss", "--template", learned(tmp_path), source=lines(9))

    assert result.exit_code == 2
    assert "--template goes with the default method" in result.stderr


def test_a_published_method_is_learned_saved_named_and_read_with_from_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text(lines(1, 2, 3, 4, 5, 6), "utf-8")
    template = tmp_path / "valley.json"

    learn = run(
        "template", "learn", "--method", "trinity", "--share", "0.5", "--pages", tmp_path / "pages.jsonl", "--output", template
    )

    assert learn.exit_code == 0, learn.output
    assert "trinity learned from 3 of 6 pages" in learn.stderr
    samples = tmp_path / "samples.jsonl"
    title = json.loads(run("extract", "--jsonl", source=lines(1)).stdout)["title"]
    samples.write_text(json.dumps({**json.loads(lines(1)), "gold": {"title": title}}) + "\n", "utf-8")
    named = run("template", "name", template, "--samples", samples)
    assert named.exit_code == 0, named.output
    assert "title: group" in named.stdout
    assert "title" in run("template", "groups", template).stdout
    re.compile(run("template", "groups", template, "--expression").stdout.rstrip("\n"))
    record = json.loads(run("extract", "--jsonl", "--template", template, source=lines(9)).stdout)
    assert record["method"] == "trinity"
    assert record["title"] == json.loads(run("extract", "--jsonl", source=lines(9)).stdout)["title"]
    compared = run("template", "compare", template, "--pages", tmp_path / "pages.jsonl", "--selector", "title=h1", "--json")
    assert json.loads(compared.stdout)["pages"] == 6


def test_the_documents_template_is_learned_from_one_page_and_tells_articles_from_other_pages(tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text(lines(1), "utf-8")
    template = tmp_path / "valley.json"
    run("template", "learn", "--method", "modified_ttr_wrapper", "--pages", tmp_path / "pages.jsonl", "--output", template)

    refused = run("template", "groups", template, "--expression")
    record = json.loads(run("extract", "--jsonl", "--template", template, source=lines(9)).stdout)
    other = json.dumps({"url": None, "html": "<body><div id=list><p>Another page</p></div></body>"}) + "\n"
    none = json.loads(run("extract", "--jsonl", "--template", template, source=other).stdout)

    assert record["method"] == "modified_ttr_wrapper"
    assert all(paragraph in record["body"] for paragraph in paragraphs_of(9))
    assert none["article"] is False
    assert "modified_ttr_wrapper, which is no regular expression" in refused.stderr


def test_many_pages_are_read_into_a_folder_with_the_template_of_a_published_method(tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text(lines(1, 2, 3, 4), "utf-8")
    template, saved = tmp_path / "valley.json", tmp_path / "saved"
    run("template", "learn", "--method", "trinity[strict=false]", "--pages", tmp_path / "pages.jsonl", "--output", template)
    saved.mkdir()
    for number in range(5, 9):
        (saved / f"{number}.html").write_text(page(number), "utf-8")
    (saved / "other.html").write_text("<html><body></body></html>", "utf-8")

    alone = run("extract", saved / "5.html", "--json", "--template", template)
    done = run("extract", saved, "--output", tmp_path / "corpus", "--workers", "2", "--template", template)

    assert done.exit_code == 0, done.output
    assert "4 articles, 1 page without one" in done.stderr
    records = [json.loads(line) for line in (tmp_path / "corpus" / "articles.jsonl").read_text("utf-8").splitlines()]
    assert {record["method"] for record in records} == {"trinity"}
    assert json.loads(alone.stdout)["body"] in {record["body"] for record in records}
    assert extract(page(5), template=template).body == json.loads(alone.stdout)["body"]
