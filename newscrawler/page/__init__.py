"""Bytes → text → Document, parsed once; its views are shared by all methods."""

from newscrawler.page.blocks import PICTURES, Block, Box, Layout, find_extent, holds_time
from newscrawler.page.document import Document, normalize_reference
from newscrawler.page.encoding import Page, decode, find_encoding, find_other_format, read_content, read_media_type
from newscrawler.page.json_ld import PlacedObject, read_types
from newscrawler.page.layout import SILENT
from newscrawler.page.likeness import BEGINNING, begins_alike, key_of, likeness
from newscrawler.page.names import BOXES_BESIDE, UNSEEN, Mark, Named, collect_small_pieces, find_marks, short_text, split_name
from newscrawler.page.rich_text import WrittenParagraph, paragraphs_of
from newscrawler.page.state_scripts import state_values
from newscrawler.page.text import (
    extract_visible_text,
    find_item_number,
    is_template_value,
    read_caption,
    read_lines,
    read_rows,
    remove_invisible_signs,
    squeeze,
)

__all__ = [
    "BEGINNING",
    "BOXES_BESIDE",
    "PICTURES",
    "SILENT",
    "UNSEEN",
    "Block",
    "Box",
    "Document",
    "Layout",
    "Mark",
    "Named",
    "Page",
    "PlacedObject",
    "WrittenParagraph",
    "begins_alike",
    "collect_small_pieces",
    "decode",
    "extract_visible_text",
    "find_encoding",
    "find_extent",
    "find_item_number",
    "find_marks",
    "find_other_format",
    "holds_time",
    "is_template_value",
    "key_of",
    "likeness",
    "normalize_reference",
    "paragraphs_of",
    "read_caption",
    "read_content",
    "read_lines",
    "read_media_type",
    "read_rows",
    "read_types",
    "remove_invisible_signs",
    "short_text",
    "split_name",
    "squeeze",
    "state_values",
]  # fmt: skip
