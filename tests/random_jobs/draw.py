# SPDX-License-Identifier: Apache-2.0
"""Draws jobs of molecules: from one seed one recipe, always the same."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from draw_coupling import barostat, thermostat
from draw_forces import cut_offs, electrostatics, list_of_pairs, van_der_waals
from molecule_kinds import SITES, kind_of
from recipe import Recipe


@dataclass
class Draft:
    """What is decided so far, and the generator that decides the rest.

    Args:
        draw: the random numbers
        longest: the longest cut-off that the box allows [nm]
        pbc: "xyz", "xy" or "no"
        integrator: of the .mdp file
        molecules: kinds and counts
        options: of the .mdp file by feature
    """

    draw: random.Random
    longest: float
    pbc: str
    integrator: str
    molecules: tuple[tuple[str, int], ...]
    options: dict[str, dict[str, str]] = field(default_factory=dict)

    def chance(self, share: float) -> bool:
        """True in this share of all jobs."""
        return self.draw.random() < share

    @property
    def flexible(self) -> bool:
        """Does any molecule bend?"""
        return any(kind_of(name).bends for name, _ in self.molecules)

    @property
    def sites(self) -> bool:
        """Is there any virtual site?"""
        return any("virtual_sites" in kind_of(name).terms for name, _ in self.molecules)

    @property
    def charged(self) -> bool:
        """Has any molecule a charge?"""
        total = sum(round(sum(kind_of(n).charges), 6) * count for n, count in self.molecules)
        return abs(total) > 1e-6


def recipe_of(seed: int) -> Recipe:
    """The job of a seed."""
    draw = random.Random(seed)
    molecules = _molecules(draw)
    cells, vectors = _box(draw, molecules)
    pbc = draw.choices(("xyz", "no", "xy"), (88, 8, 4))[0]
    integrator = draw.choices(("md", "md-vv", "sd", "steep"), (50, 22, 18, 10))[0]
    draft = Draft(draw, _longest_cut_off(vectors, pbc), pbc, integrator, molecules)
    for part in _PARTS:
        part(draft)
    steps = draw.randint(18, 50)
    outputs: dict[str, str] = {}
    if draft.chance(0.2):
        outputs["-o"] = "traj.gsd"
    if draft.chance(0.2):
        outputs["-x"] = draw.choice(("traj_comp.gsd", "traj_comp.dcd"))
    stop = draw.randint(0, steps)
    return Recipe(
        seed,
        molecules,
        vectors,
        cells,
        rule=draw.choices((1, 2, 3), (15, 60, 25))[0],
        special=draft.chance(0.15),
        # Images are the nearest along the vectors, which need not be the shortest of a tilted box.
        between=draft.chance(0.15) and not any(vectors[3:]),
        features=draft.options,
        precision="double" if draft.chance(0.5) else "mixed",
        algorithm="flat" if draft.chance(0.25) else "clusters",
        threads=draw.choices((1, 2, 3), (60, 25, 15))[0],
        steps=steps,
        stop=stop,
        part=draw.randint(0, steps - stop) if draft.chance(0.3) else 0,
        outputs=outputs,
        process=draft.chance(0.05),
    )


def _molecules(draw: random.Random) -> tuple[tuple[str, int], ...]:
    """A solvent alone, with something in it, or anything; 30 to 300 particles."""
    solvents = ("water", "soft water", "tip4p", "argon", "ethanol")
    found: dict[str, int] = {}
    if draw.random() < 0.75:
        solvent = draw.choices(solvents, (35, 15, 20, 10, 20))[0]
        found[solvent] = max(4, draw.randint(20, 150) // kind_of(solvent).n)
    for _ in range(draw.choices((0, 1, 2), (25, 50, 25))[0] or (not found)):
        kind = draw.choice(("chain", "chain", "site", "ions", "ethanol", "argon", "rod"))
        if kind == "ions":
            pairs = draw.randint(1, 4)
            found |= {"ion+": pairs, "ion-": pairs - (draw.random() < 0.1)}
        elif kind == "chain":
            found[f"chain:{draw.randint(0, 400)}"] = draw.randint(2, 12)
        elif kind == "site":
            found[f"site:{draw.choice(list(SITES))}"] = draw.randint(2, 10)
        else:
            found[kind] = draw.randint(2, 10)
    while sum(kind_of(name).n * count for name, count in found.items()) < 30:
        found = {name: count + 2 for name, count in found.items()}
    return tuple((name, count) for name, count in found.items() if count)


def _box(
    draw: random.Random, molecules: tuple[tuple[str, int], ...]
) -> tuple[tuple[int, int, int], tuple[float, ...]]:
    """Cells for all molecules, and the nine numbers of a box around them."""
    cell = max(kind_of(name).cell for name, _ in molecules) * draw.uniform(0.98, 1.25)
    shape = draw.choices(
        ("rectangular", "triclinic", "dodecahedron", "octahedron"), (60, 22, 9, 9)
    )[0]
    count, counts = sum(count for _, count in molecules), [2, 2, 2]
    while math.prod(counts) < count:
        counts[counts.index(min(counts))] += 1
    if shape in ("rectangular", "triclinic"):
        draw.shuffle(counts)
    edges = [max(n * cell, 1.25) for n in counts]
    if shape == "rectangular":
        found = [*edges, 0, 0, 0, 0, 0, 0]
    elif shape == "triclinic":
        x, y, z = (1.2 * edge for edge in edges)
        tilts = [draw.uniform(-0.45, 0.45) for _ in range(3)]
        found = [x, y, z, 0, 0, tilts[0] * x, 0, tilts[1] * x, tilts[2] * y]
    else:
        d = 1.45 * max(edges)
        if shape == "dodecahedron":
            found = [d, d, d * math.sqrt(0.5), 0, 0, 0, 0, d / 2, d / 2]
        else:
            high, deep = d * math.sqrt(8) / 3, d * math.sqrt(6) / 3
            found = [d, high, deep, 0, 0, d / 3, 0, -d / 3, d * math.sqrt(2) / 3]
    return (counts[0], counts[1], counts[2]), tuple(round(v, 5) for v in found)


def _longest_cut_off(vectors: tuple[float, ...], pbc: str) -> float:
    """Half the shortest distance of two faces of the box [nm]."""
    v = vectors
    box = np.array([[v[0], 0, 0], [v[5], v[1], 0], [v[7], v[8], v[2]]])
    normals = np.linalg.inv(box)
    faces = 1 / np.linalg.norm(normals, axis=0)
    return 0.5 * float(min(faces if pbc == "xyz" else faces[:2]))


def _run(d: Draft) -> None:
    """Integrator, step, lengths and first numbers."""
    chains = any(name.startswith("chain") for name, _ in d.molecules)
    soft = chains or (d.flexible and "constraints" not in d.options)
    dt = d.draw.choice(("0.0005", "0.001") if soft else ("0.001", "0.002"))
    d.options["run"] = {"integrator": d.integrator, "dt": dt, "pbc": d.pbc}
    if d.integrator == "steep":
        d.options["descent"] = {"emtol": "1", "emstep": d.draw.choice(("0.001", "0.01", "0.03"))}
        return
    if d.chance(0.15):
        d.options["beginning"] = {"tinit": "1.5"}
        if d.chance(0.5):
            d.options["beginning"]["init-step"] = str(d.draw.randint(1, 5000))
    if d.chance(0.5) and "continuation" not in d.options:
        seed = str(d.draw.randint(1, 9999))
        d.options["velocities"] = {"gen-vel": "yes", "gen-temp": "300", "gen-seed": seed}
    d.options["seed"] = {"ld-seed": str(d.draw.randint(1, 9999))}


def _output(d: Draft) -> None:
    """What is written, and how often."""
    every = d.draw.choice
    d.options["output"] = {
        "nstcalcenergy": every(("1", "2", "5", "10", "100")),
        "nstenergy": every(("0", "1", "2", "5", "10")),
        "nstlog": every(("0", "1", "5", "10", "1000")),
        "nstxout": every(("0", "1", "4", "5", "10")),
        "nstvout": every(("0", "2", "4", "10")),
        "nstfout": every(("0", "1", "5", "10")),
        "nstxout-compressed": every(("0", "1", "3", "10")),
    }
    if d.chance(0.3):
        d.options["compressed"] = {
            "compressed-x-grps": every(("First", "Cold", "System")),
            "compressed-x-precision": every(("100", "1000", "10000")),
        }


def _constraints(d: Draft) -> None:
    if d.chance(0.35):
        found = {"constraints": d.draw.choice(("h-bonds", "all-bonds"))}
        if d.chance(0.6):
            found["lincs-order"] = d.draw.choice(("2", "4", "6", "8"))
            found["lincs-iter"] = d.draw.choice(("1", "2", "4"))
        if d.chance(0.15):
            tolerance = d.draw.choice(("1e-4", "1e-7", "1e-10"))
            found |= {"constraint-algorithm": "SHAKE", "shake-tol": tolerance}
        d.options["constraints"] = found
    if d.chance(0.2):
        d.options["continuation"] = {"continuation": "yes"}
    if d.chance(0.3) and all(name in ("ethanol", "soft water", "water") for name, _ in d.molecules):
        d.options["masses"] = {"mass-repartition-factor": d.draw.choice(("2", "3"))}


def _drift(d: Draft) -> None:
    """Removal of the motion of the whole."""
    if d.chance(0.5):
        mode = d.draw.choice(("None", "Linear", "Angular" if d.pbc == "no" else "Linear"))
        d.options["drift"] = {"comm-mode": mode, "nstcomm": d.draw.choice(("1", "5", "10", "100"))}
    if d.chance(0.15):
        d.options["drift groups"] = {"comm-grps": d.draw.choice(("First Rest", "First", "System"))}


def _fields(d: Draft) -> None:
    """Electric fields, constant, oscillating or pulses."""
    for axis in "xyz":
        if d.chance(0.06):
            rest = d.draw.choice(("0 0 0", "120 0 0", "150 0.02 0.03", "150 0.02 0"))
            strength = f"{d.draw.uniform(-2, 2):.3f}"
            d.options[f"field {axis}"] = {f"electric-field-{axis}": f"{strength} {rest}"}


def _held(d: Draft) -> None:
    """Position restraints and frozen groups."""
    if d.chance(0.18):
        d.options["restraints"] = {"define": "-DPOSRES"}
        if d.chance(0.8):
            d.options["references"] = {"refcoord-scaling": d.draw.choice(("no", "all", "com"))}
    if d.chance(0.12):
        rigid = "constraints" in d.options or not d.flexible
        axes = "Y Y Y" if rigid else d.draw.choice(("Y Y Y", "N N Y", "Y N N", "Y Y N"))
        d.options["frozen"] = {"freezegrps": "Cold", "freezedim": axes}


_PARTS: tuple[Callable[[Draft], None], ...] = (
    *(_constraints, _run, _output, cut_offs, electrostatics, van_der_waals, list_of_pairs),
    *(thermostat, barostat, _drift, _fields, _held),
)
