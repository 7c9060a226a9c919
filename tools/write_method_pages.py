"""Write docs/methods: a page for each method, from its docstring, its parameters and the figures that were measured.

The figures are those of docs/methods/figures.json, which --figures renews from what `newscrawler evaluate ... --json` printed.
Run it again whenever a docstring or a parameter changes; a test compares the pages with what it would write.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from newscrawler.extraction.body import forest, page_kind
from newscrawler.plugins import Bounds, get_bounds, load_methods, parameters_of
from newscrawler.research.methods import libraries
from newscrawler.research.site_methods import SITE_METHODS

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "methods"
FIGURES = FOLDER / "figures.json"
KEPT = (
    "method", "group", "pages", "not_measured", "f1", "f1_interval", "precision", "recall", "page_f1", "rouge_f1", "accuracy",
    "verdicts", "cpu_ms_mean", "cpu_ms_worst", "memory_mb_worst",
)  # fmt: skip

#: Name of the group, what it has in common, and its methods; a method of the tables that is in none is an error.
FAMILIES: Sequence[tuple[str, str, Sequence[str]]] = (
    ("Baselines", "What any method must beat: take everything, or next to nothing.", ("all_text", "longest_paragraph")),
    (
        "Density: where there is much text and little markup",
        """An article is a long stretch of words; menus and teasers are short words between many tags. These methods count one
against the other: along the sequence of tokens, along the lines of the source, or element by element. They need no vocabulary
and work in any language; what they cannot see is that a long comment or a caption is text too.""",
        (
            "mss",
            *("ttr_lines", "ttr_lines_k_means", "ttr_lines_em", "ttr_lines_farthest_first", "ttr_lines_lcs", "ttr_lines_smoothed"),
            "modified_ttr",
            *("node_energy", "node_energy_words", "node_energy_dictionary"),
        ),
    ),
    (
        "Structure: how the page is built",
        """A page is a tree. An article has many paragraphs under one parent; a list of teasers repeats one shape; navigation is a
run of elements that hold only links. These methods look at the shape of the tree before the amount of text.""",
        ("pagelet", "link_position", "energy_and_links", "tag_path_clustering", "mdr", "mdr_article", "vips"),
    ),
    (
        "Rules of the trade: what a news page looks like",
        """Headline, lead, body, caption, comment: who knows what editors write can name the parts. Precise where the rules fit,
silent where they do not.""",
        ("portal_crawler", "portal_crawler_today"),
    ),
    (
        "Wrappers: what the pages of one site have in common",
        """Pages of a site are filled into the same template. What two of them share is the template, what differs is content.
These methods learn from several pages of a site (wrapper induction) and read the others with what they learned.""",
        (
            *("dom_comparison", "dom_comparison_article", "modified_ttr_wrapper", "modified_ttr_wrapper_classes"),
            *("road_runner", "road_runner_article", "trinity", "trinity_strict", "trinity_article", "fivatech", "fivatech_article"),
            "portal_template",
        ),
    ),
    (
        "All evidence at once",
        """The detector that newscrawler uses: density, structure, names and declarations, weighed block by block. Its weights were
trained on the development pages, so its own figures there flatter it; sites that nobody has looked at are the fair comparison.""",
        ("default",),
    ),
)

INTRODUCTION = """\
# Methods of finding the article on a page

A page of news is mostly not the news: menus, teasers, advertisements, comments. Each method here decides what the article is, and
each shows another idea of what makes text an article. They are implemented as published; where a paper leaves something open, the
page of the method says what was chosen. `newscrawler evaluate` compares them on pages of your own.

A way to read on: the baselines, then `mss` (one idea, one pass), `node_energy` and `pagelet` (trees), `portal_crawler` (rules),
`road_runner` and `trinity` (learning a site).
"""

GLOSSARY = """\
| Term | Meaning |
|---|---|
| boilerplate | what stands on a page besides its article: menus, teasers, advertisements, comments, footers |
| headline, lead, body | title of the article; its first paragraph, often set apart; all of its text, lead included |
| block detection | finding the parts of a page; here: finding the body |
| wrapper | a rule that reads pages of one site; wrapper induction: learning it from sample pages |
| DOM tree, tag path | the page as nested elements; the names of the elements from the root down to one of them |
| shingle | a run of four words; two texts are compared by the shingles that they share |
| precision, recall, F1 | share of what was found that is right; share of what is right that was found; their harmonic mean |
| ROUGE-LSum | recall and precision by the longest common subsequences of sentences (Lin, 2004) |
| right | lead and rest are there and nothing else is; the strictest measure, and what a reader notices |
| 95 % interval | from a thousand draws of portals with replacement: where the figure would lie with other portals of this kind |
"""


@dataclass(frozen=True, slots=True)
class Text:
    """The parts of a docstring."""

    title: str
    idea: str
    source: str
    silent: str
    failures: str
    figures: str


def parts_of(docstring: str) -> Text:
    """Part a method's docstring by the words that its paragraphs begin with."""
    title, *rest = inspect.cleandoc(docstring).split("\n\n")
    found: dict[str, list[str]] = {name: [] for name in ("idea", "source", "silent", "failures", "figures")}
    for paragraph in rest:
        if paragraph.startswith(("Source:", "Sources:")):
            found["source"].append(paragraph.split(":", 1)[1].strip())
        elif paragraph.startswith("Where the paper is silent"):
            found["silent"].append(paragraph.split(":", 1)[1].strip())
        elif paragraph.startswith("Known failures"):
            found["failures"].append(sentence(paragraph.removeprefix("Known failures").lstrip(":, ").strip()))
        elif paragraph.startswith("Reaches"):
            found["figures"].append(paragraph)
        else:
            found["idea"].append(paragraph)
    return Text(" ".join(title.split()).rstrip("."), **{name: "\n\n".join(paragraphs) for name, paragraphs in found.items()})


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def parameters(method: Any) -> Iterator[tuple[str, str, str, str]]:
    """Yield name, type, value and meaning of each parameter; the meaning stands above the field, after `#:`."""
    if inspect.isfunction(method):
        return
    source = inspect.getsource(type(method))
    lines = source.splitlines()
    (definition,) = ast.parse(inspect.cleandoc(source) if source[0].isspace() else source).body
    assert isinstance(definition, ast.ClassDef)
    kinds: dict[str, tuple[str, str]] = {}
    for node in definition.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            said: list[str] = []
            number = node.lineno - 2
            while number >= 0 and lines[number].strip().startswith("#:"):
                said.insert(0, lines[number].strip().removeprefix("#:").strip())
                number -= 1
            kinds[node.target.id] = (ast.unparse(plain(node.annotation)), " ".join(said))
    for field in fields(method):
        kind, said = kinds[field.name]
        if field.name in parameters_of(method) and (bounds := get_bounds(method, field.name)) != Bounds():
            kind = f"{kind} {bounds}"
        yield field.name, kind, shown(getattr(method, field.name)), said


def plain(annotation: ast.expr) -> ast.expr:
    """The type within Annotated[…]."""
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Annotated":
        assert isinstance(annotation.slice, ast.Tuple)
        return annotation.slice.elts[0]
    return annotation


def shown(value: Any) -> str:
    """Write a value the same every time."""
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(str, value)))
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(getattr(value, "__qualname__", value))


def pages(figures: Mapping[str, Any]) -> dict[str, str]:
    """Every page by its name."""
    own = {name: method for name, method in load_methods().items() if not isinstance(method, libraries.LibraryExtractor)}
    known: dict[str, Any] = {**own, **SITE_METHODS}
    listed = [name for _, _, names in FAMILIES for name in names]
    if sorted(listed) != sorted(known):
        raise SystemExit(f"FAMILIES and the tables of methods differ in {sorted(set(listed) ^ set(known))}")
    made = {f"{name}.md": method_page(name, known[name], figures) for name in known}
    return made | {"libraries.md": libraries_page(figures), "README.md": index(known, figures)}


def method_page(name: str, method: Any, figures: Mapping[str, Any]) -> str:
    """The page of one method."""
    made_by = method if inspect.isfunction(method) else type(method)
    module = inspect.getmodule(made_by)
    told = parts_of((module.__doc__ if module else "") or "")
    lines = [f"# {told.title}", "", f"`{name}`, in `{made_by.__module__.replace('.', '/')}.py`"]
    if name == "default":
        further = [parts_of(part.__doc__ or "") for part in (forest, page_kind)]
        ideas = [told.idea, *(text for part in further for text in (f"{part.title}.", part.idea))]
        told = Text(told.title, "\n\n".join(filter(None, ideas)), *[""] * 4)
    lines += section("Idea", told.idea or (inspect.getdoc(made_by) or "").split("\n\n")[0])
    lines += section("Source", told.source)
    lines += section("Parameters", parameter_table(method, name))
    lines += section("Where the paper is silent", told.silent)
    lines += section("Figures on the development pages", "\n\n".join(filter(None, (figure_table(name, figures), told.figures))))
    lines += section("Known failures", told.failures)
    others = "mss" if name == "default" else "default"
    how = f"newscrawler evaluate pages.jsonl --methods {name},{others} --html report.html"
    if name in load_methods():
        how = f"newscrawler extract page.html --method {name}\n{how}"
    lines += section("Try it", f"```\n{how}\n```")
    return "\n".join(lines) + "\n"


def section(title: str, content: str) -> list[str]:
    return ["", f"## {title}", "", content.strip()] if content.strip() else []


def parameter_table(method: Any, name: str) -> str:
    rows = [f"| `{field}` | {cell(kind)} | {cell(value)} | {cell(said)} |" for field, kind, value, said in parameters(method)]
    if not rows:
        return "None."
    first = next((field for field, kind, _, _ in parameters(method) if kind.split()[0] in {"int", "float"}), None)
    table = "\n".join(["| Parameter | Type | Value | Meaning |", "|---|---|---|---|", *rows])
    sweep = f"\n\nTried at several values: `newscrawler evaluate pages.jsonl --sweep {name}.{first}=FROM:TO:STEP`." if first else ""
    return table + with_another_value(method, name) + sweep


def with_another_value(method: Any, name: str) -> str:
    """Show how one parameter is written on the command line: a choice of words, or else a number."""
    known = parameters_of(method)
    words = {field: get_args(kind) for field, kind in known.items() if get_origin(kind) is Literal}
    numbers = {field: (2 * getattr(method, field) or 1,) for field, kind in known.items() if kind in {int, float}}
    for field, values in (*words.items(), *numbers.items()):
        other = next(value for value in values if value != getattr(method, field))
        return f'\n\nOn the command line and in the configuration: `--method "{name}[{field}={other}]"`.'
    return ""


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def figure_table(name: str, figures: Mapping[str, Any]) -> str:
    rows = [row for row in figures.get("rows", ()) if row["method"] == name and row["pages"]]
    if not rows:
        return ""
    heading = "| Pages | F1 | 95 % | Precision | Recall | ROUGE-LSum | Right | Most frequent errors | CPU |"
    lines = [heading, "|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        errors = sorted(((count, kind) for kind, count in row["verdicts"].items() if kind != "right"), reverse=True)[:3]
        cells = (
            f"{row['group']} ({row['pages']})",
            f"{row['f1']:.3f}",
            "–".join(f"{edge:.3f}" for edge in row["f1_interval"] or ()),
            f"{row['precision']:.3f}" if row["precision"] is not None else "–",
            f"{row['recall']:.3f}",
            f"{row['rouge_f1']:.3f}",
            f"{row['accuracy'] * 100:.0f} %",
            ", ".join(f"{kind} {count}" for count, kind in errors) or "–",
            f"{row['cpu_ms_mean']:.1f} ms",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def libraries_page(figures: Mapping[str, Any]) -> str:
    """One page for the extractors from elsewhere."""
    told = parts_of(libraries.__doc__ or "")
    lines = [
        f"# {told.title}",
        "",
        '`pip install ".[compare]"` installs them; what is not installed is not in the table.',
    ]
    lines += section("How they are asked", told.idea)
    lines += section("Sources", told.source)
    for name in libraries._LIBRARIES:  # noqa: SLF001 - the table of those that are known, installed or not
        lines += section(f"`{name}`", figure_table(name, figures) or "Not measured.")
    return "\n".join(lines) + "\n"


def index(known: Mapping[str, Any], figures: Mapping[str, Any]) -> str:
    """The first page: families of methods, what they reach, words to know."""
    lines = INTRODUCTION.rstrip().split("\n")
    for title, said, names in FAMILIES:
        lines += ["", f"## {title}", "", said, "", *index_table(names, known, figures)]
    lines += ["", "## From libraries", "", f"[{', '.join(libraries._LIBRARIES)}](libraries.md)"]  # noqa: SLF001
    lines += ["", "## Words to know", "", GLOSSARY.strip(), "", "## Where the figures come from", "", figures.get("note", "")]
    return "\n".join(lines).rstrip() + "\n"


def index_table(names: Sequence[str], known: Mapping[str, Any], figures: Mapping[str, Any]) -> list[str]:
    groups = list(dict.fromkeys(row["group"] for row in figures.get("rows", ())))
    lines = [f"| Method | | {' | '.join(f'F1 {group}' for group in groups)} |", "|---|---|" + "---|" * len(groups)]
    for name in names:
        title = in_short(name, known)
        by_group = {row["group"]: row for row in figures.get("rows", ()) if row["method"] == name and row["pages"]}
        values = [f"{by_group[group]['f1']:.3f}" if group in by_group else "–" for group in groups]
        lines.append(f"| [`{name}`]({name}.md) | {cell(title)} | {' | '.join(values)} |")
    return lines


def in_short(name: str, known: Mapping[str, Any]) -> str:
    """One line on a method: of its module, or of its class where the module has several; what differs in a variant."""
    method = known[name]
    if inspect.isfunction(method):
        return parts_of(sys.modules[method.__module__].__doc__ or "").title
    module = inspect.getmodule(type(method))
    first = next(other for other, made in known.items() if type(made) is type(method))
    if first != name:
        made = known[first]
        differing = [field.name for field in fields(method) if getattr(method, field.name) != getattr(made, field.name)]
        return f"as `{first}`, with other values of {', '.join(f'`{field}`' for field in differing)}"
    if any(type(other) is not type(method) and inspect.getmodule(type(other)) is module for other in known.values()):
        return (inspect.getdoc(type(method)) or "").split("\n")[0].split(";")[0].rstrip(".").lower()
    return re.sub(r"^[^:]+: ", "", parts_of((module.__doc__ if module else "") or "").title)


def reduced(measured: Mapping[str, Any]) -> dict[str, Any]:
    """What the pages need of an evaluation."""
    rows = measured["datasets"] or measured["methods"]
    sizes = {row["group"]: row["pages"] + row["not_measured"] for row in rows}
    told = ", ".join(f"{group} ({size} pages)" for group, size in sizes.items())
    note = f"""Measured with `newscrawler evaluate` on the development halves of {told}: aeb is Scrapinghub's article extraction
benchmark, fe the evaluation set of Fundus. Methods that learn from a site need several pages of it, which aeb does not have. F1 is
that of mean precision and mean recall of four-word shingles; CPU time is that of a page without parsing."""
    kept = [{name: rounded(row[name]) for name in KEPT} for row in rows]
    return {"note": note, "rows": sorted(kept, key=lambda row: (row["group"], row["method"]))}


def merged(made: Mapping[str, Any], earlier: Mapping[str, Any]) -> dict[str, Any]:
    """New figures, with the earlier ones of methods that were not measured again."""
    again = {row["method"] for row in made["rows"]}
    rows = [*made["rows"], *(row for row in earlier["rows"] if row["method"] not in again)]
    return {"note": made["note"], "rows": sorted(rows, key=lambda row: (row["group"], row["method"]))}


def rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    return [rounded(item) for item in value] if isinstance(value, list) else value


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--figures",
        type=Path,
        metavar="FILE",
        help="what `newscrawler evaluate ... --json` printed; rows of methods that were not measured in it stay",
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a page is out of date")
    arguments = parser.parse_args()
    if arguments.figures:
        made = reduced(json.loads(arguments.figures.read_text("utf-8")))
        if FIGURES.exists():
            made = merged(made, json.loads(FIGURES.read_text("utf-8")))
        FIGURES.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", "utf-8")
    stale = []
    wanted = pages(json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {})
    for name, text in wanted.items():
        path = FOLDER / name
        if not path.exists() or path.read_text("utf-8") != text:
            stale.append(name)
            if not arguments.check:
                path.write_text(text, "utf-8")
    left_over = [path.name for path in FOLDER.glob("*.md") if path.name not in wanted]
    if arguments.check and (stale or left_over):
        print(f"out of date: {', '.join(stale + left_over)}; run tools/write_method_pages.py", file=sys.stderr)
        return 1
    for name in left_over:
        (FOLDER / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
