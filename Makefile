# `make demo` and `make test` need git, make, and Python 3.11 or newer with venv; everything else they install into .venv.
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BASE := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
COMPILE := CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --generate-hashes --no-emit-index-url \
	--no-emit-find-links --strip-extras --allow-unsafe
SCENARIOS := data/scenarios
SHOWN := $(SCENARIOS)/rebound/cast-from-hand-goes-to-graveyard.json $(SCENARIOS)/rebound/trigger-in-opponents-upkeep.json \
	$(SCENARIOS)/aftermath/aftermath-half-from-hand.json $(SCENARIOS)/escape/breach-exile-part-not-paid.json
DOCUMENTS := data/examples/rulings-aschenpfad.txt data/examples/wiki-glutwacht.txt
# Documents as they were published are not in the repository; the demonstration takes them too where they lie beside it.
PUBLISHED := $(wildcard ../shared/seeds/*.txt)
STORE := $(VENV)/demo-store
# The whole graph: from which folder, and where to (docs/corpus.md).
DATA ?= ../shared/data
CORPUS := build/corpus
CORPUS_SOURCES = $(wildcard $(DATA)/oracle-* $(DATA)/german-* $(DATA)/rulings-* $(DATA)/mtgjson-sets/*.json* \
	$(DATA)/comprehensive-rules.tar.xz)

# How many changes of records by chance `make soundness` tries, after each single one of every scenario.
EXAMPLES ?= 200000

.PHONY: demo test mutants planted soundness mutant-counts docs benchmark corpus corpus-test lock clean
.DELETE_ON_ERROR:

demo: $(BASE)
	@echo '# Four games that break a rule: what is wrong, on which rulings and rules that rests, and the facts that decided.'
	@$(BIN)/rulewright check --lang en $(SHOWN); status=$$?; \
	if [ $$status -ne 1 ]; then echo "demo: violations were expected, that is exit code 1, not $$status" >&2; exit 1; fi
	@echo
	@echo '# The same in German, of the first game.'
	@$(BIN)/rulewright check --lang de $(firstword $(SHOWN)); [ $$? -eq 1 ]
	@echo
	@echo '# Every scenario of the package against the verdicts that it expects.'
	@$(BIN)/rulewright check --lang en --expect $(SCENARIOS) | grep -v '^holds '
	@echo 'Each has just the verdicts that it expects.'
	@echo
	@echo '# A log of MTG Arena (of our own making) into a game record, and that checked.'
	@$(BIN)/rulewright convert data/examples/arena-sample.jsonl --names data/examples/arena-names.json | $(BIN)/rulewright check --lang en -
	@echo
	@echo '# Documents of rulings (of our own making, with slips in them) into a store: what is read, and what of it is known.'
	@rm -rf $(STORE)
	@$(BIN)/rulewright ingest --lang en --store $(STORE) $(DOCUMENTS)
	@echo
	@echo '# What is to be mended in them: foreign words, terms that nobody should use, numbers of rules that moved.'
	@$(BIN)/rulewright validate --lang en $(DOCUMENTS); status=$$?; \
	if [ $$status -ne 1 ]; then echo "demo: findings were expected, that is exit code 1, not $$status" >&2; exit 1; fi
ifneq ($(PUBLISHED),)
	@echo
	@echo '# The same of $(words $(PUBLISHED)) published documents that lie beside the checkout, in short.'
	@$(BIN)/rulewright ingest --lang en --store $(STORE) $(PUBLISHED) | tail -n 2 | head -n 1
	@$(BIN)/rulewright validate --lang en $(PUBLISHED) | tail -n 1; [ $${PIPESTATUS[0]} -eq 1 ]
endif
	@echo
	@echo '# The store asked by a named query: the sources of rulings, and how much of each is curated.'
	@$(BIN)/rulewright query sources --store $(STORE) --lang en
	@echo
	@echo '# The command for games and documents of your own: . $(VENV)/bin/activate; rulewright --help'

test: $(DEV)
	$(BIN)/ruff check
	$(BIN)/mypy --strict
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto --dist worksteal

# Breaks every axiom, and falsifies every derived fact that axioms read: some scenario must notice. Both are tried.
mutants: $(DEV)
	@$(BIN)/python -m rulewright.quality.mutation; axioms=$$?; \
	$(BIN)/python -m rulewright.quality.fact_mutation && exit $$axioms

# Plants breaks of rules in legal games: the scenarios, or GAMES="FILE…" (records as JSON).
planted: $(DEV)
	$(BIN)/python -m rulewright.quality.planted $(GAMES)

# As `mutants`, and keeps the numbers; docs/statements.md shows those of axioms.
mutant-counts: $(DEV)
	$(BIN)/python -m rulewright.quality.mutation --json tests/mutation-counts.json
	$(BIN)/python -m rulewright.quality.fact_mutation --json tests/fact-counts.json
	$(BIN)/python -m rulewright.quality.statements

# Whether verdicts keep their promises (tests/soundness), at length; `make test` has a short run.
soundness: $(DEV)
	PYTHONPATH=tests $(BIN)/python -m soundness.run --examples $(EXAMPLES)

# Everything that is made of something else in the repository, save the counts of mutants and data/rules.ttl.
docs: $(DEV)
	$(BIN)/python -m rulewright.quality.reference
	$(BIN)/python -m rulewright.quality.words
	$(BIN)/python -m rulewright.quality.context
	$(BIN)/python -m rulewright.quality.statements

benchmark: $(DEV)
	$(BIN)/python benchmarks/run.py

corpus: $(BASE)
	@test -e $(DATA)/comprehensive-rules.tar.xz || { \
		echo "No sources in $(DATA): name their folder by make corpus DATA=FOLDER (docs/corpus.md says what is in it)" >&2; exit 1; }
	rm -rf $(CORPUS)
	mkdir -p $(dir $(CORPUS))
	$(BIN)/rulewright ingest $(CORPUS_SOURCES) --store $(CORPUS)
	$(BIN)/rulewright query sources-by-kind --store $(CORPUS)

corpus-test: $(DEV)
	@test -d $(CORPUS) || { echo "No corpus in $(CORPUS): make corpus first" >&2; exit 1; }
	RULEWRIGHT_CORPUS=$(CORPUS) CORPUS_SOURCES="$(CORPUS_SOURCES)" $(BIN)/pytest tests/sources/test_corpus.py

lock: $(DEV)
	$(COMPILE) --output-file=requirements.txt requirements.in
	$(COMPILE) --output-file=requirements-dev.txt requirements-dev.in

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "rulewright needs Python 3.11 or newer as '$(PYTHON)'. On Debian 12 or newer: apt-get install python3 python3-venv" >&2; \
		echo "Another one is named by: make PYTHON=/path/to/python3 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "'$(PYTHON)' has no venv. On Debian: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(BASE): requirements.txt pyproject.toml | $(BIN)/python
	$(PIP) install --require-hashes -r requirements.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(DEV): requirements-dev.txt $(BASE)
	$(PIP) install --require-hashes -r requirements-dev.txt
	@touch $@
