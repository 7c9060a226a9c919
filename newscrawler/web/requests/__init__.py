"""From a request to a page and back: who asks, what they may, what a form sends, what a template gets."""
