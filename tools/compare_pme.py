#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the mesh energy of our smooth particle-mesh Ewald with that of a GROMACS in double.

usage: compare_pme.py GMX_D CONF.gro TOPOL.top TEST_MD [ORDER]

Writes what GROMACS sees (box, mesh, charges, places) and its "Coul. recip." to a file that the test
PmeGromacs.DISABLED_File reads.
"""

import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MDP = """integrator = md
nsteps = 0
continuation = yes
nstcalcenergy = 1
nstenergy = 1
coulombtype = PME
rcoulomb = 1.0
rvdw = 1.0
ewald-rtol = 1e-5
fourier-spacing = 0.12
pme-order = {order}
"""


def call(folder: Path, *words: str, stdin: str = "") -> str:
    run = subprocess.run(
        words, cwd=folder, input=stdin, capture_output=True, text=True, check=False
    )
    if run.returncode:
        raise SystemExit(f"{' '.join(words)} failed:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    return run.stdout + run.stderr


def splitting(r_cut: float, tolerance: float) -> float:
    """The beta for which erfc(beta r_cut) is the tolerance; logs round it."""
    low, high = 0.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erfc(middle * r_cut) > tolerance else (low, middle)
    return high


def main() -> int:
    gmx, conf, top, test = sys.argv[1:5]
    order = sys.argv[5] if len(sys.argv) > 5 else "4"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in.mdp").write_text(MDP.format(order=order))
        files = ["-c", str(Path(conf).resolve()), "-p", str(Path(top).resolve())]
        call(folder, gmx, "grompp", "-f", "in.mdp", *files, "-o", "t.tpr", "-maxwarn", "9")
        call(folder, gmx, "mdrun", "-s", "t.tpr", "-deffnm", "t", "-nt", "1", "-reprod")
        dump = call(folder, gmx, "dump", "-s", "t.tpr")
        call(folder, gmx, "energy", "-f", "t.edr", "-o", "t.xvg", "-dp", stdin="Coul.-recip.\n")
        recip = float((folder / "t.xvg").read_text().split()[-1])
        beta = splitting(1.0, 1e-5)
        mesh = [re.search(rf"fourier-n{a}\s*=\s*(\d+)", dump).group(1) for a in "xyz"]
        places = re.findall(r"\n\s+x\[\s*\d+\]=\{\s*(\S+),\s*(\S+),\s*(\S+)\}", dump)
        charges = charges_of(dump)
        rows = [f"{q} {' '.join(r)}" for q, r in zip(charges, places, strict=True)]
        # GROMACS' factor: e² N_A/(4πε₀) in kJ nm/mol with the constants of its 2022 release.
        beta_text, coulomb = repr(beta), "138.935457644382"
        edges = re.findall(r"box\[\s*\d\]=\{\s*(\S+),\s*(\S+),\s*(\S+)\}", dump)[:3]
        head = [edges[0][0], edges[1][1], edges[2][2], *mesh, order, beta_text, coulomb]
        (folder / "out").write_text(
            " ".join([*head, repr(recip), str(len(rows))]) + "\n" + "\n".join(rows) + "\n"
        )
        environment = dict(os.environ, AUREOLE_PME_FILE=str(folder / "out"))
        run = subprocess.run(
            [test, "--gtest_also_run_disabled_tests", "--gtest_filter=PmeGromacs*"],
            env=environment,
            check=False,
        )
    return run.returncode


def charges_of(dump: str) -> list[str]:
    """Charges of all atoms: per molecule type, times the molecule blocks."""
    kinds = []
    for part in re.split(r"\n\s*moltype \(\d+\):", dump)[1:]:
        kinds.append(re.findall(r"atom\[\s*\d+\]=\{[^}]*?\bq=\s*(\S+?),", part))
    charges: list[str] = []
    for kind, count in re.findall(
        r"molblock \(\d+\):\s*moltype\s*=\s*(\d+)[^\n]*\n\s*#molecules\s*=\s*(\d+)", dump
    ):
        charges += kinds[int(kind)] * int(count)
    return charges


if __name__ == "__main__":
    raise SystemExit(main())
