#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every check of a change, in order of how soon it tells. Prints how long each stage took, and at the end
# a table of times beside the budgets that stand in CONTRIBUTING.md.
# AUREOLE_TEST_STAGES="build unit" runs only the stages named (see the list at the end).
set -euo pipefail
cd "$(dirname "$0")/.."
JOBS=${JOBS:-$(nproc)}
PYTHON=.venv/bin/python
began=$SECONDS
rows=() # of the closing table: stage, budget, seconds, seconds of processors
processor_times=$(mktemp)
trap 'rm -f "$processor_times"' EXIT

# Sets processor_seconds to what the processes of all stages so far have used.
read_processor_seconds() {
    times >"$processor_times"
    processor_seconds=$(awk -F'[ms ]+' 'NR == 2 { print int($1 * 60 + $2 + $3 * 60 + $4) }' "$processor_times")
}

# The budget of a stage in seconds, from the table in CONTRIBUTING.md.
budget_of() { awk -F'|' -v name="$1" '{ gsub(/[ `]/, "", $2) } $2 == name { print int($3) }' CONTRIBUTING.md; }

stage() { # stage NAME COMMAND...: runs it if wanted, with its time
    local name=$1 start=$SECONDS before
    shift
    if [ -n "${AUREOLE_TEST_STAGES:-}" ] && ! grep -qw -- "$name" <<<"$AUREOLE_TEST_STAGES"; then
        return 0
    fi
    printf '\n[test] %s\n' "$name"
    read_processor_seconds
    before=$processor_seconds
    "$@"
    read_processor_seconds
    rows+=("$name $(budget_of "$name") $((SECONDS - start)) $((processor_seconds - before))")
    printf '[test] %s: %d s (%d s so far)\n' "$name" $((SECONDS - start)) $((SECONDS - began))
}

print_table() {
    printf '\n[test] %-9s %8s %8s %10s\n' stage budget seconds processors
    printf '%s\n' "${rows[@]}" | awk '
        { budget += $2; seconds += $3; processors += $4
          printf "[test] %-9s %8d %8d %10d\n", $1, $2, $3, $4 }
        END { printf "[test] %-9s %8d %8d %10d\n", "all", budget, seconds, processors }'
}

check_style() {
    $PYTHON tools/check_layers.py
    $PYTHON tools/check_style.py
    .venv/bin/ruff check -q .
    .venv/bin/ruff format --check -q .
    # Versions differ in small things; this is Debian 12's.
    if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
        git ls-files '*.hpp' '*.cpp' '*.cu' | xargs -r clang-format --dry-run -Werror
    else
        echo "skipped: the C++ format is checked by clang-format 14 alone"
    fi
}

build() {
    make --no-print-directory build JOBS="$JOBS" CMAKE_ARGS="${CMAKE_ARGS:-} -DAUREOLE_PRECOMPILED=TESTS"
}

# run_ctest FOLDER LOG ARGUMENTS...: shows the closing lines, or the end of what failed, and last what
# a reader of the last lines alone needs.
run_ctest() {
    local folder=$1 log=$1/$2
    shift 2
    ctest --test-dir "$folder" --no-tests=error --output-on-failure -j "$JOBS" -Q -O "$log" "$@" || {
        tail -80 "$log"
        echo "[test] what failed:"
        grep -hE '\[  FAILED  \] .*[.]|: Failure$|SUMMARY: |runtime error: |\(Timeout\)' "$log" | sort -u | tail -20
        return 1
    }
    tail -12 "$log"
}

unit() { run_ctest build unit.log; }

# The same tests where queues are threads with random delays and buffers are shut outside kernels.
hostile() { AUREOLE_HOSTILE=1 run_ctest build hostile.log; }

# build_preset NAME TARGET...: one of CMakePresets.json, in build-NAME.
build_preset() {
    local folder=build-$1
    mkdir -p "$folder"
    [ -e "$folder/build.ninja" ] || cmake --preset "$1" >"$folder/configure.log" 2>&1 ||
        { cat "$folder/configure.log"; return 1; }
    shift
    cmake --build "$folder" -j "$JOBS" --target "$@" -- --quiet
}

# sanitized KIND LABELS TARGET: a build of unit tests alone, with assertions on, and its run.
sanitized() {
    local kind=$1 label=$2 folder=build-$1
    build_preset "$kind" "$3"
    # Address-space randomisation beyond 28 bits is more than this ThreadSanitizer bears.
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        export -f run_ctest
        JOBS=$JOBS setarch "$(uname -m)" -R bash -c 'run_ctest "$@"' - "$folder" test.log -L "$label"
    else
        run_ctest "$folder" test.log -L "$label"
    fi
}

# Packs without registers, and the leaf files of tests/extensions with a Python package of its own, which
# tests/python/test_new_potential.py imports (cmake/extended.cmake).
extended() {
    cmake --build build -j "$JOBS" --target extended -- --quiet
    run_ctest build extended.log -C Extended -L extended
}

# Several processes share the files, one more than processors, as many tests wait for other processes; the tests of a
# file stay together, as they share what they make.
python_tests() {
    $PYTHON -m pytest -q -m "not slow and not gpu" --durations=5 \
        -n $((JOBS < 4 ? JOBS + 1 : 4)) --dist loadfile
}

stage style check_style
stage build build
stage symbols $PYTHON tools/check_isa_symbols.py build
stage cuda $PYTHON tools/check_cuda.py build
stage unit unit
stage hostile hostile
stage address sanitized address . all
stage thread sanitized thread threads threaded_tests
stage extended extended
stage python python_tests
print_table
