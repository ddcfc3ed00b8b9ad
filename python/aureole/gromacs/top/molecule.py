# SPDX-License-Identifier: Apache-2.0
"""One molecule type of a topology while it is being read."""

from __future__ import annotations

from collections.abc import Mapping

from aureole.base.errors import InputError
from aureole.system.exclusions import exclusions
from aureole.system.topology import MoleculeType

from .atoms import AtomTable
from .bonded import Bonded
from .force_field import ForceField
from .preprocessor import Line
from .values import at_least, integer


class Draft:
    """A molecule type; `read` takes in the lines of its directives, `finish` makes it."""

    def __init__(self, field: ForceField, line: Line) -> None:
        words = at_least(line, 2, "[ moleculetype ]")
        self.name = words[0]
        self.line = line
        self.atoms = AtomTable(field)
        self.bonded = Bonded(field, self.atoms)
        self._depth = integer(line, words[1], "nrexcl", 0)
        self._excluded: list[tuple[int, int]] = []

    def read(self, section: str, line: Line) -> None:
        """Take one line of a directive."""
        if section == "atoms":
            self.atoms.read(line)
        elif section == "exclusions":
            first, *others = line.words()
            self.bonded.particles(line, section, [first])
            for other in others:
                if other != first:
                    i, j = self.bonded.particles(line, section, [first, other])
                    self._excluded.append((i, j))
        else:
            self.bonded.read(section, line)

    def finish(self, index: Mapping[str, int]) -> MoleculeType:
        """The molecule type; `index` gives numbers to types of particles."""
        if self.bonded.refused is not None:
            raise self.bonded.refused
        self.bonded.place_sites()
        self.bonded.drop_constant_dihedrals()
        self.atoms.check(self.bonded.sites)
        excluded = exclusions(self.atoms.n, self.bonded.edges, self._excluded, self._depth)
        if excluded is None:
            raise self._too_many()
        return MoleculeType(
            name=self.name,
            atoms=self.atoms.columns(index, self.bonded.sites),
            terms=self.bonded.terms(),
            exclusions=excluded,
        )

    def notes(self) -> list[str]:
        """Notes for the user."""
        count = self.atoms.second_states + self.bonded.second_states
        if not count:
            return []
        return [f"{self.line.where}: state B of {count} lines of {self.name} is ignored"]

    def _too_many(self) -> InputError:
        return self.line.bad(
            f"{self.name} has too many exclusions",
            f"{self.atoms.n} particles, excluded up to {self._depth} bonds apart",
            "Use a smaller nrexcl",
        )
