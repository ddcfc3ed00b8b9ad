#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the wheel of dist/ (or the one named) into an empty virtual environment, where no compiler
# is found, and runs the first three examples with AVX2 and, if this processor has it, AVX-512.
set -euo pipefail
cd "$(dirname "$0")/.."
wheel=${1:-$(echo dist/aureole-*.whl)}
[ -f "$wheel" ] || { echo "[wheel] there is no wheel $wheel: make wheel builds one in dist/"; exit 1; }
wheel=$(realpath "$wheel")
most=${AUREOLE_WHEEL_SECONDS:-15} # for the installation
examples=(01_melt.py 02_langevin_liquid.py 03_mixture.py)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

say() { printf '[wheel] %s\n' "$*"; }
stop() {
    say "$1"
    exit 1
}
seconds() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(seconds)" 'BEGIN { printf "%.1f", b - a }'; }

# alone COMMAND...: with nothing of this environment but the new one, in its folder.
alone() {
    (cd "$place/work" && env -i HOME="$place" LANG=C.UTF-8 PATH="$place/venv/bin" "$@")
}

case $wheel in
*manylinux*) ;;
*) stop "${wheel##*/} has no manylinux tag: make wheel gives it one" ;;
esac
mkdir "$place/work"
.venv/bin/python -c 'import sys, venv; venv.create(sys.argv[1], with_pip=True)' "$place/venv"
for compiler in cc gcc g++ c++ clang cmake ninja make; do
    alone python -c 'import shutil, sys; sys.exit(shutil.which(sys.argv[1]) is not None)' "$compiler" ||
        stop "$compiler is found where none should be"
done

began=$(seconds)
alone python -m pip install -q --no-cache-dir --disable-pip-version-check --only-binary :all: "$wheel"
took=$(since "$began")
say "${wheel##*/} installed in $took s, with what it needs"
alone python -c 'import sys; sys.exit(float(sys.argv[1]) > float(sys.argv[2]))' "$took" "$most" ||
    stop "that is more than $most s"

say "$(alone aureole --version): $(alone aureole doctor | grep instructions | tr -s ' ')"
alone python -c 'from aureole.build.published_models import model
from aureole.cli.mdrun.options import OPTIONS
from aureole.gromacs.mdp.options.table import obsolete, options, renamed
from aureole.gromacs.top.directives import ORDER
import sys; sys.exit(not all((model("ethanol", None), OPTIONS, obsolete(), options(), renamed(), ORDER)))' ||
    stop "a table of the package is missing in the wheel"
sets=(avx2)
if grep -qw avx512f /proc/cpuinfo; then sets+=(avx512); fi
for set in "${sets[@]}"; do
    used=$(alone AUREOLE_ISA="$set" python -c \
        'from aureole import _core; print(_core.__file__, _core.cpu_info()["isa"])')
    [ "$used" = "${used/#"$place"/}" ] && stop "the package is not that of the wheel: $used"
    [ "${used##* }" = "$set" ] || stop "AUREOLE_ISA=$set, and ${used##* } is used"
    for example in "${examples[@]}"; do
        began=$(seconds)
        cp "examples/$example" "$place/work/"
        alone AUREOLE_ISA="$set" python "$example" >"$place/said" 2>&1 ||
            { cat "$place/said"; stop "$example failed with $set (above)"; }
        say "$set: $example in $(since "$began") s: $(tail -1 "$place/said" | tr -s ' ')"
    done
done
