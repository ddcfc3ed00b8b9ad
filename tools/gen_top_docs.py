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
# GROMACS topologies: what is supported

`.top` and `.itp` files are read as in GROMACS 2022 to 2026. The preprocessor supports `#include`,
`#define`, `#undef`, `#ifdef`, `#ifndef`, `#else`, `#endif`, continuation lines (a backslash) and
comments. Included files are searched in the folder of the including file, in that of the topology,
in the folders of `include`, GMXLIB and GMXDATA, and in that of the `gmx` on PATH. Case, `-` and `_`
in names of directives are ignored. If a molecule in use needs something that is refused, reading
stops with file, line, the reason and an alternative. Parameters of state B of free-energy
topologies are read and ignored, with a note.
"""

#: What directives do that have no table of functions of their own, and what else is to be said.
MEANINGS = {
    "defaults": "combination rules 1 (c6, c12), 2 (Lorentz-Berthelot) and 3 (geometric), gen-"
    "pairs, fudgeLJ, fudgeQQ; only Lennard-Jones (function 1), and a repulsion of "
    "power 12",
    "atomtypes": "with or without bonded type and atomic number; kinds A, V or D, S, N and B. A "
    "negative sigma removes the attraction",
    "bondtypes": "by bonded types, in either order, for the functions of [ bonds ]",
    "constrainttypes": "by bonded types, for the functions of [ constraints ]",
    "pairtypes": "Lennard-Jones parameters of 1-4 pairs; other pairs follow gen-pairs",
    "angletypes": "by bonded types, for the functions of [ angles ]",
    "dihedraltypes": "by four bonded types with X for any, or by two; several lines of function 9 "
    "are summed",
    "nonbond_params": "Lennard-Jones parameters of two types, overriding the combination rule",
    "cmaptypes": "square maps by five bonded types",
    "moleculetype": "name and nrexcl",
    "atoms": "number, type, residue, name, group, charge and mass; state B is ignored",
    "exclusions": "in addition to those of nrexcl",
    "system": "a title",
    "molecules": "molecule types and their numbers; case is ignored",
    "intermolecular_interactions": "bonds of functions 6 and 10, pairs, angles, dihedrals, their "
    "restraints, and cmap between molecules",
    "virtual_sitesn": "1 centre of geometry, 2 centre of mass, 3 given weights",
}

TAIL = """\
## Virtual sites without parameters

`pdb2gmx -vsite` writes such sites. Parameters of 3fd, 3fad, 3out and 4fdn follow from bonds, angles
and constraints. Those of function 1 of three particles are only determined on the masses of CH3 and
NH3 groups (types MCH3 and MNH). A negative function (-3, -4) means the other side of the plane.
Other sites need parameters.

## Terms that virtual sites make constant

As in grompp, bonds (except functions 6, 7 and 10), angles and constraints within one construction
are removed if they cannot change. So are dihedrals of functions 1, 2 and 9 among the sites and
particles of one construction. The energies of terms therefore agree with GROMACS. Remaining
constraints to virtual sites are an error.

## What is ignored

Parameters that the force field gives for refused functions are skipped. A `[ moleculetype ]` that
is not in [ molecules ] may contain anything. Lines before the first directive and unused `-D`
macros give a note.
"""


#: Parameters that files give in another form than the engine takes them.
IN_FILES = {
    ("position_restraints", 2): "geometry (1: sphere; 6, 7, 8 or 2: cylinder along x, y, z; "
    "3, 4, 5: layer normal to x, y, z), radius (negative to keep particles outside), k",
    ("angle_restraints", 1): "theta0, k, n; both pairs may share a particle",
    ("pairs", 1): "V, W, or none for those of the types",
    ("pairs", 2): "fudgeQQ, q1, q2, V, W",
    ("pairs_nb", 1): "q1, q2, V, W",
    ("dihedrals", 5): "f1, f2, f3, f4 of the Fourier series",
    ("dihedrals", 11): "k, and c0 to c4, which it multiplies",
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
        return f"**refused**: {why}; instead: {nearest}"
    term = one.term.replace("_", " ") or "no energy, only exclusions"
    return term if not one.chemical else f"{term}; counts for nrexcl"


def page() -> str:
    plain, rows = [], []
    for section in ORDER:
        if section in IGNORED:
            plain.append([f"[ {section} ]", f"ignored with a note: {IGNORED[section]}"])
        elif section in REFUSED:
            why, _, nearest = REFUSED[section].partition("; ")
            plain.append([f"[ {section} ]", f"**refused**: {why}; instead: {nearest}"])
        elif section in FUNCTIONS:
            rows += functions(section)
        else:
            plain.append([f"[ {section} ]", MEANINGS[section]])
    missing = set(FIELD) - set(MEANINGS) - set(IGNORED)
    assert not missing, missing
    parts = [NOTE, HEAD, "## Directives\n", table(["directive", "support"], plain)]
    head = ["function", "parameters", "support"]
    parts += ["## Functions of directives\n", table(head, rows), TAIL]
    return "\n".join(parts)


def main() -> int:
    return write(OUT, {"gromacs-top.md": page()}, "gen_top_docs.py")


if __name__ == "__main__":
    sys.exit(main())
