# SPDX-License-Identifier: Apache-2.0
"""Checks of run parameters, by themselves and for a system: notes, warnings and errors.

Each check is one small function in the files beside this one; `notes.table` explains them all.
"""

from __future__ import annotations

from typing import Any

from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import ACTIONS, RULES, Note

from . import ensembles, forces, listed_twice, mesh, steps_and_output, system
from . import groups as of_groups
from .checked_job import Case

CHECKS = (steps_and_output, forces, ensembles, of_groups, system, listed_twice, mesh)

__all__ = ["CHECKS", "Case", "Note", "check"]


def check(parameters: RunParameters, *known: Any, **named: Any) -> list[Note]:
    """Notes about run parameters, in the order of the numbers of the checks.

    Args:
        parameters: as `read_mdp` gives them; their own `notes` are not repeated
        known, named: what else is known, as for `Case`

    Checks whose input is not given are skipped.
    """
    case = Case(parameters, *known, **named)
    found = []
    for number, action in sorted(ACTIONS.items()):
        known = RULES[number]
        if known.reading or any(getattr(case, name) is None for name in known.needs):
            continue
        for finding in action(parameters, case) if known.needs else action(parameters):
            where = parameters.where(finding.key) if finding.key else ""
            found.append(Note(finding.severity, number, finding.text, where))
    return found
