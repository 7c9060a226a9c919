"""Lemmas and parts of speech from a tagger that the user has installed: spaCy, UDPipe, Stanza, or any function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from newscrawler.errors import ConfigError
from newscrawler.plugins import PluginGroup, find_plugins
from newscrawler.store.search import sentences, words


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A token of a sentence; None: unknown."""

    #: Of the text that was annotated.
    start: int
    end: int
    lemma: str | None = None
    #: Universal part of speech, and the tagger's own.
    upos: str | None = None
    xpos: str | None = None
    feats: str | None = None
    #: Number of the governing token within the sentence, from 1; 0: the root.
    head: int | None = None
    relation: str | None = None


#: Yields the sentences of a text.
Annotator = Callable[[str], Iterable[list[Word]]]


def segment_text(text: str) -> Iterator[list[Word]]:
    """Yield sentences and words by Unicode segmentation alone."""
    for first, last in sentences(text):
        yield [Word(start=first + start, end=first + end) for start, end, _ in words(text[first:last])]


def find_annotator(name: str) -> Annotator:
    """Load a tagger.

    Args:
        name: spacy:MODEL, stanza:LANGUAGE, udpipe:FILE, the name of a plugin and a colon, or MODULE:FUNCTION.

    Raises:
        ConfigError: it is not installed, or there is no such model.
    """
    kind, separator, rest = name.partition(":")
    plugin = find_plugins(PluginGroup.TOKENIZERS).get(kind) if separator else None
    if plugin is not None:
        made: Annotator = plugin.load()(rest)
        return made
    if not separator or not rest:
        raise ConfigError(f"{name} is not a tagger; write spacy:MODEL, stanza:LANGUAGE, udpipe:FILE or MODULE:FUNCTION")
    known = {"spacy": _make_spacy, "stanza": _make_stanza, "udpipe": _make_udpipe}
    try:
        annotator: Annotator = known[kind](rest) if kind in known else getattr(import_module(kind), rest)
    except ImportError as error:
        package = {"udpipe": "ufal.udpipe"}.get(kind, kind)
        advice = f"pip install {package}" if kind in known else f"check that the module {kind} can be imported"
        raise ConfigError(f"the tagger {name} cannot be loaded ({error}); {advice}") from error
    except (OSError, AttributeError, ValueError) as error:
        raise ConfigError(f"the tagger {name} cannot be loaded: {error}") from error
    return annotator


def _make_spacy(model: str) -> Annotator:
    pipeline = import_module("spacy").load(model)

    def annotate(text: str) -> Iterator[list[Word]]:
        document = pipeline(text)
        is_parsed = document.has_annotation("DEP")
        for sentence in _split_spacy_sentences(document, text):
            kept = [token for token in sentence if not token.is_space]
            numbers = {token.i: number for number, token in enumerate(kept, 1)}
            heads = {token.i: 0 if token.head.i == token.i else numbers.get(token.head.i) for token in kept} if is_parsed else {}
            yield [
                Word(
                    start=token.idx, end=token.idx + len(token.text), lemma=token.lemma_ or None, upos=token.pos_ or None,
                    xpos=token.tag_ or None, feats=str(token.morph) or None, relation=token.dep_.lower() or None,
                    head=heads.get(token.i),
                )
                for token in kept
            ]  # fmt: skip

    return annotate


def _split_spacy_sentences(document: Any, text: str) -> Iterator[Iterable[Any]]:
    """Yield the sentences of a document; a pipeline that finds none gets ours."""
    if document.has_annotation("SENT_START"):
        yield from document.sents
        return
    for first, last in sentences(text):
        yield [token for token in document if first <= token.idx < last]


def _make_stanza(language: str) -> Annotator:
    pipeline = import_module("stanza").Pipeline(language, verbose=False, download_method=None)
    return lambda text: (list_stanza_words(sentence.tokens) for sentence in pipeline(text).sentences)


def list_stanza_words(tokens: Sequence[Any]) -> list[Word]:
    """Return the words of a sentence of Stanza, one for each token of the text.

    Where a token is several words of the grammar ("vámonos", "zum"), it has the lemmas and parts of speech of all, parted by
    plus signs, and the place in the sentence of the one on which the others depend.
    """
    numbers = {word.id: number for number, token in enumerate(tokens, 1) for word in token.words}
    numbers[0] = 0
    found = []
    for number, token in enumerate(tokens, 1):
        outward = next((word for word in token.words if numbers.get(word.head) != number), token.words[0])
        found.append(
            Word(
                start=token.start_char, end=token.end_char, lemma=_join_words(word.lemma for word in token.words),
                upos=_join_words(word.upos for word in token.words), xpos=_join_words(word.xpos for word in token.words),
                feats=outward.feats, head=numbers.get(outward.head), relation=outward.deprel,
            )
        )  # fmt: skip
    return found


def _join_words(values: Iterable[str | None]) -> str | None:
    return "+".join(value for value in values if value) or None


def _make_udpipe(file: str) -> Annotator:
    library = import_module("ufal.udpipe")
    model = library.Model.load(file)
    if model is None:
        raise ConfigError(f"{file} is not a model of UDPipe; name a file that ends in .udpipe")

    def annotate(text: str) -> Iterator[list[Word]]:
        reader = model.newTokenizer(library.Model.TOKENIZER_RANGES)
        reader.setText(text)
        sentence = library.Sentence()
        while reader.nextSentence(sentence):
            model.tag(sentence, model.DEFAULT)
            model.parse(sentence, model.DEFAULT)
            yield [
                Word(
                    start=word.getTokenRangeStart(), end=word.getTokenRangeEnd(), lemma=word.lemma or None,
                    upos=word.upostag or None, xpos=word.xpostag or None, feats=word.feats or None, head=word.head,
                    relation=word.deprel or None,
                )
                for word in list(sentence.words)[1:]
            ]  # fmt: skip
            sentence = library.Sentence()

    return annotate
