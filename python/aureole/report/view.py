# SPDX-License-Identifier: Apache-2.0
"""The turnable picture of a system or a simulation, as a widget of notebooks."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from aureole.base.errors import bad_input
from aureole.engine.observed import Observed
from aureole.formats.coordinates import Coordinates
from aureole.system.bonded_pairs import bonded_pairs
from aureole.system.coarse_grained import bead_diameters, is_coarse_grained
from aureole.system.system import System
from aureole.system.topology import Topology

from . import coarse, radii
from .bead_picture import picture
from .frames import Frame
from .scene import scene
from .web_files import web

_SCRIPTS = ("values.js", "viewer.js", "painter.js", "turning.js", "widget.js")


def view(of: System | Observed) -> Any:
    """The particles as a picture that turns, in a notebook.

    Drag to turn it, use the wheel to zoom, Shift to move. Atoms of molecules have the colours and
    van der Waals radii of their elements, which are guessed from names. Beads of coarse-grained
    molecules have a colour for each name, the bonds of the topology and the diameter sigma. Other
    particles have a colour for each type, and in reduced units the diameter 1.

    Args:
        of: a `System` or a `Simulation`

    ``update(of)`` of the result shows other particles in it, so that
    ``sim.observers.append(au.Callback(view.update, every=100))`` shows a run. Raises InputError
    without anywidget, which ``pip install "aureole[notebook]"`` brings.
    """
    return _widget_class()(scene=scene_of(of))


def scene_of(of: System | Observed) -> dict[str, Any]:
    """The data of the picture."""
    system = of if isinstance(of, System) else _snapshot(of)
    frame = Frame(system.box, system.position)
    periodic = any(system.box.periodic)
    if system.topology is None:
        pairs = np.concatenate([*system.bonds.values(), np.empty((0, 2), int)])
        kinds = system.type, system.type_names
        diameter = np.full(len(system.type_names), 1.0 if system.units == "reduced" else 0.34)
        return picture(frame, *kinds, pairs.astype(np.int64), diameter, periodic)
    atoms = system.topology.expand_atoms()
    names = Coordinates("", atoms.residue, atoms.residue_name, atoms.name, system.position)
    if is_coarse_grained(system.topology) or coarse.are_beads(names, frame):
        return _beads(system.topology, names, frame, periodic)
    return scene(names, frame, periodic)


def _beads(topology: Topology, names: Coordinates, frame: Frame, periodic: bool) -> dict[str, Any]:
    """The picture of coarse-grained molecules, with the bonds and sizes of their topology."""
    sizes = [
        np.tile(bead_diameters(molecule, topology.nonbonded), count)
        for molecule, count in topology.blocks
    ]
    found = coarse.of_molecules(names, frame, bonded_pairs(topology), np.concatenate(sizes))
    diameter, _ = radii.diameters(found, {}, [], [])
    assert found.molecules is not None, "they are beads of molecules"
    kinds = found.type, found.type_names
    return picture(frame, *kinds, found.bonds, diameter, periodic, found.molecules.water)


def _snapshot(of: Any) -> System:
    if not isinstance(of, Observed):
        raise bad_input(f"view got {of!r}", "it has no particles", "Give a System or a Simulation")
    return of.snapshot()


@cache
def _widget_class() -> Any:
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise bad_input(
            "a view needs the package anywidget",
            f"it does not load: {error}",
            'Install it with `pip install "aureole[notebook]"`',
        ) from None

    class View(anywidget.AnyWidget):  # type: ignore[misc]
        """A picture in the output of a cell."""

        _esm = "\n".join(map(web, _SCRIPTS))
        _css = "\n".join(map(web, ("viewer.css", "widget.css")))
        scene = traitlets.Dict().tag(sync=True)

        def __repr__(self) -> str:
            return f"View({self.scene['n']} particles)"

        def update(self, of: System | Observed) -> None:
            """Show these particles in the picture, from the present direction of view."""
            self.scene = scene_of(of)

    return View
