"""Persons, organisations, places and topics of stored articles, by recognisers that plugins bring: ONTEA, spaCy, any function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice

from newscrawler.article import Article
from newscrawler.errors import ConfigError, counted
from newscrawler.formats import clean_text
from newscrawler.plugins import PluginGroup, load_methods
from newscrawler.store import Store
from newscrawler.store.articles import Mention, Selection
from newscrawler.store.vocabularies import EntityKind

#: Finds the entities of an article, each mention with its place, and its topics.
Recogniser = Callable[[Article], Iterable[Mention]]
#: Articles in a transaction.
_AT_ONCE = 50
#: Of an article: a recogniser that yields more does not end.
_MOST_MENTIONS = 100_000
#: Classes of entities of spaCy's models: OntoNotes, WikiNER, CoNLL, and Slavic ones; numbers and dates are left out.
_KINDS = {
    **dict.fromkeys(("PERSON", "PER", "persName", "P"), EntityKind.PERSON),
    **dict.fromkeys(("ORG", "orgName", "I"), EntityKind.ORGANISATION),
    **dict.fromkeys(("GPE", "LOC", "FAC", "placeName", "geogName", "G"), EntityKind.PLACE),
    **dict.fromkeys(("NORP", "EVENT", "PRODUCT", "WORK_OF_ART", "LAW", "MISC", "EVT", "PROD"), EntityKind.OTHER),
}  # fmt: skip
#: Least probability of a topic of spaCy.
_LEAST_PROBABILITY = 0.5


def find_recogniser(name: str) -> Recogniser:
    """Load a recogniser.

    Args:
        name: ontea, ontea:FILE of known individuals, spacy:MODEL, NAME:TEXT of a plugin, or MODULE:FUNCTION.

    Raises:
        ConfigError: it is not installed, or cannot be loaded.
    """
    kind, _, rest = name.partition(":")
    known = load_methods(PluginGroup.RECOGNISERS)
    if kind not in known and not rest:
        raise ConfigError(f"{name} is not a recogniser; write one of {', '.join(known)}, or MODULE:FUNCTION")
    try:
        found: Recogniser = known[kind](rest) if kind in known else getattr(import_module(kind), rest)
    except ImportError as error:
        here = f"check that the module {kind} can be imported; PYTHONPATH=. finds those of the current folder"
        raise ConfigError(
            f"the recogniser {name} cannot be loaded ({error}); {f'pip install {kind}' if kind in known else here}"
        ) from error
    except ConfigError:
        raise
    except Exception as error:  # a third-party module may raise anything
        raise ConfigError(f"the recogniser {name} cannot be loaded: {type(error).__name__}: {error}") from error
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognition:
    """Result of a recogniser's work."""

    #: Articles whose entities were stored.
    articles: int
    #: Article and reason, where it failed; these are read again the next time.
    failed: Sequence[tuple[int, str]]


def recognise_entities(
    store: Store, name: str, selection: Selection, *, progress: Callable[[int], None] = lambda _number: None
) -> Recognition:
    """Store the entities of the articles of a selection that a recogniser has not read as they are now.

    `progress` gets the number of articles so far.

    Raises:
        ConfigError: the recogniser is unknown, or it fails on all of the first articles.
    """
    recogniser, number, failed = find_recogniser(name), 0, list[tuple[int, str]]()
    pending = store.entities.pending(name, selection)
    while numbers := tuple(islice(pending, _AT_ONCE)):
        found = []
        for stored in store.articles.stream(Selection(ids=numbers)):
            try:
                found.append((stored, _check(stored.article, recogniser(stored.article))))
            except Exception as error:  # noqa: BLE001  a third-party function may raise anything
                failed.append((stored.id, f"{type(error).__name__}: {error}"))
        if failed and not number and not found:
            every = counted(len(failed), "article")
            raise ConfigError(f"the recogniser {name} fails on {every}, and reads none; article {failed[0][0]}: {failed[0][1]}")
        number += store.entities.put(name, found)
        progress(number)
    store.entities.forget_unmentioned()
    return Recognition(articles=number, failed=failed)


def _check(article: Article, mentions: Iterable[Mention]) -> list[Mention]:
    """Return the mentions that a recogniser found in an article, as they are stored.

    Raises:
        TypeError, ValueError: one is not a mention, or not in the article, or there are more than 100,000.
    """
    lengths, found = [len(article.title), *(len(paragraph.text) for paragraph in article.paragraphs)], []
    for each in islice(mentions, _MOST_MENTIONS + 1):
        if not isinstance(each, Mention) or not isinstance(each.name, str):
            raise TypeError(f"{each!r:.100} is not a Mention with a name")
        place, start, end = map(int, each.span or (0, 0, 0))
        if each.span and not (0 <= place < len(lengths) and 0 <= start < end <= lengths[place]):
            raise ValueError(f"{each.name[:100]} is at {each.span}, which is not a place of the article")
        span = (place, start, end) if each.span else None
        found.append(Mention(kind=EntityKind(each.kind), name=clean_text(each.name), span=span))
    if len(found) > _MOST_MENTIONS:
        raise ValueError(f"more than {_MOST_MENTIONS:,} mentions in an article")
    return found


def join_texts(article: Article) -> str:
    """Return headline and paragraphs, separated by line breaks, as one text."""
    return "\n".join([article.title, *(paragraph.text for paragraph in article.paragraphs)])


def place_mentions(article: Article, found: Iterable[tuple[EntityKind, str, int, int]]) -> Iterator[Mention]:
    """Yield entities that were found in `join_texts`, each as kind, name, start and end, in order; none across paragraphs."""
    ends, end = [], -1
    for text in (article.title, *(paragraph.text for paragraph in article.paragraphs)):
        begin, end = end + 1, end + 1 + len(text)
        ends.append((begin, end))
    place = 0
    for kind, name, first, last in found:
        while place + 1 < len(ends) and ends[place + 1][0] <= first:
            place += 1
        begin, end = ends[place]
        if last <= end:
            yield Mention(kind=kind, name=name, span=(place, first - begin, last - begin))


def make_spacy_recogniser(model: str) -> Recogniser:
    """Return a recogniser by a pipeline of spaCy: its named entities, and as topics the categories that are likely.

    Raises:
        ImportError: spaCy is not installed.
        OSError: the model does not exist.
    """
    pipeline = import_module("spacy").load(model)

    def recognise(article: Article) -> Iterator[Mention]:
        document = pipeline(join_texts(article))
        found = (each for each in document.ents if each.label_ in _KINDS)
        yield from place_mentions(article, ((_KINDS[each.label_], each.text, each.start_char, each.end_char) for each in found))
        for topic, probability in document.cats.items():
            if probability >= _LEAST_PROBABILITY:
                yield Mention(kind=EntityKind.TOPIC, name=topic)

    return recognise
