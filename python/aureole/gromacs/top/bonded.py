# SPDX-License-Identifier: Apache-2.0
"""Lines of bonded directives as terms: parameters given or looked up, in this package's columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from aureole.base.arrays import frozen
from aureole.base.errors import InputError
from aureole.system.topology import TERMS, Terms

from .atoms import Particles
from .constant_terms import ANGLES, BONDS, constant_dihedral, sites_of
from .directives import PARTICLES, REFUSED, WORDS, function, row
from .force_field import ForceField
from .preprocessor import Line
from .types import Row
from .values import at_least, integer, parameters, real
from .virtual_site_geometry import Geometry, Unknown, site_parameters


class _Rows:
    """The terms of one kind; equal parameters are stored once."""

    def __init__(self) -> None:
        self.particles: list[tuple[int, ...]] = []
        self.rows: list[int] = []
        self.table: dict[Row, int] = {}
        self.staying: set[int] = set()

    def add(self, particles: tuple[int, ...], values: Row, stays: bool = False) -> None:
        if stays:
            self.staying.add(len(self.rows))
        self.particles.append(particles)
        self.rows.append(self.table.setdefault(values, len(self.table)))

    def keep(self, wanted: Callable[[tuple[int, ...]], bool]) -> None:
        """Keep the terms that are wanted, and those that stay in any case."""
        kept = [k for k, p in enumerate(self.particles) if k in self.staying or wanted(p)]
        self.staying = {new for new, k in enumerate(kept) if k in self.staying}
        self.particles = [self.particles[k] for k in kept]
        self.rows = [self.rows[k] for k in kept]


class Bonded:
    """The terms of one molecule type; `read` takes in one line after another.

    Attributes:
        edges: pairs of particles that exclusions are counted along
        sites: virtual sites with the lines that construct them
        refused: error of the first line that cannot be used, raised if the molecule is used
        second_states: number of lines whose state B differs
    """

    def __init__(self, field: ForceField, particles: Particles) -> None:
        self._field = field
        self._particles = particles
        self._terms: dict[str, _Rows] = {}
        self.edges: list[tuple[int, int]] = []
        self.sites: dict[int, Line] = {}
        self.refused: InputError | None = None
        self.second_states = 0
        self._open: list[tuple[Line, tuple[int, ...], str, bool]] = []
        self._special: dict[str, Callable[[Line, tuple[int, ...], int, list[str]], None]] = {
            "pairs": self._pair,
            "pairs_nb": self._bare_pair,
            "settles": self._settle,
            "cmap": self._cmap,
        } | {f"virtual_sites{k}": self._site for k in "1234"}

    def read(self, section: str, line: Line) -> None:
        """Take one line of a directive."""
        if section in REFUSED:
            self._refuse(line, f"[ {section} ]", REFUSED[section])
        elif section == "virtual_sitesn":
            self._mean_site(line)
        else:
            count = PARTICLES[section]
            words = at_least(line, count, f"[ {section} ]")
            particles = self.particles(line, section, words[:count])
            kind = integer(line, words[count], "the function") if len(words) > count else 1
            # Virtual sites on the other side of their plane have a sign there.
            two_sided = section == "virtual_sites3" and kind in (-3, -4)
            chosen = function(section, abs(kind) if two_sided else kind, line)
            if chosen.refusal:
                self._refuse(line, f"function {kind} of [ {section} ]", chosen.refusal)
            elif section in self._special:
                self._special[section](line, particles, kind, words[count + 1 :])
            else:
                self._plain(line, section, kind, particles, words[count + 1 :])

    def particles(self, line: Line, section: str, words: list[str]) -> tuple[int, ...]:
        """Numbers of a line as particles counted from 0; all must exist, and differ (of two
        pairs, within each pair)."""
        n = self._particles.n
        numbers = [integer(line, word, "the particle number") for word in words]
        for k in numbers:
            if not 1 <= k <= n:
                raise line.bad(
                    f"there is no particle {k}",
                    f"[ atoms ] of this molecule has {n}",
                    f"Check that this [ {section} ] belongs to this molecule",
                )
        pairs = section == "angle_restraints"
        parts = (numbers[:2], numbers[2:]) if pairs else (numbers,)
        if any(len(set(part)) < len(part) for part in parts):
            raise line.bad("a particle occurs twice", f"{' '.join(words)}", "Use different ones")
        return tuple(k - 1 for k in numbers)

    def terms(self) -> dict[str, Terms]:
        """The terms of each kind that occurs, in the order of `TERMS`."""
        found = {}
        for kind, (size, columns) in TERMS.items():
            if kind in self._terms and self._terms[kind].rows:
                rows = self._terms[kind]
                found[kind] = Terms(
                    frozen(rows.particles, np.int32, (-1, size)),
                    frozen(rows.rows, np.int32),
                    frozen(list(rows.table), np.float64, (len(rows.table), len(columns))),
                )
        return found

    def _add(
        self, line: Line, kind: str, particles: tuple[int, ...], values: Row, stays: bool = False
    ) -> None:
        if not all(map(math.isfinite, values)):
            raise line.bad("a parameter overflows", f"the parameters are {values}", "Correct it")
        self._terms.setdefault(kind, _Rows()).add(particles, values, stays)

    def _refuse(self, line: Line, what: str, words: str) -> None:
        if self.refused is None:
            why, _, nearest = words.partition("; ")
            suggestion = nearest[:1].upper() + nearest[1:]
            self.refused = line.bad(f"{what} is not supported", why, suggestion)

    def _plain(
        self, line: Line, section: str, kind: int, particles: tuple[int, ...], words: list[str]
    ) -> None:
        """A function whose parameters are in the line, or otherwise with the types."""
        chosen = function(section, kind, line)
        # grompp keeps these though virtual sites make them constant.
        stays = section == "dihedrals" and kind == 4
        counts = (0, chosen.given, chosen.given + chosen.again)
        values = parameters(line, words, counts, WORDS[section])
        rows: list[Row] | None = [tuple(values[: chosen.given])]
        if len(values) > chosen.given:
            self.second_states += values[: chosen.again] != values[chosen.given :]
        if chosen.given and not values:
            types = tuple(self._particles[i].kind.bonded for i in particles)
            rows = self._field.rows(section, kind, types)
            if rows is None:
                raise _unlisted(line, section, kind, types)
        for values_of in rows or ():
            columns = row(section, kind, values_of, line)
            if columns is not None and chosen.term:
                self._add(line, chosen.term, particles, columns, stays)
        if chosen.chemical:
            self.edges.append((particles[0], particles[1]))

    def _pair(self, line: Line, particles: tuple[int, ...], kind: int, words: list[str]) -> None:
        """Function 1: V, W [of state B], or nothing for defaults; 2: factor, charges, V, W."""
        counts = (0, 2, 4) if kind == 1 else (5,)
        values = parameters(line, words, counts, "pair")
        i, j = particles
        qq = self._field.fudge_qq * self._particles[i].charge * self._particles[j].charge
        if kind == 2 and values:
            qq = values[0] * values[1] * values[2]
        if kind == 1 and len(values) == 4:
            self.second_states += values[:2] != values[2:]
        if values:
            v, w = values[:2] if kind == 1 else values[3:]
        else:
            types = (self._particles[i].kind.name, self._particles[j].kind.name)
            found = self._field.pair(types)
            if found is None:
                raise _unlisted(line, "pairs", kind, types)
            v, w = found
        self._add(line, "pair", particles, (*self._field.coefficients((v, w)), qq))

    def _bare_pair(self, line: Line, particles: tuple[int, ...], _: int, words: list[str]) -> None:
        q1, q2, v, w = parameters(line, words, (4,), "pair")
        self._add(line, "pair", particles, (*self._field.coefficients((v, w)), q1 * q2))

    def _settle(self, line: Line, particles: tuple[int, ...], _: int, words: list[str]) -> None:
        o = particles[0]
        if o + 2 >= self._particles.n:
            raise line.bad(
                "a rigid water is incomplete",
                f"it needs particles {o + 1} to {o + 3}, but there are {self._particles.n}",
                "Give its oxygen, followed by the two hydrogens",
            )
        values = tuple(parameters(line, words, (2,), "rigid water"))
        self._add(line, "settle", (o, o + 1, o + 2), values)
        self.edges += [(o, o + 1), (o, o + 2)]

    def _cmap(self, line: Line, particles: tuple[int, ...], kind: int, words: list[str]) -> None:
        types = tuple(self._particles[i].kind.bonded for i in particles)
        grid = self._field.cmap(types)
        if grid is None:
            raise _unlisted(line, "cmap", kind, types)
        self._add(line, "cmap", particles, (float(grid),))

    def _site(self, line: Line, particles: tuple[int, ...], kind: int, words: list[str]) -> None:
        section = f"virtual_sites{len(particles) - 1}"
        chosen = function(section, abs(kind), line)
        self._construct(line, particles[0])
        if chosen.given and not words:
            self._open.append((line, particles, chosen.term, kind < 0))
            return
        if kind < 0:
            raise line.bad(
                f"the function of a virtual site is {kind}",
                "a minus sign chooses the side of the plane only without parameters",
                f"Write {-kind}; the signs of the parameters choose the side",
            )
        values = parameters(line, words, (chosen.given,), "virtual site")
        self._add(line, chosen.term, particles, row(section, kind, values, line) or ())

    def place_sites(self) -> None:
        """Find the parameters of virtual sites that have none; all lines must have been read."""
        if not self._open:
            return
        geometry = Geometry(
            self._first_columns((*BONDS, "constraint")), self._first_columns(ANGLES)
        )
        for line, particles, term, swapped in self._open:
            names = [self._particles[i].kind.name.upper() for i in particles[2:4]]
            on_masses = any(all(n.startswith(m) for n in names) for m in ("MNH", "MCH3"))
            try:
                values = site_parameters(term, particles, geometry, swapped, on_masses)
            except Unknown as problem:
                raise line.bad(
                    "the parameters of a virtual site cannot be determined",
                    str(problem),
                    "Give them here, or complete [ bonds ] and [ angles ]",
                ) from None
            self._add(line, term, particles, values)
        self._open.clear()

    def _first_columns(self, kinds: Iterable[str]) -> Iterator[tuple[tuple[int, ...], float]]:
        """Particles and first parameter of all terms of some kinds."""
        for kind in kinds:
            if kind in self._terms:
                rows = self._terms[kind]
                table = list(rows.table)
                for particles, k in zip(rows.particles, rows.rows, strict=True):
                    yield particles, table[k][0]

    def drop_constant_dihedrals(self) -> None:
        """Remove dihedrals that virtual sites make constant, but (as grompp) not function 4."""
        sites = sites_of(self.terms())
        for kind in ("periodic_dihedral", "harmonic_improper") if sites else ():
            rows = self._terms.get(kind)
            if rows is not None:
                rows.keep(lambda particles: not constant_dihedral(particles, sites))

    def _construct(self, line: Line, site: int) -> None:
        if site in self.sites:
            raise line.bad(
                f"the virtual site {site + 1} is defined twice",
                f"first in {self.sites[site].where}",
                "Remove one of them",
            )
        self.sites[site] = line

    def _mean_site(self, line: Line) -> None:
        """A site at the mean of others; function 1: plain, 2: by masses, 3: by given weights."""
        words = at_least(line, 3, "[ virtual_sitesn ]")
        kind = integer(line, words[1], "the function", 1, 3)
        step = 2 if kind == 3 else 1
        if (len(words) - 2) % step:
            raise line.bad("a particle has no weight", "function 3 needs one each", "Add it")
        particles = self.particles(line, "virtual_sitesn", [words[0], *words[2::step]])
        site, parents = particles[0], particles[1:]
        if kind == 1:
            weights = [1.0] * len(parents)
        elif kind == 2:
            weights = [self._particles[i].mass for i in parents]
        else:
            weights = [real(line, word, "a weight") for word in words[3::2]]
        total = math.fsum(weights)
        if min(weights) < 0 or total <= 0:
            raise line.bad(
                "the weights of a virtual site are not positive",
                f"their sum is {total:g}",
                "Correct them or the masses",
            )
        self._construct(line, site)
        for parent, weight in zip(parents, weights, strict=True):
            self._add(line, "vsiten", (site, parent), (weight / total,))


def _unlisted(line: Line, section: str, kind: int, types: tuple[str, ...]) -> InputError:
    return line.bad(
        f"no default {WORDS[section]} parameters for the types {'-'.join(types)}",
        f"neither the force field nor the line gives any for function {kind}",
        "Add them here or to the force field",
    )
