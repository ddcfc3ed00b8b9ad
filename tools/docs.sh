#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the documentation as a site in build/site, with mkdocs in a virtual environment of its own,
# .setup/docs-venv. Broken links fail.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=.setup/docs-venv
stamp=$venv/installed
log=.setup/docs.log

if ! [ "$stamp" -nt tools/docs-requirements.txt ]; then
    echo "[docs] installing mkdocs into $venv"
    [ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
    "$venv/bin/python" -m pip install -q --disable-pip-version-check -r tools/docs-requirements.txt || {
        echo "[docs] pip cannot install tools/docs-requirements.txt (above). Check the network."
        exit 1
    }
    touch "$stamp"
fi
echo "[docs] building build/site; broken links are errors"
NO_MKDOCS_2_WARNING=1 "$venv/bin/python" -m mkdocs build --strict >"$log" 2>&1 || {
    grep -vE '^(INFO|$)' "$log"
    echo "[docs] mkdocs failed (above, and in $log)."
    exit 1
}
echo "[docs] $(find build/site -name '*.html' | wc -l) pages. To read them, with search:"
echo "[docs]   python3 -m http.server -d build/site    and then http://localhost:8000"
