#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make tests/data/miniatures.json anew: reference numbers of the miniature systems by GROMACS.

    validation/make_miniatures.py [--only WORD]

The double-precision program is the one beside gmx, with _d behind its name.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from aureole.base.errors import Error
from aureole_bench.gmx import Gmx, installed
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "python" / "helpers"))

from gromacs_peer import SINGLE_POINT, Files, single_point, single_point_options  # noqa: E402
from miniatures import Miniature, all_miniatures  # noqa: E402

#: So short a step that nothing moves by what double precision shows.
OPTIONS = SINGLE_POINT | {"dt": "1e-9"}


def reference(one: Miniature, program: str) -> dict[str, Any]:
    """Energies and forces, with positions where they are not those that were given."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        conf, top, mdp, points = one.write(folder)
        if one.stand_in:
            top.write_text(one.stand_in)
        mdp.write_text(single_point_options(one.mdp(), OPTIONS))
        found = single_point(Gmx(program, folder), Files(mdp, conf, top, references=points))
    row: dict[str, Any] = {"energy": found.energy, "force": _rounded(found.force)}
    for name, position in {"at_energy": found.at_energy, "at_force": found.at_force}.items():
        if np.abs(np.mod(position - one.position + 0.5, 1.0) - 0.5).max() > 1e-9:
            row[name] = _rounded(position)
    return row


def _rounded(array: NDArray[np.float64]) -> list[list[float]]:
    return [[float(f"{value:.13g}") for value in row] for row in array]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="systems whose name contains this word")
    only = parser.parse_args(arguments).only
    path = ROOT / "tests" / "data" / "miniatures.json"
    old = json.loads(path.read_text())["systems"] if path.exists() else {}
    peer, failed = installed(Path.cwd(), double=True), 0
    systems = {}
    for name, one in all_miniatures().items():
        if only not in name and name in old:
            systems[name] = old[name]
            continue
        try:
            systems[name] = reference(one, peer.program)
        except Error as error:
            failed += 1
            print(f"{name}: {error}", file=sys.stderr)
    rows = (f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in systems.items())
    head = f'"made by": {json.dumps(f"GROMACS {peer.version}")},\n "options": {json.dumps(OPTIONS)}'
    path.write_text(f'{{{head},\n "systems": {{\n' + ",\n".join(rows) + "\n }\n}\n")
    print(f"{len(systems)} systems, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
