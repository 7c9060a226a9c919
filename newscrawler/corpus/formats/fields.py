"""Descriptions of the fields of a record, for schemas, in the order of `Article.as_dict`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: Type (text, texts, integer, number, boolean, time, day) and meaning by name; times and days are texts in ISO 8601.
FIELDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "id": ("integer", "Number of the article in the database."),
        "url": ("text", "Address at which the article was fetched."),
        "canonical_url": ("text", "Address that the page names as its own."),
        "portal": ("text", "Name of the portal in the configuration."),
        "title": ("text", "Title."),
        "lead": ("text", "Lead; the body begins with it."),
        "body": ("text", "Text, paragraphs parted by line breaks."),
        "description": ("text", "Summary that the page declares."),
        "description_is_lead": ("boolean", "The page declares no summary; `description` is the lead."),
        "authors": ("texts", "Names of the authors."),
        "published_at": ("time", "Time of publication with its offset (ISO 8601)."),
        "date": ("day", "Day of publication on the clock of the page (ISO 8601)."),
        "published_precision": ("text", "How exactly the page states the time: minute, day or month."),
        "published_source": ("text", "Which evidence of the page gave the time."),
        "offset_given": ("boolean", "The page itself gave the offset; else the portal's time zone was assumed."),
        "modified_at": ("time", "Time of the last change that the page states (ISO 8601)."),
        "section": ("text", "Section of the portal."),
        "keywords": ("texts", "Keywords that the page declares."),
        "language": ("text", "Language (BCP 47)."),
        "image_url": ("text", "Address of the main picture."),
        "genre": ("text", "news, opinion, interview, live, gallery or sponsored."),
        "free": ("boolean", "false: behind a paywall; empty: the page does not say."),
        "word_count": ("integer", "Words of the body; Chinese and Japanese count by signs."),
        "fetched_at": ("time", "When the page was fetched (ISO 8601)."),
        "method": ("text", "Method that found the text on the page."),
        "confidence": ("number", "Expected quality of the text, 0 to 1."),
        "similar_to": ("integer", "Number of an earlier article that says nearly the same."),
        "section_source": ("text", "Which evidence gave the section."),
        "corrections": ("integer", "How often the portal has changed the text."),
        "corrected_at": ("time", "When the latest change was found (ISO 8601)."),
        "gone_at": ("time", "When the address was found to answer that the article is gone (ISO 8601)."),
        "http_status": ("integer", "HTTP status with which it was gone."),
        "title_declared": ("text", "Headline in the head of the page, where it is worded otherwise there."),
        "date_confidence": ("number", "Probability that the day of publication is right, 0 to 1."),
        "language_detected": ("text", "Language that the text shows, where it is another than the declared one."),
    }
)
