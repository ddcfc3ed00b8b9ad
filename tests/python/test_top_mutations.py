# SPDX-License-Identifier: Apache-2.0
"""Damaged topologies end in an error that names the file, never in anything else."""

from aureole.errors import FileError, InputError
from aureole.gromacs.constrain import constrain_bonds
from aureole.gromacs.top import read_top
from gmx_tool import mutants
from top_tools import ATOMS, END, FIELD

WHOLE = (
    """\
; a bit of everything
#define gb 0.1 9e5
#ifdef FLEXIBLE
#define more
#endif
"""
    + FIELD
    + """\
[ bondtypes ]
bC bH 1 0.11 5e5
[ pairtypes ]
tC tH 1 0.2 0.1
[ angletypes ]
bH bC bO 5 110 400 0.2 900
[ dihedraltypes ]
X bC bO X 9 0 1 1
X bC bO X 9 180 2 2
bH bC 2 35 9
[ nonbond_params ]
tC tO 1 0.3 0.1
[ cmaptypes ]
bC bH bO bC bH 1 2 2 \\
1 2 3 4
"""
    + ATOMS
    + """\
5 tH 1 RES H2 1 0.1 1.0
6 tV 1 RES V1 1 0.1 0.0
7 tV 1 RES V2 1
[ bonds ]
1 2 1
1 3 1 gb
3 4 2 0.1 900
4 5 5
[ pairs ]
2 4 1
1 4 2 0.5 0.1 0.2 0.3 0.4
[ angles ]
2 1 3 5
1 3 4 1 109 40
[ dihedrals ]
2 1 3 4 9
1 2 3 4 3 1 2 3 4 5 6
2 3 4 1 2
1 3 4 5 4 0 1 2
[ cmap ]
1 2 3 4 5 1
[ constraints ]
2 5 1 0.2
[ virtual_sites3 ]
6 1 2 3 4 0.1 0.1 -3
[ virtual_sitesn ]
7 2 1 2 3
[ position_restraints ]
1 1 1000 1000 1000
[ exclusions ]
1 6 7
[ moleculetype ]
SOL 2
[ atoms ]
1 tO 1 SOL OW 1 -0.8
2 tH 1 SOL HW1 1 0.4
3 tH 1 SOL HW2 1 0.4
#ifndef FLEXIBLE
[ settles ]
1 1 0.1 0.1633
#else
[ bonds ]
1 2 1 0.1 900
#endif
"""
    + END.replace("MOL 1", "MOL 2\nSOL 5")
    + "[ intermolecular_interactions ]\n[ bonds ]\n1 9 6 0.5 100\n"
)


def test_the_whole_one_is_read(tmp_path):
    (tmp_path / "a.top").write_text(WHOLE)
    found = read_top(tmp_path / "a.top")
    assert (found.n, len(found.expand_terms())) == (29, 15)


def test_damaged_ones_end_in_clear_errors(tmp_path):
    path = tmp_path / "a.top"
    refused = 0
    for data in mutants(WHOLE.encode(), len(FIELD), count=1500):
        path.write_bytes(data)
        try:
            topology = read_top(path)
        except (InputError, FileError) as error:
            assert str(path) in str(error), str(error)
            refused += 1
            continue
        if topology.n < 100_000:  # what is read can be used
            topology.expand_exclusions()
            topology.expand_atoms()
            assert set(constrain_bonds(topology, "h-bonds").expand_terms())
    assert 300 < refused < 1500
