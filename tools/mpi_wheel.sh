#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the wheel `aureole-mpi` in dist/, or in the folder named: the preloaded library and its
# launcher, for x86-64 and every Python. tests/mpi/test_wheel.py tries it.
set -euo pipefail
cd "$(dirname "$0")/.."
python=.venv/bin/python
out=${1:-dist}

say() { printf '[wheel] %s\n' "$*"; }

# auditwheel knows some glibcs only: it names the oldest of these that has all symbols.
audit() { # audit WHEEL N: N is that of glibc 2.N
    local said found
    said=$("$python" -m auditwheel show "$1" | tr -s ' \n' ' ')
    found=$(sed -n 's/.*following platform tag: "manylinux_2_\([0-9]*\)_x86_64".*/\1/p' <<<"$said")
    [ "${found:-0}" -ge "$2" ] && [ "$found" -le 28 ] && return
    printf '%s\n' "$said"
    say "auditwheel finds glibc 2.${found:-?} (above), and the tag says 2.$2"
    exit 1
}

"$python" -m pip install -q --disable-pip-version-check -r tools/requirements-wheel.txt
"$python" tools/lanes.py build native aureole_mpi aureole-mpi
rm -f "$out"/aureole_mpi-*.whl
wheel=$("$python" tools/mpi_wheel.py build/preload "$out")
glibc=${wheel##*manylinux_2_}
glibc=${glibc%%_*}
audit "$wheel" "$glibc"
say "${wheel##*/}, $(du -h "$wheel" | cut -f1), for glibc 2.$glibc or later"
