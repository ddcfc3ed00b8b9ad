# SPDX-License-Identifier: Apache-2.0
# Two commands matter: `make demo` and `make test`. Each does the set-up that it needs, once.
SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
JOBS ?= $(shell nproc)
BUILD ?= build
VENV := .venv/bin
CMAKE_ARGS ?=
export PYTHONNOUSERSITE := 1

.PHONY: help setup setup-lanes configured extension build test check demo docs validate wheel bench fuzz gpu-pack gpu-check format clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

setup: ## system packages and the virtual environment (once)
	@tools/setup.sh

setup-lanes: setup ## what lanes use beside, all or LANES="programs": GROMACS, a browser, other programs' readers (once)
	@tools/setup.sh fast
	@tools/setup.sh lane $(LANES)

configured: setup
	@$(VENV)/python tools/lanes.py ours $(BUILD)
	@[ -e $(BUILD)/build.ninja ] || cmake --preset native -B $(BUILD) \
	    -DPython_EXECUTABLE="$$PWD/$(VENV)/python" $(CMAKE_ARGS)

extension: configured ## the library and the Python extension, for this processor
	@cmake --build $(BUILD) -j $(JOBS) --target _core

build: configured ## these and the unit tests
	@cmake --build $(BUILD) -j $(JOBS)

test: setup ## the fast tier: what every change has to pass; 5 to 12 minutes on two cores
	@tools/setup.sh fast
	@JOBS=$(JOBS) $(VENV)/python tools/lanes.py fast

check: setup ## fast tier and all lanes, or those of LANES="ranks thread"; writes their receipts
	@tools/setup.sh fast
	@JOBS=$(JOBS) $(VENV)/python tools/lanes.py check $(LANES)

demo: extension ## builds, then runs water and ethanol and shows them, in demo/; 4 to 10 minutes on two cores
	@$(VENV)/python -m aureole.cli.demo

docs: ## the documentation as a site, in build/site
	@tools/docs.sh

validate: build ## long physics: drift, ensembles, equation of state, kills
	@tools/run_validation.sh

wheel: setup ## dist/: for pip, with every instruction set; 6 to 20 minutes, tools/check_wheel.sh tries it
	@JOBS=$(JOBS) tools/wheel.sh

bench: extension ## our engine beside the installed peers
	@$(VENV)/aureole bench lj

fuzz: setup ## the readers in C++ under libFuzzer, a minute each
	@tests/fuzz/run.sh 60

gpu-pack: setup ## builds what gpu-check runs, into third_party/pack (needs nvcc, or ROCm with AUREOLE_GPU=hip)
	@tools/gpu_pack.sh

gpu-check: ## tests and times on a machine with a GPU: no compiler, no network; JSON in OUT
	@$(or $(PYTHON),python3) tools/gpu_check.py

format: setup ## rewrites the sources in the project's style
	@tools/setup.sh fast
	@git ls-files -co --exclude-standard '*.hpp' '*.cpp' '*.cu' | xargs -r clang-format -i
	@$(VENV)/ruff check --fix -q . && $(VENV)/ruff format -q .

clean: ## removes builds and results, keeps .venv
	@rm -rf build build-* demo dist python/aureole/_core*.so
