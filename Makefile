# What a person types. Everything works in a fresh clone with Python 3.11 or later and git.

.DEFAULT_GOAL := help
.PHONY: help install play test check scan sam bench words package layer lock clean

ifndef PYTHON
PYTHON := $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && exit; done; echo python3)
endif
BIN := .venv/bin
INSTALLED := .venv/.installed
SCAN := .build/scan
SCANNERS := checkov aws-sam-cli check-jsonschema python-hcl2

help:
	@echo "make install  set everything up"
	@echo "make play     play in this terminal: local cloud, seven bots and you"
	@echo "make test     run all tests, end to end included"
	@echo "make check    format, lint, types, import contracts, template"
	@echo "make scan     run the infrastructure checks whose packages clash with ours"
	@echo "make bench    measure the budgets of the design"
	@echo "make words    build the word lists anew"
	@echo "make package  build what is deployed to AWS"
	@echo "make lock     resolve the pinned requirements anew"
	@echo "make clean    remove what was built and installed"

install: $(INSTALLED)

$(INSTALLED): pyproject.toml requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Wordle Tournament needs Python 3.11 or later; $(PYTHON) is older or missing. Name another one with: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
		|| { echo "$(PYTHON) comes without venv; install it (Debian and Ubuntu: apt install python3-venv) and try again." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing into .venv; this takes a minute or two …" >&2
	@$(BIN)/python -m pip install --progress-bar off --disable-pip-version-check --no-compile --requirement requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

play: install
	@$(BIN)/wordle-tournament play

test: install
	@$(BIN)/python -m pytest

check: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/cfn-lint --regions eu-central-1 us-east-1 --template infra/template.yaml infra/account.yaml

# Each of these stands in an environment of its own, pinned in a file of its own.
$(SCAN)/%/.installed: requirements/scan-%.txt | $(INSTALLED)
	@echo "Installing $* into $(@D) …" >&2
	@$(BIN)/python -m venv --clear $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --requirement $<
	@touch $@

sam: $(SCAN)/aws-sam-cli/.installed

scan: install $(SCANNERS:%=$(SCAN)/%/.installed)
	$(SCAN)/checkov/bin/checkov --config-file infra/checkov.yaml
	SAM_CLI_TELEMETRY=0 $(SCAN)/aws-sam-cli/bin/sam validate --lint --region us-east-1
	SAM_CLI_TELEMETRY=0 $(SCAN)/aws-sam-cli/bin/sam build --build-dir .build/sam
	$(SCAN)/check-jsonschema/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/ci.yml
	$(SCAN)/python-hcl2/bin/hcl2tojson infra/terraform/main.tf > $(SCAN)/terraform.json
	$(BIN)/python -m wordle_tools.packaging.terraform $(SCAN)/terraform.json

bench: install
	@$(BIN)/python -m wordle_tools.bench

words: install
	@$(BIN)/python -m wordle_tools.words

package: install
	@$(BIN)/wordle-tournament package

# What the Makefiles of the layers ask for when `sam build` runs them.
layer: install
	@$(BIN)/wordle-tournament package --layer $(LAYER) --into "$(INTO)"

# The layer of third-party packages is pinned to what the tests run with.
lock: install
	$(BIN)/uv pip compile --quiet --universal --upgrade --no-header --python-version 3.11 --extra tools --extra dev pyproject.toml --output-file requirements/dev.txt
	$(BIN)/uv pip compile --quiet --universal --upgrade --no-header --python-version 3.11 --constraint requirements/dev.txt pyproject.toml --output-file layers/third_party/requirements.txt
	for name in $(SCANNERS); do echo $$name | $(BIN)/uv pip compile --quiet --universal --upgrade --no-header --no-annotate --python-version 3.11 - --output-file requirements/scan-$$name.txt || exit; done

clean:
	rm -rf .venv .build .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
