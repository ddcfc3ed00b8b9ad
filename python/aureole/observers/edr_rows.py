# SPDX-License-Identifier: Apache-2.0
"""Rows of energies as frames of GROMACS' energy files."""

from __future__ import annotations

import math
from typing import Any

from aureole.base.errors import FormatError, bad_input
from aureole.engine.observed import Observed
from aureole.formats import edr
from aureole.formats.box_vectors import from_box
from aureole.specs.electrostatics import PME

from .energy_columns import Quantities

_TILTS = ("box_yx", "box_zx", "box_zy")


class EdrRows:
    """Turns the numbers of a step into a frame, with names and meanings of GROMACS.

    GROMACS counts the energy of each charge's own screening cloud (Ewald's self-energy) with the
    direct sum, the engine with the mesh: the constant is moved, so that "Coulomb (SR)" and
    "Coul. recip." mean what they mean in GROMACS.

    Raises InputError in reduced units.
    """

    def __init__(
        self, sim: Observed, quantities: Quantities, state: dict[str, Any] | None, path: str
    ) -> None:
        if not sim.units.physical:
            raise bad_input(
                f"{path} cannot hold the energies of this system",
                "it has reduced units, and .edr files are in kJ/mol, nm, ps, K and bar",
                "Write .csv or .parquet",
            )
        self._path, self._quantities = path, quantities
        tilted = bool(from_box(sim.box)[[1, 2, 2], [0, 0, 1]].any()) or _shears(sim)
        self._tilted = bool((state or {}).get("tilted", tilted))
        self._columns = edr.columns_of(quantities.names[2:], self._tilted)
        charge = sim.get("charge") if "mesh" in quantities.terms else None
        self._squares = 0.0 if charge is None else float(charge @ charge)

    def state(self) -> dict[str, Any]:
        """Whether the file has the components of a tilted box."""
        return {"tilted": self._tilted}

    def head(self) -> bytes:
        """The header of the file."""
        unit = self._quantities.unit
        return edr.head([(name, unit(ours)) for name, ours in self._columns.items()])

    def frame(self, sim: Observed, values: list[float], last: int) -> bytes:
        """The frame of one row of the columns; the previous one was at step `last`, -1 for none."""
        row = dict(zip(self._quantities.names, values, strict=True))
        if not self._tilted and any(row[name] for name in _TILTS):
            raise FormatError(
                self._path,
                f"cannot hold the box of step {sim.step}",
                "the file was begun with a rectangular box, and this one is tilted",
                "Write another file from here on, or .csv",
            )
        if "mesh" in row:
            own = self._self_energy(sim)
            row["coulomb"] -= own
            row["mesh"] += own
        step = int(values[0])
        steps = max(1, step - last) if last >= 0 else 1
        return edr.frame(step, values[1], sim.dt, steps, [row[k] for k in self._columns.values()])

    def _self_energy(self, sim: Observed) -> float:
        """Σ q² β / √π of all charges [energy]. Source: Essmann et al. (1995)."""
        mesh = next((force for force in sim.forces if isinstance(force, PME)), None)
        if mesh is None or not mesh.epsilon_r:
            return 0.0
        unit = sim.units.coulomb if sim.topology is None else sim.topology.coulomb
        return unit / mesh.epsilon_r * mesh.beta / math.sqrt(math.pi) * self._squares


def _shears(sim: Observed) -> bool:
    """Whether a barostat may tilt the box."""
    barostat = getattr(sim.integrator, "barostat", None)
    compressibility = getattr(barostat, "compressibility", None)
    return isinstance(compressibility, tuple) and any(compressibility[3:])
