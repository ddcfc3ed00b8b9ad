# SPDX-License-Identifier: Apache-2.0
"""The end of a minimisation: its energy and largest force, which no mean tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .energies import Energies
from .facts import Figure, Rows, duration_words
from .files import RunFiles, number_of, section
from .numerals import short

FORCE = "max_force"
_ATOM = "particle"
_TOLERANCE = "emtol"


@dataclass(frozen=True)
class Minimum:
    """The end of a minimisation; None and "" for what no file tells.

    Args:
        potential: of the last frame [kJ/mol]
        force: largest force of the last frame [kJ/mol/nm]
        atom: the particle with this force, counted from 1
        steps: number of steps made
        converged: whether no force exceeds the tolerance
        ended: why it ended, such as "ended at its limit of 300 steps"
        tolerance: of forces [kJ/mol/nm]
        seconds: wall time [s]
    """

    potential: float | None
    force: float | None
    atom: int | None
    steps: int | None
    converged: bool | None
    ended: str
    tolerance: float | None
    seconds: float | None

    @property
    def verdict(self) -> str:
        """Whether the minimisation converged, in a sentence."""
        limit = "" if self.tolerance is None else f" {self.tolerance:g} kJ/mol/nm ({_TOLERANCE})"
        if self.converged is None:
            return "not told by the files"
        if self.converged:
            return f"yes: no force exceeds{limit}" if limit else "yes"
        ended = f": it {self.ended}" if self.ended else ""
        return f"no{ended}, with forces above{limit}" if limit else f"no{ended}"


def of_run(summary: dict[str, Any], energies: Energies | None) -> Minimum | None:
    """The end of a minimisation; None for other runs.

    A run without a summary is one if its table has a column of largest forces.
    """
    told = section(summary, "minimum")
    columns = {} if energies is None else energies.columns
    if not told and not (FORCE in columns and "kinetic" not in columns):
        return None
    last = {name: _last(columns.get(name)) for name in ("potential", FORCE, _ATOM, "step")}
    potential, force = number_of(told.get("energy")), number_of(told.get("max_force"))
    steps, atom = number_of(told.get("steps")), last[_ATOM]
    steps = last["step"] if steps is None else steps
    converged, reason, stopped = told.get("converged"), told.get("reason"), summary.get("stopped")
    ended = f"ended at {reason}" if isinstance(reason, str) and reason else ""
    return Minimum(
        last["potential"] if potential is None else potential,
        last[FORCE] if force is None else force,
        None if atom is None else int(atom),
        None if steps is None else int(steps),
        converged if isinstance(converged, bool) else None,
        f"was stopped by {stopped}" if isinstance(stopped, str) else ended,
        number_of(section(summary, "settings").get(_TOLERANCE)),
        number_of(summary.get("seconds")),
    )


def _last(column: Any) -> float | None:
    finite = column is not None and len(column) and np.isfinite(column[-1])
    return float(column[-1]) if finite else None


def untimed(energies: Energies) -> Energies:
    """The table without times: those of .edr files of minimisations are steps."""
    columns = {name: values for name, values in energies.columns.items() if name != "time"}
    return Energies(columns, energies.units, energies.unit_of_time)


def figures(of: Minimum, particles: int | None) -> list[Figure]:
    """The numbers of the head."""
    found = [
        Figure("Particles", "" if particles is None else f"{particles:,}"),
        Figure("Steps", "" if of.steps is None else f"{of.steps:,}"),
        Figure("Potential energy", _number(of.potential, 8), "", "kJ/mol"),
        Figure("Largest force", _number(of.force, 4), "", "kJ/mol/nm"),
        Figure("Converged", {True: "yes", False: "no", None: ""}[of.converged]),
    ]
    return [one for one in found if one.value]


def rows(of: Minimum, run: RunFiles) -> Rows:
    """The end of a minimisation in words, with the reason."""
    atom = "" if of.atom is None else f" on particle {of.atom:,}"
    version, error = run.summary.get("version"), run.summary.get("error")
    told = [
        ("Ended by an error", error if isinstance(error, str) else ""),
        ("Minimisation", "steepest descent" if _is_steep(run) else ""),
        ("Converged", of.verdict),
        ("Steps", "" if of.steps is None else f"{of.steps:,}"),
        ("Final potential energy", _number(of.potential, 8, " kJ/mol")),
        ("Largest force", _number(of.force, 4, f" kJ/mol/nm{atom}")),
        ("Wall time", "" if of.seconds is None else duration_words(of.seconds)),
        ("Aureole", version if isinstance(version, str) else ""),
    ]
    return [row for row in told if row[1]]


def _is_steep(run: RunFiles) -> bool:
    return section(run.summary, "settings").get("integrator") == "steep"


def _number(value: float | None, digits: int, unit: str = "") -> str:
    return "" if value is None else f"{short(value, digits)}{unit}"
