"""Pages that show something else than a text: pictures with a line below each, a video, an event, an offer of work or of goods.

They are asked only of pages that declare no article, and told by what the page declares of its headline, and by how it is made.
A headline that says more than the name of a thing speaks of it, and so does whoever is named as the author beside the headline.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from newscrawler.blocks.default.beside import shows_picture
from newscrawler.blocks.default.postings import posting
from newscrawler.page import Document
from newscrawler.page.blocks import Block, Layout
from newscrawler.page.json_ld import types_of
from newscrawler.page.likeness import key_of, likeness
from newscrawler.page.named import short_text

#: Characters of text up to which a page may be a mere video, and up to which it may be a record of something.
_LITTLE, _SOME = 400, 1500
_THING = re.compile(
    r"(?:Event|JobPosting|Product|Offer|RealEstateListing|Movie|TVSeries|(?:TV|Radio|Podcast)Episode|LocalBusiness|Apartment|Course|"
    r"(?:TV|Radio|Podcast)Series|DefinedTerm)$"
)
#: What many articles have beside their text, too.
_BESIDE_TEXT = re.compile(r"(?:Video|Audio)Object$")
_LEAST_ALIKE = 0.5
#: Letters of a headline for each of the name, up to which it says no more than that: "Jazz night", but not "Jazz night sold out".
_MOST_MORE = 1.3
#: Lines below pictures that make a gallery, how long they are in the mean, and their share of the text.
_LEAST_CAPTIONS, _LONGEST_MEAN, _LEAST_SHARE = 3, 150, 0.8
#: A label in bold and what it stands for, as in "When: 3 May"; so many of so many lines under the headline make a record.
_LABELLED = re.compile(r"[^\W\d][^:：.!?]{0,30}[:：]\s*\S")
_LEAST_LABELLED, _LINES, _LONGEST_LINE = 3, 6, 100
#: Labels that tell of the making of a text, not of a thing.
_OF_TEXT = re.compile(
    r"(?:by|written|author|autor\w*|auteur|автор|text|texte|testo|photos?|fotos?|фото|published|posted|(?:last )?updated|"
    r"publikováno|aktualizováno|publikované|opublikowano|aktualizacja|veröffentlicht|aktualisiert|publié|mis à jour|publicado|"
    r"actualizado|pubblicato|aggiornato|опубликовано|обновлено|опубліковано|source|quelle|zdroj|źródło|fuente|fonte|источник|джерело)"
    r"\W*[:：]",
    re.IGNORECASE,
)
#: How an author is named in the markup, how far from the headline (in elements), and in how many characters.
_AUTHOR_NAMES, _ABOVE, _BELOW, _LONGEST_NAMES = ("byline", "author", "autor"), 20, 40, 120


def exhibit(page: Document, taken: Sequence[Block], size: int) -> str | None:
    """Say what the page shows instead of a text; None where nothing speaks for it.

    Args:
        page: the page, which declares no article.
        taken: the blocks that would be its body.
        size: characters of these blocks, headings aside.
    """
    if size >= _SOME:
        return None
    if size < _LITTLE and (page.first_meta("og:type") or "").lower().startswith("video"):
        return "the page says it is a video"
    if (thing := _thing_declared(page, size)) is not None and not _names_author(page):
        return f"JSON-LD has a {thing} of the headline's name"
    if _is_gallery(page.layout, taken, size):
        return "pictures with a line below each"
    if _is_record(page) and not _names_author(page):
        return "labels in bold and what they stand for, right under the headline"
    if (posted := posting(page, taken, size)) is not None and not _names_author(page):
        return posted
    return None


def _thing_declared(page: Document, size: int) -> str | None:
    """What else than a text JSON-LD describes under the name that is the headline."""
    if page.headline is None:
        return None
    for item in page.json_ld[:40]:
        name = item.get("name") or item.get("title")
        kinds = types_of(item)
        thing = next((kind for kind in kinds if _THING.search(kind) or (size < _LITTLE and _BESIDE_TEXT.search(kind))), None)
        if thing is not None and isinstance(name, str) and _is_named(page.headline.text, name, begins=thing == "JobPosting"):
            return thing
    return None


def _is_named(headline: str, name: str, *, begins: bool) -> bool:
    """Tell whether a headline is the name of a thing and says nothing of it, or `begins` with it: "Nurse (f/m) in Harbour"."""
    if begins and key_of(name) and key_of(headline).startswith(key_of(name)):
        return True
    return len(key_of(headline)) <= _MOST_MORE * len(key_of(name)) and likeness(name, headline) >= _LEAST_ALIKE


def _is_gallery(layout: Layout, taken: Sequence[Block], size: int) -> bool:
    """Tell whether nearly all of the text is short lines, each in one small box with a picture."""
    texts = [block for block in taken if block.kind[0] != "h"]
    if len(texts) < _LEAST_CAPTIONS or size > _LONGEST_MEAN * len(texts):
        return False
    shown = [block for block in texts if _shares_picture(layout, block)]
    return len(shown) >= _LEAST_CAPTIONS and sum(block.size for block in shown) >= _LEAST_SHARE * size


def _shares_picture(layout: Layout, block: Block) -> bool:
    for box in layout.outer(block.box):
        if box.last - box.first > 2:
            return False
        if shows_picture(box):
            return True
    return False


def _is_record(page: Document) -> bool:
    headline = page.headline.block if page.headline else None
    if headline is None:
        return False
    lines = page.layout.blocks[headline.index + 1 : headline.index + 1 + _LINES]
    above = takewhile(lambda block: not block.is_sentence and len(block.text) <= _LONGEST_LINE, lines)
    labelled = [block.text for block in above if block.bold > 0 and _LABELLED.match(block.text)]
    return len(labelled) >= _LEAST_LABELLED and not any(map(_OF_TEXT.match, labelled))


def _names_author(page: Document) -> bool:
    """Tell whether an element beside the headline that is called a byline holds two words with capitals, side by side."""
    at = page.place_of(page.headline.element) if page.headline else None
    if at is None:
        return False
    near = (each.element for each in page.named_with(_AUTHOR_NAMES) if -_ABOVE <= each.place - at <= _BELOW)
    said = (short_text(element, _LONGEST_NAMES) or "" for element in near)
    return any(one[0].isupper() and one[-1].isalpha() and two[0].isupper() for text in said for one, two in pairwise(text.split()))
