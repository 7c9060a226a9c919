"""Headline, description, authors, section, language and the rest of the record."""

from newscrawler.extraction.metadata.language import choose_language
from newscrawler.extraction.metadata.record import Metadata, find_keywords, find_metadata, list_signs_of_teaser
from newscrawler.extraction.metadata.section import find_listing_section

__all__ = ["Metadata", "choose_language", "find_keywords", "find_listing_section", "find_metadata", "list_signs_of_teaser"]
