"""Templates of sites: page methods that can be written as JSON and read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

from newscrawler.article import Body
from newscrawler.errors import ConfigError
from newscrawler.page import Document


@runtime_checkable
class SiteTemplate(Protocol):
    """A page method that was learned from pages of one site.

    A template that can name its captures also has `read_fields(page) -> Mapping[str, str] | None`, by which title, annotation,
    authors and keywords replace those found.
    """

    @property
    def method(self) -> LearningMethod:
        """The method that learned it, with its parameters."""

    def __call__(self, page: Document, /) -> Body | None:
        """Read a page of the site; None: it does not match, or has no article."""

    def learned(self) -> dict[str, Any]:
        """Content of the template, as JSON has it."""


class LearningMethod(Protocol):
    """A site method whose templates can be stored."""

    #: Fewer pages teach nothing.
    least_pages: ClassVar[int]
    #: Grows when templates that were stored before can no longer be read.
    version: ClassVar[int]

    def learn(self, pages: Sequence[Document], /) -> SiteTemplate:
        """Learn from pages of one site.

        Raises:
            ConfigError: there are too few pages.
        """

    def restore(self, learned: Mapping[str, Any], /) -> SiteTemplate:
        """Make the template again from the result of `learned`."""


def check_number(name: str, pages: Sequence[Document], least: int) -> None:
    """Refuse to learn from too few pages.

    Raises:
        ConfigError: there are fewer pages than the method needs.
    """
    if len(pages) < least:
        msg = f"{name} learns from {least} pages or more of one site, not from {len(pages)}; give it more pages"
        raise ConfigError(msg)
