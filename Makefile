# `make check` is the full check; CI runs it. Tools come from the `dev` extra: pip install -e '.[dev]'
PYTHON ?= python

.PHONY: check format lint types test catalog wheel

check: lint types test catalog wheel

format:
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .

lint:
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .

types:
	$(PYTHON) -m mypy

test:
	$(PYTHON) -m pytest -n 2 --dist loadfile

catalog:
	$(PYTHON) -m fabricplan catalog check

# The wheel must work alone: built, installed into an empty environment, and asked for a plan from another folder.
wheel:
	rm -rf build/wheel build/clean
	$(PYTHON) -m build --wheel --outdir build/wheel .
	$(PYTHON) -m venv build/clean
	build/clean/bin/python -m pip install --quiet build/wheel/*.whl
	cd build && clean/bin/fabricplan design --gpus 1024 --gen ndr --json > clean/summary.json
	cd build && clean/bin/fabricplan design --gpus 128 --gen hdr -o clean/plan
	cd build && clean/bin/fabricplan check clean/plan/plan.json
