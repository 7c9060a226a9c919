"""What is learned of a portal: learn, store, apply.

The published methods stand in `SITE_METHODS`. The portal wrapper, which the extractor uses, is this:

    wrapper = learn(pages, provenance=Provenance(portal="example", learned_at=now))   # raises TemplateRefused, a ConfigError,
                                                        # with .reason (a TemplateFault) and .detail: nothing could be learned
    text = wrapper.to_json()                            # JSON with a schema, for people to review and edit
    wrapper = PortalTemplate.from_json(text)             # from anywhere: bounded; a ConfigError names key and value
    draft = Draft(page=..., ...); reading = Reading(..., wrapper=wrapper)
    detect_body(draft, reading)                         # with a wrapper, lines that recur on other pages are left out;
    read_metadata(draft, reading); read_dates(draft, reading); finish(draft, reading)
    draft.explained                                     # an Explained: explained, template, known, agreement, boilerplate,
                                                        # used ("wrapper" or the page-level method), confidence, fields, broken
    extract(html, url, template="wrapper.json"); read_record(html, url, reading=reading)

`Article.method` is "wrapper" where the wrapper changed the body or gave a field. `Explained` is set for every page read with a
wrapper, pages that are refused included, and is what drift is watched by: share of `explained`, mean `agreement` and `boilerplate`,
and `broken`, the overrides by hand that found nothing.
"""

from __future__ import annotations

from newscrawler.extraction.templates.learning import TemplateFault, TemplateRefused, gain_of_next
from newscrawler.extraction.templates.model import Explained, Provenance
from newscrawler.extraction.templates.portal_template import PortalTemplate, learn
from newscrawler.extraction.templates.protocol import LearningMethod, SiteTemplate
from newscrawler.research.site_methods.sample import Choice, choose_pages, spread
from newscrawler.research.site_methods.table import CONFIGURABLE, SITE_METHODS

__all__ = [
    "CONFIGURABLE", "SITE_METHODS", "Choice", "Explained", "LearningMethod", "PortalTemplate", "Provenance", "SiteTemplate",
    "TemplateFault", "TemplateRefused", "choose_pages", "gain_of_next", "learn", "spread",
]  # fmt: skip
