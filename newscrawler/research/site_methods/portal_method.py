"""The template of a portal: the page-level extractor, less what recurs word for word on several pages.

The extractor reads the sample pages. Of every line is learned whether it recurs; of every place (kind of block, names of the boxes
around it, digits removed) how likely text of the article stands there, by which layout drift is noticed. On a new page, a small
forest lowers the probability of blocks whose lines recur; where pages are labelled, a second one moves those at the same places.
Where pages teach nothing (none holds an article, or all the same one), pages are read one by one.

Source: our own; `newscrawler.extraction.templates`.

Known failures: those of the page-level extractor.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from newscrawler.article import Body
from newscrawler.extraction.templates import METHOD, VERSION, PortalTemplate, TemplateRefused, check_number, learn_template
from newscrawler.page import Document


@dataclass(frozen=True, slots=True)
class PortalMethod:
    """Learns the template of a portal."""

    least_pages: ClassVar[int] = 1
    version: ClassVar[int] = VERSION

    def learn(self, pages: Sequence[Document], /) -> PortalMethodTemplate:
        """Learn where the pages have their articles, and what recurs."""
        check_number("portal_template", pages, self.least_pages)
        try:
            return PortalMethodTemplate(self, learn_template(pages))
        except TemplateRefused:
            return PortalMethodTemplate(self, PortalTemplate(method=METHOD, version=VERSION))

    def restore(self, learned: Mapping[str, Any], /) -> PortalMethodTemplate:
        """Make the template again from what `learned` gave."""
        return PortalMethodTemplate(self, PortalTemplate.from_json(json.dumps(learned)))


@dataclass(frozen=True, slots=True)
class PortalMethodTemplate:
    """The template of a portal, read for the body alone."""

    method: PortalMethod
    wrapper: PortalTemplate

    def __call__(self, page: Document, /) -> Body | None:
        """Read a page of the site; None: it holds no article."""
        found = self.wrapper.apply(page).found
        return None if found.refusal else found.body

    def learned(self) -> dict[str, Any]:
        """What was learned, as JSON has it."""
        stored: dict[str, Any] = json.loads(self.wrapper.to_json())
        return stored
