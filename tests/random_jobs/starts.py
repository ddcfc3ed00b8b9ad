# SPDX-License-Identifier: Apache-2.0
"""Starts that nobody tuned, with tolerance lists: do these miss no more than they may?

    tests/random_jobs/starts.py --seed 7 --count 500       five hundred starts
    tests/random_jobs/starts.py --start 7000012            one of them again

At some steps the energy that the list in use gives is compared with that of all pairs, and at the
end the conserved energy with that of a run with exact lists.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
from aureole.base.errors import BlowUpError
from numpy.typing import NDArray
from restart import differing, state_of

Vectors = NDArray[np.float64]
STEPS, LOOKS = 2000, 25
#: By how many times as much as is tolerated the conserved energy may move.
ALLOWED = 3.0
#: What pairs missed at one step may have, beside what is tolerated; on average they have less than
#: that, but a single pair of charges may come deep.
AT_ONCE = 10.0
KB = 0.00831446  # kJ/mol/K


FAMILIES = ("gas", "salt in gas", "liquid", "beads", "charged", "rigid", "levers")


class Refused(Exception):
    """Exact lists cannot run it either."""


@dataclass(frozen=True)
class Start:
    """A start, as drawn.

    Args:
        seed: of all that is random
        family: "gas", "salt in gas", "liquid", "beads", "charged", "rigid" or "levers"
        n: particles, about
        masses: of the types [u]
        density: particles per volume, in those that would touch
        shape: "cube", "bar", "tilted"
        heat: "thermal", "rest", "hot spot", "two temperatures", "hotter"
        T: temperature [K]
        dt: [ps]
        thermostat: whether there is one, at T
        algorithm: of the lists
        room: edges of the box in those of the part that particles fill; beyond that is a vacuum
    """

    seed: int
    family: str
    n: int
    masses: tuple[float, ...]
    density: float
    shape: str
    heat: str
    T: float
    dt: float
    thermostat: bool
    algorithm: str
    room: float


def start_of(seed: int) -> Start:
    """The start of a number."""
    draw = random.Random(seed)
    family = draw.choice(FAMILIES)
    light = {"beads": 45.0, "gas": 4.0}.get(family, 15.0)
    kinds = draw.choice((1, 1, 2, 3, 5))
    dt = {"beads": (0.01, 0.02), "gas": (0.002, 0.004)}.get(family, (0.001, 0.002))
    thin = (0.01, 0.15)
    densities = {"gas": thin, "salt in gas": thin, "beads": (0.05, 0.7), "levers": (0.05, 0.35)}
    low, high = densities.get(family, (0.3, 0.75))
    return Start(
        seed,
        family,
        draw.randint(120, 400),
        tuple(round(draw.uniform(light, 3 * light), 2) for _ in range(kinds)),
        round(draw.uniform(low, high), 3),
        draw.choice(("cube", "bar", "tilted")),
        draw.choice(("thermal", "rest", "hot spot", "two temperatures", "hotter")),
        draw.choice((100.0, 300.0, 300.0, 600.0)),
        draw.choice(dt),
        draw.random() < 0.3,
        draw.choices(("clusters", "flat"), (75, 25))[0],
        draw.choice((1.0, 1.0, 1.0, 1.5, 3.0, 15.0)),
    )


def _box(start: Start, volume: float) -> au.Box:
    edge = volume ** (1 / 3)
    if start.shape == "bar":
        return au.Box(0.85 * edge, 0.9 * edge, edge / (0.85 * 0.9))
    tilt = 0.3 if start.shape == "tilted" else 0.0
    return au.Box(edge, edge, edge, tilt, -tilt, tilt)


def _places(start: Start, rng: np.random.Generator, molecules: int, box: au.Box) -> Vectors:
    side = int(np.ceil(molecules ** (1 / 3)))
    cells = np.array(list(np.ndindex(side, side, side)))
    chosen = cells[np.sort(rng.permutation(side**3)[:molecules])]
    return box.positions((chosen + 0.5) / side + rng.normal(0, 0.02 / side, (molecules, 3)))


def parts_of(start: Start) -> dict[str, Any]:
    """What the start is simulated by."""
    rng = np.random.default_rng(start.seed)
    wide = 0.47 if start.family == "beads" else 0.34
    r_cut = 1.1 if start.family == "beads" else 0.9
    size = 3 if start.family in ("rigid", "levers") else 1
    molecules = start.n // size
    # A box holds two cut-offs, and lists some more.
    volume = max(molecules * size * wide**3 / start.density, (2.9 * r_cut) ** 3)
    box = _box(start, volume)
    kinds = len(start.masses)
    places = _places(start, rng, molecules, box)
    terms: dict[str, Any] = {}
    excluded = None
    if size == 3:
        edge, far = 0.2, 0.25
        shape = edge * np.array([[0, 0, 0], [1, 0, 0], [0.5, np.sqrt(0.75), 0]])
        if start.family == "levers":  # a rod, and a site beyond its end
            edge = 0.1
            shape = np.array([[0, 0, 0], [edge, 0, 0], [far, 0, 0]])
        turns = np.linalg.qr(rng.normal(size=(molecules, 3, 3)))[0]
        places = (places[:, None] + shape @ turns).reshape(-1, 3)
        first = 3 * np.arange(molecules)[:, None]
        pairs = np.concatenate([first + np.array(ends) for ends in ([0, 1], [0, 2], [1, 2])])
        excluded = pairs
        terms["constraint"] = (pairs, edge)
        if start.family == "levers":
            terms["constraint"] = (first + np.array([0, 1]), edge)
            terms["vsite2fd"] = (first + np.array([2, 0, 1]), far)
    n = len(places)
    kind = np.repeat(rng.integers(0, kinds, n // size), size)
    mass = np.array(start.masses)[kind]
    charge = np.zeros(n)
    if start.family == "levers":
        mass[2::3] = 0
        charge[2::3] = 0.4 * (-1.0) ** np.arange(molecules)
    pairs_of_ions = {"charged": n // 2, "salt in gas": n // 16}.get(start.family, 0)
    charge[: 2 * pairs_of_ions] = 0.4 * np.tile([1, -1], pairs_of_ions)
    names = tuple("ABCDE"[:kinds])
    strength = {"gas": (0.1, 1.0), "beads": (1.0, 4.0)}.get(start.family, (0.3, 1.2))
    epsilon = {name: round(rng.uniform(*strength), 3) for name in names}
    table = {
        f"{a},{b}": float(np.sqrt(epsilon[a] * epsilon[b])) for a in names for b in names if a <= b
    }
    lx, ly, lz = start.room * box.lengths
    box = replace(box, lx=lx, ly=ly, lz=lz)
    position, image = box.wrap(places)
    system = au.System(
        box,
        position,
        velocity=_velocities(start, rng, position, mass, box),
        image=image,
        mass=mass,
        type=kind,
        type_names=names,
        charge=charge,
        terms=terms,
        exclusions=excluded,
        units="molecular",
    )
    forces: list[Any] = [au.LennardJones(epsilon=table, sigma=wide, r_cut=r_cut, mode="shift")]
    if charge.any():
        forces.append(au.ReactionField(r_cut=r_cut, epsilon_rf=0.0))
    heat = au.VRescale(T=start.T, tau=0.5) if start.thermostat else None
    integrator = au.LeapFrog(dt=start.dt, thermostat=heat)
    return {"system": system, "forces": forces, "integrator": integrator}


def _velocities(
    start: Start, rng: np.random.Generator, position: Vectors, mass: Vectors, box: au.Box
) -> Vectors:
    T = np.full(len(mass), start.T)
    if start.heat == "rest":
        T[:] = 0
    elif start.heat == "hotter":
        T *= 2.5
    elif start.heat == "two temperatures":
        T[: len(T) // 2] *= 4
    elif start.heat == "hot spot":
        near = np.argsort((box.minimum_image(position - position[0]) ** 2).sum(1))
        T[near[: max(6, len(T) // 30)]] *= 20
    inverse = np.divide(1, mass, out=np.zeros_like(mass), where=mass > 0)
    return rng.normal(size=(len(mass), 3)) * np.sqrt(KB * T * inverse)[:, None]


def simulation(start: Start, parts: dict[str, Any], mode: str) -> au.Simulation:
    """The start with lists of a mode."""
    device = au.Device(
        name="host", precision="double", algorithm=start.algorithm, threads=1, pin=False
    )
    near = au.NeighborList(mode=mode)
    return au.Simulation(**parts, seed=start.seed % 2**31, device=device, neighbors=near)


def check(start: Start) -> Iterator[str]:
    """What tolerance lists miss beyond what they may, in words."""
    parts = parts_of(start)
    tolerance = au.NeighborList().tolerance
    own = _drift_of_exact_lists(start, parts, 0.0)
    parts_missed = []
    with simulation(start, parts, "tolerance") as sim:
        before, n = sim.conserved, sim.n
        for k in range(LOOKS):
            # Odd numbers, as lists are mostly made after even ones.
            sim.run(STEPS // LOOKS + (1 if k % 2 else -1))
            missed = sim.energy.potential - _of_all_pairs(start, parts, sim)
            rounding = 1e-7 * abs(sim.energy.potential) + 1e-6
            tolerated = tolerance * n * sim.describe()["outer_life"] * start.dt
            parts_missed.append(max(0.0, abs(missed) - rounding) / tolerated)
            if not parts_missed[-1] <= AT_ONCE:
                yield f"step {sim.step}: {missed:.4g} kJ/mol missed, {tolerated:.4g} tolerated"
                return
        moved = sim.conserved - before
    mean = sum(parts_missed) / LOOKS
    if not mean <= 1:
        yield f"pairs missed have {mean:.3g} times the energy that is tolerated"
    tolerated = ALLOWED * tolerance * n * sim.step * start.dt + 0.02 * n * KB * start.T
    for nudge in (1e-9, 2e-9, 3e-9):
        # Too long a step for such a start, perhaps: trajectories beside it tell.
        if abs(moved) > tolerated + ALLOWED * own:
            own = max(own, _drift_of_exact_lists(start, parts, nudge))
    if not abs(moved) <= tolerated + ALLOWED * own:
        yield f"the conserved energy moved by {moved:.4g} kJ/mol, with exact lists by {own:.4g}"


def _drift_of_exact_lists(start: Start, parts: dict[str, Any], nudge: float) -> float:
    """By how much the conserved energy moves, one velocity being another by `nudge` [nm/ps]."""
    with simulation(start, parts, "exact") as exact:
        velocity = exact.get("velocity")
        velocity[0] += nudge
        exact.set("velocity", velocity)
        first = exact.conserved
        try:
            return abs(exact.run(STEPS).conserved - first)
        except BlowUpError as error:
            raise Refused(str(error)) from None


def _of_all_pairs(start: Start, parts: dict[str, Any], sim: au.Simulation) -> float:
    """The potential energy of the present positions with a list made for them alone.

    Without constraints, which would move them by their tolerance.
    """
    position = sim.get("position")
    plain = {"image": None, "velocity": None, "terms": {}, "mass": np.ones(len(position))}
    system = parts["system"].replace(position=position, **plain)
    still = parts | {"system": system, "integrator": None}
    with simulation(start, still, "exact") as fresh:
        return fresh.energy.potential


def steps_of_outrun_lists(start: Start, parts: dict[str, Any], steps: int) -> list[int]:
    """The steps after which one more list had been outrun; none where it cannot be run."""
    found, before = [], 0
    with simulation(start, parts, "tolerance") as sim, contextlib.suppress(BlowUpError):
        for _ in range(steps):
            sim.run(1)
            now = sim.describe()["lists_outrun"]
            if now > before:
                found.append(sim.step)
            before = now
        return found
    return []


def differences_after_cuts(
    numbers: Sequence[int], cuts: int, steps: int, folder: Path
) -> Iterator[str]:
    """Restarts at random steps before which a list was outrun, and another one after: what is not
    as without the restart, in words. Starts of the numbers are taken until there are enough.
    """
    done = 0
    for number in numbers:
        start = start_of(number)
        parts = parts_of(start)
        outrun = steps_of_outrun_lists(start, parts, steps)
        if len(outrun) < 2:
            continue
        cut = random.Random(number).randint(outrun[0], outrun[-1] - 1)
        with simulation(start, parts, "tolerance") as whole:
            wanted = state_of(whole.run(steps))
        path = folder / f"{number}.ckpt"
        with simulation(start, parts, "tolerance") as sim:
            sim.run(cut).write_checkpoint(path)
        with au.Simulation.from_checkpoint(path) as sim:
            found = state_of(sim.run(until=steps))
        for name in differing(found, wanted):
            yield f"{start}, cut at step {cut} of {steps}: {name}"
        done += 1
        if done == cuts:
            return
    yield f"in {len(numbers)} starts lists were outrun twice in no more than {done}"


def numbers_of(seed: int, count: int) -> range:
    """Numbers of the starts of a seed."""
    return range(seed * 1_000_000, seed * 1_000_000 + count)


def failures(numbers: Sequence[int]) -> Iterator[str]:
    """Starts that fail, in words, and how many ran."""
    for number in numbers:
        start = start_of(number)
        try:
            for text in check(start):
                yield f"tests/random_jobs/starts.py --start {number}: {text}\n  {start}"
        except Refused:
            pass
        except BlowUpError as error:
            yield f"tests/random_jobs/starts.py --start {number}: {error}\n  {start}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--start", type=int, action="append")
    given = parser.parse_args(arguments)
    found = 0
    for text in failures(given.start or numbers_of(given.seed, given.count)):
        print(text, flush=True)
        found += 1
    print(f"{found} fail")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
