#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every check of a change, in order of how soon it tells. Prints how long each stage took.
# AUREOLE_TEST_STAGES="build unit" runs only the stages named (see the list at the end).
set -euo pipefail
cd "$(dirname "$0")/.."
JOBS=${JOBS:-$(nproc)}
PYTHON=.venv/bin/python
began=$SECONDS

stage() { # stage NAME COMMAND...: runs it if wanted, with its time
    local name=$1 start=$SECONDS
    shift
    if [ -n "${AUREOLE_TEST_STAGES:-}" ] && ! grep -qw -- "$name" <<<"$AUREOLE_TEST_STAGES"; then
        return 0
    fi
    printf '\n[test] %s\n' "$name"
    "$@"
    printf '[test] %s: %d s (%d s so far)\n' "$name" $((SECONDS - start)) $((SECONDS - began))
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

build() { make --no-print-directory build JOBS="$JOBS"; }

# run_ctest FOLDER LOG ARGUMENTS...: shows the closing lines, or the end of what failed.
run_ctest() {
    local folder=$1 log=$1/$2
    shift 2
    ctest --test-dir "$folder" --no-tests=error --output-on-failure -j "$JOBS" -Q -O "$log" "$@" || {
        tail -80 "$log"
        return 1
    }
    tail -12 "$log"
}

unit() { run_ctest build unit.log; }

# The same tests where queues are threads with random delays and buffers are shut outside kernels.
hostile() { AUREOLE_HOSTILE=1 run_ctest build hostile.log; }

# sanitized KIND LABELS: a build of the unit tests alone, with assertions on, and its run.
sanitized() {
    local kind=$1 label=$2 folder=build-$1
    mkdir -p "$folder"
    [ -e "$folder/build.ninja" ] || cmake -G Ninja -S . -B "$folder" -DAUREOLE_SANITIZE="$kind" \
        -DAUREOLE_PYTHON=OFF -DAUREOLE_ISAS=avx2 -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 >"$folder/configure.log" 2>&1 ||
        { cat "$folder/configure.log"; return 1; }
    cmake --build "$folder" -j "$JOBS" -- --quiet
    # Address-space randomisation beyond 28 bits is more than this ThreadSanitizer bears.
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        export -f run_ctest
        JOBS=$JOBS setarch "$(uname -m)" -R bash -c 'run_ctest "$@"' - "$folder" test.log -L "$label"
    else
        run_ctest "$folder" test.log -L "$label"
    fi
}

scalar() {
    [ -e build-scalar/build.ninja ] || cmake -G Ninja -S . -B build-scalar -DAUREOLE_SIMD=scalar \
        -DAUREOLE_CUDA=OFF -DAUREOLE_PYTHON=OFF >/dev/null
    cmake --build build-scalar -j "$JOBS" -- --quiet
    run_ctest build-scalar test.log -L 'core|fft|md'
}

# Several processes share the files; the tests of a file stay together, as they share what they make.
python_tests() {
    $PYTHON -m pytest -q -m "not slow and not gpu" --durations=5 \
        -n $((JOBS < 4 ? JOBS : 4)) --dist loadfile
}

stage style check_style
stage build build
stage symbols $PYTHON tools/check_isa_symbols.py build
stage cuda $PYTHON tools/check_cuda.py build
stage unit unit
stage hostile hostile
stage address sanitized address .
stage thread sanitized thread threads
stage scalar scalar
stage python python_tests
