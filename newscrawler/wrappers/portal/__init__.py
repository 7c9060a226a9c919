"""The default wrapper: what the page-level detector finds on several pages of a portal, put together by place."""
