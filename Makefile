# make app    the dashboard, in .venv        make bench  the measurements
# make test   every check and test           make data   the bundled collections, again
# make clean  remove what make built          make constraints   the exact versions, again
# make docs   the documentation site, in site/
# make fuzz   hostile input, N cases a target        make lowest   the core with the oldest packages it allows
#
# PYTHON=python3.12  PORT=8601  ADDRESS=0.0.0.0  PARTS="loading measures"  JOBS=4  N=5000  SEED=0

PYTHON ?= python3
PORT ?= 8501
ADDRESS ?= localhost
JOBS ?= 2
VENV ?= .venv
PARTS ?=

IN := $(VENV)/bin/python
PIP := $(IN) -m pip install --quiet --disable-pip-version-check --require-hashes

.PHONY: app test docs bench data constraints fuzz lowest clean help

help:
	@sed -n '1,7s/^# \{0,1\}//p' Makefile

app: $(VENV)/.app
	@echo "Starting the dashboard."
	@exec $(IN) -m irviz app --port $(PORT) --address $(ADDRESS)

# Files that open a browser come first (tests/conftest.py); a process more than cores computes while the browser is
# waited for.  mypy runs beside the first of them.  That each of the processes compiles irviz anew, where an environment
# says so, would be a minute of it.
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.test
	$(IN) -m ruff check .
	$(IN) -m ruff format --check .
	$(IN) -m mypy & typed=$$!; trap 'kill $$typed' INT TERM; \
	$(IN) -m pytest -q -n $$(($(JOBS) + 1)) --dist loadfile --no-loadscope-reorder; ended=$$?; \
	wait $$typed && exit $$ended

# Hours of it: make fuzz N=100000 SEED=7. The first cases of seed 0 are part of `make test`.
fuzz: $(VENV)/.test
	N=$(or $(N),5000) SEED=$(or $(SEED),0) $(IN) -m tests.fuzz

CORE := tests/unit/collection tests/unit/measures $(addprefix --ignore=tests/unit/,collection/test_simulate.py \
  collection/test_hostile_sizes.py collection/test_tables.py collection/test_elsewhere.py \
  measures/test_aspects.py)

# The oldest versions that pyproject.toml allows of what the core needs, in an environment of their own, without the
# dashboard: its tests need neither Streamlit and plotly nor another tool; those that do are left out.
lowest:
	$(PYTHON) -m venv --clear .venv.lowest
	.venv.lowest/bin/python -m pip install --quiet --disable-pip-version-check pytest hypothesis \
	  $$(sed -n '/^dependencies/,/^]/s/^ *"\(.*\)>=\(.*\)",/\1==\2/p' pyproject.toml)
	.venv.lowest/bin/python -m pytest -q -p no:cacheprovider $(CORE)
	rm -rf .venv.lowest

# The documentation site: pages, references from the code, and the labs as pages that need no server.
docs: export NO_MKDOCS_2_WARNING = 1
docs: $(VENV)/.test
	$(IN) -m mkdocs build --site-dir site
	$(IN) -m irviz render --labs site/labs

bench: $(VENV)/.test
	$(IN) -m benchmarks $(PARTS)

data: $(VENV)/.app
	$(IN) -m benchmarks.simulate data/adhoc --recipe adhoc
	$(IN) -m benchmarks.simulate data/multiaspect --recipe multiaspect

# What a new environment gets from the loose bounds today; commit it when every test has passed with it.
LOCK := .venv.new/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --upgrade \
	--no-annotate --no-header --no-emit-index-url --no-emit-find-links
constraints:
	$(PYTHON) -m venv --clear .venv.new
	.venv.new/bin/python -m pip install --quiet pip-tools
	$(LOCK) --output-file app.new requirements.txt
	$(LOCK) --constraint app.new --output-file tests.new tests/requirements.txt
	{ sed -n '/^#/p' constraints.txt; cat app.new; } > app.lock && mv app.lock constraints.txt
	{ sed -n '/^#/p' tests/constraints.txt; cat tests.new; } > tests.lock && mv tests.lock tests/constraints.txt
	rm -rf .venv.new app.new tests.new

clean:
	rm -rf $(VENV) site benchmarks/.cache .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is written only when its step has ended well, so that an interrupted one is taken up again.
$(VENV)/.made:
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
	  echo "irviz needs Python 3.11 or newer, and there is no '$(PYTHON)' here. Install one, or name it: make app PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "irviz needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) -V 2>&1). Name a newer one: make app PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "Making a Python environment in $(VENV)."
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.app: constraints.txt | $(VENV)/.made
	@echo "Installing irviz's packages in $(VENV), once."
	@$(PIP) -r constraints.txt
	@touch $@

$(VENV)/.test: tests/constraints.txt | $(VENV)/.made
	$(PIP) -r tests/constraints.txt
	@touch $@ $(VENV)/.app
