# Everything begins here; only python3 (3.11 or newer), make and pip's index are needed.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check -qq
SHARED ?= ../shared
# One more than the cores: tests that crawl wait for their servers most of the time.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

.PHONY: help demo test test-fast documents coverage check quality docs clean
.DEFAULT_GOAL := help

help: ## show what there is to make
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 19

demo: .venv/run.stamp ## crawl the bundled portal, export its articles to demo-out/, hold them against what it published
	@$(BIN)/newscrawler demo

test: .venv/dev.stamp ## run the tests
	@$(BIN)/pytest -q -n $(WORKERS) --dist worksteal $(ARGS)

# The packages without servers, databases and browsers.
FAST := tests/page tests/extraction/body tests/extraction/dates tests/extraction/metadata tests/extraction/test_pipeline.py \
  tests/discovery tests/politeness tests/config tests/languages tests/test_imports.py tests/test_structure.py tests/test_glossary.py

test-fast: .venv/dev.stamp ## run what needs two minutes: pages, extraction, discovery, politeness, configuration, structure
	@$(BIN)/pytest -q -n $(WORKERS) --dist worksteal $(FAST) $(ARGS)

documents: .venv/dev.stamp ## run every command of docs/documents.md and docs/card.md; `test` does, too
	@$(BIN)/pytest -q -n $(WORKERS) tests/test_document_commands.py

coverage: .venv/dev.stamp ## run the tests twice as slowly, and measure which lines and branches they reach
	@$(BIN)/pytest -q -n $(WORKERS) --dist worksteal --cov --cov-report=term:skip-covered

check: .venv/dev.stamp ## look for faults without running anything: ruff, mypy
	@$(BIN)/ruff check .
	@$(BIN)/mypy

quality: .venv/dev.stamp ## hold text, dates and other fields against their floors, on our own pages and those of $(SHARED)/bench
	@$(BIN)/python tools/quality.py --bench $(SHARED)/bench

docs: .venv/docs.stamp ## build the documentation into site/, with every warning an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

clean: ## remove what make made: the environment, caches, the demo's output
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.* htmlcov demo-out site

# What the program needs; enough for the demo.
.venv/run.stamp: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("newscrawler needs Python 3.11 or newer; this is " + sys.version.split()[0] + " (make PYTHON=...)" if sys.version_info < (3, 11) else 0)'
	@echo "Installing newscrawler into .venv ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) install --editable .
	@touch $@

# What its tests and checks need on top; dependency groups are known to pip 25.1 and newer.
.venv/dev.stamp: .venv/run.stamp
	@echo "Installing what the tests need ..."
	@$(PIP) install "pip >= 25.1"
	@$(PIP) install --group dev
	@touch $@

.venv/docs.stamp: .venv/run.stamp mkdocs.yml
	@echo "Installing what the documentation needs ..."
	@$(PIP) install "pip >= 25.1"
	@$(PIP) install --group docs
	@touch $@
