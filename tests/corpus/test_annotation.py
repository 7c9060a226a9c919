"""What taggers answer, as words of a text."""

from __future__ import annotations

from types import SimpleNamespace

from newscrawler.corpus import list_stanza_words


def test_a_token_of_several_words_is_one_word_with_the_lemmas_of_all() -> None:
    def word(number: int, lemma: str, upos: str, head: int, relation: str) -> SimpleNamespace:
        return SimpleNamespace(id=number, lemma=lemma, upos=upos, xpos=None, feats=None, head=head, deprel=relation)

    tokens = [  # Wir gehen zum Markt: as Stanza's German model splits it
        SimpleNamespace(start_char=0, end_char=3, words=[word(1, "wir", "PRON", 2, "nsubj")]),
        SimpleNamespace(start_char=4, end_char=9, words=[word(2, "gehen", "VERB", 0, "root")]),
        SimpleNamespace(start_char=10, end_char=13, words=[word(3, "zu", "ADP", 5, "case"), word(4, "der", "DET", 5, "det")]),
        SimpleNamespace(start_char=14, end_char=19, words=[word(5, "Markt", "NOUN", 2, "obl")]),
    ]

    found = list_stanza_words(tokens)

    assert [(each.start, each.end, each.lemma, each.upos, each.head, each.relation) for each in found] == [
        (0, 3, "wir", "PRON", 2, "nsubj"),
        (4, 9, "gehen", "VERB", 0, "root"),
        (10, 13, "zu+der", "ADP+DET", 4, "case"),
        (14, 19, "Markt", "NOUN", 2, "obl"),
    ]
