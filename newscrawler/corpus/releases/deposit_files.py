"""Metadata by which repositories describe a release: DataCite 4.5 and RO-Crate 1.2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from newscrawler.corpus.releases.metadata_files import HUB_LICENCES, LANGUAGE, MEDIA, Facts, File, summarize
from newscrawler.errors import counted

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
