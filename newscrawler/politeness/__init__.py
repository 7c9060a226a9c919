"""Politeness without Scrapy and SQL: delays, back-off, windows, robots.txt and permitted addresses."""
