# SPDX-License-Identifier: Apache-2.0
"""Arguments of `Simulation`, checked before anything is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np

from aureole.base.errors import bad_input
from aureole.base.unit_advice import split, written
from aureole.base.units import Measured, Units, check
from aureole.base.user_warnings import warn
from aureole.engine.model import FORCE_KINDS
from aureole.live.arguments import check_items, check_list, not_a_spec
from aureole.live.observer import Observer
from aureole.specs.barostats import Barostat
from aureole.specs.bonded import BondedTerm
from aureole.specs.constraints import Constraints, Freeze
from aureole.specs.device import Device
from aureole.specs.electric_field import ElectricField
from aureole.specs.electrostatics import Electrostatics
from aureole.specs.external import External, Stage
from aureole.specs.integrators import Integrator
from aureole.specs.pair import PairPotential
from aureole.specs.thermostats import Thermostat
from aureole.system.box import Box
from aureole.system.system import System
from aureole.system.tuples import SIZES

from .start_temperature import check_temperature

#: Steps [ps] from which on a warning asks for the unit: beads of ten atoms take 0.04 at most.
_LONG_STEP = 0.1
_FEMTOSECONDS = 100.0  # numbers up to this may be such
SUCH_AS = "au.LennardJones(...) and au.NVE(...)"
_FORCES = (PairPotential, Electrostatics, BondedTerm, ElectricField, External)


class StartArguments(TypedDict, total=False):
    """Arguments of `Simulation` for functions that make a simulation from other objects."""

    device: str | Device
    precision: str | None
    threads: int | None
    observers: Sequence[Observer]


def check_stages(stages: Any) -> None:
    """Refuse what is no list of stages."""
    check_list("stages", stages)
    if any(isinstance(one, Freeze | Constraints) for one in stages):
        raise bad_input(
            f"stages holds {stages!r}",
            "what keeps particles in place is no stage",
            "Give it as constraints=[...]",
        )
    why = "only stages belong there"
    example = "Use for example au.LinearDrag(gamma=0.1)"
    check_items("stages", stages, Stage, example, SUCH_AS, why)


def check_parts(system: Any, forces: Any, constraints: Any) -> None:
    """Refuse arguments of a simulation that are of the wrong kind."""
    if not isinstance(system, System):
        raise bad_input(
            f"system is {type(system).__name__}",
            "it must be a System",
            "Use au.build.lattice(...), au.read(...) or au.System(...)",
        )
    check_list("forces", forces)
    check_list("constraints", constraints)
    check_items("forces", forces, _FORCES, FORCE_KINDS, SUCH_AS)
    example = 'Use for example au.LINCS() or au.Freeze(group="wall")'
    check_items("constraints", constraints, (Constraints, Freeze), example, SUCH_AS)
    _warn_of_bare_fene(system, forces)
    _warn_of_particles_outside(system)
    _warn_of_repeated_tuples(system)


def _warn_of_bare_fene(system: System, forces: Sequence[Any]) -> None:
    """Warn of FENE bonds without the pair potential that repels their ends."""
    kinds = {force.kind for force in forces if isinstance(force, BondedTerm)}
    excluded = system.exclusions is None and system.topology is None
    repels = any(isinstance(force, PairPotential) for force in forces)
    if excluded and repels and "fene_bond" in kinds and "pair" not in kinds:
        warn(
            "FeneBond attracts only, and bonded particles are excluded from pair potentials by "
            "default: the bonds will collapse. Give System(..., exclusions=[]), so that for "
            "example WCA acts between them too",
        )


def _warn_of_repeated_tuples(system: System) -> None:
    """Warn of bonds that are listed twice: their energy counts twice, as in other programs."""
    for field in SIZES:
        for name, tags in getattr(system, field).items():
            turned = tags[:, 0] > tags[:, -1]
            ordered = np.where(turned[:, None], tags[:, ::-1], tags)
            first = np.unique(ordered, axis=0, return_index=True)[1]
            if len(first) < len(tags):
                again = np.setdiff1d(np.arange(len(tags)), first)
                joined = ", ".join(map(str, tags[again[0]].tolist()))
                warn(
                    f"{field} {name!r} of the system list {len(again)} of {len(tags)} twice, first "
                    f"that of particles {joined}: its energy counts twice",
                )


def _warn_of_particles_outside(system: System) -> None:
    """Warn of particles outside of open axes: at a start they mostly have another origin."""
    if all(system.box.periodic):
        return
    outside = np.abs(system.box.fractions(system.position) - 0.5) > 0.5
    outside[:, np.array(system.box.periodic)] = False
    if outside.any():
        axes = " and ".join("xyz"[axis] for axis in np.flatnonzero(outside.any(axis=0)))
        warn(
            f"{outside.any(axis=1).sum()} of {system.n} particles lie outside the box along "
            f"{axes}, where it is not periodic. That is allowed; boxes are centred on the origin",
        )


def check_integrator(integrator: Any, box: Box, units: Units) -> None:
    """Refuse what is no integrator, a barostat of a box that is not periodic, and other units."""
    if not isinstance(integrator, Integrator):
        remedy = "Use for example au.NVE(dt=0.005)"
        if units.physical:
            remedy = 'Use for example au.StochasticDynamics(dt="2 fs", T="300 K", tau="1 ps")'
        if isinstance(integrator, Thermostat | Barostat):
            role = "thermostat" if isinstance(integrator, Thermostat) else "barostat"
            dt = '"2 fs"' if units.physical else "0.005"
            remedy = f"Couple an integrator, as in au.LeapFrog(dt={dt}, {role}={integrator!r})"
        raise bad_input(f"integrator is {integrator!r}", not_a_spec(integrator, SUCH_AS), remedy)
    if getattr(integrator, "barostat", None) is not None and not all(box.periodic):
        raise bad_input(
            "a barostat needs a box that is periodic along all axes",
            "the pressure is undefined otherwise",
            "Remove the barostat, or make the box periodic",
        )
    check(integrator, units)
    check_temperature(integrator, units)
    _warn_of_long_steps(integrator.dt, units)


def _warn_of_long_steps(dt: float, units: Units) -> None:
    """Warn of time steps with which molecules blow up at once: the unit is probably another."""
    if not units.physical or dt < _LONG_STEP:
        return
    given, number = f"{written(dt)} ps", float(dt)
    if isinstance(dt, Measured):
        given, number = f"{dt.text!r}, {given}", split(dt.text)[0] or 0.0
    meant = written(number, "fs") if number <= _FEMTOSECONDS else "2 fs"
    warn(f'dt is {given}; did you mean "{meant}"?')
