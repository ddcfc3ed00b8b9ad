# SPDX-License-Identifier: Apache-2.0
"""Single points of GROMACS: energies per term and forces, to all digits that it computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from aureole.base.errors import Error
from aureole_bench.gmx import Gmx
from aureole_bench.terms import TERMS
from aureole_bench.trr import frames
from numpy.typing import NDArray

#: What makes single points of any input: two steps so short that only constraints move particles.
#: Steps 0 and 2 have energies; in the first, virtual sites are not yet where they belong. Step 1
#: has exact forces: in steps with energies those of 1-4 pairs come from tables, good to 1e-8.
SINGLE_POINT = {
    "integrator": "md",
    "dt": "1e-6",
    "nsteps": "2",
    "continuation": "yes",
    "gen-vel": "no",
    "tcoupl": "no",
    "pcoupl": "no",
    "nstlist": "1",
    "nstxout": "1",
    "nstfout": "1",
    "nstenergy": "2",
    "nstcalcenergy": "2",
}

#: Older names of these options.
_ALSO = ("unconstrained-start", "verlet-buffer-drift")


@dataclass(frozen=True)
class Point:
    """Two configurations as GROMACS sees them, one for energies and one for forces.

    Args:
        energy: [kJ/mol] by the names of GROMACS
        at_energy: (n, 3) positions [nm] that have it, virtual sites in their places
        force: (n, 3) [kJ/mol/nm]
        at_force: (n, 3) positions [nm] that have them
    """

    energy: dict[str, float]
    at_energy: NDArray[np.float64]
    force: NDArray[np.float64]
    at_force: NDArray[np.float64]

    def terms(self) -> dict[str, float]:
        """Energies [kJ/mol] by our names, "potential" among them."""
        known = {name for names in TERMS.values() for name in names}
        strange = self.energy.keys() - known - {"Potential", "Connect-Bonds"}
        if strange:
            raise Error(f"energies of unknown names: {sorted(strange)}")
        found = {"potential": self.energy["Potential"]}
        for ours, theirs in TERMS.items():
            values = [self.energy[name] for name in theirs if name in self.energy]
            if values:
                found[ours] = sum(values)
        return found


@dataclass(frozen=True)
class Files:
    """What grompp is given."""

    mdp: Path
    conf: Path
    top: Path
    index: Path | None = None
    references: Path | None = None


def single_point(gmx: Gmx, files: Files) -> Point:
    """Energies and forces of the configuration; the folder of `gmx` takes what is written."""
    words: list[object] = ["-f", files.mdp, "-c", files.conf, "-p", files.top]
    if files.index:
        words += ["-n", files.index]
    words += ["-r", files.references or files.conf, "-maxwarn", 99]
    made = gmx.folder / "p"
    # What a topology includes may be named as seen from its folder.
    beside = Gmx(gmx.program, files.top.parent)
    beside.run("grompp", *words, "-o", f"{made}.tpr", "-po", f"{made}.mdp")
    gmx.mdrun("p", "-notunepme")
    energy = {name: values[-1] for name, values in gmx.energies("p").items() if name != "time"}
    _, at_force, at_energy = frames(gmx.folder / "p.trr")
    return Point(energy, at_energy["x"], at_force["f"], at_force["x"])


def single_point_options(text: str, changes: Mapping[str, str]) -> str:
    """The text of an .mdp file with some options set anew."""
    keys = {_plain(key) for key in changes} | {_plain(key) for key in _ALSO}
    kept = [line for line in text.splitlines() if _plain(line.split("=")[0]) not in keys]
    return "\n".join([*kept, *(f"{key} = {value}" for key, value in changes.items())]) + "\n"


def _plain(key: str) -> str:
    return key.strip().lower().replace("_", "").replace("-", "")
