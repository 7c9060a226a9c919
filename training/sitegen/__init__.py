"""Web sites generated from our own texts: pages that are articles and pages that are not, in the markups of many systems.

A layout (layouts/NAME.toml) says which elements each role of a page has; a `Site` is a layout, a language and a seed.
"""
