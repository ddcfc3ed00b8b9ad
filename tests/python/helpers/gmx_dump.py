# SPDX-License-Identifier: Apache-2.0
"""What grompp makes of a topology: the output of `gmx dump`, as particles, terms and exclusions."""

from __future__ import annotations

import math
import re
from collections import defaultdict

import numpy as np

MDP = """\
integrator = md
comm-mode = none
nsteps = 0
cutoff-scheme = Verlet
nstlist = 10
coulombtype = Cut-off
rcoulomb = 1.0
rvdw = 1.0
constraints = {constraints}
define = {define}
"""

_FUNCTION = re.compile(r"functype\[(\d+)\]=(\w+),?(.*?)(?=functype\[|reppow)", re.DOTALL)
_NUMBER = re.compile(r"(\w+(?:\[\s*\d+\])?|n)\s*=\s*([-+]?(?:\d[\d.eE+-]*|nan|inf))")
_ATOM = re.compile(
    r"\s*atom\[\s*(\d+)\]=\{type=\s*(\d+), typeB.*ptype=\s*(\S+), m=\s*(\S+), q=\s*(\S+),"
)
_TERM = re.compile(r"\s*\d+ type=(\d+) \((\w+)\)((?:\s+\d+)+)")
_EXCLUDED = re.compile(r"excls\[\s*(\d+)\]\[[^\]]*\]=\{([^}]*)\}")


class Molecule:
    """One moltype section."""

    def __init__(self, text, functions):
        self.name = re.search(r'name="(.*)"', text)[1]
        rows = [_ATOM.match(line) for line in text.splitlines() if "ptype=" in line]
        self.type = [int(row[2]) for row in rows]
        self.virtual = [row[3] == "VSite" for row in rows]
        self.mass = [float(row[4]) for row in rows]
        self.charge = [float(row[5]) for row in rows]
        self.names = re.findall(r'\n\s*atom\[\d+\]=\{name="(.*?)"\}', text)
        self.excluded = {
            int(i): sorted({int(word) for word in found.replace(",", " ").split()} - {int(i)})
            for i, found in _EXCLUDED.findall(text)
        }
        self.terms = defaultdict(list)
        for line in text.splitlines():
            match = _TERM.match(line)
            if match:
                atoms = tuple(int(word) for word in match[3].split())
                self.terms[match[2]].append((atoms, functions[int(match[1])][1]))


class Dump:
    """The topology of a run input file, as `gmx dump` writes it."""

    def __init__(self, text):
        text = text[text.index("\ntopology:") :]
        head, *parts = re.split(r"\n\s*moltype \(\d+\):", text)
        self.functions = _functions(head)
        self.fudge = float(re.search(r"fudgeQQ\s*=\s*(\S+)", head)[1])
        between = head.split("bIntermolecularInteractions")[-1].split("ffparams:")[0]
        self.between = defaultdict(list)
        for line in between.splitlines():
            match = _TERM.match(line)
            if match:
                atoms = tuple(int(word) for word in match[3].split())
                self.between[match[2]].append((atoms, self.functions[int(match[1])][1]))
        parts[-1] = re.split(r"\n   groups|\n   grp", parts[-1])[0]
        self.molecules = {one.name: one for one in (Molecule(p, self.functions) for p in parts)}
        self.blocks = [
            (name, int(count))
            for name, count in re.findall(r'moltype\s+= \d+ "(.*)"\n\s*#molecules\s*= (\d+)', head)
        ]
        self.cmaps = _cmaps(head)

    def lennard_jones(self, i, j):
        """c6 and c12 of two types."""
        n = math.isqrt(sum(name == "LJ_SR" for name, _ in self.functions.values()))
        found = self.functions[i * n + j][1]
        return found["c6"], found["c12"]


def _functions(text):
    found = {}
    for number, name, values in _FUNCTION.findall(text):
        found[int(number)] = (name, {key: float(value) for key, value in _NUMBER.findall(values)})
        strength = re.search(r"fcA=\(([^)]*)\)", values)
        if strength:
            numbers = enumerate(strength[1].split(","))
            found[int(number)][1].update({f"fcA[{k}]": float(value) for k, value in numbers})
    return found


def _cmaps(text):
    """The energies of the correction maps."""
    parts = re.split(r"\ngrid\[ *\d+\]=\{", text)[1:]
    lines = [[line.split() for line in part.split("}")[0].splitlines()] for part in parts]
    return [
        [float(words[0]) for words in found if len(words) == 4 and words[0] != "V"]
        for found in lines
    ]


#: Names in a dump: our kind, keys of the parameters, and where ours differ from them.
KINDS = {
    "BONDS": ("harmonic_bond", ("b0A", "cbA")),
    "G96BONDS": ("g96_bond", ("b0A", "cbA")),
    "MORSE": ("morse_bond", ("b0A", "cbA", "betaA")),
    "CUBICBONDS": ("cubic_bond", ("b0", "kb", "kcub")),
    "FENEBONDS": ("fene_bond", ("bm", "kb")),
    "RESTRAINTPOT": ("range_restraint", ("lowA", "up1A", "up2A", "kA")),
    "HARMONIC": ("harmonic_restraint", ("b0A", "cbA")),
    "ANGLES": ("harmonic_angle", ("thA", "ctA")),
    "G96ANGLES": ("g96_angle", ("thA", "ctA")),
    "UREY_BRADLEY": ("urey_bradley", ("thetaA", "kthetaA", "r13A", "kUBA")),
    "QANGLES": ("quartic_angle", ("theta", *(f"c{k}" for k in range(5)))),
    "ANGRES": ("angle_restraint", ("phiA", "cpA", "mult")),
    "ANGRESZ": ("angle_restraint_z", ("phiA", "cpA", "mult")),
    "DIHRES": ("dihedral_restraint", ("phiA", "dphiA", "kfacA")),
    "CROSS_BOND_BOND": ("cross_bonds", ("r1e", "r2e", "krr")),
    "CROSS_BOND_ANGLE": ("cross_bond_angle", ("r1e", "r2e", "r3e", "krt")),
    "RESTRANGLES": ("restricted_angle", ("kthetaA", "costheta0A")),
    "PDIHS": ("periodic_dihedral", ("phiA", "cpA", "mult")),
    "PIDIHS": ("periodic_dihedral", ("phiA", "cpA", "mult")),
    "RBDIHS": ("ryckaert_bellemans", tuple(f"rbcA[{k}]" for k in range(6))),
    "FOURDIHS": ("ryckaert_bellemans", tuple(f"FourA[{k}]" for k in range(4))),
    "IDIHS": ("harmonic_improper", ("xiA", "cxA")),
    "RESTRDIHS": ("restricted_dihedral", ("phiA", "cpA")),
    "CBTDIHS": ("bending_torsion", ("kphi", *(f"cbtcA[{k}]" for k in range(5)))),
    "CMAP": ("cmap", ("cmapA",)),
    "LJ14": ("pair", ("c6A", "c12A")),
    "LJC14_Q": ("pair", ("c6", "c12", "fqq", "qi", "qj")),
    "LJC_NB": ("pair", ("c6", "c12", "qi", "qj")),
    "FBPOSRES": ("flat_bottom_restraint", ("geometry", "r", "k")),
    "POSRES": ("position_restraint", ("fcA[0]", "fcA[1]", "fcA[2]")),
    "CONSTR": ("constraint", ("dA",)),
    "CONSTRNC": ("constraint", ("dA",)),
    "SETTLE": ("settle", ("doh", "dhh")),
    "VSITE1": ("vsite1", ()),
    "VSITE2": ("vsite2", ("a",)),
    "VSITE2FD": ("vsite2fd", ("a",)),
    "VSITE3": ("vsite3", ("a", "b")),
    "VSITE3FD": ("vsite3fd", ("a", "b")),
    "VSITE3FAD": ("vsite3fad", ("a", "b")),
    "VSITE3OUT": ("vsite3out", ("a", "b", "c")),
    "VSITE4FDN": ("vsite4fdn", ("a", "b", "c")),
    "VSITEN": ("vsiten", ("a",)),
}
_DEGREES = {
    **dict.fromkeys(("ANGLES", "UREY_BRADLEY", "QANGLES", "RESTRANGLES", "PDIHS", "PIDIHS"), 1),
    **dict.fromkeys(("IDIHS", "RESTRDIHS", "ANGRES", "ANGRESZ"), 1),
    "DIHRES": 2,
}


def rows(name, found, qq):
    """A term of a dump as parameters in our units and order; `qq` makes that of a 1-4 pair."""
    atoms, values = found
    kind, keys = KINDS[name]
    row = [values[key] for key in keys]
    if name in _DEGREES:
        row[: _DEGREES[name]] = map(math.radians, row[: _DEGREES[name]])
    elif name == "VSITE3FAD":  # they store the distance along and across
        row = [math.atan2(row[1], row[0]) % (2.0 * math.pi), math.hypot(*row)]
    elif name == "G96BONDS":  # they store the square
        row[0] = math.sqrt(row[0])
    elif name == "G96ANGLES":  # and the cosine
        row[0] = math.acos(row[0])
    elif name == "CBTDIHS":
        row = [row[0] * value for value in row[1:]]
    elif name == "FOURDIHS":  # ½ Σ fn (1 − Tn(x)) of x = cos(φ − π), T the polynomials of Chebyshev
        series = [sum(row), *(-value for value in row)]
        row = [*(0.5 * np.polynomial.chebyshev.cheb2poly(series)), 0.0]
    elif kind == "pair":
        scale = values.get("fqq", 1.0)
        product = scale * values["qi"] * values["qj"] if "qi" in values else qq(*atoms)
        row = [*row[:2], product]
    return kind, (_ordered(atoms), tuple(row))


def ours(terms, kind):
    """Our terms of one kind in the same form."""
    found = terms[kind]
    values = found.parameters[found.row].tolist()
    return [
        (_ordered(tuple(particles)), tuple(row))
        for particles, row in zip(found.particles.tolist(), values, strict=True)
    ]


def _ordered(atoms):
    return min(atoms, atoms[::-1]) if 2 <= len(atoms) <= 4 else atoms


def same(a, b, atol=1e-12):
    """Are two lists of (particles, parameters) alike, in any order?

    A dump has six digits of single precision.
    """
    if len(a) != len(b):
        return False
    key = _sort_key
    for (atoms, left), (others, right) in zip(sorted(a, key=key), sorted(b, key=key), strict=True):
        if atoms != others or not np.allclose(left, right, rtol=6e-6, atol=atol):
            return False
    return True


def _sort_key(found):
    atoms, values = found
    return atoms, tuple(float(f"{value:.4e}") for value in values)
