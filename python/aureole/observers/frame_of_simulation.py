# SPDX-License-Identifier: Apache-2.0
"""Frames of a simulation for files of other programs: units, origin, whole molecules, names.

The engine's box is centred on the origin; files have the origin at a corner.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.engine.observed import Observed
from aureole.formats import Frame, Names
from aureole.formats.box_vectors import from_box
from aureole.system.box import Box
from aureole.system.topology import Labels
from aureole.system.whole_molecules import Whole, in_box

Columns = dict[str, NDArray[np.float64]]


def check_topology(sim: Observed, state: dict[str, Any] | None, path: str) -> None:
    """Refuse to continue the file of a simulation of molecules without their topology."""
    if state and state.get("molecular") and sim.topology is None:
        raise bad_input(
            f"{path} cannot be continued",
            "the restarted simulation has no topology, so its molecules are unknown",
            "Set sim.topology, read from the files that the run started with",
        )


def whole_of(sim: Observed, wanted: bool) -> Whole | None:
    """Makes molecules whole; None without molecules, or if they are bonded to their images."""
    topology = sim.topology
    found = wanted and topology is not None and not sim.periodic_molecules
    return Whole(topology) if found else None  # type: ignore[arg-type]


def names_of(sim: Observed) -> Names:
    """Names of particles and residues from the topology, or from the types where there is none."""
    topology = sim.topology
    if topology is not None:
        atoms = topology.expand_atoms()
        title = " ".join(topology.title.split()) or "molecules"
        return Names(title, atoms.residue, atoms.residue_name, atoms.name)
    one = Labels(("PAR",), np.zeros(sim.n, np.int32))
    kinds = Labels(tuple(sim.type_names), np.asarray(sim.get("type"), np.int32))
    return Names("particles", np.arange(1, sim.n + 1, dtype=np.int32), one, kinds)


def frame_of(
    step: int,
    time: float,
    box: Box,
    columns: Columns,
    *,
    whole: Whole | None = None,
    tags: NDArray[np.int64] | None = None,
    number: int = 0,
) -> Frame:
    """A frame from columns in the order of tags.

    Args:
        step, time: of the frame
        box: at that step
        columns: the wanted ones of "position", "velocity" and "force"
        whole: makes molecules whole; None leaves particles in the box
        tags: the particles that are kept; None for all
        number: of the frame within its file
    """
    kept = dict(columns)
    position = kept.pop("position", None)
    if position is not None:
        placed = in_box(box, position) if whole is None else whole.place(box, position)
        kept["position"] = placed + box.origin
    if tags is not None:
        kept = {name: column[tags] for name, column in kept.items()}
    held: dict[str, Any] = {"position": None, **kept}
    return Frame(step=step, time=time, box=from_box(box), number=number, **held)
