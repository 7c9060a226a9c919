"""What crawls cost: pages a second, memory, the frontier's latency, and what is left after a kill. See tools/benchmark_crawl.py."""
