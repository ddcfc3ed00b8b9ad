#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the probes for two instruction sets, runs them in turn (REPEATS times, default 15), and
# prints picoseconds per pair: median and quartiles. Needs libhwy-dev and libxsimd-dev.
set -euo pipefail
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for isa in haswell x86-64-v4; do
    # Highway's targets ask for AES and carry-less products beside the vectors; the others ignore them.
    # GCC prefers 256-bit registers for its own vectorising; the probes ask for the full width.
    for probe in highway xsimd std_simd; do
        ${CXX:-g++} -std=c++20 -O3 -march=$isa -maes -mpclmul -mprefer-vector-width=512 -w $probe.cpp \
            -o "$out/$probe-$isa"
    done
    for _ in $(seq "${REPEATS:-15}"); do
        for probe in highway xsimd std_simd; do "$out/$probe-$isa" | sed "s/^/$isa /"; done
    done
done | sort -k1,1 -k2,2 -k3,3n | awk '
    function flush() {
        if (n) printf "%-10s %-16s median %6.1f ps/pair  quartiles %6.1f %6.1f  checksum %s\n",
            isa, name, t[int((n + 1) / 2)], t[int((n + 3) / 4)], t[int((3 * n + 1) / 4)], sum
        n = 0
    }
    $1 != isa || $2 != name { flush(); isa = $1; name = $2 }
    { t[++n] = $3; sum = $4 }
    END { flush() }'
