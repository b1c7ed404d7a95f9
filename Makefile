# Two commands for everybody, `make app` and `make test`; `make check` before every commit.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 7860
export HOST PORT

# What is imported is compiled then, the other nine tenths never.
PIP = .venv/bin/pip install --quiet --disable-pip-version-check --no-compile
BROWSERS = chromium-headless-shell chromium chromium-browser google-chrome

.PHONY: app test test-hub check format browser hub-check hub-run clean

app: .venv/app.stamp
	@.venv/bin/python app.py

test:
	@$(MAKE) --no-print-directory --jobs 2 check browser
	OMP_NUM_THREADS=1 .venv/bin/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

check: .venv/test.stamp
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy

format: .venv/test.stamp
	.venv/bin/ruff check --fix
	.venv/bin/ruff format

# Debian's headless Chromium, where none is there and it may be installed.
browser:
	@for name in $(BROWSERS); do command -v $$name >/dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  export DEBIAN_FRONTEND=noninteractive; \
	  apt-get update -qq && apt-get install -qq -y --no-install-recommends $(firstword $(BROWSERS)) >/dev/null; \
	fi || true; \
	for name in $(BROWSERS); do command -v $$name >/dev/null && exit 0; done; \
	echo "no Chromium here: the browser test is skipped"

# The whole job, once for a twin of each model of the hub: some nine minutes.
test-hub: .venv/test.stamp
	.venv/bin/python -m pytest -m hub

# With a network: is every model of the hub that can be chosen still there? cli/hub_check.py
hub-check: .venv/app.stamp
	@.venv/bin/python app.py hub-check

# With a network: one model and one bundle of the hub on five prompts, and a table. cli/hub_run.py
MODEL ?= sd-turbo
HUB_BUNDLE ?= small
hub-run: .venv/app.stamp
	@.venv/bin/python app.py hub-run --model $(MODEL) --bundle $(HUB_BUNDLE)

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 13))' || { \
	  echo "$(PYTHON) is $$($(PYTHON) --version 2>&1); Python 3.10, 3.11 or 3.12 is needed:"; \
	  echo "  make $(MAKECMDGOALS) PYTHON=python3.12"; exit 2; }
	$(PYTHON) -m venv .venv

.venv/app.stamp: requirements.txt | .venv/bin/python
	@echo "installing the requirements; the first time this takes some minutes"
	$(PIP) -r requirements.txt
	@touch $@

.venv/test.stamp: requirements-test.txt .venv/app.stamp
	$(PIP) -r requirements-test.txt
	@touch $@
