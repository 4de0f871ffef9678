# tidings: `make demo` shows it, `make test` checks it. Both set up what they need in .venv.

# The first Python that is new enough; say PYTHON=... to choose another.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python3.14 python; do \
	if command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
	then echo $$p; break; fi; done)
BIN := .venv/bin
WORKERS ?= 2
# Neighbours run in one process, so that what a file prepares is prepared once; who has done its share takes of another's.
SPREAD = -n $(WORKERS) --dist worksteal
# A test that hangs is ended, and says where it stands, long before whoever waits for it gives up.
PATIENCE := -o faulthandler_timeout=300 -o faulthandler_exit_on_timeout=true
# Compiled files are kept, also where the surroundings say otherwise: tests start a hundred processes.
unexport PYTHONDONTWRITEBYTECODE
# What installs torch; on a machine without a graphics card a CPU build is a tenth of the size: see docs/research/training.md.
TORCH ?= torch==2.13.0
# `test-web` drives pages in a browser; the tests of the wing `web` itself are `test-web-wing`.
TESTS_OF_WINGS := $(addprefix test-,core sources analysis following evaluation web-wing annotation live research)

.DEFAULT_GOAL := help
.PHONY: help demo test test-WING $(TESTS_OF_WINGS) test-all test-web test-postgres test-kill test-spark web-setup postgres-setup spark-setup train-setup quality bench lint format docs lock clean

help: ## show this list
	@grep -E '^[a-zA-Z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

.venv/ready: requirements/tidings.txt pyproject.toml
	@if [ -z "$(PYTHON)" ]; then echo "tidings needs Python 3.11 or newer with its venv module" \
		"(on Debian and Ubuntu: apt-get install python3-venv), and found none; say PYTHON=/path/to/python" >&2; exit 2; fi
	@echo "setting up .venv (once)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/tidings.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

.venv/ready-dev: .venv/ready requirements/dev.txt
	@echo "setting up what tests need (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

.venv/ready-train: .venv/ready requirements/train.txt
	@echo "setting up what training needs (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/train.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(TORCH)
	@touch $@

train-setup: .venv/ready-train ## install what `tidings train` needs: scikit-learn, SciPy, torch
	@$(BIN)/python -c "import sklearn, scipy, torch; print('ready to train: torch', torch.__version__)"

quality: .venv/ready ## pin what the systems score; raises floors, refuses to lower them
	$(BIN)/python scripts/pin_quality.py

.venv/ready-web: .venv/ready requirements/web.txt
	@echo "setting up what the web pages need (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/web.txt
	@touch $@

demo: .venv/ready-web ## follow the bundled event, score it, and write a page about it
	@$(BIN)/tidings demo

test: .venv/ready-dev lint ## check style and types, and run the default tests
	$(BIN)/python -m pytest $(SPREAD) $(PATIENCE)

test-WING: ## run one wing's own tests: test-core, test-sources, ..., test-web-wing
	@echo "say which: $(TESTS_OF_WINGS)"

$(TESTS_OF_WINGS): test-%: .venv/ready-dev
	$(BIN)/python -m pytest tests/$(patsubst %-wing,%,$*) $(SPREAD) $(PATIENCE)

web-setup: .venv/ready-dev ## install what the tests in a browser need: Chromium
	@sh scripts/install_browser.sh

test-web: web-setup ## try the scripts of the pages, and drive every page in a real browser
	$(BIN)/python -m pytest $(SPREAD) -m "browser and not long" -rs $(PATIENCE)

postgres-setup: .venv/ready-dev ## install what the tests on PostgreSQL need: a server, which each process starts for itself
	@sh scripts/install_postgres.sh

test-postgres: postgres-setup ## try what is kept on PostgreSQL too
	$(BIN)/python -m pytest $(SPREAD) -m "postgres and not long and not spark" -rs $(PATIENCE)

test-kill: .venv/ready-dev ## kill processes at work: what goes on from there ends as if it had never stopped
	$(BIN)/python -m pytest $(SPREAD) -m "kill and not long and not spark" $(PATIENCE)

test-all: .venv/ready-dev lint ## all of these but Spark, and the long ones, with more made-up examples, and what they cover
	@sh scripts/install_browser.sh || true
	@sh scripts/install_postgres.sh || true
	@rm -f .coverage .coverage.*
	$(BIN)/python -m pytest $(SPREAD) -m "long or not long" --cov --cov-report=term:skip-covered

.venv-spark/ready: requirements/spark.txt pyproject.toml
	@if [ -z "$(PYTHON)" ]; then echo "tidings needs Python 3.11 or newer with its venv module, and found none" >&2; exit 2; fi
	@echo "setting up Spark and what its tests need in .venv-spark (once)"
	@$(PYTHON) -m venv .venv-spark
	@.venv-spark/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/spark.txt
	@.venv-spark/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

spark-setup: .venv-spark/ready ## install what the tests on Spark need: pyspark in .venv-spark, Java, PostgreSQL
	@sh scripts/install_java.sh
	@sh scripts/install_postgres.sh || true

test-spark: spark-setup ## run real queries on Spark: the same outputs as without it, also after being killed
	.venv-spark/bin/python -m pytest tests/following/engines -m "spark and not long" -rs -o faulthandler_timeout=600 -o faulthandler_exit_on_timeout=true

lint: .venv/ready-dev ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/ready-dev ## put the code in its style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.venv-bench/ready: requirements/bench.txt pyproject.toml
	@echo "setting up the peers to compare with in .venv-bench (once)"
	@$(PYTHON) -m venv .venv-bench
	@.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.txt
	@.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

bench: .venv-bench/ready ## time tidings beside its peers; writes bench/results/
	.venv-bench/bin/python -m bench

docs: .venv/ready ## write the pages that are generated from the code
	$(BIN)/python scripts/write_docs.py

lock: .venv/ready-dev ## bring the locked requirements up to date (needs uv)
	uv pip compile pyproject.toml --no-strip-extras --upgrade --universal --python-version 3.11 --generate-hashes --no-header -o requirements/tidings.txt
	uv pip compile pyproject.toml --no-strip-extras --group dev --upgrade --universal --python-version 3.11 --generate-hashes --no-header -o requirements/dev.txt
	uv pip compile pyproject.toml --no-strip-extras --extra web --extra mcp --upgrade --universal --python-version 3.11 --generate-hashes --no-header -c requirements/dev.txt -o requirements/web.txt
	uv pip compile pyproject.toml --no-strip-extras --extra train --upgrade --universal --python-version 3.11 --generate-hashes --no-header -c requirements/dev.txt -o requirements/train.txt
	uv pip compile pyproject.toml --no-strip-extras --extra encoder --upgrade --universal --python-version 3.11 --generate-hashes --no-header -c requirements/dev.txt -o requirements/encoder.txt
	uv pip compile pyproject.toml --no-strip-extras --extra spark --extra postgres --group spark --upgrade --universal --python-version 3.11 --generate-hashes --no-header -c requirements/tidings.txt -o requirements/spark.txt
	uv pip compile pyproject.toml --no-strip-extras --group bench --upgrade --universal --python-version 3.11 --generate-hashes --no-header -c requirements/dev.txt -o requirements/bench.txt
	sed -i.old 's/^lxml\[html-clean\]/lxml[html_clean]/' requirements/*.txt && rm -f requirements/*.old  # older pips take only this spelling

clean: ## forget the environment and everything built
	rm -rf .venv .venv-bench .venv-spark .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* demo-out dist build
