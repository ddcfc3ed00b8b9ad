# SPDX-License-Identifier: Apache-2.0
"""Index files and default groups: read, written, refused, and compared with gmx make_ndx."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.formats.coordinates import Coordinates
from aureole.formats.gro import read_gro, write_gro
from aureole.gromacs.groups import Group, default_groups, find_group
from aureole.gromacs.ndx import read_ndx
from aureole.gromacs.residue_kinds import KINDS, kind_of
from coordinate_inputs import labels
from gmx_tool import gromacs, library, shared
from mutations import readable

SMALL = """\
[ System ]
1 2 3 4 5 6 7 8
  9   10
[ Solute ] ; what is dissolved
3 1 2 ; out of order

[ Empty ]
[Last one]
10
"""

#: Atoms by residue name: some of an amino acid's, caps, sites with masses, and others.
RESIDUES = {
    "ACE": "HH31 CH3 HH32 HH33 C O",
    "ALA": "N H CA HA CB HB1 HB2 HB3 C O",
    "NLYS": "N H1 H2 H3 CA HA CB HB1 1HB CG CD CE NZ HZ1 MNZ1 MNZ2 C O",
    "GLY": "N HN CA HA1 HA2 C OC1 OC2",
    "CPRO": "N CA CB HB1 mcb1 C OT OXT O1 O2",
    "DA5": "O5' C5' H5'",
    "RU": "P O1P",
    "U": "P O2P",
    "SOL": "OW HW1 HW2",
    "HOH": "O H1 H2",
    "NA": "NA",
    "Cl-": "CL",
    "CL": "CL",
    "LIG": "C1 C2 H1 O1",
    "lig": "C1",
    "POPC": "N C13 C14",
    "hsd": "N CA C O",
}


def system(words):
    """A system of residues, as coordinates along a line."""
    rows = [
        (number + 1, residue, name)
        for number, residue in enumerate(words.split())
        for name in RESIDUES[residue].split()
    ]
    position = np.zeros((len(rows), 3))
    position[:, 0] = np.arange(len(rows)) * 0.01
    return Coordinates(
        "groups",
        np.array([row[0] for row in rows], dtype=np.int32),
        labels([row[1] for row in rows]),
        labels([row[2] for row in rows]),
        position,
        box=np.diag([9.0, 9.0, 9.0]),
    )


SYSTEMS = [
    "ACE ALA NLYS GLY CPRO SOL SOL NA CL LIG",
    "SOL SOL",
    "ALA GLY CPRO",
    "ALA NLYS",
    "LIG POPC SOL HOH NA Cl- ALA",
    "NA SOL LIG lig POPC LIG",
    "DA5 RU U SOL CL",
    "DA5 LIG",
    "hsd ALA POPC SOL NA LIG CL",
    "LIG",
    "NA LIG DA5 U",
    "U SOL DA5 LIG NA ALA POPC CL",
    "NA CL SOL",
]


def test_groups_of_a_small_file(here):
    Path("a.ndx").write_text(SMALL)
    groups = read_ndx("a.ndx", 10)
    assert [group.name for group in groups] == ["System", "Solute", "Empty", "Last"]
    assert groups[0].particles.tolist() == list(range(10))
    assert groups[1].particles.tolist() == [2, 0, 1] and groups[1].particles.dtype == np.int32
    assert [group.n for group in groups] == [10, 3, 0, 1]


def write_ndx(path, groups):
    lines = (f"[ {group.name} ]\n{' '.join(map(str, group.particles + 1))}\n" for group in groups)
    Path(path).write_text("".join(lines))


def test_groups_of_any_size(here):
    rng = np.random.default_rng(2)
    made = [Group(f"g+{k}", rng.permutation(40 * k).astype(np.int32)) for k in range(5)]
    write_ndx("a.ndx", made)
    read = read_ndx("a.ndx")
    assert [group.name for group in read] == [group.name for group in made]
    for one, two in zip(made, read, strict=True):
        assert np.array_equal(one.particles, two.particles)


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("[ System ]", "System", ":1: 'System' is in no group"),
        ("[ System ]\n", "", ":1: '1 2 3 4 5 6 7 8' is in no group"),
        (SMALL, "\n", ":1: there are no groups"),
        ("[Last one]", "[Last", ":8: '[Last' is not a group name"),
        ("[Last one]", "[ ]", ":8: '[ ]' is not a group name"),
        ("[Last one]", "[ a ] 3", ":8: '[ a ] 3' is not a group name"),
        ("  9   10", "  9   11", ":3: '11' is not a particle number"),
        ("  9   10", "  0   10", ":3: '0' is not a particle number"),
        ("  9   10", "  -9   10", ":3: '-9' is not a particle number"),
        ("  9   10", "  9.0  10", ":3: '9.0' is not a particle number"),
        ("  9   10", "  1_0", ":3: '1_0' is not a particle number"),
        ("  9   10", "99999999999999999999", ":3: '99999999999999999999' is not"),
    ],
)
def test_bad_files(here, old, new, words):
    assert old in SMALL
    Path("bad.ndx").write_text(SMALL.replace(old, new, 1))
    with pytest.raises(au.FileError) as caught:
        read_ndx("bad.ndx", 10)
    assert words in str(caught.value) and "bad.ndx" in str(caught.value)


def test_what_the_system_refuses(here):
    with pytest.raises(au.FileError, match=r"none\.ndx: cannot be read \(No such file"):
        read_ndx("none.ndx")


def test_mutants(here):
    """Damaged files are refused with their name, or hold particles that exist."""
    read = partial(read_ndx, n=10)
    for groups in readable(read, here / "m.ndx", SMALL, SMALL.index("\n")):
        for group in groups:
            assert group.name and ((group.particles >= 0) & (group.particles < 10)).all()


def test_default_groups_by_hand():
    groups = default_groups(system("ALA SOL NA LIG"))
    names = "System Protein Protein-H C-alpha Backbone MainChain MainChain+Cb MainChain+H"
    names += " SideChain SideChain-H Prot-Masses non-Protein Water SOL non-Water Ion"
    names += " Other NA LIG Water_and_ions"
    assert [group.name for group in groups] == names.split()
    of = {group.name: group.particles.tolist() for group in groups}
    assert of["Protein-H"] == [0, 2, 4, 8, 9] and of["Backbone"] == [0, 2, 8]
    assert of["MainChain+H"] == [0, 1, 2, 8, 9] and of["SideChain"] == [3, 4, 5, 6, 7]
    assert of["SideChain-H"] == [4] and of["C-alpha"] == [2]
    assert of["Water_and_ions"] == [10, 11, 12, 13] and of["LIG"] == [14, 15, 16, 17]


def test_groups_that_other_versions_make_follow():
    groups = default_groups(system("DA5 U LIG SOL"))
    names = "System DNA LIG Water SOL non-Water RNA Other"
    assert [group.name for group in groups] == names.split()
    groups = default_groups(system("NA CL SOL"))
    names = "System Ion Water SOL non-Water Water_and_ions NA CL"
    assert [group.name for group in groups] == names.split()


def test_find_group():
    default = default_groups(system("ALA SOL"))
    mine = [Group("Solute", np.array([1], np.int32)), Group("SOLUTE", np.array([2], np.int32))]
    assert find_group("protein-h", None, default).name == "Protein-H"
    assert find_group("solute", mine, default).particles.tolist() == [1]
    with pytest.raises(au.InputError, match="Did you mean 'Protein'"):
        find_group("Protien", None, default)
    with pytest.raises(au.InputError, match="replaces the default groups"):
        find_group("Protein", mine, default)
    with pytest.raises(au.InputError, match="Did you mean 'Solute'"):
        find_group("Solut", mine[:1], default)


def test_kinds():
    assert kind_of("ALA") == kind_of("NALA") == "Protein" and kind_of("Ala") == "Other"
    assert (kind_of("SOL"), kind_of("DA"), kind_of("U"), kind_of("XYZ")) == (
        "Water", "DNA", "RNA", "Other")  # fmt: skip


# Beside GROMACS


def test_kinds_are_those_of_gromacs():
    text = (library(gromacs()) / "residuetypes.dat").read_text()
    rows = [line.split() for line in text.splitlines()]
    theirs = {row[0]: row[1] for row in rows if len(row) == 2}
    assert theirs == KINDS


def compare_with_make_ndx(coordinates, path):
    gromacs().run("make_ndx", "-f", path, "-o", "made.ndx", text="q\n")
    theirs, ours = read_ndx("made.ndx", coordinates.n), default_groups(coordinates)
    names = [group.name for group in ours]
    assert names[: len(theirs)] == [group.name for group in theirs]
    assert set(names[len(theirs) :]) <= {"DNA", "RNA", "Other", *coordinates.residue_name.words}
    for one, two in zip(ours, theirs, strict=False):
        assert np.array_equal(one.particles, two.particles), one.name


@pytest.mark.parametrize("words", SYSTEMS)
def test_default_groups_are_those_of_make_ndx(here, words):
    made = system(words)
    write_gro("a.gro", made)
    compare_with_make_ndx(made, "a.gro")


@pytest.mark.parametrize("name", ["dhfr/dhfr.gro", "water-ethanol/we12k.gro"])
def test_default_groups_of_shared_files(here, name):
    path = shared(name)
    compare_with_make_ndx(read_gro(path), path)


def test_make_ndx_reads_ours(here):
    gmx, made = gromacs(), system(SYSTEMS[0])
    write_gro("a.gro", made)
    write_ndx("a.ndx", default_groups(made))
    gmx.run("make_ndx", "-f", "a.gro", "-n", "a.ndx", "-o", "b.ndx", text="q\n")
    one, two = read_ndx("a.ndx"), read_ndx("b.ndx")
    assert [group.name for group in one] == [group.name for group in two]
    assert all(np.array_equal(a.particles, b.particles) for a, b in zip(one, two, strict=True))
