# SPDX-License-Identifier: Apache-2.0
"""One disaster in one of many particles, and what the run says about it."""

from __future__ import annotations

import random
import re
from typing import Any

import aureole as au
import numpy as np

WITHIN = 100
WAYS = ("overlap", "nan velocity", "jump", "throw", "huge parameter")


def liquid(forces: list[Any], types: Any = None, threads: int = 1, n: int = 864) -> au.Simulation:
    system = au.build.lattice("fcc", n=n, density=0.8)
    if types is not None:
        system = system.replace(type=types, type_names=("A", "B"))
    sim = au.Simulation(
        system, forces, au.NVE(dt=0.005), seed=3, device="host", threads=threads, precision="double"
    )
    sim.thermalize(kT=1.0)
    sim.run(20)
    return sim


class Injection:
    """Sets a disaster up; `victims` are whom the report may name, first the culprit."""

    def __init__(self, way: str, seed: int, threads: int) -> None:
        self.dice = random.Random(f"{way} {seed}")
        self.way, self.threads = way, threads
        self.sim: au.Simulation
        self.victims: list[int] = []

    def prepare(self) -> None:
        """The liquid, before the disaster."""
        count = 864
        self.victim = self.dice.randrange(count)
        lj = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)
        if self.way == "huge parameter":
            types = np.zeros(count, np.int32)
            types[self.victim] = 1
            self.sim = liquid([lj], types, self.threads)
        else:
            self.sim = liquid([lj], None, self.threads)

    def strike(self) -> au.Simulation:
        """The simulation after the disaster; may raise what refuses it."""
        return getattr(self, "_" + self.way.replace(" ", "_"))()

    def _direction(self) -> np.ndarray:
        vector = np.array([self.dice.gauss(0, 1) for _ in range(3)])
        return vector / np.linalg.norm(vector)

    def _overlap(self) -> au.Simulation:
        position = self.sim.get("position")
        other = (self.victim + self.dice.randrange(1, self.sim.n)) % self.sim.n
        distance = 10 ** self.dice.uniform(-6, -0.7)
        position[self.victim] = position[other] + distance * self._direction()
        self.victims = [self.victim, other]
        self.sim.set("position", position)
        return self.sim

    def _nan_velocity(self) -> au.Simulation:
        velocity = self.sim.get("velocity")
        velocity[self.victim, self.dice.randrange(3)] = self.dice.choice((np.nan, np.inf))
        self.victims = [self.victim]
        self.sim._core.set("velocity", velocity, order="tag")  # below the check of sim.set
        return self.sim

    def _jump(self) -> au.Simulation:
        position = self.sim.get("position")
        other = (self.victim + self.dice.randrange(1, self.sim.n)) % self.sim.n
        boxes = np.array([self.dice.choice((-50, 50, 1000)) for _ in range(3)])
        width = self.sim.box.widths
        position[self.victim] = position[other] + 0.3 * self._direction() + boxes * width
        self.victims = [self.victim, other]
        self.sim.set("position", position)
        return self.sim

    def _throw(self) -> au.Simulation:
        velocity = self.sim.get("velocity")
        boxes_a_step = 10 ** self.dice.uniform(1, 12)
        length = self.sim.box.widths.min()
        velocity[self.victim] = self._direction() * boxes_a_step * length / self.sim.dt
        self.victims = [self.victim]
        self.sim.set("velocity", velocity)
        return self.sim

    def _huge_parameter(self) -> au.Simulation:
        epsilon = 10.0 ** self.dice.choice((8, 12, 30, 38, 39, 200, 300, 308))
        force = au.LennardJones(
            epsilon={("A", "A"): 1.0, ("A", "B"): epsilon, ("B", "B"): 1.0}, sigma=1.0, r_cut=2.5
        )
        self.victims = [self.victim]
        system = self.sim.snapshot()
        again = au.Simulation(
            system,
            [force],
            au.NVE(dt=0.005),
            seed=3,
            device="host",
            threads=self.threads,
            precision=self.dice.choice(("mixed", "double")),
        )
        again.step = self.sim.step
        return again


def inject(request: dict[str, Any]) -> dict[str, Any]:
    """Returns the error's kind and text, and what they ought to name."""
    case = Injection(request["way"], request["seed"], request.get("threads", 1))
    case.prepare()
    first = case.sim.step
    outcome: dict[str, Any] = {"first": first, "error": None, "text": ""}
    try:
        sim = case.strike()
        sim.run(WITHIN)
        outcome["energy"] = sim.energy.total
    except au.Error as error:
        outcome |= {"error": type(error).__name__, "text": str(error)}
    outcome["victims"] = case.victims
    outcome["particles"] = [int(tag) for tag in re.findall(r"particle (\d+)", outcome["text"])]
    step = re.search(r"step (\d+)", outcome["text"])
    outcome["step"] = int(step[1]) if step else None
    return outcome
