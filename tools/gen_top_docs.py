# SPDX-License-Identifier: Apache-2.0
"""Writes docs/gromacs-top.md from the tables of directives and functions.

python tools/gen_top_docs.py [--check]     with --check nothing is written, a stale page is named
"""

from __future__ import annotations

import sys
from pathlib import Path

from aureole.gromacs.top.directives import FIELD, FUNCTIONS, IGNORED, ORDER, REFUSED, Function
from aureole.system.topology import TERMS
from pages import table, write

OUT = Path(__file__).parents[1] / "docs"
NOTE = "<!-- Made by tools/gen_top_docs.py: change the sources instead. -->\n"

HEAD = """\
# What is read of GROMACS topologies

`.top` and `.itp` files as GROMACS 2022 to 2026 read them, with their preprocessor: `#include`
(beside the file, beside the topology, in folders of `include`, GMXLIB, GMXDATA, and of the `gmx`
on PATH), `#define`,
`#undef`, `#ifdef`, `#ifndef`, `#else`, `#endif`, lines that a backslash continues, comments. Case,
`-` and `_` in names of directives do not count. If a molecule in use has something that is refused,
reading stops with file, line, the reason and the nearest alternative. Parameters of state B of
free-energy topologies are read and ignored, with a note.
"""

#: What directives do that have no table of functions of their own, and what else is to be said.
MEANINGS = {
    "defaults": "combination rules 1 (c6, c12), 2 (Lorentz-Berthelot) and 3 (geometric), gen-"
    "pairs, fudgeLJ, fudgeQQ; only Lennard-Jones (function 1), and a repulsion of "
    "power 12",
    "atomtypes": "with or without bonded type and atomic number; kinds A, V or D, S, N and B. A "
    "negative sigma takes the attraction away",
    "bondtypes": "by bonded types, in either order, for the functions of [ bonds ]",
    "constrainttypes": "by bonded types, for the functions of [ constraints ]",
    "pairtypes": "Lennard-Jones of 1-4 pairs; other pairs as gen-pairs says",
    "angletypes": "by bonded types, for the functions of [ angles ]",
    "dihedraltypes": "by four bonded types with X for any, or by two; several lines of function 9 "
    "are summed",
    "nonbond_params": "Lennard-Jones of two types against the rule",
    "cmaptypes": "square maps by five bonded types",
    "moleculetype": "name and nrexcl",
    "atoms": "number, type, residue, name, group, charge and mass; state B is left out",
    "exclusions": "beside those of nrexcl",
    "system": "a title",
    "molecules": "molecule types and their numbers, by any case of letters",
    "intermolecular_interactions": "bonds of functions 6 and 10, pairs, angles, dihedrals, their "
    "restraints and cmap between molecules",
    "virtual_sitesn": "1 centre of geometry, 2 centre of mass, 3 given weights",
}

TAIL = """\
## Virtual sites without parameters

As `pdb2gmx -vsite` writes them. Parameters of 3fd, 3fad, 3out and 4fdn are found from bonds,
angles and constraints; those of function 1 of three particles on the masses of CH3 and NH3 groups
(types MCH3 and MNH). A negative function (-3, -4) means the other side. Other sites need
parameters.

## What virtual sites make constant

Bonds (not of functions 6, 7 and 10), angles and constraints within one construction are removed
where they cannot change, and dihedrals of functions 1, 2 and 9 among the sites and particles of
one, by grompp's rules: energies of terms agree with it. Constraints to sites that remain are an
error.

## What is not needed

Parameters that the force field has for refused functions are skipped. A `[ moleculetype ]` that
[ molecules ] does not name may hold anything. Lines before the first directive, and `-D` macros
that nothing uses, give a note.
"""


#: Parameters that files give in another form than the engine takes them.
IN_FILES = {
    ("position_restraints", 2): "geometry (1 sphere; 2 or 8, 6, 7 cylinder along z, x, y; 3, 4, 5 "
    "layer across x, y, z), radius (negative to keep out), k",
    ("angle_restraints", 1): "theta0, k, n; both pairs may share a particle",
    ("pairs", 1): "V, W, or none for those of types",
    ("pairs", 2): "fudgeQQ, q1, q2, V, W",
    ("pairs_nb", 1): "q1, q2, V, W",
    ("dihedrals", 5): "f1, f2, f3, f4 of the Fourier series",
    ("dihedrals", 11): "k, and c0 to c4 that it multiplies",
}


def functions(section: str) -> list[list[str]]:
    rows = []
    for number, one in FUNCTIONS[section].items():
        names = IN_FILES.get((section, number)) or parameters(one)
        rows.append([f"{section} {number}", names, here(one)])
    return rows


def parameters(one: Function) -> str:
    if one.refusal:
        return ""
    columns = TERMS[one.term][1] if one.term else ()
    names = ", ".join(columns) if len(columns) == one.given else f"{one.given} numbers"
    return names if one.given else "none"


def here(one: Function) -> str:
    if one.refusal:
        why, _, nearest = one.refusal.partition("; ")
        return f"**refused**: {why}; nearest: {nearest}"
    term = one.term.replace("_", " ") or "no energy, excludes only"
    return term if not one.chemical else f"{term}; nrexcl counts along it"


def page() -> str:
    plain, rows = [], []
    for section in ORDER:
        if section in IGNORED:
            plain.append([f"[ {section} ]", f"left out with a note: {IGNORED[section]}"])
        elif section in REFUSED:
            why, _, nearest = REFUSED[section].partition("; ")
            plain.append([f"[ {section} ]", f"**refused**: {why}; nearest: {nearest}"])
        elif section in FUNCTIONS:
            rows += functions(section)
        else:
            plain.append([f"[ {section} ]", MEANINGS[section]])
    missing = set(FIELD) - set(MEANINGS) - set(IGNORED)
    assert not missing, missing
    parts = [NOTE, HEAD, "## Directives\n", table(["directive", "here"], plain)]
    parts += ["## Functions of directives\n", table(["function", "parameters", "here"], rows), TAIL]
    return "\n".join(parts)


def main() -> int:
    return write(OUT, {"gromacs-top.md": page()}, "gen_top_docs.py")


if __name__ == "__main__":
    sys.exit(main())
