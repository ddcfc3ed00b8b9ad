#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Long physics and long reliability drills: what `make test` has in short or not at all. Figures are
# kept in bench/results/ as lines of JSON, those of molecules in validation/results/, which a night
# fills. AUREOLE_VALIDATE=short tries the scripts; AUREOLE_GMX names gmx, to compare water with.
set -euo pipefail
cd "$(dirname "$0")/.."
export AUREOLE_FIGURES=${AUREOLE_FIGURES:-$PWD/bench/results/validation-$(date +%Y-%m-%d).jsonl}
mkdir -p bench/results

if [ ! -e .setup/validate ] || [ tools/requirements-validate.txt -nt .setup/validate ]; then
    echo "[setup] installing tools/requirements-validate.txt into .venv"
    .venv/bin/python -m pip install -q --disable-pip-version-check -r tools/requirements-validate.txt
    touch .setup/validate
fi
tests/fuzz/run.sh 60
failed=""
.venv/bin/python -m pytest -m validate --durations=10 -rA "$@" || failed="$failed pytest"

scale=1
[ "${AUREOLE_VALIDATE:-}" = short ] && scale=0.05
for part in drift constraints ensembles water; do
    .venv/bin/python "validation/molecule_$part.py" --scale "$scale" --threads "$(nproc)" \
        --results "validation/results/molecules-$(date +%Y-%m-%d).jsonl" || failed="$failed $part"
done
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
