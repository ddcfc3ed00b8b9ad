# SPDX-License-Identifier: Apache-2.0
"""Non-bonded forces of OpenMM as types, charges, pairs and settings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.gromacs.conventions import Conventions
from aureole.gromacs.top.lennard_jones import LORENTZ_BERTHELOT, matrix
from aureole.system.flat_topology import names_of_types
from aureole.system.topology import Labels, Nonbonded

from .openmm_custom import other_energy
from .openmm_pair_table import table_of
from .openmm_terms import BOND, Conversion, check_known, title
from .units import plain

_METHODS = ("NoCutoff", "CutoffNonPeriodic", "CutoffPeriodic", "Ewald", "PME", "LJPME")

#: Order of the splines that OpenMM's meshes use.
_ORDER = 5


def check_method(force: Any) -> None:
    """Refuse a NonbondedForce without a cut-off and with other sums over the images."""
    method = _METHODS[force.getNonbondedMethod()]
    if method in ("CutoffPeriodic", "PME"):
        return
    vacuum = method in ("NoCutoff", "CutoffNonPeriodic")
    raise bad_input(
        f"NonbondedForce uses {method}",
        "systems in vacuum and implicit solvent are not supported"
        if vacuum
        else "only PME and CutoffPeriodic (a reaction field) are supported",
        f"Build the system{' in a box of solvent,' * vacuum} with nonbondedMethod=PME",
    )


class Nonbond:
    """The non-bonded forces of a system, taken together.

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
        _check_number(force, self._n)
        self._force = force

    def take_table(self, force: Any) -> None:
        """A CustomNonbondedForce, if it is the Lennard-Jones force of a force field."""
        if self._table is not None:
            raise other_energy(force, "only one Lennard-Jones force is supported")
        _check_number(force, self._n)
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
        fits = (rows[:, 1:] >= 0.0).all(axis=1)
        if not fits.all():
            i = int(fits.argmin())
            raise _negative(f"particle {i}", *rows[i, 1:].tolist())
        self._read_exceptions()
        if self._table is not None:
            table, types = table_of(self._table, names)
            self._check_table(rows)
            return table, types, rows[:, 0].copy()
        lj = rows[:, 1:].copy()
        lj[lj[:, 1] == 0.0] = 0.0  # without a depth the width does nothing
        kinds, first, type_ = np.unique(lj, axis=0, return_index=True, return_inverse=True)
        called = names_of_types(names[int(i)] for i in first)
        table = matrix(
            LORENTZ_BERTHELOT, dict(zip(called, map(tuple, kinds.tolist()), strict=True)), {}
        )
        types = type_.reshape(-1).astype(np.int32)
        return table, types, rows[:, 0].copy()

    def _read_exceptions(self) -> None:
        seen = set()
        for k in range(self._force.getNumExceptions()):
            i, j, *values = self._force.getExceptionParameters(k)
            if not (0 <= i < self._n and 0 <= j < self._n and i != j):
                check_known(f"exception {k} of NonbondedForce", (i, j), self._n)
            qq, sigma, epsilon = (float(plain(value)) for value in values)
            if not (sigma >= 0.0 and epsilon >= 0.0):
                raise _negative(f"exception {k}", sigma, epsilon)
            if (min(i, j), max(i, j)) in seen:
                raise bad_input(
                    f"exception {k} of NonbondedForce is of the particles {i} and {j}",
                    "another exception is of them too",
                    "Keep one of them; OpenMM refuses it as well",
                )
            seen.add((min(i, j), max(i, j)))
            self._exceptions.append((i, j, qq, sigma, epsilon))

    def _check_table(self, rows: NDArray[np.float64]) -> None:
        """Refuse a CustomNonbondedForce that does not fit the NonbondedForce."""
        force = self._table
        if force.getNonbondedMethod() != force.CutoffPeriodic:
            raise bad_input(
                f"{title(force)} has no periodic cut-off",
                "the box is periodic",
                "Build the system with nonbondedMethod=PME",
            )
        pairs = [force.getExclusionParticles(k) for k in range(force.getNumExclusions())]
        for k, pair in enumerate(pairs):
            check_known(f"exclusion {k} of {title(force)}", pair, self._n)
        if set(map(frozenset, pairs)) != {frozenset(one[:2]) for one in self._exceptions}:
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

    def pairs(self, to: Conversion) -> None:
        """Exceptions: each excludes, and those with an energy are pairs of their own."""
        method = _METHODS[self._force.getNonbondedMethod()]
        charge = to.sheet.atoms.charge
        terms = to.terms(
            "exception {} of NonbondedForce",
            BOND,
            bool(self._force.getExceptionsUsePeriodicBoundaryConditions()),
            "force.setExceptionsUsePeriodicBoundaryConditions(True)",
        )
        for k, (i, j, qq, sigma, epsilon) in enumerate(self._exceptions):
            to.sheet.excluded.append((i, j))
            c6 = 4.0 * epsilon * sigma**6
            if qq or c6:
                to.sheet.add("pair", (i, j), (c6, c6 * sigma**6, qq))
            # What the mesh adds to an excluded pair is taken off at their distance.
            if qq or c6 or (method == "PME" and charge[i] and charge[j]):
                terms.add(k, (i, j))

    def conventions(self, options: Mapping[str, Any]) -> Conventions:
        """Conventions of OpenMM that differ from GROMACS, unless the user's options decide."""
        field = _METHODS[self._force.getNonbondedMethod()] == "CutoffPeriodic"
        return Conventions(
            field_of_excluded=not field or "coulombtype" in options,
            tail_of_all="DispCorr" not in options,
            both_signs="coulombtype" not in options,
            constant_terms=True,
        )

    def settings(self, vectors: NDArray[np.float64]) -> dict[str, Any]:
        """Options of an .mdp file for these forces."""
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
        if self.motion:
            found["nstcomm"] = self.motion
        if longer.getUseSwitchingFunction():
            found["vdw-modifier"] = "Potential-switch"
            found["rvdw-switch"] = float(plain(longer.getSwitchingDistance()))
        if _METHODS[force.getNonbondedMethod()] == "PME":
            return found | _mesh(force, r_cut, np.diag(vectors))
        epsilon = float(force.getReactionFieldDielectric())
        if epsilon == 0.0:
            raise bad_input(
                "NonbondedForce has the reaction-field dielectric 0",
                "0 stands for an infinite one here",
                "Give a positive number, for example 78.3",
            )
        return found | {"coulombtype": "Reaction-Field", "epsilon-rf": epsilon}


def _check_number(force: Any, n: int) -> None:
    if force.getNumParticles() != n:
        raise bad_input(
            f"{title(force)} has {force.getNumParticles()} particles",
            f"the system has {n}",
            "Add the missing ones; OpenMM refuses it as well",
        )


def _negative(what: str, sigma: float, epsilon: float) -> Exception:
    return bad_input(
        f"{what} of NonbondedForce has sigma {sigma:g} nm and epsilon {epsilon:g} kJ/mol",
        "neither may be negative",
        "Correct it; OpenMM refuses it as well",
    )


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
