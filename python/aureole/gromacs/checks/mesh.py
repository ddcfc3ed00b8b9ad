# SPDX-License-Identifier: Apache-2.0
"""The check of the mesh of PME, by the errors that its forces are expected to have."""

from __future__ import annotations

from typing import Any

import numpy as np

from aureole.base.errors import InputError
from aureole.engine.mesh import good_spacing, mesh_of
from aureole.formats.box_vectors import to_box
from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import rules_when
from aureole.specs.electrostatics import PME

from .checked_job import Case


def _coarse(p: RunParameters, case: Case, given: bool) -> dict[str, Any]:
    """The words on a coarse mesh, whose points are `given` or follow from a spacing."""
    box = case.frame.box
    if p["coulombtype"] != "PME" or box is None or not all(p.periodic) or given != all(p.grid):
        return {}
    charges = [(one.atoms.charge, count) for one, count in case.system.blocks]
    squares = sum(count * float(q @ q) for q, count in charges)
    n = sum(count * int(np.count_nonzero(q)) for q, count in charges)
    try:
        pme = PME(
            r_cut=p["rcoulomb"],
            spacing=p["fourierspacing"],
            grid=p.grid,
            order=p["pme-order"],
            tolerance=p["ewald-rtol"],
            epsilon_r=p["epsilon-r"],
        )
        system = to_box(box), squares, n, case.system.coulomb
        found = mesh_of(pme, *system)
    except InputError:  # other checks say why
        return {}
    if found is None or not found.coarse:
        return {}
    words = found.words(" nm", " kJ/mol/nm")
    return {"words": words, "better": good_spacing(pme, *system)}


rules_when(
    {
        "A312": (
            lambda p, case: _coarse(p, case, False),
            lambda p, case: _coarse(p, case, True),
        )
    }
)
