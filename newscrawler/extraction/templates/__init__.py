"""The template of a portal: learned from several of its pages, stored as JSON for people to edit, and applied to further pages.

    template = learn_template(pages, provenance=TemplateProvenance(portal="example", learned_at=now))    # raises TemplateRefused
    text = template.to_json()
    template = PortalTemplate.from_json(text)            # from anywhere: bounded; a ConfigError names key and value
    article = extract(html, url, template=template)

With a template, lines that recur on other pages are left out. `Article.method` is "template" where the template changed the body or
gave a field. Layout drift is watched by the `TemplateFit` of every page: share of `explained`, mean `agreement` and `boilerplate`,
and `broken`, the overrides by hand that found nothing. A name is loaded on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
