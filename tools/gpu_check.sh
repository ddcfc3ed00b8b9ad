#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the tree with the CUDA back end on a machine that has a GPU, nvcc, CMake, Ninja and Python,
# but no network; runs the C++ tests and the device tests of Python there, and prints a benchmark
# table. What it prints is kept in bench/results/. At most 9 minutes: what is left undone is named.
set -euo pipefail
cd "$(dirname "$0")/.."
limit=${AUREOLE_GPU_LIMIT:-530}
python=$(command -v "${PYTHON:-python3}")
jobs=$(nproc)
build=build-gpu
report=bench/results/gpu-check-$(date +%Y-%m-%d).txt
failed=()

say() { printf '[gpu] %s\n' "$*"; }

stop() {
    say "$1"
    exit 1
}

# step NAME COMMAND...: within what is left of the time; a failure is remembered, not final.
step() {
    local name=$1 start=$SECONDS left=$((limit - SECONDS))
    shift
    if [ "$left" -lt 5 ]; then
        say "$name: not run, the time is up"
        failed+=("$name (no time)")
        return 0
    fi
    say "$name"
    if timeout "$left" "$@"; then
        say "$name: passed in $((SECONDS - start)) s"
    else
        say "$name: FAILED after $((SECONDS - start)) s"
        failed+=("$name")
    fi
}

configure() {
    local extension=ON
    "$python" -c 'import sysconfig, os, sys
sys.exit(not os.path.exists(sysconfig.get_paths()["include"] + "/Python.h"))' || {
        extension=OFF
        say "no Python headers here: the extension and its tests are left out"
    }
    cmake -G Ninja -S . -B $build -DAUREOLE_CUDA=ON -DAUREOLE_PYTHON=$extension \
        -DPython_EXECUTABLE="$python" >$build.log 2>&1 || { tail -30 $build.log; return 1; }
}
export -f configure say
export python build

packages() { # what the machine's Python lacks, from the pack
    local site=third_party/pack/site
    [ -d $site ] || "$python" -m pip install -q --disable-pip-version-check --no-index --no-deps \
        --target $site third_party/pack/wheels/*.whl
}
export -f packages

main() {
    say "$(date -u +%Y-%m-%dT%H:%MZ) commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
    nvcc --version | tail -2 | head -1
    step configure bash -euo pipefail -c configure
    step build cmake --build $build -j "$jobs" -- --quiet
    step packages bash -euo pipefail -c packages
    export PYTHONPATH=$PWD/python:$PWD/third_party/pack/site${PYTHONPATH:+:$PYTHONPATH}
    step "C++ tests" ctest --test-dir $build --output-on-failure -j 8 --no-tests=error
    step "Python tests on the device" "$python" -m pytest -q -m gpu -p no:cacheprovider tests/python
    step benchmark "$python" -m aureole bench gpu
    say "total $SECONDS s"
    if [ ${#failed[@]} -gt 0 ]; then
        say "FAILED: $(IFS=,; echo "${failed[*]}")"
        return 1
    fi
    say "all passed"
}

command -v nvcc >/dev/null || stop "nvcc is not on PATH (it is needed). Add CUDA's bin folder."
command -v nvidia-smi >/dev/null || stop "no NVIDIA driver is here (nvidia-smi is missing)."
[ -d third_party/pack/include ] ||
    stop "third_party/pack is empty. Run make gpu-pack where there is a network, and bring it."
mkdir -p bench/results
status=0
main 2>&1 | tee "$report" || status=$?
[ -n "${OUT:-}" ] && cp "$report" "$OUT/"
exit $status
