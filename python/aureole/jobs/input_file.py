# SPDX-License-Identifier: Apache-2.0
"""Input files: the specs written as TOML, with the same names and the same errors."""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aureole.base.errors import Error, bad_input, file_error, unreadable
from aureole.base.files import open_regular
from aureole.base.values import check_keys, integer, number
from aureole.build import particles as build
from aureole.formats import system_files
from aureole.observers.kinds import KINDS, is_data
from aureole.simulation.simulation import Simulation
from aureole.specs.device import Device
from aureole.specs.kinds import from_dict
from aureole.specs.minimizers import FIRE
from aureole.specs.neighbor_list import NeighborList
from aureole.specs.spec import Spec, spec
from aureole.system.system import System

MOST_BYTES = 16 * 2**20

KEYS = {
    "steps": "number of steps",
    "seed": "seed of all random numbers, default 0",
    "thermalize": 'kT of initial random velocities, a number or text such as "300 K"',
    "system": "table: kind lattice, random, read or saved",
    "forces": "list of tables: kind and parameters of each force",
    "integrator": "table: kind NVE, Langevin, LeapFrog, ..., optional thermostat and barostat",
    "constraints": "list of tables: kind LINCS, SHAKE or Freeze",
    "stages": "list of tables: kind LinearDrag, SteadyMotion, ...",
    "observers": "list of tables: kind Trajectory, Log, Checkpoint or Progress",
    "minimize": "table: settings of FIRE, or of kind SteepestDescent; minimises before the run",
    "neighbors": "table: how long a pair list lasts",
    "device": "name, or table with name, precision, threads",
}


@spec
class _Source(Spec):
    def make(self) -> System:
        """The system."""
        raise NotImplementedError


@spec
class lattice(_Source, family="system"):
    """See `build.lattice`; `lattice` is the lattice type, `composition` fractions of types."""

    n: int
    density: float
    lattice: str = "fcc"
    mass: float = 1.0
    composition: Mapping[str, float] | None = None
    seed: int = 0

    def make(self) -> System:
        mix = build.mixture(self.n, self.composition, seed=self.seed) if self.composition else {}
        return build.lattice(self.lattice, n=self.n, density=self.density, mass=self.mass, **mix)


@spec
class random(_Source, family="system"):
    """See `build.random`; `composition` gives the fractions of the types, `periodic` the axes."""

    n: int
    density: float | None = None
    min_distance: float = 0.8
    box: Any = None
    periodic: Any = True
    mass: float = 1.0
    composition: Mapping[str, float] | None = None
    seed: int = 0

    def make(self) -> System:
        mix = build.mixture(self.n, self.composition, seed=self.seed) if self.composition else {}
        made = build.random(
            self.n,
            self.density,
            min_distance=self.min_distance,
            box=self.box,
            seed=self.seed,
            mass=self.mass,
            **mix,
        )
        return made.replace(box=dataclasses.replace(made.box, periodic=self.periodic))


@spec
class read(_Source, family="system"):
    """See `read`: one frame of a GSD file."""

    path: str
    frame: int = -1

    def make(self) -> System:
        return system_files.read(_name(self.path), integer(self.frame, "frame"))


@spec
class saved(_Source, family="system"):
    """See `System.load`: a complete system, with molecules, from a .npz file."""

    path: str

    def make(self) -> System:
        return System.load(_name(self.path))


def _name(path: Any) -> str:
    if not isinstance(path, str):
        raise bad_input(f"path is {path!r}", "it must be a file name", "Give a name")
    return path


@dataclass
class Plan:
    """The plan of an input file: a simulation (made by `simulation`) and its steps."""

    path: str
    system: Spec
    steps: int
    settings: dict[str, Any]
    thermalize: float | str | None = None
    minimize: Any = None
    observers: list[Any] = field(default_factory=list)
    given: Mapping[str, Any] = field(default_factory=dict)

    @property
    def checkpoint(self) -> str | None:
        """The path of the checkpoint, if the run writes one."""
        paths = [spec.path for spec in self.observers if spec.holds == "checkpoint"]
        return paths[0] if paths else None

    def simulation(self, device: Device | None = None) -> Simulation:
        """Make the simulation: read or build its particles, minimise, draw velocities."""
        settings = self.settings if device is None else self.settings | {"device": device}
        system = self.system.make()  # type: ignore[attr-defined]
        sim = Simulation(system, observers=self.observers, **settings)
        if self.minimize is not None:
            sim.minimize(self.minimize)
        if self.thermalize is not None:
            sim.thermalize(self.thermalize)
        return sim


def load(path: str | os.PathLike[str]) -> Plan:
    """Read and check an input file. Raises FileError or InputError, with its name."""
    name = os.fspath(path)
    try:
        with open_regular(name) as file:
            if os.fstat(file.fileno()).st_size > MOST_BYTES:
                raise file_error(
                    name,
                    f"is larger than {MOST_BYTES >> 20} MiB",
                    "no input file needs that",
                    "Put particles into a GSD file",
                )
            data = tomllib.load(file)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise file_error(name, "is not valid TOML", error, "Correct it there") from None
    except OSError as error:
        if isinstance(error, Error):
            raise
        raise unreadable(name, error) from None
    try:
        return plan(data, name)
    except Error as error:
        raise type(error)(f"{name}: {error}") from None
    except RecursionError:
        raise file_error(name, "is nested too deeply", "tables in tables", "Flatten it") from None


def plan(data: Mapping[str, Any], name: str = "input") -> Plan:
    """Check the dictionary form of an input file."""
    check_keys(data, list(KEYS), "the input file")
    for key in ("system", "steps", "integrator"):
        if key not in data:
            raise bad_input(f"the input has no {key!r}", f"it is the {KEYS[key]}", f"Add {key}")
    settings: dict[str, Any] = {
        "forces": _specs(data, "forces"),
        "integrator": from_dict("integrator", data["integrator"], "integrator"),
        "seed": integer(data.get("seed", 0), "seed", low=0),
        "device": _device(data.get("device", "auto")),
        "constraints": _specs(data, "constraints"),
        "stages": _specs(data, "stages"),
        "neighbors": _of_kind("list", NeighborList, data.get("neighbors", {}), "neighbors"),
    }
    observers = _specs(data, "observers")
    relax = data.get("minimize")
    return Plan(
        path=name,
        system=from_dict("system", data["system"], "system"),
        steps=integer(data["steps"], "steps", low=0),
        settings=settings,
        thermalize=_kT(data.get("thermalize")),
        minimize=None if relax is None else _of_kind("minimizer", FIRE, relax, "minimize"),
        observers=observers,
        given=data,
    )


def _kT(value: Any) -> float | str | None:
    """kT, or text with a unit, which the simulation reads."""
    if value is None or isinstance(value, str):
        return value
    return number(value, "thermalize", low=0.0)


def _specs(data: Mapping[str, Any], key: str) -> list[Any]:
    """The list of specs under a key, whose family is its singular."""
    value = data.get(key, [])
    if not isinstance(value, list):
        raise bad_input(f"{key} is not a list", "there may be several", f"Write [[{key}]]")
    for k, item in enumerate(value):
        kind = item.get("kind") if isinstance(item, Mapping) else None
        if not is_data(kind):
            raise bad_input(
                f"{key}[{k}] is a {kind}", "a file cannot hold a function", "Use a Python script"
            )
    return [from_dict(key[:-1], item, f"{key}[{k}]") for k, item in enumerate(value)]


def _of_kind(family: str, cls: type[Spec], data: Any, where: str) -> Any:
    """A spec of the only class of its family; `kind` may be left out."""
    if isinstance(data, Mapping):
        data = {"kind": cls.__name__} | dict(data)
    return from_dict(family, data, where)


def _device(value: Any) -> Device:
    if isinstance(value, str):
        return Device(name=value)
    return _of_kind("device", Device, value, "device")


__all__ = ["KEYS", "KINDS", "Plan", "load", "plan"]
