# Everything runs in .venv, which `demo` and `test` make when it is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Most tests wait for servers and processes, so a few more workers than cores do no harm; each has a server of its own.
WORKERS ?= 3
PORT ?= 3000
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Empty is unset: where bytecode must not be kept, each of the hundreds of processes in the tests compiles all it imports.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo dagster test check upgrade dev bench lock clean

help: ## Show what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | awk -F'\t' '{printf "make %-9s %s\n", $$1, $$2}'

demo: $(VENV)/.local ## Conversations in, preferences out, on an embedded PostgreSQL
	@$(BIN)/prefmem demo

test: $(VENV)/.dev ## Run every test (ARGS="tests/unit -k name" for some)
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

check: $(VENV)/.dev ## Lint, format and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

upgrade: $(VENV)/.local ## Bring the database of PREFMEM_DATABASE_URL, or the embedded one, to head
	@$(BIN)/prefmem upgrade

dagster: $(VENV)/.dev ## Dagster with the pipelines on the embedded database, offline: http://localhost:3000
	@mkdir -p .prefmem/dagster landing && cp pipelines/dagster.yaml .prefmem/dagster/
	@$(BIN)/prefmem upgrade
	@DAGSTER_HOME=$(CURDIR)/.prefmem/dagster DAGSTER_DISABLE_TELEMETRY=1 PREFMEM_EXTRACTOR=offline \
		PYTHONWARNINGS="ignore:Parameter,ignore:Function" \
		$(BIN)/dagster dev -m pipelines.definitions -h 127.0.0.1 -p $(PORT)

dev: $(VENV)/.dev ## Make .venv with everything that work on the project needs

bench: $(VENV)/.dev ## Measure speed against a floor in the same run
	@$(BIN)/python -m benchmarks $(ARGS)

lock: $(VENV)/.dev ## Write requirements.lock anew
	@$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 --no-annotate --quiet --upgrade -o requirements.lock

clean: ## Remove .venv, caches and the embedded databases of this folder
	@if [ -d .prefmem ] && [ -x $(BIN)/prefmem ]; then $(BIN)/python scripts/remove_databases.py .prefmem; fi
	rm -rf $(VENV) .prefmem .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("prefmem_pg needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; try: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)

# A stamp for each set of extras: installing is skipped while nothing that decides it has changed.
$(VENV)/.local: pyproject.toml requirements.lock | $(BIN)/python
	@echo "installing prefmem-pg[local] into $(VENV) …"
	@$(BIN)/pip install -qq -c requirements.lock -e '.[local]'
	@touch $@

$(VENV)/.dev: pyproject.toml requirements.lock | $(BIN)/python
	@echo "installing prefmem-pg[dev] into $(VENV) …"
	@$(BIN)/pip install -qq -c requirements.lock uv
	@$(BIN)/uv pip install -q --python $(BIN)/python -c requirements.lock -e '.[dev]'
	@touch $@ $(VENV)/.local
