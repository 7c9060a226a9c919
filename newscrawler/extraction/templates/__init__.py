"""The template of a portal: what the page-level extractor finds on several of its pages, put together by place."""
