"""The portal wrapper: what the page-level detector says of each block, weighed with what the portal's other pages say of its place.

The detector reads the sample pages. Of every place (kind of block, names of the boxes around it, digits removed) is learned how
likely text of the article stands there, page by page; of every line whether it recurs; of every box whether it stands around the
articles. It joins the ideas of the published methods: names (modified TTR wrapper), agreement of pages on containers and lines
(DOM comparison), several layouts of one portal (Trinity). On a new page it can only win where it explains the page; where pages
teach nothing (none holds an article, or all the same one), pages are read one by one, as the detector does.

Source: our own; `newscrawler.wrappers.portal`.

Known failures: those of the page-level detector on which all learned pages agree.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from newscrawler.article import Body
from newscrawler.page import Document
from newscrawler.wrappers.portal.refusal import WrapperRefused
from newscrawler.wrappers.portal.wrapper import PortalWrapper, learn
from newscrawler.wrappers.template import check_number


@dataclass(frozen=True, slots=True)
class PortalMethod:
    """Learns a portal wrapper."""

    least_pages: ClassVar[int] = 1
    version: ClassVar[int] = 1

    def learn(self, pages: Sequence[Document], /) -> PortalTemplate:
        """Learn where the pages have their articles, and what is furniture."""
        check_number("portal_wrapper", pages, self.least_pages)
        try:
            return PortalTemplate(self, learn(pages))
        except WrapperRefused:
            return PortalTemplate(self, PortalWrapper(layouts=()))

    def restore(self, learned: Mapping[str, Any], /) -> PortalTemplate:
        """Make the template again from what `learned` gave."""
        return PortalTemplate(self, PortalWrapper.from_json(json.dumps(learned)))


@dataclass(frozen=True, slots=True)
class PortalTemplate:
    """A portal wrapper, read for the body alone."""

    method: PortalMethod
    wrapper: PortalWrapper

    @property
    def version(self) -> int:
        """That of the method."""
        return self.method.version

    def __call__(self, page: Document, /) -> Body | None:
        """Read a page of the site; None: it holds no article."""
        found = self.wrapper.apply(page).found
        return None if found.refusal else found.body

    def learned(self) -> dict[str, Any]:
        """What was learned, as JSON has it."""
        stored: dict[str, Any] = json.loads(self.wrapper.to_json())
        return stored
