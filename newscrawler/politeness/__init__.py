"""When and how often a portal may be asked: pure arithmetic, without Scrapy and without SQL."""
