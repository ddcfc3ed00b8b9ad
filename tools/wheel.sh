#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the wheel in dist/: every instruction set, no CUDA, and a manylinux tag, so that pip installs
# it without a compiler wherever glibc is as new as here. `tools/check_wheel.sh` tries it.
# With the name of a wheel as argument only the tag is made, for that one.
set -euo pipefail
cd "$(dirname "$0")/.."
python=.venv/bin/python
raw=build-wheel/raw
package=build-wheel/package

say() { printf '[wheel] %s\n' "$*"; }

tools_of_wheels() {
    "$python" -m pip install -q --disable-pip-version-check -r tools/requirements-wheel.txt
}

# From the build whose kernels the lane `isas` tests; `pip install .` makes one of a single instruction
# set. The C++ library goes into the extension and shows no symbols: that of the machine may be older,
# and those of other extensions in the process others. GCC's own stays outside: its symbols are old
# ones, while inside it would ask for glibc 2.35.
build() {
    "$python" tools/lanes.py build isas _core aureole-mpi aureole-mpi-bench
    rm -rf "$raw" $package
    mkdir -p $package
    find build-isas/package -xtype l -delete # links to files that are gone
    cp -rL build-isas/package/aureole $package/
    find $package -name __pycache__ -prune -exec rm -rf {} +
    "$python" -m pip wheel . --no-deps --no-build-isolation -q --disable-pip-version-check -w "$raw" \
        --config-settings wheel.cmake=false --config-settings wheel.platlib=true \
        --config-settings wheel.packages=$package/aureole \
        --config-settings "sdist.include=/$package/**"
}

# The oldest glibc that has all symbols which the extension asks for makes the tag. A library that
# would have to be put beside the extension is a mistake: it links none but those of the system.
repair() { # repair WHEEL
    local made=build-wheel/repaired
    rm -rf "$made"
    PATH="$PWD/.venv/bin:$PATH" "$python" -m auditwheel repair --plat auto --only-plat -w "$made" "$1" \
        >build-wheel/repair.log 2>&1 || { cat build-wheel/repair.log; say "auditwheel failed (above)"; exit 1; }
    if "$python" -m zipfile -l "$made"/*.whl | grep -q '\.libs/'; then
        say "libraries would go beside the extension (see build-wheel/repair.log). Link them into it."
        exit 1
    fi
    mkdir -p dist
    rm -f dist/aureole-*.whl
    mv "$made"/*.whl dist/
}

began=$SECONDS
mkdir -p build-wheel
tools_of_wheels
if [ $# -eq 0 ]; then
    say "building all instruction sets, which takes 6 to 20 minutes on two cores"
    build
    set -- "$raw"/aureole-*.whl
fi
repair "$1"
say "$(cd dist && ls aureole-*.whl), $(du -h dist/aureole-*.whl | cut -f1), in $((SECONDS - began)) s"
