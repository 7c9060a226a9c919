"""Components of Scrapy: scheduler, middlewares, handlers, pipelines, spider."""
