"""Write the papers of a release: citation, datasheet, dataset card, and metadata (Croissant, DataCite 4.5, RO-Crate 1.2)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from newscrawler.article import FIELDS, Field
from newscrawler.corpus.releases.figures import Composition, CrawlRecord, ErrorRate
from newscrawler.corpus.releases.recipe import ReleasePlan
from newscrawler.errors import counted
from newscrawler.politeness.rights import PHRASES

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
    return str(_load_macros().datasheet(facts))


@cache
def _load_macros() -> Any:
    """Return the template, whose macros each write a file."""
    templates = Environment(  # noqa: S701  CommonMark, not HTML
        loader=FileSystemLoader(Path(__file__).parent), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    templates.globals |= {"counted": counted, "describe_uses": _describe_uses, "phrases": PHRASES, "summarize": summarize}
    templates.filters["cell"] = lambda value: str(value).replace("|", "\\|").replace("\n", " ")
    return templates.get_template("datasheet.md").module


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
    return str(_load_macros().card(facts, yaml))


def _describe_uses(recipe: ReleasePlan) -> str:
    """Return sentences on the purposes of the collection and of the release."""
    collected = " and ".join(PHRASES[use] for use in sorted(recipe.intent.purposes))
    basis = f", as research under {recipe.intent.legal_basis}" if recipe.intent.legal_basis else ""
    said = f"The texts are their publishers'. They were collected for {collected}{basis}."
    if recipe.purpose is None:
        return said
    return f"{said} This release is for {PHRASES[recipe.purpose]}: articles that are reserved for that are left out."


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
