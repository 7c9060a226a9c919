"""Write the papers of a release: citation, datasheet, dataset card, and metadata (Croissant, DataCite 4.5, RO-Crate 1.2)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from newscrawler.article import FIELDS, Field
from newscrawler.corpus.releases.figures import Composition, CrawlRecord, ErrorRate
from newscrawler.corpus.releases.recipe import ReleasePlan
from newscrawler.errors import counted
from newscrawler.politeness.rights import PHRASES, Purpose

_TYPES = {
    "integer": "sc:Integer", "number": "sc:Float", "boolean": "sc:Boolean", "text": "sc:Text", "texts": "sc:Text",
    "time": "sc:DateTime", "day": "sc:Date",
}  # fmt: skip
MEDIA = {
    "jsonl": "application/jsonlines", "json": "application/json", "csv": "text/csv", "parquet": "application/x-parquet",
    "md": "text/markdown", "xml": "application/tei+xml", "html": "text/html",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}  # fmt: skip
_TABLE_FIELDS = tuple(field for field in FIELDS if field.csv)
#: Fields that replace a text in a dehydrated release.
_DOCUMENT_FIELDS = (
    *(field for field in FIELDS if field.name in {"id", "url", "portal", "date", "language"}),
    Field("words", "integer", "Words of the body."),
    Field("text_sha256", "text", "SHA-256 of the body in UTF-8."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file of a release."""

    #: Relative to its folder.
    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All facts for the papers."""

    recipe: ReleasePlan
    version: str
    models: Mapping[str, str]
    templates: Mapping[str, Mapping[str, Any]]
    composition: Composition
    collections: Mapping[str, CrawlRecord]
    errors: Mapping[str, ErrorRate]
    tombstones: Mapping[str, int]
    months: Mapping[str, Sequence[Mapping[str, Any]]]


def citation(facts: Facts) -> str:
    """Return CITATION.cff (version 1.2.0)."""
    recipe = facts.recipe
    authors = "".join(f"  - name: {_yaml(name)}\n" for name in recipe.creators)
    return (
        "cff-version: 1.2.0\nmessage: If you use this corpus, please cite it as below.\ntype: dataset\n"
        f"title: {_yaml(recipe.title)}\nauthors:\n{authors}version: {_yaml(recipe.name)}\n"
        f"date-released: {recipe.created_at:%Y-%m-%d}\n"
        f"abstract: {_yaml(summarize(facts))}\n"
    )


def _yaml(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def summarize(facts: Facts) -> str:
    """Return sentences on the size and the origin of a release."""
    found = facts.composition
    days = f", published from {found.first} to {found.last}" if found.first else ""
    return (
        f"{counted(found.articles.total(), 'news article')} of {counted(len(found.articles), 'portal')}{days}; "
        f"{counted(found.words.total(), 'word')}. "
        f"Collected with newscrawler {facts.version}. The texts remain their publishers'."
    )


def datasheet(facts: Facts) -> str:
    """Return the datasheet (after Gebru and others 2021), CommonMark."""
    parts = (_head, _composition, _collection, _missing, _duplicates, _quality, _rights, _making)
    return "\n\n".join(part(facts) for part in parts) + "\n"


#: Licences of compilations that the Hugging Face Hub knows by these names.
HUB_LICENCES = frozenset({
    "apache-2.0", "cc0-1.0", "cc-by-4.0", "cc-by-sa-4.0", "cc-by-nc-4.0", "cc-by-nd-4.0", "cc-by-nc-sa-4.0", "cc-by-nc-nd-4.0",
    "mit", "odbl", "odc-by", "pddl",
})  # fmt: skip
#: Its names of sizes, with the first number of records that is too large.
_HUB_SIZES = {
    1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M", 10_000_000: "1M<n<10M",
    100_000_000: "10M<n<100M",
}  # fmt: skip
LANGUAGE = re.compile("[a-z]{2,3}")


def dataset_card(facts: Facts, files: Sequence[File]) -> str:
    """Return README.md: the metadata that the Hugging Face Hub reads, in YAML, and the beginning of the datasheet."""
    recipe, number = facts.recipe, facts.composition.articles.total()
    licence: dict[str, Any] = {"license": recipe.licence.lower()}
    if licence["license"] not in HUB_LICENCES:
        is_address = recipe.licence.startswith(("http://", "https://"))
        named = {"license_link": recipe.licence} if is_address else {}
        licence = {"license": "other", "license_name": "see-link" if is_address else recipe.licence, **named}
    records, path, _ = _choose_records(files)
    head = {
        "pretty_name": recipe.title,
        **licence,
        "language": sorted(filter(LANGUAGE.fullmatch, facts.composition.languages)),
        "size_categories": [next((name for most, name in _HUB_SIZES.items() if number < most), "100M<n<1B")],
        "source_datasets": ["original"],
        "tags": ["news"],
        "configs": [{"config_name": records, "data_files": path}],
    }
    yaml = "".join(f"{name}: {_yaml(value)}\n" for name, value in head.items() if value)
    parts = (_head(facts), _composition(facts), _rights(facts))
    return (
        f"---\n{yaml}---\n\n" + "\n\n".join(parts) + "\n\n`DATASHEET.md` describes the collection and its gaps, "
        "`croissant.json` the fields, `datacite.json` and `ro-crate-metadata.json` the release for repositories; "
        "`CITATION.cff` has the reference, and `manifest.json` the recipe and the hashes.\n"
    )


def _head(facts: Facts) -> str:
    recipe, without = facts.recipe, facts.composition.without_text
    form = "It consists of addresses, hashes and offsets, without texts"
    if without < facts.composition.articles.total():
        form = f"Of {counted(without, 'article')} it has address, hashes and offsets only, as their publishers reserve copies"
    form = f"{form}; `newscrawler release hydrate` rebuilds the texts from your own crawl.\n\n" if without else ""
    return (
        f"# {recipe.title}\n\n{summarize(facts)}\n\n{form}Release `{recipe.name}` of {recipe.created_at:%Y-%m-%d}, "
        f"by {', '.join(recipe.creators)}. Licence of the compilation: {recipe.licence}."
    )


def _composition(facts: Facts) -> str:
    found = facts.composition
    portals = _table(
        ("portal", "articles", "words"), [(name, number, found.words[name]) for name, number in sorted(found.articles.items())]
    )
    languages = _table(("language", "articles"), sorted(found.languages.items()))
    balance = "`balance.json` counts articles by portal and month, by portal and section, and the keywords of each day."
    return f"## What is in it\n\n{portals}\n\n{languages}\n\nWithout a date of publication: {found.undated}. {balance}"


def _collection(facts: Facts) -> str:
    rows = [
        (name, each.runs, f"{each.first:%Y-%m-%d}", f"{each.last:%Y-%m-%d}", each.requests, _number(each.seconds_a_request))
        for name, each in sorted(facts.collections.items())
        if name in facts.composition.articles
    ]
    table = _table(("portal", "crawls", "first", "last", "requests", "seconds a request"), rows)
    return (
        "## How it was collected\n\nBy a crawler that says who it is, obeys robots.txt (RFC 9309), waits between two requests to a "
        f"host and honours what publishers reserve.\n\n{table}"
    )


def _missing(facts: Facts) -> str:
    rows = [
        (name, f"{each.completeness:.0%}" if each.completeness is not None else "cannot be said", each.estimates)
        for name, each in sorted(facts.collections.items())
        if name in facts.composition.articles
    ]
    table = _table(("portal", "found, estimated", "crawls with an estimate"), rows)
    return (
        "## What is missing\n\nThe share of a portal's articles that crawls found, estimated by capture and recapture "
        f"(Chapman 1951) from links on pages against feeds and sitemaps.\n\n{table}{_describe_months(facts)}"
    )


def _describe_months(facts: Facts) -> str:
    """Return the months of backfills, as a paragraph and a table; "": there are none."""
    rows = []
    for name, months in sorted(facts.months.items()):
        for each in months:
            interval = f"{each['estimated']} ({each['low']} to {each['high']})"
            said = interval if each["estimated"] is not None else f"cannot be estimated: {each['why_not']}"
            rows.append((name, each["month"], each["stored"], said))
    if not rows:
        return ""
    table = _table(("portal", "month", "stored", "estimated (95 %)"), rows)
    return f"\n\nOf months that were fetched afterwards, by two lists of different origin:\n\n{table}"


def _duplicates(facts: Facts) -> str:
    left = facts.composition.left_out
    rows = _table(("left out as", "number"), sorted(left.items())) if left else "Nothing was left out as a duplicate."
    window = facts.recipe.deduplication.window
    rows += f"\n\nOnly duplicates of the same {window} were left out; those of different ones stay." if window else ""
    if facts.recipe.series:
        rows += f"\n\nThis is an increment of `{facts.recipe.series}`: each article is in one increment, and keeps its number."
    return f"## Duplicates\n\n{rows}\n\n`duplicates.jsonl` lists each with what stays in its place."


def _quality(facts: Facts) -> str:
    rows = [
        (
            name, each.reviewed, each.faulty, f"{each.interval[0]:.0%} to {each.interval[1]:.0%}",
            ", ".join(f"{fault}: {number}" for fault, number in sorted(each.faults.items())) or "none",
        )
        for name, each in sorted(facts.errors.items())
        if name in facts.composition.articles
    ]  # fmt: skip
    said = (
        _table(("portal", "reviewed", "faulty", "95 % interval", "faults"), rows)
        if rows
        else "No article was reviewed by a person."
    )
    methods = _table(("method of extraction", "articles"), sorted(facts.composition.methods.items()))
    return f"## Errors\n\n{said}\n\n{methods}"


def _rights(facts: Facts) -> str:
    left = (
        _table(("left out because", "articles"), sorted(facts.tombstones.items()))
        if facts.tombstones
        else "None had to be left out."
    )
    reserved = facts.composition.reserved
    kept = (
        _table(("reserved for", "articles"), [(PHRASES[Purpose(use)], number) for use, number in sorted(reserved.items())])
        if reserved
        else "No article in it is reserved for any use."
    )
    return (
        f"## Rights\n\n{_uses(facts.recipe)} What each publisher reserved when the page was fetched, and what held when this "
        "release was made, is in `documents.jsonl` (`rights_at_fetch`, `rights_at_release`, `reserved_for`). Articles that were "
        f"withdrawn, or are gone from their portals, are left out and listed in `tombstones.jsonl`.\n\n{left}\n\n"
        f"Articles in this release that are reserved for other uses:\n\n{kept}"
    )


def _uses(recipe: ReleasePlan) -> str:
    """Return sentences on the purposes of the collection and of the release."""
    collected = " and ".join(PHRASES[use] for use in sorted(recipe.intent.purposes))
    basis = f", as research under {recipe.intent.legal_basis}" if recipe.intent.legal_basis else ""
    said = f"The texts are their publishers'. They were collected for {collected}{basis}."
    if recipe.purpose is None:
        return said
    return f"{said} This release is for {PHRASES[recipe.purpose]}: articles that are reserved for that are left out."


def _making(facts: Facts) -> str:
    models = _table(("model", "SHA-256"), sorted(facts.models.items()))
    templates = [(name, each["version"], each["sha256"]) for name, each in sorted(facts.templates.items())]
    said = _table(("portal", "template", "SHA-256"), templates) if templates else "No templates of portals were in use."
    return (
        f"## What made it\n\nnewscrawler {facts.version}.\n\n{models}\n\n{said}\n\n`manifest.json` has the recipe and the SHA-256 "
        "of every file; `newscrawler release verify` checks them, `release again` makes the release again from the same database."
    )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _table(heading: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in line) + " |" for line in lines)


def croissant(facts: Facts, files: Sequence[File]) -> dict[str, Any]:
    """Return the metadata in Croissant 1.1."""
    recipe = facts.recipe
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": recipe.name,
        "alternateName": recipe.title,
        "description": summarize(facts),
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "citeAs": f"{'; '.join(recipe.creators)} ({recipe.created_at:%Y}). {recipe.title}, {recipe.name}.",
        "creator": [{"@type": "sc:Person", "name": name} for name in recipe.creators],
        "license": recipe.licence,
        "url": f"urn:newscrawler:release:{recipe.name}",
        "version": "1.0.0",
        "datePublished": f"{recipe.created_at:%Y-%m-%d}",
        "inLanguage": sorted(facts.composition.languages),
        "distribution": [*map(_file_object, files), *([_MONTHLY_FILES] if _choose_records(files)[1] == _MONTHS else [])],
        "recordSet": _record_sets(files),
    }


def _file_object(file: File) -> dict[str, Any]:
    ending = file.path.rpartition(".")[2]
    return {
        "@type": "cr:FileObject", "@id": file.path, "name": file.path, "contentUrl": file.path,
        "contentSize": f"{file.bytes} B", "encodingFormat": MEDIA.get(ending, "text/plain"), "sha256": file.sha256,
    }  # fmt: skip


#: The files of Parquet, one for each month.
_MONTHS = "data/parquet/*.parquet"
_MONTHLY_FILES = {
    "@type": "cr:FileSet", "@id": _MONTHS, "name": "articles by month", "encodingFormat": MEDIA["parquet"], "includes": _MONTHS,
}  # fmt: skip


def _choose_records(files: Sequence[File]) -> tuple[str, str, Sequence[Field]]:
    """Return name, path and fields of the records that programs are to read: the articles, or what replaces them."""
    paths = {file.path for file in files}
    table = _MONTHS if any(path.startswith(_MONTHS[:-9]) for path in paths) else None
    table = table or next((f"data/articles.{form}" for form in ("jsonl", "csv") if f"data/articles.{form}" in paths), None)
    return ("articles", table, _TABLE_FIELDS) if table else ("documents", "documents.jsonl", _DOCUMENT_FIELDS)


def _record_sets(files: Sequence[File]) -> list[dict[str, Any]]:
    name, path, fields = _choose_records(files)
    return [
        {
            "@type": "cr:RecordSet",
            "@id": name,
            "name": name,
            "key": {"@id": f"{name}/id"},
            "field": [_describe_field(name, path, each) for each in fields],
        }
    ]


def _describe_field(records: str, path: str, field: Field) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{records}/{field.name}",
        "name": field.name,
        "description": field.meaning,
        "dataType": _TYPES[field.type],
        "source": {"fileSet" if path == _MONTHS else "fileObject": {"@id": path}, "extract": {"column": field.name}},
    } | ({"isArray": True, "arrayShape": "-1"} if field.type == "texts" and not path.endswith(".csv") else {})


_CONTEXT: Mapping[str, Any] = {
    "@language": "en", "@vocab": "https://schema.org/", "arrayShape": "cr:arrayShape", "citeAs": "cr:citeAs", "column": "cr:column",
    "conformsTo": "dct:conformsTo", "containedIn": "cr:containedIn", "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"}, "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/", "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract", "field": "cr:field",
    "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject", "fileSet": "cr:fileSet", "format": "cr:format",
    "includes": "cr:includes", "isArray": "cr:isArray", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath",
    "key": "cr:key", "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path", "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex", "replace": "cr:replace",
    "samplingRate": "cr:samplingRate", "sc": "https://schema.org/", "separator": "cr:separator", "source": "cr:source",
    "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip


CRATE = "ro-crate-metadata.json"
#: Files of a release that the crate describes besides its data; the manifest, which has the crate's hash, is not one.
METADATA_FILES = ("CITATION.cff", "DATASHEET.md", "README.md", "croissant.json", "datacite.json")


def describe_for_datacite(facts: Facts, files: Sequence[File]) -> dict[str, Any]:
    """Return the metadata as DataCite 4.5 writes it in JSON; the repository adds the DOI and itself as the publisher."""
    recipe, found = facts.recipe, facts.composition
    crawled = [each for name, each in facts.collections.items() if name in found.articles]
    dates = [{"date": f"{recipe.created_at:%Y-%m-%d}", "dateType": "Created"}]
    if crawled:
        first, last = min(each.first for each in crawled), max(each.last for each in crawled)
        dates.append({"date": f"{first:%Y-%m-%d}/{last:%Y-%m-%d}", "dateType": "Collected"})
    languages = [name for name, _ in found.languages.most_common() if LANGUAGE.fullmatch(name)]
    return {
        "schemaVersion": "http://datacite.org/schema/kernel-4", "creators": [{"name": name} for name in recipe.creators],
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Text corpus"}, "titles": [{"title": recipe.title}],
        "publisher": {"name": "(:tba)"}, "publicationYear": f"{recipe.created_at:%Y}", "version": recipe.name, "dates": dates,
        "alternateIdentifiers": [
            {"alternateIdentifier": f"urn:newscrawler:release:{recipe.name}", "alternateIdentifierType": "URN"}
        ],
        "subjects": [{"subject": "news"}, {"subject": "corpus"}], "rightsList": [_describe_licence(recipe.licence)],
        "descriptions": [{"description": summarize(facts), "descriptionType": "Abstract"}],
        "sizes": [counted(found.articles.total(), "article"), f"{sum(each.bytes for each in files)} bytes"],
        "formats": sorted({_find_media_type(each.path) for each in files}),
    } | ({"language": languages[0]} if languages else {})  # fmt: skip


def _describe_licence(licence: str) -> dict[str, str]:
    if licence.startswith(("http://", "https://")):
        return {"rights": licence, "rightsUri": licence}
    is_known = licence.lower() in HUB_LICENCES
    return {"rights": licence} | ({"rightsIdentifier": licence, "rightsIdentifierScheme": "SPDX"} if is_known else {})


def _find_media_type(path: str) -> str:
    return MEDIA.get(path.rpartition(".")[2], "text/plain")


def describe_crate(facts: Facts, files: Sequence[File]) -> dict[str, Any]:
    """Return the metadata of an RO-Crate 1.2: the release, its files, its creators, its licence, and the program that made it."""
    recipe = facts.recipe
    licence = recipe.licence if recipe.licence.startswith(("http://", "https://")) else "#licence"
    persons = [{"@id": f"#creator-{number}", "@type": "Person", "name": name} for number, name in enumerate(recipe.creators, 1)]
    program = {"@id": "#newscrawler", "@type": "SoftwareApplication", "name": "newscrawler", "version": facts.version}
    parts = list(map(_describe_file, files))
    made = {
        "@id": "#creation", "@type": "CreateAction", "name": "Selection and export", "instrument": _refer(program),
        "agent": list(map(_refer, persons)), "endTime": recipe.created_at.isoformat(), "result": {"@id": "./"},
    }  # fmt: skip
    root = {
        "@id": "./", "@type": "Dataset", "name": recipe.title, "description": summarize(facts), "version": recipe.name,
        "datePublished": f"{recipe.created_at:%Y-%m-%d}", "license": {"@id": licence}, "creator": list(map(_refer, persons)),
        "identifier": f"urn:newscrawler:release:{recipe.name}", "keywords": ["news", "corpus"], "mentions": _refer(made),
        "inLanguage": sorted(filter(LANGUAGE.fullmatch, facts.composition.languages)), "hasPart": list(map(_refer, parts)),
    }  # fmt: skip
    descriptor = {
        "@id": CRATE, "@type": "CreativeWork", "about": _refer(root), "conformsTo": {"@id": "https://w3id.org/ro/crate/1.2"},
    }  # fmt: skip
    graph = [descriptor, root, *parts, *persons, {"@id": licence, "@type": "CreativeWork", "name": recipe.licence}, program, made]
    context = ["https://w3id.org/ro/crate/1.2/context", {"sha256": "https://schema.org/sha256"}]
    return {"@context": context, "@graph": graph}


def _describe_file(file: File) -> dict[str, Any]:
    return {
        "@id": quote(file.path), "@type": "File", "name": file.path, "contentSize": str(file.bytes), "sha256": file.sha256,
        "encodingFormat": _find_media_type(file.path),
    }  # fmt: skip


def _refer(entity: Mapping[str, Any]) -> dict[str, str]:
    return {"@id": entity["@id"]}
