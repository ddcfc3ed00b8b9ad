# SPDX-License-Identifier: Apache-2.0
"""Random jobs of the Python door: Lennard-Jones particles with any integrator and list."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
from aureole.base.errors import InputError
from aureole.specs.kinds import from_dict
from built import Refused, Vectors

PROGRAM = '''\
"""Runs the job of recipe.json beside it; PYTHONPATH must name the folder tests/random_jobs."""
from pathlib import Path

from particles import Particles, ParticleRecipe

job = Particles(ParticleRecipe.of(Path("recipe.json").read_text()), Path("."))
with job.simulation() as sim:
    sim.run(job.recipe.steps)
    print(sim.energy, sim.temperature, sim.pressure)
'''


@dataclass(frozen=True)
class ParticleRecipe:
    """A job of particles.

    Args:
        seed: of places, velocities, and of what the properties choose
        n: number of particles
        density: particles per volume
        tilts: xy, xz and yz of the box
        periodic: which axes repeat
        types: shares of the types
        forces: specs as dictionaries
        integrator: likewise
        neighbors: likewise, or empty for the default
        descent: steps of FIRE before the run
        precision, algorithm, threads: of the engine
        steps: length of the run
        stop: the step at which it is interrupted, for the restart
        every: steps between what is written
    """

    seed: int
    n: int
    density: float
    tilts: tuple[float, float, float] = (0.0, 0.0, 0.0)
    periodic: tuple[bool, bool, bool] = (True, True, True)
    types: Mapping[str, float] = field(default_factory=lambda: {"A": 1.0})
    forces: Sequence[Mapping[str, Any]] = ()
    integrator: Mapping[str, Any] = field(default_factory=lambda: {"kind": "NVE", "dt": 0.002})
    neighbors: Mapping[str, Any] = field(default_factory=dict)
    descent: int = 0
    precision: str = "double"
    algorithm: str = "clusters"
    threads: int = 1
    steps: int = 40
    stop: int = 13
    every: int = 7

    def text(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def of(cls, text: str) -> ParticleRecipe:
        """From the JSON that `text` made."""
        data = json.loads(text)
        data["tilts"], data["periodic"] = tuple(data["tilts"]), tuple(data["periodic"])
        return cls(**data)


def particle_recipe_of(seed: int) -> ParticleRecipe:
    """The job of a seed."""
    draw = random.Random(seed)
    n = draw.randint(30, 300)
    density = draw.uniform(0.2, 0.85)
    names = "ABC"[: draw.choices((1, 2, 3), (50, 35, 15))[0]]
    tilted = draw.random() < 0.25
    tilts = tuple(round(draw.uniform(-0.4, 0.4), 3) if tilted else 0.0 for _ in range(3))
    periodic = (True, True, True) if draw.random() < 0.85 else (True, True, False)
    half = 0.5 * float(_box(n, density, tilts, periodic).widths.min())
    steps = draw.randint(20, 80)
    return ParticleRecipe(
        seed,
        n,
        density,
        tilts,
        periodic,
        {name: draw.choice((1.0, 2.0)) for name in names},
        _forces(draw, names, min(half * 0.97, 2.5)),
        _integrator(draw, names),
        _neighbors(draw),
        descent=draw.randint(1, 40) if draw.random() < 0.3 else 0,
        precision=draw.choice(("double", "mixed")),
        algorithm=draw.choices(("clusters", "flat"), (65, 35))[0],
        threads=draw.choices((1, 2, 3), (60, 25, 15))[0],
        steps=steps,
        stop=draw.randint(0, steps),
        every=draw.randint(1, 12),
    )


def _forces(draw: random.Random, names: str, longest: float) -> list[dict[str, Any]]:
    def table(low: float, high: float) -> Any:
        if len(names) == 1 or draw.random() < 0.3:
            return round(draw.uniform(low, high), 4)
        pairs = [f"{a},{b}" for k, a in enumerate(names) for b in names[k:]]
        return {pair: round(draw.uniform(low, high), 4) for pair in pairs}

    found: list[dict[str, Any]] = []
    mode = draw.choices(("none", "shift", "xplor", "force-shift"), (30, 25, 25, 20))[0]
    r_cut = round(draw.uniform(0.7, 1.0) * longest, 4)
    one: dict[str, Any] = {"kind": "LennardJones", "epsilon": table(0.5, 1.5)}
    one |= {"sigma": table(0.8, 1.0), "r_cut": r_cut, "mode": mode}
    if mode == "xplor":
        one["r_switch"] = round(r_cut * draw.uniform(0.7, 0.95), 4)
    if mode == "none" and draw.random() < 0.4:
        one["tail_correction"] = True
    found.append(one)
    if draw.random() < 0.25:
        found.append({"kind": "WCA", "epsilon": table(0.5, 1.0), "sigma": 0.85})
    return found


def _integrator(draw: random.Random, names: str) -> dict[str, Any]:
    kind = draw.choice(("NVE", "NVE", "Langevin", "Bussi"))
    one: dict[str, Any] = {"kind": kind, "dt": draw.choice((0.001, 0.002, 0.004))}
    if kind != "NVE":
        one["kT"] = draw.choice((0.7, 1.5))
    if kind == "Langevin":
        one["gamma"] = draw.choice((0.1, 1.0, 10.0))
    if kind == "Bussi":
        one |= {"tau": draw.choice((0.1, 0.5)), "every": draw.choice((1, 3, 10))}
    if draw.random() < 0.3:
        one["remove_com_every"] = draw.choice((1, 5, 20))
    if draw.random() < 0.25 and len(names) > 1:
        one["filter"] = {"kind": "Type", "types": [names[0]]}
    return one


def _neighbors(draw: random.Random) -> dict[str, Any]:
    way = draw.choices(("", "tolerance", "buffer"), (70, 20, 10))[0]
    if way == "tolerance":
        return {
            "kind": "NeighborList",
            "mode": "tolerance",
            "tolerance": draw.choice((1e-4, 0.005)),
        }
    if way:
        return {"kind": "NeighborList", "mode": "tolerance", "buffer": draw.choice((0.1, 0.3))}
    return {}


def _box(
    n: int, density: float, tilts: tuple[float, ...], periodic: tuple[bool, bool, bool]
) -> au.Box:
    edge = (n / density) ** (1 / 3)
    return au.Box(edge, 1.1 * edge, edge / 1.1, *tilts, periodic)


class Particles:
    """A recipe as the engine takes it."""

    def __init__(self, recipe: ParticleRecipe, folder: Path) -> None:
        self.recipe, self.folder = recipe, folder
        (folder / "recipe.json").write_text(recipe.text() + "\n")
        (folder / "job.py").write_text(PROGRAM)
        self.system = self._system()

    def _system(self) -> au.System:
        recipe, rng = self.recipe, np.random.default_rng(self.recipe.seed)
        box = _box(recipe.n, recipe.density, recipe.tilts, recipe.periodic)
        side = int(np.ceil(recipe.n ** (1 / 3)))
        cells = np.array(list(np.ndindex(side, side, side)))
        sites = (cells[np.sort(rng.permutation(side**3)[: recipe.n])] + 0.5) / side
        places = box.positions(sites) + rng.normal(0, 0.03, (recipe.n, 3))
        kinds = au.build.mixture(recipe.n, recipe.types, seed=recipe.seed)
        mass = rng.choice([1.0, 1.0, 2.5], len(recipe.types))[kinds["type"]]
        places, image = box.wrap(places)
        velocity = rng.normal(0, 1, (recipe.n, 3)) / np.sqrt(mass)[:, None]
        return au.System(box, places, velocity=velocity, mass=mass, image=image, **kinds)

    @property
    def forces(self) -> list[Any]:
        """Specs of the forces."""
        return [from_dict("force", dict(one), "forces") for one in self.recipe.forces]

    def simulation(
        self,
        *,
        system: au.System | None = None,
        forces: Sequence[Any] | None = None,
        precision: str | None = None,
        algorithm: str | None = None,
        threads: int | None = None,
        device: au.Device | None = None,
        observers: Sequence[Any] = (),
        integrator: Mapping[str, Any] | None = None,
    ) -> au.Simulation:
        """The job, or with other parts; raises Refused where the engine does not take it."""
        recipe = self.recipe
        device = device or au.Device(
            name="host",
            precision=precision or recipe.precision,
            algorithm=algorithm or recipe.algorithm,
            threads=threads or recipe.threads,
            pin=False,
        )
        near = dict(recipe.neighbors)
        try:
            sim = au.Simulation(
                system or self.system,
                forces=self.forces if forces is None else forces,
                integrator=from_dict("integrator", dict(integrator or recipe.integrator), "it"),
                observers=observers,
                seed=recipe.seed,
                device=device,
                neighbors=from_dict("list", near, "neighbors") if near else None,
            )
            sim.thermo()
        except InputError as error:
            raise Refused(str(error)) from None
        return sim

    def moved(self, position: Vectors, box: au.Box | None = None) -> au.System:
        """The same particles elsewhere."""
        box = box or self.system.box
        places, image = box.wrap(position)
        old = self.system
        return au.System(
            *(box, places),
            velocity=old.velocity,
            mass=old.mass,
            image=image,
            type=old.type,
            type_names=old.type_names,
        )

    def smooth_forces(self) -> list[Any]:
        """The forces, with energies that are continuous at cut-offs: no force changes by that."""
        changed = []
        for one in self.forces:
            if one.mode == "none":
                one = replace(one, mode="shift", tail_correction=False)
            changed.append(one)
        return changed
