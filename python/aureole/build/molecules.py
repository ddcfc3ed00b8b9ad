# SPDX-License-Identifier: Apache-2.0
"""Liquids and solutions of published models, as objects and as files of GROMACS."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from aureole.base.errors import bad_input, file_error, nearest
from aureole.base.text_files import replace
from aureole.base.values import choice, integer, number
from aureole.formats.coordinates import Coordinates
from aureole.formats.gro import write_gro
from aureole.gromacs.top.read import read_top
from aureole.gromacs.translate import system_of
from aureole.ranks.team import standing
from aureole.system.system import System
from aureole.system.topology import Topology

from .molecule_model import GEOMETRIC, LORENTZ_BERTHELOT, Kind, Model
from .place_molecules import place
from .published_models import ION_WATERS, IONS, NAMES, WATERS, model

AVOGADRO = 602.214076  # molecules in cm³/mol × nm⁻³
DECIMALS = 6  # of positions, in memory as in files
_START = "gen-vel                 = yes\ngen-temp                = 300\n"
_FUDGE = 0.5  # of pairs three bonds apart in OPLS-AA
_WORDS = {
    "spce": "SPC/E water",
    "spc": "SPC water",
    "tip3p": "TIP3P water",
    "tip4p": "TIP4P water",
    "Na+": "sodium",
    "Cl-": "chloride",
}
_MOST = 10**7  # molecules; building them takes about a kilobyte each


@dataclass(frozen=True, eq=False)
class Molecules:
    """Molecules in a box: `system()` is for `Simulation`, `write_gromacs` for GROMACS.

    ``topology, coordinates = au.build.water(1000)`` unpacks it.
    """

    topology: Topology = field(repr=False)
    coordinates: Coordinates = field(repr=False)
    top: str = field(repr=False)  #: text of the topology, with everything inline
    title: str

    def __iter__(self) -> Iterator[Any]:
        return iter((self.topology, self.coordinates))

    @property
    def n(self) -> int:
        """Number of particles."""
        return self.coordinates.n

    def system(self) -> System:
        """The system: particles, charges, bonded terms and constraints, in nm, ps and kJ/mol."""
        return system_of(self.topology, self.coordinates)

    def write_gromacs(self, folder: str | os.PathLike[str], mdp: str | None = None) -> None:
        """Write conf.gro, topol.top, grompp.mdp and em.mdp into a folder, created if missing.

        em.mdp minimises the energy with the forces of grompp.mdp: ``aureole mdrun -f em.mdp
        -deffnm em``, then ``aureole mdrun -c em.gro``. There is none if grompp.mdp minimises.

        Args:
            folder: the target
            mdp: text of the run parameters; None: the preset "amber" with velocities drawn at
                300 K

        In a script that runs on every rank, rank 0 writes. Raises FileError if the folder
        cannot be written.
        """
        from aureole.gromacs.presets.minimisation import minimisation_before
        from aureole.gromacs.presets.preset import preset

        if standing()[0] != 0:
            return
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise file_error(folder, "cannot be made", error, "Choose another place") from None
        write_gro(folder / "conf.gro", self.coordinates, DECIMALS)
        replace(folder / "topol.top", [self.top.encode()])
        mdp = preset("amber") + _START if mdp is None else mdp
        replace(folder / "grompp.mdp", [mdp.encode()])
        if (first := minimisation_before(mdp)) is not None:
            replace(folder / "em.mdp", [first.encode()])


def water(n: int, model: str = "spce", *, density: float = 997.05, seed: int = 0) -> Molecules:
    """`n` rigid water molecules in a cubic box; minimise the energy before a run.

    Args:
        n: number of molecules
        model: "spce", "spc", "tip3p" or "tip4p" (the charge of its oxygen on a virtual site)
        density: [kg/m³]
        seed: of positions and orientations
    """
    choice(model, "model", WATERS)
    return solution({model: n}, density=density, seed=seed)


def solution(
    counts: Mapping[str, int], *, density: float | None = None, seed: int = 0
) -> Molecules:
    """Several kinds of molecules, mixed at random in a cubic box; minimise before a run.

    Water is rigid; ethanol is all-atom OPLS-AA; ions have the parameters made for their water
    model. The combination rule is that of the models; if ethanol and ions need different rules,
    pairs with an ion are listed explicitly.

    Args:
        counts: molecules by name: "spce", "spc", "tip3p", "tip4p", "ethanol", "Na+", "Cl-"; the
            particles have the same order
        density: [kg/m³]; None: from the volumes of the pure liquids
        seed: of positions and orientations

    ``au.build.solution({"ethanol": 333, "spce": 3000})``
    """
    wanted = _counts(counts)
    solvents = [name for name in wanted if name in WATERS]
    if len(solvents) > 1:
        raise bad_input(
            f"{' and '.join(solvents)} are different water models",
            "a system can have one",
            "Choose one of them",
        )
    if any(name in IONS for name in wanted) and (not solvents or solvents[0] not in ION_WATERS):
        raise bad_input(
            f"ions in {solvents[0] if solvents else 'no water'} have no published parameters here",
            "ion parameters belong to a water model",
            f"Use one of {', '.join(ION_WATERS)}",
        )
    solvent = solvents[0] if solvents else None
    models = [model(name, solvent) for name in wanted]
    numbers = list(wanted.values())
    volume = _volume(models, numbers, density)
    edge = round(volume ** (1 / 3), 5)
    title = _title(list(wanted))
    text = _topology(title, models, numbers)
    position = place(models, numbers, edge, integer(seed, "seed", low=0)).round(DECIMALS)
    topology = _read(text)
    atoms = topology.expand_atoms()
    labels = {"name": atoms.name, "residue_name": atoms.residue_name, "residue": atoms.residue}
    box = edge * np.eye(3)
    coordinates = Coordinates(title=title, **labels, position=position, box=box)
    return Molecules(topology, coordinates, text, title)


def _counts(counts: Any) -> dict[str, int]:
    if not isinstance(counts, Mapping) or not counts:
        raise bad_input(
            f"counts is {counts!r}", "it must hold numbers", 'Give {"ethanol": 333, "spce": 3000}'
        )
    for name in counts:
        if name not in NAMES:
            raise bad_input(
                f"there is no model of {name!r}",
                "only the built-in models are available",
                nearest(str(name), NAMES),
            )
    found = {k: integer(v, f"count of {k}", low=0) for k, v in counts.items()}
    found = {name: count for name, count in found.items() if count}
    if not found:
        raise bad_input("all counts are 0", "there is nothing to build", "Give a positive count")
    if sum(found.values()) > _MOST:
        raise bad_input(
            f"{sum(found.values())} molecules", f"at most {_MOST} are possible", "Give fewer"
        )
    return found


def _title(names: list[str]) -> str:
    """The title of a system: SPC/E water and ethanol."""
    *first, last = (_WORDS.get(name, name) for name in names)
    text = f"{', '.join(first)} and {last}" if first else last
    return text[:1].upper() + text[1:]


def _volume(models: list[Model], counts: list[int], density: float | None) -> float:
    """Volume of the box [nm³]."""
    of_each = [m.volume if density is None else m.mass for m in models]
    total = sum(one * count for one, count in zip(of_each, counts, strict=True)) / AVOGADRO
    if density is None:
        return total
    return total / number(density, "density", low=0.0, open_low=True) * 1000.0


def _topology(title: str, models: list[Model], counts: list[int]) -> str:
    """Text of the topology, with everything inline."""
    wanted = {m.rule for m in models} - {None}
    rule = GEOMETRIC if GEOMETRIC in wanted else LORENTZ_BERTHELOT
    kinds = {kind.name: kind for m in models for kind in m.kinds}
    lines = [f"; {title}", "[ defaults ]", f"1 {rule} yes {_FUDGE} {_FUDGE}", "[ atomtypes ]"]
    lines += [
        f"{k.name:<6s} {k.number:3d} {k.mass:10.5f} 0.0 {'V' if k.site else 'A'} "
        f"{k.sigma:.12g} {k.epsilon:.12g}"
        for k in kinds.values()
    ]
    odd = [m.kinds[0] for m in models if m.rule not in (None, rule)]
    if odd:
        lines += ["[ nonbond_params ]", *_written_out(odd, list(kinds.values()))]
    lines += [m.directives().rstrip() for m in models]
    lines += ["[ system ]", title, "[ molecules ]"]
    lines += [f"{m.name} {count}" for m, count in zip(models, counts, strict=True)]
    return "\n".join(lines) + "\n"


def _written_out(ions: list[Kind], kinds: list[Kind]) -> list[str]:
    """Pairs with ions by the rule of Lorentz and Berthelot, which the others do not follow."""
    lines = {}
    for one, other in itertools.product(ions, kinds):
        sigma = 0.5 * (one.sigma + other.sigma)
        epsilon = (one.epsilon * other.epsilon) ** 0.5
        line = f"{one.name} {other.name} 1 {sigma:.12g} {epsilon:.12g}"
        lines.setdefault(frozenset((one.name, other.name)), line)
    return list(lines.values())


def _read(text: str) -> Topology:
    with tempfile.TemporaryDirectory(prefix="aureole-") as folder:
        path = Path(folder) / "topol.top"
        path.write_text(text)
        return read_top(path)
