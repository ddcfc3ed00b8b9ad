# SPDX-License-Identifier: Apache-2.0
"""PDB files: read, written, refused, and compared with gmx."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.base.errors import FormatError
from aureole.formats import box_vectors
from aureole.formats.gro import read_gro, write_gro
from aureole.formats.pdb import read_pdb, write_pdb
from coordinate_inputs import TRICLINIC, labels, made, same
from gmx_tool import gromacs, shared
from mutations import readable

SMALL = """\
HEADER    A TEST
TITLE     TWO RESIDUES AND A CALCIUM
TITLE    2 IN A CELL
REMARK   1 ATOM and HETATM are words of this remark
CRYST1   30.000   40.000   50.000  90.00  90.00  90.00 P 1           1
MODEL        1
ATOM      1  N   ALA A  12      11.104   6.134  -6.504  1.00  0.00           N
ANISOU    1  N   ALA A  12      100    100    100      0      0      0       N
ATOM      2  CA AALA A  12      11.639   6.071  -5.147  0.60  0.00           C
ATOM      3  CA BALA A  12      11.739   6.171  -5.247  0.40  0.00           C
ATOM      4 HG11 VAL A  12A   -111.639-106.071-105.147  1.00  0.00           H
TER       5      VAL A  12A
HETATM99999 CA    CA B9999       1.000   2.000   3.000  1.00  0.00          CA
HETATMA0000  OW  SOL BA000       1.000   2.000   4.000
HETATMA0001  H1  TIP3BA001       1.000   2.000   5.000
ENDMDL
MODEL        2
ATOM      1  N   ALA A  12      99.104   6.134  -6.504  1.00  0.00           N
ENDMDL
END
"""


def test_columns_of_a_small_file(here):
    Path("a.pdb").write_text(SMALL)
    read = read_pdb("a.pdb")
    assert read.title == "TWO RESIDUES AND A CALCIUM IN A CELL"
    assert read.name.array().tolist() == ["N", "CA", "HG11", "CA", "OW", "H1"]
    names = ["ALA", "ALA", "VAL", "CA", "SOL", "TIP3"]
    assert read.residue_name.array().tolist() == names
    assert read.residue.tolist() == [12, 12, 12, 9999, 10000, 10001]
    assert read.chain.array().tolist() == ["A"] * 3 + ["B"] * 3
    assert read.insertion.array().tolist() == ["", "", "A", "", "", ""]
    assert read.element.array().tolist() == ["N", "C", "H", "CA", "", ""]
    assert read.position[0].tolist() == [1.1104, 0.6134, -0.6504]
    assert read.position[2].tolist() == [-11.1639, -10.6071, -10.5147]
    assert np.array_equal(read.box, np.diag([3.0, 4.0, 5.0])) and read.velocity is None
    assert len(read.notes) == 2 and "only the first is read" in read.notes[0]
    assert "1 alternate locations" in read.notes[1]


def test_round_trip(here):
    Path("a.pdb").write_text(SMALL)
    one = read_pdb("a.pdb")
    write_pdb("b.pdb", one)
    two = read_pdb("b.pdb")
    same(two, replace(one, residue=one.residue % 10000))
    for field in ("chain", "insertion", "element"):
        assert np.array_equal(getattr(one, field).array(), getattr(two, field).array())
    assert two.title == one.title and two.notes == ()
    lines = Path("b.pdb").read_text().splitlines()
    # The symbol ends in column 14: calcium begins a column before the alpha carbon.
    assert (lines[3][12:16], lines[5][12:16], lines[4][12:16]) == (" CA ", "CA  ", "HG11")
    assert lines[2].rstrip() == SMALL.splitlines()[6]
    assert sorted(os.listdir()) == ["a.pdb", "b.pdb"]


def test_numbers_are_those_of_python(here):
    one = made(n=4000, velocity=False)
    write_pdb("a.pdb", one)
    lines = Path("a.pdb").read_text().splitlines()
    atoms = [line for line in lines if line.startswith("ATOM")]
    words = np.array([[float(line[30 + 8 * k : 38 + 8 * k]) for k in range(3)] for line in atoms])
    assert np.abs(read_pdb("a.pdb").position - words / 10).max() < 4e-15
    same(read_pdb("a.pdb"), one)
    text = ["%8.3f" * 3 % tuple(row) for row in np.rint(one.position * 1e4) / 1e3 + 0.0]
    assert [line[30:54] for line in atoms] == text


@pytest.mark.parametrize(
    "cell, note",
    [
        ("", "no CRYST1 record"),
        ("CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1", "no box"),
        ("CRYST1    0.000    0.000    0.000  90.00  90.00  90.00 P 1           1", "no box"),
    ],
)
def test_no_box(here, cell, note):
    lines = [line for line in SMALL.splitlines() if not line.startswith("CRYST1")]
    Path("a.pdb").write_text("\n".join([cell, *lines]))
    read = read_pdb("a.pdb")
    assert read.box is None and note in read.notes[-1]
    write_pdb("b.pdb", read)
    assert "CRYST1" not in Path("b.pdb").read_text()


def test_cells_of_all_kinds(here):
    def box_of(cell):
        Path("a.pdb").write_text(f"{cell}\n{SMALL}".replace("\nCRYST1", "\nREMARK"))
        return read_pdb("a.pdb").box

    free = box_of("CRYST1 30.0 40 50.0 90 90 90")
    assert np.array_equal(free, np.diag([3.0, 4.0, 5.0]))
    hexagonal = box_of("CRYST1   30.000   40.000   50.000  90.00  90.00 120.00 P 1           1")
    # The second vector leans by -2: half of an edge is 1.5, so another one is taken.
    assert np.allclose(hexagonal, [[3, 0, 0], [1, 2 * 3**0.5, 0], [0, 0, 5]])
    notes = read_pdb("a.pdb").notes
    assert "tilted" in notes[-1]
    rhombic = box_of("CRYST1   30.000   30.000   30.000  60.00  60.00  90.00 P 1           1")
    assert np.allclose(rhombic, [[3, 0, 0], [0, 3, 0], [1.5, 1.5, 4.5**0.5]])


def test_other_ways_of_writing_numbers(here):
    template = "ATOM      1  N   ALA A{}   {}  1.00  0.00"
    cases = {
        "9999 ": 9999, "99991": 99991, "   1 ": 1, "12   ": 12, "  -3 ": -3, "-999 ": -999,
        "A000 ": 10000, "ZZZZ ": 10000 + 26 * 36**3 - 1, "a000 ": 10000 + 26 * 36**3, "     ": 0,
    }  # fmt: skip
    xyz = "  11.104   6.134  -6.504"
    Path("a.pdb").write_text("\n".join(template.format(word, xyz) for word in cases))
    read = read_pdb("a.pdb")
    assert read.residue.tolist() == list(cases.values())
    odd = ["   1e1     .5     -2.   ", "1       2.0     -0      "]
    text = "\r\n".join(template.format("   1 ", word) for word in odd)
    Path("b.pdb").write_bytes(text.encode())
    assert read_pdb("b.pdb").position.tolist() == [[1.0, 0.05, -0.2], [0.1, 0.2, 0.0]]


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("  11.104", "  11.1x4", ":7: '11.1x4' is not a finite number"),
        ("  11.104", "     nan", ":7: 'nan' is not a finite number"),
        ("  11.104", "  1e9999", ":7: '1e9999' is not a finite number"),
        ("-106.071-105.147  1.00  0.00           H", "-106", ":11: the line"),
        ("A  12A", "A 12xA", ":11: '12x' is not a residue number"),
        (" 90.00 P 1", "  -.00 P 1", "no unit cell has the angles 90 90 -0"),
        ("90.00  90.00  90.00", "20.00  20.00  90.00", ":5: no unit cell has the angles 20 20 90"),
        ("30.000   40.000", "30.000    four", ":5: 'CRYST1"),
        ("30.000   40.000", "30.000  -40.000", ":5: the box is -4 nm long along y"),
        (
            "30.000   40.000   50.000  90.00  90.00  90.00",
            " 3.000   40.000   50.000  90.00  90.00  30.00",
            ":5: the box is tilted too far",
        ),
        ("ALA A", "A\x07A A", ":7: the residue name 'A\\x07A' is not text"),
        (SMALL, "", ":1: there are no atoms"),
        (SMALL, "ENDMDL\n", ":1: there are no atoms"),
    ],
)
def test_bad_files(here, old, new, words):
    assert old in SMALL
    Path("bad.pdb").write_text(SMALL.replace(old, new))
    with pytest.raises(au.FileError) as caught:
        read_pdb("bad.pdb")
    assert words in str(caught.value) and "bad.pdb" in str(caught.value)


def test_only_other_locations(here):
    line = SMALL.splitlines()[9]
    assert line[16] == "B"
    Path("bad.pdb").write_text(line + "\n")
    with pytest.raises(au.FileError, match="alternate locations"):
        read_pdb("bad.pdb")


def test_what_the_system_refuses(here):
    with pytest.raises(au.FileError, match=r"none\.pdb: cannot be read \(No such file"):
        read_pdb("none.pdb")
    with pytest.raises(au.FileError, match="cannot be written"):
        write_pdb("no/such/folder/a.pdb", made())


@pytest.mark.parametrize(
    "changes, words",
    [
        (dict(name=labels(["FIVES"] * 300)), "the name 'FIVES' cannot be written"),
        (dict(chain=labels(["AB"] * 300)), "the name 'AB' cannot be written"),
        (
            dict(position=np.full((300, 3), 1001.0)),
            "(atom 1 is at x = 1001 nm; 8 columns (in ångström) hold -99.9999 to 999.9999 nm)",
        ),
        (dict(position=np.full((300, 3), np.inf)), "(atom 1 is at x = inf nm; 8"),
        (
            dict(box=np.diag([1e5, 1, 1])),
            "an edge of the box is 100000 nm; 9 columns (in ångström) hold 9999.9999 nm",
        ),
    ],
)
def test_what_cannot_be_written(here, changes, words):
    kind = FormatError if " hold " in words or " nm; " in words else au.InputError
    with pytest.raises(kind, match=re.escape(words)):
        write_pdb("a.pdb", replace(made(), **changes))
    assert os.listdir() == []


def test_mutants(here):
    """Damaged files are refused with their name, or read as finite numbers."""
    for read in readable(read_pdb, here / "m.pdb", SMALL, SMALL.index("ATOM      1")):
        assert np.isfinite(read.position).all() and len(read.residue) == read.n > 0
        assert len(read.name.index) == len(read.chain.index if read.chain else read.name.index)
        assert read.box is None or box_vectors.problem_of(read.box) is None


# Beside GROMACS


@pytest.mark.parametrize("box", [np.diag([3.0, 2.5, 4.0]), TRICLINIC])
def test_editconf_carries_ours_to_pdb_and_back(here, box):
    gmx, one = gromacs(), made(box=box, velocity=False)
    write_gro("a.gro", one)
    gmx.run("editconf", "-f", "a.gro", "-o", "b.pdb")
    # A number of single precision, printed with three decimals of an ångström; a cell whose
    # angles have two decimals (10^-4 rad on edges of 3 nm).
    read = read_pdb("b.pdb")
    same(replace(read, box=None), replace(one, box=None), tolerance=1.1e-4)
    assert np.allclose(read.box, one.box, atol=1e-3)
    write_pdb("c.pdb", one)
    gmx.run("editconf", "-f", "c.pdb", "-o", "d.gro")
    back = read_gro("d.gro")
    same(replace(back, box=None), replace(one, box=None), tolerance=1e-6)
    assert np.allclose(back.box, read_pdb("c.pdb").box, atol=2e-5)
    cells = [re.search(r"CRYST1.{48}", Path(name).read_text())[0] for name in ("b.pdb", "c.pdb")]
    assert cells[0] == cells[1]


@pytest.mark.parametrize("kind", ["dodecahedron", "octahedron", "triclinic"])
def test_boxes_of_editconf(here, kind):
    gmx = gromacs()
    write_gro("a.gro", made(velocity=False))
    gmx.run("editconf", "-f", "a.gro", "-o", "b.gro", "-bt", kind, "-d", 1)
    gmx.run("editconf", "-f", "b.gro", "-o", "b.pdb")
    one, two = read_gro("b.gro"), read_pdb("b.pdb")
    # Angles of two decimals, on edges of up to 40 nm.
    assert np.allclose(one.box, two.box, atol=40 * np.radians(0.01))
    assert np.allclose(one.position, two.position, atol=1.1e-3)


def test_a_protein_in_water(here):
    gmx, path = gromacs(), shared("dhfr/dhfr.gro")
    gmx.run("editconf", "-f", path, "-o", "a.pdb")
    one, two = read_gro(path), read_pdb("a.pdb")
    same(replace(two, box=one.box, residue=one.residue), one, tolerance=1.1e-4)
    write_pdb("b.pdb", one)
    atoms = [
        [line for line in Path(name).read_text().splitlines() if line[:4] == "ATOM"]
        for name in ("a.pdb", "b.pdb")
    ]
    # Names stand in the columns where GROMACS puts them; elements it guesses.
    assert [line[:30] for line in atoms[0]] == [line[:30] for line in atoms[1]]
