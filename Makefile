# Two commands for everybody, `make app` and `make test`; `make check` before every commit.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 7860
export HOST PORT

# What is imported is compiled then, the other nine tenths never.
PIP = .venv/bin/pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt
BROWSERS = chromium-headless-shell chromium chromium-browser google-chrome

.PHONY: app test test-hub test-wheel golden check format browser docs hub-check hub-run constraints clean

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

# Stores the questions and scores of this version, once VERSION has moved: tests/golden/table.py
golden: .venv/test.stamp
	@.venv/bin/python -W ignore -m tests.golden.table

# Builds the wheel, installs it in an environment of its own and scores an image with it.
test-wheel: .venv/test.stamp
	.venv/bin/python -m pytest -m slow

# The documentation, from docs/, the docstrings and the command line; warnings are errors.
docs: .venv/docs.stamp
	@rm -rf build/docs build/site && mkdir -p build && cp -r docs build/docs && mkdir build/docs/assets
	@cp assets/page.png assets/paintings.webp assets/calibration.svg build/docs/assets
	@cp CONTRIBUTING.md build/docs/contributing.md
	@sed 's#(../assets/#(assets/#' benchmarks/RESULTS.md > build/docs/results.md
	@.venv/bin/python -m typer --app program app.py utils docs \
	  --name "python app.py" --title "Command line" --output build/docs/command-line.md
	.venv/bin/zensical build --strict

# With a network: is every model of the hub that can be chosen still there? cli/hub_check.py
hub-check: .venv/app.stamp
	@.venv/bin/python app.py hub-check

# With a network: one model and one bundle of the hub on five prompts, and a table. cli/hub_run.py
MODEL ?= sd-turbo
HUB_BUNDLE ?= small
hub-run: .venv/app.stamp
	@.venv/bin/python app.py hub-run --model $(MODEL) --bundle $(HUB_BUNDLE)

# The newest versions that the requirements allow, for all Pythons at once; then run the tests.
constraints: .venv/app.stamp
	.venv/bin/pip install --quiet --disable-pip-version-check uv
	.venv/bin/uv pip compile --quiet --upgrade --universal --python-version 3.10 --no-annotate \
	  --custom-compile-command "make constraints" requirements-test.txt -o constraints.txt

clean:
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 13))' || { \
	  echo "$(PYTHON) is $$($(PYTHON) --version 2>&1); Python 3.10, 3.11 or 3.12 is needed:"; \
	  echo "  make $(MAKECMDGOALS) PYTHON=python3.12"; exit 2; }
	$(PYTHON) -m venv .venv

.venv/app.stamp: requirements.txt constraints.txt | .venv/bin/python
	@echo "installing the requirements; the first time this takes some minutes"
	$(PIP) -r requirements.txt
	@touch $@

.venv/docs.stamp: requirements-docs.txt .venv/app.stamp
	$(PIP) -r requirements-docs.txt
	@touch $@

.venv/test.stamp: requirements-test.txt .venv/app.stamp
	$(PIP) -r requirements-test.txt
	@touch $@
