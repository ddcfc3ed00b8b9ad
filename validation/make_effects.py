#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make tests/data/effects.json anew: what options of .mdp files change, by GROMACS.

    validation/make_effects.py [--only WORD] [--missing]

The double-precision program is the one beside gmx, with _d behind its name.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aureole.base.errors import Error
from aureole_bench.gmx import Gmx, installed

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "python" / "helpers"))

from effect_runs import PLAIN_STEPS, gromacs_numbers  # noqa: E402
from effect_table import runs  # noqa: E402

PATH = ROOT / "tests" / "data" / "effects.json"


def rounded(value: Any) -> Any:
    """Numbers with the digits that count."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(f"{value:.13g}") if isinstance(value, float) else value


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="runs whose name contains this word")
    parser.add_argument("--missing", action="store_true", help="runs alone that are not there yet")
    asked = parser.parse_args(arguments)
    old = json.loads(PATH.read_text())["runs"] if PATH.exists() else {}
    os.environ[PLAIN_STEPS] = "1"
    peer, failed = installed(Path.cwd(), double=True), 0
    found = {}
    for name, (job, options) in runs().items():
        if name in old and (asked.only not in name or asked.missing):
            found[name] = old[name]
            continue
        try:
            with tempfile.TemporaryDirectory() as folder:
                found[name] = rounded(
                    gromacs_numbers(Gmx(peer.program, Path(folder)), job, options)
                )
        except Error as error:
            failed += 1
            print(f"{name}: {error}", file=sys.stderr)
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in found.items())
    made = json.dumps(f"GROMACS {peer.version}")
    PATH.write_text(f'{{"made by": {made},\n "runs": {{\n{rows}\n }}\n}}\n')
    print(f"{len(found)} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
