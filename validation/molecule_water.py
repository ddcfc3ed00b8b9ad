# SPDX-License-Identifier: Apache-2.0
"""Liquid water beside GROMACS on the same files: density, heat of vaporisation, diffusion, g(r).

Every engine makes the same number of runs from the same start with other seeds; means and errors
are those of five blocks of each run, so that a run that stays apart shows in the error. Both
engines' frames go through the same few lines here. `AUREOLE_GMX` names gmx.
"""

from __future__ import annotations

import itertools
import math
import os
import time
from pathlib import Path
from typing import Any

import MDAnalysis as mda
import numpy as np
from aureole.base.errors import Error
from aureole.base.units import BOLTZMANN
from aureole_bench.gmx import Gmx, installed
from aureole_bench.gmx import settings_of as read_settings
from boxes import Box, Results, Settings, arguments, barostat, thermostat
from numpy.typing import NDArray

Array = NDArray[np.float64]

MODELS = ("spce", "tip3p")
TEMPERATURE = 300.0
AMU_PER_NM3 = 1.66053906660  # kg/m³
BLOCKS = 5  # of each run
FRAME = 0.5  # ps between frames
DAY = 86400.0  # s, the longest run of GROMACS
SKIP = 0.1  # of each run, before anything is measured
LAGS = (2.0, 10.0)  # ps between which the squared displacement is a straight line
BINS, REACH = 400, 0.8  # of g(r), nm

#: Bars: of the difference, in its own unit or relative.
WITHIN = {
    "density": ("relative", 0.001),
    "heat of vaporisation": ("absolute", 0.1),
    "diffusion": ("relative", 0.04),
    "OO peak place": ("relative", 0.01),
    "OO peak height": ("relative", 0.01),
    "OH peak place": ("relative", 0.01),
    "OH peak height": ("relative", 0.01),
}
UNITS = {"density": "kg/m3", "heat of vaporisation": "kJ/mol", "diffusion": "1e-5 cm2/s"}


class Course:
    """What one run left: (frames, n, 3) positions, (frames, 3) edges [nm], energies [kJ/mol]."""

    def __init__(self, position: Array, edges: Array, potential: Array, mass: float) -> None:
        keep = slice(int(SKIP * len(edges)), None)
        self.position, self.edges = position[keep], edges[keep]
        self.potential, self.mass = potential[int(SKIP * len(potential)) :], mass

    def blocks(self) -> dict[str, list[float]]:
        """Each observable in each block."""
        found: dict[str, list[float]] = {name: [] for name in WITHIN}
        molecules = self.position.shape[1] // 3
        bounds = np.linspace(0, len(self.edges), BLOCKS + 1).astype(int)
        energy = np.array_split(self.potential, BLOCKS)
        for k, (a, b) in enumerate(itertools.pairwise(bounds)):
            x, edges = self.position[a:b], self.edges[a:b]
            density = (self.mass / edges.prod(axis=1)).mean() * AMU_PER_NM3
            found["density"].append(float(density))
            vaporisation = -energy[k].mean() / molecules + BOLTZMANN * TEMPERATURE
            found["heat of vaporisation"].append(float(vaporisation))
            found["diffusion"].append(diffusion(x[:, ::3], edges))
            for name, ends in (("OO", None), ("OH", 1)):
                place, height = peak(x[::2], edges[::2], ends)
                found[f"{name} peak place"].append(place)
                found[f"{name} peak height"].append(height)
        return found


def diffusion(x: Array, edges: Array) -> float:
    """From squared displacements of positions (frames, n, 3) [10⁻⁵ cm²/s]."""
    step = np.diff(x / edges[:, None], axis=0)
    step -= np.rint(step)
    path = np.concatenate([np.zeros_like(x[:1]), np.cumsum(step * edges[1:, None], axis=0)])
    path -= path.mean(axis=1, keepdims=True)
    lags = np.arange(round(LAGS[0] / FRAME), min(round(LAGS[1] / FRAME), len(x) // 2) + 1)
    squares = [((path[lag:] - path[:-lag]) ** 2).sum(axis=2).mean() for lag in lags]
    return float(np.polyfit(lags * FRAME, squares, 1)[0]) / 6 * 1000.0  # nm²/ps in 10⁻⁵ cm²/s


def peak(x: Array, edges: Array, other: int | None) -> tuple[float, float]:
    """Place [nm] and height of the first peak of g(r) of oxygen with oxygen or hydrogen."""
    counts = np.zeros(BINS)
    expected = np.zeros(BINS)
    bounds = np.linspace(0.0, REACH, BINS + 1)
    shells = 4 / 3 * math.pi * np.diff(bounds**3)
    n = x.shape[1] // 3
    for frame, edge in zip(x, edges, strict=True):
        oxygen = frame[::3]
        partners = [oxygen] if other is None else [frame[1::3], frame[2::3]]
        for end in partners:
            d = oxygen[:, None] - end[None]
            d -= edge * np.rint(d / edge)
            r = np.sqrt(np.einsum("ijk,ijk->ij", d, d))
            r[np.arange(n), np.arange(n)] = 2 * REACH  # the molecule itself
            counts += np.histogram(r, bounds)[0]
            expected += shells * n * (n - 1) / edge.prod()
    g, middle = counts / expected, 0.5 * (bounds[1:] + bounds[:-1])
    low, high = (0.24, 0.32) if other is None else (0.15, 0.22)
    inside = np.flatnonzero((middle > low) & (middle < high))
    top = inside[g[inside].argmax()]
    near = slice(top - 5, top + 6)
    a, b, c = np.polyfit(middle[near] - middle[top], g[near], 2)
    return float(middle[top] - b / (2 * a)), float(c - b * b / (4 * a))


def settings_of(ps: float, seed: int) -> list[Settings]:
    """Run parameters of one run, the same for both engines."""
    steps = round(ps / 0.002)
    frames = round(FRAME / 0.002)
    return [
        thermostat(temperature=TEMPERATURE, tau=0.5),
        barostat(tau=1.0),
        {
            **{"nsteps": steps, "gen-vel": "yes", "gen-temp": TEMPERATURE, "gen-seed": seed},
            **{"ld-seed": seed, "nstxout-compressed": frames, "compressed-x-precision": 10000},
            **{"nstenergy": 50, "nstcalcenergy": 50},
        },
    ]


def ours(box: Box, name: str, ps: float, seed: int) -> Course:
    """A run of ours."""
    frames = round(FRAME / 0.002)
    position, edges, potential = [], [], []
    with box.simulation(name, *settings_of(ps, seed)) as sim:
        mass = float(sim.get("mass").sum())
        for step in range(0, round(ps / 0.002), 50):
            sim.run(50)
            potential.append(sim.energy.potential)
            if (step + 50) % frames == 0:
                position.append(sim.get("position"))
                edges.append([sim.box.lx, sim.box.ly, sim.box.lz])
    return Course(np.array(position), np.array(edges), np.array(potential), mass)


def theirs(program: str, box: Box, name: str, mass: float) -> Course:
    """GROMACS on the files of a run of ours."""
    folder = box.folder
    peer = Gmx(program, folder)
    given = read_settings((folder / f"{name}.mdp").read_text())
    peer.grompp(name, Path("start.gro"), Path("topol.top"), given)
    peer.mdrun(name, limit=DAY)
    potential = np.array(peer.energies(name, "Potential")["Potential"][1:])
    universe = mda.Universe(str(folder / "start.gro"), str(folder / f"{name}.xtc"))
    position, edges = [], []
    for frame in universe.trajectory[1:]:
        position.append(frame.positions.astype(float) / 10)
        edges.append(frame.dimensions[:3].astype(float) / 10)
    return Course(np.array(position), np.array(edges), potential, mass)


def mean_and_error(values: list[float]) -> tuple[float, float]:
    """Mean of blocks and its standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / math.sqrt(len(values)))


def compare(results: Results, box: Box, model: str, runs: int, ps: float, peer: str | None):
    """All runs of both engines for a model, and their observables side by side."""
    found: dict[str, dict[str, list[float]]] = {}
    seconds: dict[str, float] = {}

    def add(engine: str, run: Any) -> Course:
        began = time.perf_counter()
        course = run()
        seconds[engine] = seconds.get(engine, 0.0) + time.perf_counter() - began
        for name, values in course.blocks().items():
            found.setdefault(engine, {}).setdefault(name, []).extend(values)
        return course

    for k in range(runs):
        name = f"{model}-{k}"
        mass = add("aureole", lambda name=name, k=k: ours(box, name, ps, 100 + k)).mass
        if peer is not None:
            add("gromacs", lambda name=name, mass=mass: theirs(peer, box, name, mass))
    facts: dict[str, Any] = {"molecules": sum(box.counts.values()), "runs": runs, "ps": ps}
    for name, (kind, bar) in WITHIN.items():
        mine, error = mean_and_error(found["aureole"][name])
        figures: dict[str, Any] = {"unit": UNITS.get(name, ""), "aureole": [mine, error]}
        passed = None
        if peer is not None:
            other, its = mean_and_error(found["gromacs"][name])
            both = math.hypot(error, its)
            limit = bar * (other if kind == "relative" else 1.0)
            # In runs too short to tell, noise alone is no failure.
            passed = abs(mine - other) <= max(3 * both, limit)
            figures |= {
                "gromacs": [other, its],
                "difference": mine - other,
                "limit": limit,
                "sigmas": (mine - other) / both,
                "resolved": both <= limit,
            }
        results.tell(f"{model} {name}", passed, **figures, **facts)
    results.tell(f"{model} seconds", None, **seconds, **facts)


def main() -> None:
    """Compare the models of water, or those whose name contains `--only`."""
    parser = arguments(__doc__, "molecule-water")
    parser.add_argument("--molecules", type=int, default=1728)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    results = Results(args.results)
    try:
        found = installed(Path.cwd())
        peer = found.program
        results.tell("peer", None, program=f"GROMACS {found.version}")
    except Error as error:
        if os.environ.get("AUREOLE_GMX"):
            raise
        peer = None
        results.tell("peer", None, program=str(error))
    for model in MODELS:
        if args.only in model:
            home = Path(args.work) / f"water-{model}-{args.molecules}"
            box = Box(home, {model: args.molecules}, threads=args.threads)
            compare(results, box, model, args.runs, max(50.0, 2000.0 * args.scale), peer)
    results.end()


if __name__ == "__main__":
    main()
