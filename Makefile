# SPDX-License-Identifier: Apache-2.0
# Two commands matter: `make demo` and `make test`. Each does the set-up that it needs, once.
SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
JOBS ?= $(shell nproc)
BUILD ?= build
VENV := .venv/bin
CMAKE_ARGS ?=
export PYTHONNOUSERSITE := 1

.PHONY: help setup setup-tests build test demo validate wheel bench fuzz gpu-pack gpu-check format clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

setup: ## system packages and the virtual environment (once)
	@tools/setup.sh

setup-tests: setup ## what tests use beside: GROMACS, a browser, other programs' readers (once)
	@tools/setup.sh tests

build: setup ## the library, the Python extension and the unit tests, in build/
	@[ -e $(BUILD)/build.ninja ] || cmake -G Ninja -S . -B $(BUILD) \
	    -DPython_EXECUTABLE="$$PWD/$(VENV)/python" $(CMAKE_ARGS)
	@cmake --build $(BUILD) -j $(JOBS)

test: setup-tests ## every check of a change; 40 to 90 minutes on two cores
	@JOBS=$(JOBS) tools/run_tests.sh

demo: build ## water and ethanol: built, minimised, run, shown; 2 minutes, in demo/
	@$(VENV)/python -m aureole.demo

validate: build ## long physics: drift, ensembles, equation of state, kills
	@tools/run_validation.sh

wheel: setup ## dist/: for pip, with every instruction set; 20 minutes, tools/check_wheel.sh tries it
	@JOBS=$(JOBS) tools/wheel.sh

bench: build ## our engine beside the installed peers
	@$(VENV)/aureole bench lj

fuzz: setup ## the readers in C++ under libFuzzer, a minute each
	@tests/fuzz/run.sh 60

gpu-pack: setup ## fills third_party/pack for a GPU machine without a network
	@tools/gpu_pack.sh

gpu-check: ## builds and tests on a machine with an NVIDIA GPU, without a network
	@tools/gpu_check.sh

format: setup-tests ## rewrites the sources in the project's style
	@git ls-files '*.hpp' '*.cpp' '*.cu' | xargs -r clang-format -i
	@$(VENV)/ruff check --fix -q . && $(VENV)/ruff format -q .

clean: ## removes builds and results, keeps .venv
	@rm -rf build build-* demo dist python/aureole/_core*.so
