# SPDX-License-Identifier: Apache-2.0
"""Miniature topologies for the tests of their reader."""

from __future__ import annotations

from pathlib import Path

from aureole.gromacs.top.read import read_top

#: Four types with bonded types of their own, by combination rule 2.
FIELD = """\
[ defaults ]
1 2 yes 0.5 0.8
[ atomtypes ]
tC bC 6 12.0  0.25 A 0.35 0.40
tH bH 1  1.0  0.10 A 0.25 0.06
tO bO 8 16.0 -0.50 A 0.30 0.90
tV bV 0  0.0  0.00 V 0.00 0.00
"""

#: Charges and masses of four particles come from their types.
ATOMS = """\
[ moleculetype ]
MOL 3
[ atoms ]
1 tC 1 RES C1 1
2 tH 1 RES H1 1
3 tO 1 RES O1 1
4 tC 1 RES C2 1
"""

#: Two sites on the first three particles of ATOMS, and terms that these may make constant.
SITES = """\
5 tV 1 RES V1 1 0 0
6 tV 1 RES V2 1 0 0
[ bonds ]
1 5 1 0.1 900
5 6 2 0.1 900
2 6 3 0.1 9 20
1 6 6 0.1 900
4 5 1 0.1 900
1 4 1 0.1 900
2 5 7 0.2 900
[ angles ]
1 2 5 6 100 1 2 3 4 5
1 5 6 1 100 50
1 5 2 5 100 50 0.2 90
2 5 6 10 100 50
1 6 5 2 100 50
4 5 6 1 100 50
[ dihedrals ]
1 2 5 6 1 0 5 1
1 2 5 6 4 0 5 1
1 2 5 6 2 0 5
1 2 5 6 3 1 2 3 4 5 6
1 2 5 6 9 0 5 1
1 2 4 5 1 0 5 1
[ virtual_sites3 ]
5 1 2 3 {kind} {values}
6 1 2 3 {kind} {values}
"""
#: Constraints that make those three rigid.
RING = "[ constraints ]\n1 2 1 0.1\n2 3 1 0.1\n1 3 1 0.1\n"
#: Parameters of each function of a site.
VALUES = {1: "0.3 0.2", 2: "0.4 -0.1", 3: "120 0.1", 4: "0.3 0.2 5"}

END = """\
[ system ]
A title
[ molecules ]
MOL 1
"""


def top(folder, *sections, field=FIELD, atoms=ATOMS, end=END, **options):
    """The topology of a force field, further types (sections that end with "types ]"), the
    particles of one molecule and its other sections."""
    types = [s for s in sections if is_field(s)]
    others = [s for s in sections if not is_field(s)]
    path = Path(folder) / "mini.top"
    path.write_text("\n".join([field, *types, atoms, *others, end]))
    return read_top(path, **options)


def sites(kind, ring):
    """What comes behind ATOMS: two sites of a function, terms, and a rigid ring if wanted."""
    return SITES.format(kind=kind, values=VALUES[kind]) + (RING if ring else "")


def is_field(section):
    """Does the section belong before the first molecule type?"""
    name = section.split("]")[0].strip(" [")
    return name.endswith("types") or name == "nonbond_params"


def line_of(folder, text):
    """The number of the line of the miniature that holds the text."""
    lines = (Path(folder) / "mini.top").read_text().splitlines()
    return next(k for k, line in enumerate(lines, 1) if text in line)
