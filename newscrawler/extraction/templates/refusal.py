"""Why nothing can be learned of some pages: pages that are no articles, one article again and again, several languages."""

from __future__ import annotations

from enum import StrEnum

from newscrawler.errors import ConfigError


class TemplateFault(StrEnum):
    """Why a template is refused: a fixed vocabulary, counted, logged and stored."""

    NO_PAGES = "no pages"
    NO_ARTICLES = "pages without articles"
    ONE_TEXT = "one text on several pages"
    OTHER_LANGUAGE = "pages of another language"


class TemplateRefused(ConfigError):  # noqa: N818  a refusal, not a fault of the program
    """Nothing can be learned of these pages; `reason` says why, the message which pages and what to do."""

    def __init__(self, reason: TemplateFault, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
