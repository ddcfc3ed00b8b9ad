# SPDX-License-Identifier: Apache-2.0
"""What runs on every grid of ranks: liquids, a droplet, molecules of each kind, a protein."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
from gmx_tool import shared
from miniatures import CHAIN, SITES, atoms, force_field
from polymers import RING_FORCES, chain, ring
from stacks import NAMES, Block, Shape, mdp, solution
from teams import Teams

Files = list[Path]

PME = {"coulombtype": "PME", "fourierspacing": "0.12"}
V_RESCALE = {"tcoupl": "v-rescale", "tc-grps": "system", "tau-t": "0.5", "ref-t": "300"}
C_RESCALE = {
    "pcoupl": "C-rescale",
    "tau-p": "1",
    "ref-p": "1",
    "compressibility": "4.5e-5",
    "nstpcouple": "10",
}
RESTRAINTS = (
    "[ position_restraints ]\n1 1 1000 800 600\n3 1 300 300 300\n8 2 6 -0.1 400\n5 2 1 0.005 900\n"
    "[ dihedral_restraints ]\n1 5 8 9 1 60 10 90\n"
    "[ angle_restraints ]\n1 5 8 9 1 60 40 2\n5 1 5 8 1 120 30 1\n"
    "[ angle_restraints_z ]\n1 8 1 40 25 1\n"
    "[ bonds ]\n1 9 10 0.1 0.2 0.22 900\n1 8 7 0.4 800\n"
    "[ angles ]\n1 5 8 6 112 0 3 90 -20 10\n"
)
SETTINGS: dict[str, dict[str, str]] = {
    "reaction field": {},
    "mesh": PME | V_RESCALE,
    "four-site water": PME
    | {"tcoupl": "nose-hoover", "tc-grps": "system", "tau-t": "0.5", "ref-t": "300"}
    | {"pcoupl": "Parrinello-Rahman", "tau-p": "2", "ref-p": "1", "compressibility": "4.5e-5"},
    "virtual sites": V_RESCALE | {"integrator": "sd", "tcoupl": "no", "dt": "0.0005"},
    "restraints": V_RESCALE | C_RESCALE | {"refcoord-scaling": "com"},
    "chain": V_RESCALE
    | C_RESCALE
    | {"constraints": "all-bonds", "rcoulomb": "0.65", "rvdw": "0.65"},
    # With short ranges, so that the smallest box can be cut into four along each axis.
    "dodecahedron": {"integrator": "md-vv", "comm-mode": "linear", "nstcomm": "10"}
    | {"rcoulomb": "0.48", "rvdw": "0.48"},
    "protein": PME | V_RESCALE | {"rcoulomb": "0.9", "rvdw": "0.9"},
}


@dataclass(frozen=True)
class Case:
    """Molecules.

    Args:
        block: what each cell of the grid of ranks gets, or for a grid what all get together
        settings: run parameters beside those of all
        one_box: there is one block, whatever the grid
        together: `block` takes the grid
    """

    block: Callable[..., Block]
    settings: dict[str, str] = field(default_factory=dict)
    one_box: bool = False
    together: bool = False

    @property
    def mesh(self) -> bool:
        return "PME" in self.settings.values()

    def shape(self, grid: Shape) -> Shape:
        """Blocks along the axes for this grid."""
        return (1, 1, 1) if self.one_box else grid


def virtual_sites() -> Block:
    """Sites of each kind, in molecules of five particles on a lattice."""
    text = force_field().replace("C C 6 12.0 0.0 A", "C C 6 0.0 0.0 V")
    # Of all four, so that none is ever where a site has no place of its own.
    bonds = "[ bonds ]\n"
    for i, j in itertools.combinations(range(4), 2):
        bonds += f"{i + 1} {j + 1} 1 {np.linalg.norm(CHAIN[i] - CHAIN[j]):.5f} 25000\n"
    apart = "[ exclusions ]\n5 1 2 3 4\n"
    counts = ""
    for k, (section, line) in enumerate(SITES.values()):
        charges, masses = (0.1, 0.04, 0.0, 0.07, -0.21), (12.0, 3.0, 5.0, 12.0, 0.0)
        body = atoms("ABABC", charges, masses).replace("MOL", f"M{k}")
        text += f"[ moleculetype ]\nM{k} 3\n{body}{bonds}[ {section} ]\n{line}\n{apart}"
        counts += f"M{k} {6 if k < 9 else 5}\n"
    text += f"[ system ]\nsites\n[ molecules ]\n{counts}"
    random, edge, parts = np.random.default_rng(3), 2.6, []
    for place in np.ndindex(4, 4, 4):
        turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
        parts.append((CHAIN - CHAIN.mean(axis=0)) @ turn + (np.array(place) + 0.5) * edge / 4)
    return Block(text, np.concatenate(parts), edge * np.eye(3))


def dodecahedron() -> Block:
    """Water on the lattice whose cell is that of the box."""
    box = 3.9 * np.array([[1, 0, 0], [0, 1, 0], [0.5, 0.5, 0.5**0.5]])
    made, random, parts = solution({"spce": 1331}), np.random.default_rng(4), []
    shape = made.position[:3] - made.position[0]
    for place in np.ndindex(11, 11, 11):
        turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
        parts.append(shape @ turn + (np.array(place) + 0.5) / 11 @ box)
    return Block(made.top, np.concatenate(parts), box)


CASES = {
    "reaction field": Case(lambda: solution({"spce": 90, "ethanol": 10})),
    "mesh": Case(lambda: solution({"spce": 90, "ethanol": 10})),
    "four-site water": Case(lambda: solution({"tip4p": 110})),
    "virtual sites": Case(virtual_sites),
    "restraints": Case(lambda: solution({"spce": 90, "ethanol": 10}, RESTRAINTS)),
    "chain": Case(chain, together=True),
    "dodecahedron": Case(dodecahedron, one_box=True),
}
CASES = {name: replace(case, settings=SETTINGS[name]) for name, case in CASES.items()}


def protein_files(folder: Path) -> Files:
    """The protein in water of ../shared/data, or a skip."""
    (folder / "grompp.mdp").write_text(mdp(SETTINGS["protein"]))
    return [shared("dhfr/dhfr.gro"), shared("dhfr/dhfr.top"), folder / "grompp.mdp"]


EDGE, SIDE = 6.46, 6  # of a cell of the fluids, and particles along it


def melt(grid: Shape) -> au.System:
    """A dense Lennard-Jones fluid near a lattice, one cube for each rank."""
    random = np.random.default_rng(3)
    n = SIDE * np.array(grid)
    lattice = np.stack(np.meshgrid(*[np.arange(k) for k in n], indexing="ij"), -1).reshape(-1, 3)
    box = EDGE * np.array(grid)
    position = (lattice + 0.6) / n * box - box / 2 + random.normal(0, 0.06, lattice.shape)
    velocity = random.normal(0, 1.1, lattice.shape)
    return au.System(box=au.Box(*box), position=position, velocity=velocity)


def droplet(grid: Shape) -> au.System:
    """A cold drop about the lower corner of the highest cell; the others have none or little."""
    random = np.random.default_rng(5)
    steps = np.arange(-3, 4)
    lattice = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), -1).reshape(-1, 3) * 1.09
    inside = lattice[np.linalg.norm(lattice, axis=1) < 3.0]
    box = EDGE * np.array(grid)
    position = inside + random.normal(0, 0.04, inside.shape) + (box / 2 - 0.62 * EDGE)
    velocity = random.normal(0, 0.5, inside.shape)
    return au.System(box=au.Box(*box), position=position, velocity=velocity)


FLUIDS = {"melt": melt, "droplet": droplet, "ring": lambda grid: ring(grid, EDGE, SIDE)}


def fluid(name: str, grid: Shape, device: au.Device, **more: object) -> au.Simulation:
    """A simulation of Lennard-Jones particles."""
    forces = [au.LennardJones(epsilon=1, sigma=1, r_cut=2.5, mode="shift")]
    if name == "ring":
        forces += RING_FORCES
    settings: dict = {"integrator": au.NVE(dt=0.003), "seed": 3} | more
    return au.Simulation(FLUIDS[name](grid), forces, device=device, **settings)


#: What runs on many ranks in each test run; the others there are slow.
QUICK = ("melt", "ring", "mesh", "chain")


def words(grid: Shape) -> str:
    """Its name."""
    return "x".join(map(str, grid))


def on(grid: Shape, precision: str, threads: int = 1, algorithm: str = "clusters") -> au.Device:
    """As many ranks as a grid has cells."""
    ranks = int(np.prod(grid))
    return au.Device(
        ranks=ranks, grid=grid, threads=threads, precision=precision, algorithm=algorithm
    )


class Library:
    """Makes simulations by name and grid; blocks are relaxed once."""

    names = (*FLUIDS, *CASES)
    without_mesh = (*FLUIDS, *(name for name, case in CASES.items() if not case.mesh))

    def __init__(self, folder: Path, teams: Teams) -> None:
        self._folder, self._teams = folder, teams
        self._blocks: dict[tuple[str, Shape], Block] = {}
        self._known: set[Path] = set()  # folders that have their files

    def files(self, name: str, grid: Shape, settings: dict[str, str] | None = None) -> Files:
        """Input files of molecules for this grid; `settings`: in the place of the case's own."""
        case = CASES[name]
        shape = case.shape(grid)
        block = self._block(name, shape if case.together else (1, 1, 1))
        place = self._made(f"{name} {shape}" if settings is None else f"{len(self._known)}")
        if place not in self._known:
            own = case.settings if settings is None else settings
            block.write(place, (1, 1, 1) if case.together else shape, own)
            self._known.add(place)
        return [place / file for file in NAMES]

    def _block(self, name: str, shape: Shape) -> Block:
        """Relaxed, with the bonds constrained that will be."""
        if (name, shape) not in self._blocks:
            case, place = CASES[name], self._made(f"{name} {words(shape)} block")
            block = case.block(shape) if case.together else case.block()
            rigid = {k: v for k, v in case.settings.items() if k == "constraints"}
            self._blocks[name, shape] = block.relaxed(place, rigid)
        return self._blocks[name, shape]

    def _made(self, name: str) -> Path:
        place = self._folder / name
        place.mkdir(exist_ok=True)
        return place

    def simulation(
        self, name: str, grid: Shape, device: au.Device, settings: Any = None
    ) -> au.Simulation:
        """One of `names`, or "protein"; `settings`: the integrator of a fluid, or run parameters
        of molecules.
        """
        if name in FLUIDS:
            more = {} if settings is None else {"integrator": settings}
            with self._teams.of(device.ranks):
                return fluid(name, grid, device, **more)
        protein = name == "protein"
        files = protein_files(self._made(name)) if protein else self.files(name, grid, settings)
        points = files[0].with_name("ref.gro") if name == "restraints" else None
        with self._teams.of(device.ranks):
            return au.from_gromacs(*files, references=points, device=device, maxwarn=9)

    def restart(self, path: Path, device: au.Device) -> au.Simulation:
        """What a checkpoint holds, on as many ranks as the device has."""
        with self._teams.of(device.ranks):
            return au.Simulation.from_checkpoint(path, device=device)
