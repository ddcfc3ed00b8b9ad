#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes every reader in C++ under ASan and UBSan: run.sh [SECONDS per target, default 60].
# The corpus stays in build-fuzz/, so the next run goes on where this one ended.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
compiler=$(command -v clang++ || command -v clang++-14 || true)
if [ -z "$compiler" ]; then
    echo "fuzz: skipped, clang++ was not found (libFuzzer comes with it). apt-get install clang"
    exit 0
fi
flags=(-std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
       -DXXH_INLINE_ALL -Isrc)
[ -d third_party/pack/include ] && flags+=(-isystem third_party/pack/include)
for source in tests/fuzz/*.cpp; do
    name=$(basename "$source" .cpp)
    folder=build-fuzz/$name
    mkdir -p "$folder/corpus"
    "$compiler" "${flags[@]}" "$source" src/io/*.cpp -o "$folder/fuzz"
    echo "fuzz: $name for $seconds s"
    "$folder/fuzz" "$folder/corpus" -artifact_prefix="$folder/" -max_total_time="$seconds" \
        -timeout=10 -rss_limit_mb=1024 -max_len=4096 -print_final_stats=1 2>"$folder/log" ||
        { tail -40 "$folder/log"; exit 1; }
    grep -E 'DONE|number_of_executed_units|peak_rss' "$folder/log"
done
