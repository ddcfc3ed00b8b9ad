# SPDX-License-Identifier: Apache-2.0
"""Topologies of GROMACS: a .top file and all that it includes, as a `Topology`.

The steps stand in files of their own: `preprocessor` makes logical lines, `directives` knows
directives and functions, `force_field` reads parameters of types, `molecule` one molecule type.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from aureole.base.errors import file_error, nearest
from aureole.base.units import COULOMB
from aureole.system.topology import Topology

from .atoms import SystemParticles
from .bonded import Bonded
from .directives import FIELD, IGNORED, ORDER, directive
from .force_field import ForceField
from .lennard_jones import matrix
from .molecule import Draft
from .preprocessor import Line, Source
from .values import at_least, integer

#: Particles that 32-bit numbers count.
_MOST_PARTICLES = 2**31 - 1

_SYSTEM = "intermolecular_interactions"

#: Directives that may stand between molecules; none that excludes, constrains or places.
_BETWEEN = (
    *("bonds", "pairs", "pairs_nb", "angles", "dihedrals", "cmap"),
    *("angle_restraints", "angle_restraints_z", "dihedral_restraints"),
)


def read_top(
    path: str | os.PathLike[str],
    *,
    defines: str | Iterable[str] = (),
    include: str | Iterable[str | os.PathLike[str]] = (),
) -> Topology:
    """Read a GROMACS topology.

    Args:
        path: the .top file
        defines: macros, as in `define` of the run options: "-DPOSRES -DFLEXIBLE" or a list
        include: further folders of included files, as in `include` of the run options

    Units are those of GROMACS: nm, ps, u, kJ/mol, elementary charges; angles become radians.
    State B of free-energy topologies is ignored, with a note. Raises FileError for unreadable
    files, and InputError with file and line for contents that are invalid or not supported.
    """
    source = Source(path, defines=defines, include=include)
    reader = _Reader(source)
    try:
        for line in source:
            reader.read(line)
        return reader.finish()
    except RecursionError:
        raise file_error(path, "cannot be read", "it is nested too deeply", "Flatten it") from None
    except MemoryError:
        raise file_error(path, "cannot be read", "out of memory", "Make it smaller") from None


class _Reader:
    """The parts read so far, and the function that takes the next line."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._field = ForceField()
        self._drafts: dict[str, Draft] = {}
        self._draft: Draft | None = None
        self._between: Bonded | None = None
        self._blocks: list[tuple[Draft, int]] = []
        self._total = 0
        self._title = ""
        self._seen: set[str] = set()
        self._section = ""
        self._notes: list[str] = []
        self._take: Callable[[Line], None] = self._before

    def read(self, line: Line) -> None:
        """Take one logical line."""
        if line.text.startswith("["):
            self._begin(line)
        else:
            self._take(line)

    def finish(self) -> Topology:
        """The topology, with the molecule types that occur."""
        path = self._source.path
        if not self._blocks:
            missing = next((d for d in ("defaults", "system") if d not in self._seen), "molecules")
            raise file_error(
                path,
                f"has no [ {missing} ]" if missing not in self._seen else "has no molecules",
                "it is not a complete topology",
                "Give the .top file that includes the others",
            )
        used = dict.fromkeys(draft for draft, _ in self._blocks)
        kinds = {kind.name for draft in used for kind in draft.atoms.kinds()}
        field = self._field
        types = {name: (kind.v, kind.w) for name, kind in field.types.items() if name in kinds}
        nonbonded = matrix(field.rule, types, field.overrides, field.places)
        index = {name: k for k, name in enumerate(types)}
        made = {draft: draft.finish(index) for draft in used}
        notes = self._notes + self._source.notes + field.notes
        return Topology(
            title=self._title,
            nonbonded=nonbonded,
            blocks=tuple((made[draft], count) for draft, count in self._blocks),
            coulomb=COULOMB,
            cmaps=tuple(field.cmaps) if any("cmap" in one.terms for one in made.values()) else (),
            intermolecular={} if self._between is None else self._between.terms(),
            notes=tuple(dict.fromkeys(notes + [note for draft in used for note in draft.notes()])),
            redefined=tuple(field.redefined),
        )

    def _begin(self, line: Line) -> None:
        """Begin a directive, and choose the function that takes its lines."""
        name = line.text[1:].split("]", 1)[0].strip()
        section = directive(name)
        if section is None:
            raise line.bad(f"[ {name} ] is not a directive", "unknown name", nearest(name, ORDER))
        needed = ORDER[section]
        if section in FIELD and "moleculetype" in self._seen:
            raise line.bad(
                f"[ {section} ] comes too late",
                "the force field ends before the first [ moleculetype ]",
                "Move it, or the #include that contains it, before that",
            )
        if needed and not self._seen.intersection(needed):
            raise line.bad(
                f"[ {section} ] comes too early",
                f"it must follow {' or '.join(f'[ {need} ]' for need in needed)}",
                "Move it, or include the force field first",
            )
        self._seen.add(section)
        self._section = section
        self._take = self._taker(section)
        if section == "moleculetype":
            self._draft = None
        elif section in IGNORED:
            self._notes.append(f"{line.where}: [ {section} ] is ignored ({IGNORED[section]})")
        elif section == _SYSTEM:
            tables = [(draft.atoms, count) for draft, count in self._blocks]
            self._between = Bonded(self._field, SystemParticles(tables))

    def _taker(self, section: str) -> Callable[[Line], None]:
        if section in IGNORED:
            return lambda line: None
        if section in FIELD:
            return lambda line: self._field.read(section, line)
        return {
            "moleculetype": self._moleculetype,
            "system": self._system,
            "molecules": self._molecules,
            _SYSTEM: self._nothing,
        }.get(section, self._of_molecule)

    def _before(self, line: Line) -> None:
        """Lines before the first directive are ignored, as in grompp."""
        note = f"{self._source.path}: lines before the first directive are ignored"
        if note not in self._notes:
            self._notes.append(note)

    def _nothing(self, line: Line) -> None:
        raise line.bad(
            "a line that belongs to no directive", f"[ {_SYSTEM} ] has no lines", "Remove it"
        )

    def _moleculetype(self, line: Line) -> None:
        draft = Draft(self._field, line)
        if draft.name in self._drafts:
            raise line.bad(
                f"the molecule type {draft.name} is defined twice",
                f"first in {self._drafts[draft.name].line.where}",
                "Rename or remove one",
            )
        self._drafts[draft.name] = self._draft = draft

    def _system(self, line: Line) -> None:
        self._title = line.text

    def _of_molecule(self, line: Line) -> None:
        if self._between is not None:
            self._read_between(line)
        elif self._draft is None:
            raise line.bad(
                "the molecule type has no name",
                "[ moleculetype ] is empty",
                "Add a line with name and nrexcl",
            )
        else:
            self._draft.read(self._section, line)

    def _read_between(self, line: Line) -> None:
        """Interactions between molecules; they neither exclude nor constrain."""
        assert self._between is not None
        fits = self._section in _BETWEEN
        if fits:
            self._between.read(self._section, line)
        if not fits or self._between.edges:
            raise line.bad(
                f"[ {self._section} ] cannot act between molecules",
                "only potentials can, and only bonds of functions 6 and 10",
                f"Merge them into one molecule, or use one of {', '.join(_BETWEEN)}",
            )
        if self._between.refused is not None:
            raise self._between.refused

    def _molecules(self, line: Line) -> None:
        words = at_least(line, 2, "[ molecules ]")
        draft = self._drafts.get(words[0]) or self._without_case(line, words[0])
        count = integer(line, words[1], "the number of molecules", 0)
        if not draft.atoms.n:
            raise line.bad(f"{draft.name} has no particles", "its [ atoms ] is empty", "Add them")
        self._total += draft.atoms.n * count
        if self._total > _MOST_PARTICLES:
            raise line.bad(
                "there are too many particles", f"at most {_MOST_PARTICLES}", "Use fewer molecules"
            )
        if count:
            self._blocks.append((draft, count))

    def _without_case(self, line: Line, name: str) -> Draft:
        like = [key for key in self._drafts if key.lower() == name.lower()]
        if len(like) != 1:
            raise line.bad(
                f"unknown molecule type {name}",
                "no [ moleculetype ] has that name",
                nearest(name, self._drafts),
            )
        return self._drafts[like[0]]
