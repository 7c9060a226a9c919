"""Document → headline, lead, body, and the kind of page: features, models, decoding."""
