#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Gathers in third_party/pack what `make gpu-check` needs on a machine without a network: headers of
# the kept libraries, sources of GoogleTest and nanobind, and the gsd wheel. Stays below 60 MB.
set -euo pipefail
cd "$(dirname "$0")/.."
pack=third_party/pack
python_version=${AUREOLE_PACK_PYTHON:-3.12}

rm -rf "$pack"
mkdir -p "$pack/include" "$pack/googletest" "$pack/wheels"

include_of() { # the folder that the compiler finds a header in
    local found
    found=$(printf '#include <%s>\n' "$1" | c++ -x c++ -E - |
        sed -n "s|^# 1 \"\(/.*\)/$1\".*|\1|p" | sort -u)
    [ -d "$found" ] || { echo "[pack] $1 was not found. Run make setup first." >&2; return 1; }
    printf '%s' "$found"
}

highway=$(include_of hwy/highway.h)
random123=$(include_of Random123/philox.h)
xxhash=$(include_of xxhash.h)
cp -r "$highway/hwy" "$random123/Random123" "$xxhash"/xxh*.h "$pack/include/"
cp -r /usr/src/googletest/CMakeLists.txt /usr/src/googletest/googletest "$pack/googletest/"
rm -rf "$pack/googletest/googletest/test" "$pack/googletest/googletest/docs"
nanobind=$(.venv/bin/python -c 'import nanobind, os; print(os.path.dirname(nanobind.__file__))')
cp -r "$nanobind" "$pack/nanobind"
find "$pack" -name __pycache__ -prune -exec rm -rf {} +
.venv/bin/python -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: \
    --python-version "$python_version" --platform manylinux2014_x86_64 \
    --platform manylinux_2_17_x86_64 --platform manylinux_2_28_x86_64 -d "$pack/wheels" gsd

size=$(du -sm "$pack" | cut -f1)
echo "[pack] $pack holds $size MB (at most 60): $(ls "$pack" | tr '\n' ' ')"
[ "$size" -le 60 ]
