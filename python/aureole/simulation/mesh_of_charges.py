# SPDX-License-Identifier: Apache-2.0
"""The mesh of charges: found for an accuracy, and a warning where its forces err by much."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aureole.base.user_warnings import warn
from aureole.engine.mesh import good_spacing, mesh_of
from aureole.engine.mesh_accuracy import accurate
from aureole.engine.model import Model
from aureole.specs.electrostatics import PME


class CoarseMesh(UserWarning):
    """The mesh of PME is too coarse for its forces to mean much."""


#: Rounding of forces in mixed precision, in the measure of PME's accuracy. Measured: 0.8e-6 to
#: 1.0e-6 for 216 charges of ±1 in a box of 12 units of length.
ROUNDING = 1e-6


def with_mesh(model: Model, precision: str) -> Model:
    """The model with the mesh that is found where forces ask for an accuracy; warns of an accuracy
    that the rounding of mixed precision hides.
    """
    pme, topology = model.electrostatics, model.topology
    if not isinstance(pme, PME) or not all(model.system.box.periodic):
        return model
    coulomb = 0.0 if topology is None else topology.coulomb
    if pme.accuracy is not None and pme.accuracy < 2 * ROUNDING and precision != "double":
        words = (
            f"PME is asked for an accuracy of {pme.accuracy:g}, and mixed precision rounds forces "
            f'by about {ROUNDING:g}. Use precision="double", or allow a larger error'
        )
        warn(words)
    found = accurate(pme, model.system.box, model.system.charge, coulomb, model.units)
    return replace(model, forces=tuple(found if one is pme else one for one in model.forces))


def warn_of_coarse_mesh(model: Model) -> None:
    """Warn of a model whose forces include a mesh that is too coarse."""
    pme, charge, topology = model.electrostatics, model.system.charge, model.topology
    if not isinstance(pme, PME) or not charge.any() or not all(model.system.box.periodic):
        return
    if pme.accuracy is not None:
        return  # it is as coarse as was asked for
    assert topology is not None, "where charges act there is one"
    squares, n = float(charge @ charge), int(np.count_nonzero(charge))
    system = model.system.box, squares, n, topology.coulomb
    found = mesh_of(pme, *system)
    if found is None or not found.coarse:
        return
    nm, force = (" nm", " kJ/mol/nm") if model.units.physical else ("", "")
    words = found.words(nm, force)
    better = good_spacing(pme, *system)
    what = "leave grid out, and give" if pme.grid else "give"
    warn(f"{words}. For small errors {what} spacing={better:g}", CoarseMesh)
