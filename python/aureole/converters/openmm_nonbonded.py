# SPDX-License-Identifier: Apache-2.0
"""Non-bonded forces of OpenMM as types, charges, pairs and settings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.gromacs.top.lennard_jones import LORENTZ_BERTHELOT, matrix
from aureole.system.flat_topology import Sheet, names_of_types
from aureole.system.topology import Labels, Nonbonded

from .openmm_bonded import energy_of, other_energy, title
from .units import plain

_METHODS = ("NoCutoff", "CutoffNonPeriodic", "CutoffPeriodic", "Ewald", "PME", "LJPME")

#: Order of the splines that OpenMM's meshes use.
_ORDER = 5

#: Lennard-Jones by a table of types, and whether the table holds the root of the repulsion.
_TABLES = {
    "acoef(type1,type2)/r^12-bcoef(type1,type2)/r^6": False,
    "(a/r6)^2-b/r6;r6=r^6;a=acoef(type1,type2);b=bcoef(type1,type2)": True,
    "(a/r6)^2-b/r6;r6=r2*r2*r2;r2=r^2;a=acoef(type1,type2);b=bcoef(type1,type2)": True,
}


class Nonbond:
    """What the non-bonded forces of a system say together.

    Attributes:
        motion: steps between removals of the motion of the whole; 0 for none
        notes: what the user should know
    """

    def __init__(self, n: int) -> None:
        self._n = n
        self._force: Any = None
        self._table: Any = None
        self._exceptions: list[tuple[int, int, float, float, float]] = []
        self.motion = 0
        self.notes: list[str] = []

    def take(self, force: Any) -> None:
        """A NonbondedForce."""
        if self._force is not None:
            raise bad_input(
                "the system has two NonbondedForce objects", "charges would count twice", "Keep one"
            )
        method = _METHODS[force.getNonbondedMethod()]
        if method not in ("CutoffPeriodic", "PME"):
            vacuum = method in ("NoCutoff", "CutoffNonPeriodic")
            raise bad_input(
                f"NonbondedForce uses {method}",
                "systems in vacuum and implicit solvent are not supported"
                if vacuum
                else "only PME and CutoffPeriodic (a reaction field) are supported",
                f"Build the system{' in a box of solvent,' * vacuum} with nonbondedMethod=PME",
            )
        count = force.getNumParticleParameterOffsets() + force.getNumExceptionParameterOffsets()
        if count:
            raise bad_input(
                f"NonbondedForce has {count} parameter offsets",
                "parameters that change during a run are not supported",
                "Build the system with the values that they should have",
            )
        if hasattr(force, "getIncludeDirectSpace") and not force.getIncludeDirectSpace():
            raise bad_input(
                "NonbondedForce excludes its direct space",
                "the short-range forces would be missing here too",
                "Build the system with setIncludeDirectSpace(True)",
            )
        self._force = force

    def take_table(self, force: Any) -> None:
        """A CustomNonbondedForce, if it is the Lennard-Jones force of a force field."""
        plain_form = (
            energy_of(force) in _TABLES
            and force.getNumPerParticleParameters() == 1
            and force.getNumInteractionGroups() == 0
            and force.getNumGlobalParameters() == 0
        )
        if not plain_form or self._table is not None:
            why = "only one Lennard-Jones table by types, for all particles, is supported"
            raise other_energy(force, why)
        if force.getNonbondedMethod() != force.CutoffPeriodic:
            raise bad_input(
                f"{title(force)} has no periodic cut-off",
                "the box is periodic",
                "Build the system with nonbondedMethod=PME",
            )
        self._table = force

    def finish(self, names: Labels) -> tuple[Nonbonded, NDArray[np.int32], NDArray[np.float64]]:
        """Lennard-Jones parameters of types, the types and the charges of particles."""
        if self._force is None:
            raise bad_input(
                "the system has no NonbondedForce",
                "its cut-off and charges are needed",
                "Build it with nonbondedMethod=PME",
            )
        found = [self._force.getParticleParameters(i) for i in range(self._n)]
        rows = np.array([[plain(value) for value in row] for row in found], dtype=np.float64)
        rows = rows.reshape(-1, 3)
        for k in range(self._force.getNumExceptions()):
            i, j, *values = self._force.getExceptionParameters(k)
            self._exceptions.append((i, j, *(plain(value) for value in values)))
        if self._table is not None:
            return *self._from_table(rows, names), rows[:, 0].copy()
        lj = rows[:, 1:].copy()
        lj[lj[:, 1] == 0.0] = 0.0  # without a depth the width does nothing
        kinds, first, type_ = np.unique(lj, axis=0, return_index=True, return_inverse=True)
        called = names_of_types(names[int(i)] for i in first)
        table = matrix(
            LORENTZ_BERTHELOT, dict(zip(called, map(tuple, kinds.tolist()), strict=True)), {}
        )
        return table, type_.reshape(-1).astype(np.int32), rows[:, 0].copy()

    def _from_table(
        self, rows: NDArray[np.float64], names: Labels
    ) -> tuple[Nonbonded, NDArray[np.int32]]:
        force = self._table
        excluded = {
            frozenset(force.getExclusionParticles(k)) for k in range(force.getNumExclusions())
        }
        if excluded != {frozenset(one[:2]) for one in self._exceptions}:
            raise bad_input(
                f"{title(force)} and NonbondedForce differ in exclusions",
                "exclusions must be the same in both",
                "Correct the exclusions",
            )
        if rows[:, 2].any() or not _same_range(force, self._force):
            raise bad_input(
                f"NonbondedForce and {title(force)} cannot be combined",
                "both have Lennard-Jones energies, or their cut-offs differ",
                "Set epsilon of NonbondedForce to 0, and use one cut-off",
            )
        squared = _TABLES[energy_of(force)]
        tables = {}
        for k in range(force.getNumTabulatedFunctions()):
            wide, high, values = force.getTabulatedFunction(k).getFunctionParameters()
            name = force.getTabulatedFunctionName(k)
            tables[name] = np.array(values, dtype=np.float64).reshape(high, wide)
        given = [int(force.getParticleParameters(i)[0]) for i in range(self._n)]
        used, first, type_ = np.unique(given, return_index=True, return_inverse=True)
        chosen = np.ix_(used, used)
        c12 = tables["acoef"][chosen] ** (2 if squared else 1)
        called = names_of_types(names[int(i)] for i in first)
        table = Nonbonded(called, np.ascontiguousarray(tables["bcoef"][chosen]), c12, "none")
        return table, type_.reshape(-1).astype(np.int32)

    def pairs(self, sheet: Sheet) -> None:
        """Exceptions: each excludes, and those with an energy are pairs of their own."""
        for i, j, qq, sigma, epsilon in self._exceptions:
            sheet.excluded.append((i, j))
            c6 = 4.0 * epsilon * sigma**6
            if qq or c6:
                sheet.add("pair", (i, j), (c6, c6 * sigma**6, qq))

    def settings(self, vectors: NDArray[np.float64]) -> dict[str, Any]:
        """Options of an .mdp file that say the same."""
        force, longer = self._force, self._table or self._force
        r_cut = float(plain(force.getCutoffDistance()))
        tail = longer.getUseLongRangeCorrection() if self._table else None
        if tail is None:
            tail = force.getUseDispersionCorrection()
        found: dict[str, Any] = {
            "rcoulomb": r_cut,
            "rvdw": r_cut,
            "coulomb-modifier": "None",
            "vdw-modifier": "None",
            "DispCorr": "AllEnerPres" if tail else "no",
            "comm-mode": "Linear" if self.motion else "None",
        }
        if tail:
            self.notes.append(
                "the long-range Lennard-Jones correction averages over all pairs that are not "
                "excluded, as in GROMACS; OpenMM also counts excluded pairs and self-pairs "
                "(a difference of 0.7 % for 2,000 atoms, less for more)"
            )
        if self.motion:
            found["nstcomm"] = self.motion
        if longer.getUseSwitchingFunction():
            found["vdw-modifier"] = "Potential-switch"
            found["rvdw-switch"] = float(plain(longer.getSwitchingDistance()))
        if _METHODS[force.getNonbondedMethod()] == "PME":
            return found | _mesh(force, r_cut, np.diag(vectors))
        if self._exceptions:
            self.notes.append(
                "the reaction field includes excluded pairs and self-terms, as in GROMACS; "
                "OpenMM omits both"
            )
        epsilon = float(force.getReactionFieldDielectric())
        return found | {"coulombtype": "Reaction-Field", "epsilon-rf": epsilon}


def _same_range(one: Any, other: Any) -> bool:
    return math.isclose(plain(one.getCutoffDistance()), plain(other.getCutoffDistance()))


def _mesh(force: Any, r_cut: float, edges: NDArray[np.float64]) -> dict[str, Any]:
    """Splitting and grid: given ones, or by OpenMM's rules for its tolerance."""
    alpha, *grid = (plain(value) for value in force.getPMEParameters())
    if not alpha:
        tolerance = float(force.getEwaldErrorTolerance())
        alpha = math.sqrt(-math.log(2.0 * tolerance)) / r_cut
        spacing = 1.5 * tolerance**0.2 / alpha
        grid = [_good(max(6, math.ceil(edge / spacing))) for edge in edges.tolist()]
    return {
        "coulombtype": "PME",
        "pme-order": _ORDER,
        "ewald-rtol": math.erfc(alpha * r_cut),
        **{f"fourier-n{axis}": int(size) for axis, size in zip("xyz", grid, strict=True)},
    }


def _good(least: int) -> int:
    """The next number that transforms of small primes reach: a factor of a power of 2 3 5 7."""
    return next(n for n in itertools.count(least) if pow(210, n.bit_length(), n) == 0)


NONBONDED_FORCES: dict[str, Callable[[Nonbond, Any], None]] = {
    "NonbondedForce": Nonbond.take,
    "CustomNonbondedForce": Nonbond.take_table,
}
