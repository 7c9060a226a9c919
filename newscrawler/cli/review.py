"""`newscrawler review`: let people judge whether articles are right."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from newscrawler.cli.group import LazyGroup
from newscrawler.cli.lines import encode
from newscrawler.cli.options import MOST, PortalName, Whole, add_configuration_options, find_permitted_article, open_known
from newscrawler.cli.screen import format_day, print_listing, print_record, sanitize
from newscrawler.corpus import open_target
from newscrawler.corpus.formats import make_record
from newscrawler.errors import ConfigError, PageError, PageReason
from newscrawler.extraction.explain import explain_page, render_html
from newscrawler.page import Document
from newscrawler.store import Store, open_store
from newscrawler.store.archive import PagesFolder, RawPage, StoredPage, read_page
from newscrawler.store.articles import Selection, StoredArticle

if TYPE_CHECKING:
    from newscrawler.config import Configuration
    from newscrawler.store.articles import Review


#: The values of `newscrawler.store.articles.reviews.Fault`; a test checks that they agree.
FAULTS = {
    "title-wrong": "the title is another",
    "lead-missing": "the page has a lead, the article has none",
    "lead-wrong": "the lead is something else",
    "part-missing": "a part of the text is missing",
    "foreign-text": "advertisements, captions, links or other texts are in it",
    "date-wrong": "the time of publication is another, or missing",
    "authors-wrong": "the authors are others, or missing",
    "no-article": "the page holds no article at all",
    "other": "something else; say it with --note",
}
#: Keys that an expectation may have.
_GOLD = frozenset({"title", "lead", "body", "paragraphs", "date", "authors", "section", "with", "without", "article"})


def format_verdict(review: Review) -> str:
    """Return the words for the faults, or "right"."""
    return ", ".join(review.faults) or "right"


def describe_review(review: Review) -> dict[str, Any]:
    """Return a review as JSON values."""
    return {
        "id": review.article_id, "portal": review.portal, "url": review.url, "section": review.section, "right": review.right,
        "faults": list(review.faults), "note": review.note, "gold": None if review.gold is None else dict(review.gold),
        "reviewed_at": review.reviewed_at.isoformat(),
    }  # fmt: skip


def ask_verdict() -> list[str] | None:
    """Ask for a verdict and return it, or None to quit."""
    click.echo("\nr right, s skip, q quit; or what is wrong, parted by commas:")
    for number, (word, meaning) in enumerate(FAULTS.items(), 1):
        click.echo(f"  {number} {word:<14} {meaning}")
    while True:
        answer = click.prompt("verdict", default="", show_default=False).strip().lower()
        if answer in {"q", "quit"}:
            return None
        if answer in {"r", "right"}:
            return []
        if answer in {"s", "skip"}:
            return ["skip"]
        words = [_find_word(part.strip()) for part in answer.split(",") if part.strip()]
        if words and all(words):
            return [word for word in words if word]
        click.echo("r, s, q, or numbers or words of the list")


def _find_word(word: str) -> str | None:
    if word.isdecimal():
        return list(FAULTS)[int(word) - 1] if 1 <= int(word) <= len(FAULTS) else None
    return word if word in FAULTS else None


def read_correction(path: Path) -> dict[str, Any]:
    """Read a person's correction from a file."""
    from newscrawler.corpus.reviews import read_gold

    try:
        gold = json.loads(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not JSON: {error}") from error
    if not isinstance(gold, dict):
        raise ConfigError(f"{path} holds no JSON object; `newscrawler review show ID --json` writes one to start from")
    if unknown := sorted(gold.keys() - _GOLD):
        raise ConfigError(f"{path} has {unknown[0]!r}, which is not known; known are: {', '.join(sorted(_GOLD))}")
    if isinstance(read := read_gold(gold), str):
        raise ConfigError(f"{path}: {read}")
    return gold


number_argument = click.argument("number", type=Whole(1, MOST), metavar="ID")
portal_argument = click.argument("portal", type=PortalName(), metavar="PORTAL")
count_option = click.option("-n", "count", type=Whole(1, MOST), default=20, show_default=True, metavar="N", help="Articles.")
learn_option = click.option(
    "--to-learn", is_flag=True, help="Take the articles that are most useful as labels, not a random sample."
)
seed_option = click.option("--seed", default=0, show_default=True, metavar="N", help="Seed of random samples.")


@click.group("review", cls=LazyGroup)
def review_group() -> None:
    """Compare articles with their pages, and judge them.

    `newscrawler evaluate portal:NAME` measures methods on articles that were found right or corrected by hand. Reviewed pages
    are kept permanently.

    \b
    Example:
      newscrawler review start example -n 20
      newscrawler review judge 12 --fault lead-missing
      newscrawler evaluate portal:example
    """


@review_group.command("sample")
@portal_argument
@count_option
@seed_option
@learn_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one article a line.")
@add_configuration_options
def sample_command(portal: str, *, count: int, seed: int, to_learn: bool, as_json: bool, configuration: Configuration) -> None:
    """Draw random articles of PORTAL, in proportion to its sections.

    Only articles whose pages are kept are drawn.
    The same seed draws the same articles, and a larger sample contains the smaller one. Each line shows the number, section,
    verdict so far, and title.

    \b
    Example:
      newscrawler review sample example -n 100 --seed 7
    """
    from newscrawler.corpus.reviews import draw_articles, draw_most_useful

    chosen = Selection(portal=portal, **configuration.reserved_for())
    with open_known(configuration, chosen) as store:
        drawn = draw_most_useful(store, chosen, count) if to_learn else draw_articles(store, chosen, count, seed)
        found = {review.article_id: review for review in store.reviews.of(portal)}
    verdicts = {number: format_verdict(review) for number, review in found.items()}
    records = ({"id": i.line.id, "section": i.section, "review": verdicts.get(i.line.id), "url": i.line.url} for i in drawn)
    rows = ((i.line.id, i.section, verdicts.get(i.line.id, ""), i.line.title) for i in drawn)
    print_listing(records, rows, ("id", "section", "review", "title"), as_json=as_json)


@review_group.command("show")
@number_argument
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write page and article side by side to FILE.")
@click.option("--json", "as_json", is_flag=True, help="Print the expectation for the page as JSON, to correct and pass to judge.")
@add_configuration_options
def show_command(number: int, *, html: Path | None, as_json: bool, configuration: Configuration) -> None:
    """Show an article to judge, and the location of its page.

    \b
    Example:
      newscrawler review show 12 --html 12.html
      newscrawler review show 12 --json > 12.json
    """
    from newscrawler.corpus.reviews import derive_gold

    with open_store(configuration.database_url, create=False) as store:
        stored, page = _find_article(store, number, configuration)
        review = store.reviews.get(number)
        if html is not None:
            _write_side_by_side(configuration.pages_folder, stored, page, html)
            return
    if as_json:
        gold = review.gold if review and review.gold and "faulty" not in review.gold else derive_gold(stored.article)
        click.echo(encode(dict(gold)), nl=False)
        return
    _print(stored, review)


@review_group.command("judge")
@number_argument
@click.option("--right", is_flag=True, help="Everything is right: title, lead, text, date and authors.")
@click.option(
    "--fault", "faults", multiple=True, type=click.Choice(list(FAULTS)), metavar="WORD", help="What is wrong; may be repeated."
)
@click.option(
    "--correct", type=click.Path(path_type=Path), metavar="FILE", help="The correct record, as `review show --json` writes it."
)
@click.option("--note", default="", metavar="TEXT", help="Anything else.")
@add_configuration_options
def judge_command(
    number: int, *, right: bool, faults: tuple[str, ...], correct: Path | None, note: str, configuration: Configuration
) -> None:
    """Record that an article is right, or what is wrong with it.

    WORD is title-wrong, lead-missing, lead-wrong, part-missing, foreign-text, date-wrong, authors-wrong, no-article or other.
    Without a correction (--correct), a text that is known to be faulty counts in `newscrawler evaluate`, and the portal's template
    learns which place of the page was likely the mistake.

    \b
    Example:
      newscrawler review judge 12 --right
      newscrawler review judge 13 --fault lead-missing --correct 13.json
    """
    if right == bool(faults):
        raise click.UsageError("say --right, or what is wrong with --fault WORD")
    if right and correct is not None:
        raise click.UsageError("what is right needs no --correct; say what is wrong with --fault WORD")
    from newscrawler.corpus.reviews import save_verdict

    corrected = read_correction(correct) if correct is not None else None
    with open_store(configuration.database_url, create=False) as store:
        stored, page = _find_article(store, number, configuration)
        save_verdict(
            store, configuration.pages_folder, stored, page, faults=faults, corrected=corrected, note=note, now=datetime.now(UTC)
        )
    click.echo(f"article {number}: {', '.join(faults) or 'right'}", err=True)


@review_group.command("start")
@portal_argument
@count_option
@seed_option
@learn_option
@click.option(
    "--html", type=click.Path(path_type=Path), metavar="FILE", help="Write each page side by side with its article to FILE."
)
@add_configuration_options
def start_command(portal: str, *, count: int, seed: int, to_learn: bool, html: Path | None, configuration: Configuration) -> None:
    """Judge a sample of PORTAL, article by article. Each verdict is stored at once; run again to continue.

    \b
    Example:
      newscrawler review start example -n 20 --html page.html
    """
    from newscrawler.corpus.reviews import draw_articles, draw_most_useful, save_verdict

    chosen = Selection(portal=portal, **configuration.reserved_for())
    with open_known(configuration, chosen) as store:
        done = {review.article_id for review in store.reviews.of(portal)}
        drawn = draw_most_useful(store, chosen, count, done) if to_learn else draw_articles(store, chosen, count, seed)
        waiting = [item for item in drawn if item.line.id not in done]
        if not waiting:
            click.echo(f"all of the sample is reviewed; `newscrawler evaluate portal:{portal}` measures methods on it", err=True)
        for place, item in enumerate(waiting, 1):
            stored, page = _find_article(store, item.line.id, configuration)
            click.echo(f"\n{'─' * 20} {place} of {len(waiting)}\n")
            _print(stored, None)
            if html is not None:
                _write_side_by_side(configuration.pages_folder, stored, page, html)
            faults = ask_verdict()
            if faults is None:
                break
            if faults != ["skip"]:
                save_verdict(
                    store, configuration.pages_folder, stored, page, faults=faults, corrected=None, note="", now=datetime.now(UTC)
                )


@review_group.command("list")
@click.argument("portal", type=PortalName(), metavar="[PORTAL]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one review a line.")
@add_configuration_options
def list_command(portal: str | None, *, as_json: bool, configuration: Configuration) -> None:
    """List the reviews.

    Each line shows the article's number, portal, section, day of the review, verdict, whether it is corrected, and address.

    \b
    Example:
      newscrawler review list example
    """
    with open_known(configuration, Selection(portal=portal)) as store:
        found = store.reviews.of(portal)
    rows = (
        (
            r.article_id, r.portal, r.section, format_day(r.reviewed_at), format_verdict(r),
            "" if r.gold is None else "usable", r.url,
        )
        for r in found
    )  # fmt: skip
    heading = ("id", "portal", "section", "day", "found", "gold", "address")
    print_listing(map(describe_review, found), rows, heading, as_json=as_json)


@review_group.command("remove")
@number_argument
@add_configuration_options
def remove_command(number: int, *, configuration: Configuration) -> None:
    """Remove the review of an article.

    \b
    Example:
      newscrawler review remove 12
    """
    with open_store(configuration.database_url, create=False) as store:
        if not store.reviews.remove(number):
            raise ConfigError(f"article {number} has not been reviewed; `newscrawler review list` lists those that were")


def _find_article(store: Store, number: int, configuration: Configuration) -> tuple[StoredArticle, StoredPage]:
    stored = find_permitted_article(store, number, configuration)
    review = store.reviews.get(number)
    page = store.pages.get(review.page_id) if review else store.pages.of_article(number)
    if page is None:
        raise PageError(PageReason.NOT_KEPT, f"article {number}: its page is not kept; see `newscrawler pages list`")
    return stored, page


def _print(stored: StoredArticle, review: Review | None) -> None:
    record = make_record(stored)
    print_record(record)
    click.echo(f"\nlead: {sanitize(record['lead'] or '(none)')}")
    if review:
        click.echo(f"review: {format_verdict(review)}{' – ' if review.note else ''}{sanitize(review.note)}")


def _write_side_by_side(folder: PagesFolder, stored: StoredArticle, page: StoredPage, path: Path) -> None:
    text = render_side_by_side(stored, read_page(folder, page.kept))
    with open_target(path) as stream:
        stream.write(text.encode("utf-8", "xmlcharrefreplace"))
    click.echo(f"The page, next to its article, is in {path}", err=True)


_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


def render_side_by_side(stored: StoredArticle, raw: RawPage) -> str:
    """Return HTML with the page and its marked parts on the left, and the record on the right."""
    marked = render_html(explain_page(Document.parse(raw.body, raw.url, content_type=raw.content_type)))
    return _TEMPLATES.get_template("side_by_side.html").render(record=make_record(stored), marked=marked)
