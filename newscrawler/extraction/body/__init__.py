"""Headline, lead, body and kind of a page: features, models, decoding."""
