# SPDX-License-Identifier: Apache-2.0
"""Coordinate files and boxes of GROMACS: read, written, refused, and compared with gmx."""

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
from coordinate_inputs import TRICLINIC, labels, made, same, skewed
from gmx_tool import attempt, gromacs, shared
from mutations import readable

SMALL = """\
Two waters, t= 12.50000 step= 6250
    6
    1SOL     OW    1   0.230   0.628   0.113  0.1000 -0.2000  0.3000
    1SOL    HW1    2   0.137   0.626   0.150 -1.5000  2.5000  3.5000
    1SOL    HW2    3   0.231   0.589   0.021  0.0001 -0.0001 12.3456
99999SOL     OW    4  -0.225   0.275  -0.866  0.0000  0.0000  0.0000
    0SOL    HW1    5  -0.260   0.258  -0.774  0.0000  0.0000  0.0000
    0CL-  CL123    6  12.345  -9.999   1.000  1.0000  1.0000  1.0000
   1.86824   1.96824   1.76824
"""
DODECAHEDRON = (
    "   3.00000   3.00000   2.12132   0.00000   0.00000   0.00000   0.00000   1.50000   1.50000"
)


def test_columns_of_a_small_file(here):
    Path("a.gro").write_text(SMALL)
    read = read_gro("a.gro")
    assert read.n == 6 and read.title.startswith("Two waters")
    assert read.time == 12.5 and read.step == 6250
    assert read.residue.tolist() == [1, 1, 1, 99999, 0, 0]
    assert read.name.array().tolist() == ["OW", "HW1", "HW2", "OW", "HW1", "CL123"]
    assert read.residue_name[5] == "CL-" and read.residue_name.words == ("CL-", "SOL")
    assert read.position[3].tolist() == [-0.225, 0.275, -0.866]
    assert read.velocity[2].tolist() == [0.0001, -0.0001, 12.3456]
    assert np.array_equal(read.box, np.diag([1.86824, 1.96824, 1.76824]))
    assert read.notes == () and read.residue.dtype == np.int32


@pytest.mark.parametrize(
    "line, edges",
    [
        ("1000.000001000.000001000.00000", (1000, 1000, 1000)),
        ("   9.123451000.00000 500.00000", (9.12345, 1000, 500)),
        ("12345.67890 2.000001000.0000", None),  # decimals that differ
    ],
)
def test_boxes_of_1000_nm_are_glued_by_gromacs(here, line, edges):
    Path("a.gro").write_text(SMALL.replace("   1.86824   1.96824   1.76824", line))
    if edges is None:
        with pytest.raises(au.FileError, match="is not a box"):
            read_gro("a.gro")
        return
    read = read_gro("a.gro")
    assert np.array_equal(read.box, np.diag(edges))
    write_gro("b.gro", read)
    assert np.array_equal(read_gro("b.gro").box, np.diag(edges))
    assert len(Path("b.gro").read_text().splitlines()[-1].split()) == 3


@pytest.mark.parametrize("precision", [1, 2, 3, 5, 8, 9])
def test_round_trip_in_every_precision(here, precision):
    one = made()
    one = replace(
        one,
        position=np.rint(one.position * 10**precision) / 10**precision,
        velocity=np.rint(one.velocity * 10 ** (precision + 1)) / 10 ** (precision + 1),
    )
    write_gro("a.gro", one, precision)
    # To the bit: what a number's decimal text means is one number of double precision.
    same(read_gro("a.gro"), one)
    assert os.listdir() == ["a.gro"]


def test_numbers_are_those_of_python(here):
    one = made(n=5000, velocity=False)
    write_gro("a.gro", one, 5)
    lines = Path("a.gro").read_text().splitlines()[2:-1]
    words = [[float(line[20 + 10 * k : 30 + 10 * k]) for k in range(3)] for line in lines]
    assert np.array_equal(read_gro("a.gro").position, words)
    text = ["%10.5f" * 3 % tuple(row + 0.0) for row in one.position]  # no -0.0
    assert [line[20:] for line in lines] == text


def test_lines_of_unequal_length_mean_the_same(here):
    one = made(velocity=False)
    write_gro("a.gro", one)
    lines = Path("a.gro").read_text().splitlines()
    lines[5] += "    "
    lines[7] += "\r"
    Path("b.gro").write_bytes("\n".join(lines).encode())  # no end of line after the box either
    same(read_gro("b.gro"), one)
    Path("c.gro").write_bytes("\r\n".join(lines[:5] + lines[5:]).encode())
    same(read_gro("c.gro"), one)


def test_odd_numbers_are_read_one_by_one(here):
    text = SMALL.replace("   0.137   0.626", " 137.e-3    .626").replace("-9.999", "-9.   ")
    Path("a.gro").write_text(text)
    read = read_gro("a.gro")
    assert read.position[1].tolist() == [0.137, 0.626, 0.150] and read.position[5, 1] == -9.0


def test_velocities_that_some_lines_lack(here):
    lines = SMALL.splitlines()
    lines[3] = lines[3][:44]
    Path("a.gro").write_text("\n".join(lines))
    read = read_gro("a.gro")
    assert read.velocity[1].tolist() == [0, 0, 0] and read.velocity[0, 0] == 0.1
    assert "1 atom has no velocity" in read.notes[0]
    lines = [line[:44] if k in range(2, 8) else line for k, line in enumerate(lines)]
    Path("a.gro").write_text("\n".join(lines))
    assert read_gro("a.gro").velocity is None


def test_a_short_line_is_shown_with_its_columns(here):
    lines = SMALL.splitlines()
    assert lines[3].startswith("    1SOL")
    lines[3] = lines[3][:40]
    Path("a.gro").write_text("\n".join(lines))
    with pytest.raises(au.FileError, match=f"the line '{lines[3]}' is too short for atom 2"):
        read_gro("a.gro")


def test_first_of_several_frames(here):
    Path("a.gro").write_text(SMALL + SMALL.replace("0.230", "0.999"))
    read = read_gro("a.gro")
    assert read.position[0, 0] == 0.23 and "only the first frame is read" in read.notes[0]


def test_blank_names_and_no_box(here):
    text = SMALL.replace("    1SOL     OW    1", "                    ")
    Path("a.gro").write_text(text.replace("   1.86824   1.96824   1.76824", "   0   0   0"))
    read = read_gro("a.gro")
    assert (read.name[0], read.residue_name[0], read.residue[0]) == ("", "", 0)
    assert read.box is None and "has no box" in read.notes[0]
    write_gro("b.gro", read)
    same(read_gro("b.gro"), read)


def test_numbers_wrap(here):
    n = 100_002
    one = replace(made(n), residue=np.arange(n, dtype=np.int32))
    write_gro("a.gro", one)
    assert read_gro("a.gro").residue[-2:].tolist() == [0, 1]
    assert Path("a.gro").read_text().splitlines()[-2][15:20] == "    2"


def test_triclinic_box(here):
    Path("a.gro").write_text(SMALL.replace("   1.86824   1.96824   1.76824", DODECAHEDRON))
    box = read_gro("a.gro").box
    assert box.tolist() == [[3, 0, 0], [0, 3, 0], [1.5, 1.5, 2.12132]]
    write_gro("b.gro", read_gro("a.gro"))
    assert Path("b.gro").read_text().splitlines()[-1] == DODECAHEDRON


def edited(line, text):
    """SMALL with another text on one line, counted from 1; None takes it away."""
    lines = SMALL.splitlines()
    lines[line - 1 : line] = [] if text is None else [text]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "text, words",
    [
        ("", ":1: the title is missing"),
        ("title\n", ":2: the number of atoms is missing"),
        (edited(2, "many"), ":2: 'many' is not a number of atoms"),
        (edited(2, "    0"), ":2: there are no atoms"),
        (edited(2, "900000000000"), ":2: '900000000000' atoms do not fit the file"),
        (edited(2, "    7"), ":9: the line"),
        (edited(2, "    5"), ":8: '0CL-  CL123"),
        (edited(3, "one"), ":3: 'one' has 0 decimal points"),
        (SMALL.replace("0.230   0.628   0.113", "0.230   0.62   0.1130"), ":3: the decimal points"),
        (SMALL.replace("0.137", "0.1x7"), ":4: '0.1x7' is not a finite number"),
        (SMALL.replace("0.137", "  nan"), ":4: 'nan' is not a finite number"),
        (SMALL.replace("-1.5000", "1e99999"), ":4: '1e99999' is not a finite number"),
        (SMALL.replace("0.137", "1_0.0"), ":4: '1_0.0' is not a finite number"),
        (SMALL.replace("99999SOL", "99x99SOL"), ":6: '99x99' is not a residue number"),
        (edited(5, "    1SOL    HW2    3   0.231   0.589"), ":5: the line"),
        (edited(5, "    1SOL    HW2    3   0.231   0.589   0.021  0.10"), ":5: the line"),
        (SMALL.replace(" OW    4", "\x07OW    4"), ":6: the name '\\x07OW' is not text"),
        (edited(9, None), ":9: the box is missing"),
        (edited(9, "   1.0   2.0"), ":9: '1.0   2.0' is not a box"),
        (edited(9, "   1.0   2.0 nan"), "is not a box"),
        (edited(9, "   1.0  -2.0   3.0"), ":9: the box is -2 nm long along y"),
        (edited(9, "   1.0   0.0   3.0"), ":9: the box is 0 nm long along y"),
        (edited(9, "1 1 1 0.1 0 0 0 0 0"), ":9: box vector 1 has the component 0.1 nm along y"),
        (edited(9, "2 2 2 0 0 19.1 0 0 0"), ":9: the box is tilted too far"),
        (edited(9, "1e200 1e200 1e200"), ":9: the volume of the box"),
        ("x" * 5000, ":1: the line is too long"),
    ],
)  # fmt: skip
def test_bad_files(here, text, words):
    Path("bad.gro").write_text(text)
    with pytest.raises(au.Error) as caught:
        read_gro("bad.gro")
    assert words in str(caught.value) and "bad.gro" in str(caught.value)


def test_what_the_system_refuses(here):
    with pytest.raises(au.FileError, match=r"none\.gro: cannot be read \(No such file"):
        read_gro("none.gro")
    with pytest.raises(au.FileError, match="cannot be read"):
        read_gro(".")
    with pytest.raises(au.FileError, match="cannot be written"):
        write_gro("no/such/folder/a.gro", made())


@pytest.mark.parametrize(
    "changes, words",
    [
        (dict(name=labels(["LONGER"] * 300)), "the name 'LONGER' cannot be written"),
        (dict(residue_name=labels(["A B"] * 300)), "the name 'A B' cannot be written"),
        (dict(name=labels(["Ω"] * 300)), "the name 'Ω' cannot be written"),
        (
            dict(position=np.full((300, 3), 1e4)),
            "(atom 1 is at x = 10000 nm; 8 columns hold -999.999 to 9999.999 nm)",
        ),
        (dict(position=np.full((300, 3), np.nan)), "(atom 1 is at x = nan nm; 8"),
        (
            dict(velocity=np.full((300, 3), -100.0)),
            "(atom 1 has the velocity x = -100 nm/ps; 8 columns hold -99.9999 to 999.9999 nm/ps)",
        ),
        (dict(box=np.diag([-1, 1, 1])), "the box is -1 nm long along x"),
    ],
)
def test_what_cannot_be_written(here, changes, words):
    kind = FormatError if " hold " in words or " nm; " in words else au.InputError
    with pytest.raises(kind, match=re.escape(words)):
        write_gro("a.gro", replace(made(), **changes))
    assert os.listdir() == []
    with pytest.raises(au.InputError, match="precision is 12"):
        write_gro("a.gro", made(), 12)


def test_mutants(here):
    """Damaged files are refused with their name, or read as finite numbers."""
    for read in readable(read_gro, here / "m.gro", SMALL, SMALL.index("\n    1SOL")):
        assert np.isfinite(read.position).all() and len(read.residue) == read.n
        assert read.velocity is None or np.isfinite(read.velocity).all()
        assert read.box is None or box_vectors.problem_of(read.box) is None


def test_boxes_there_and_back():
    vectors = box_vectors.from_gro_numbers([3, 3, 2.12132, 0, 0, 0, 0, 1.5, 1.5])
    box = box_vectors.to_box(vectors)
    assert (box.lx, box.ly, box.lz, box.xy) == (3, 3, 2.12132, 0)
    # The columns of Box.matrix are the vectors, by its own definition.
    assert np.allclose(box.matrix.T, vectors, rtol=1e-15)
    # Its corner is the origin of a file: the middle of the box lies in the origin of a Box.
    corner = np.zeros((1, 3)) - box_vectors.centre(vectors)
    assert np.allclose(box.fractions(corner), 0.0, atol=1e-15)


def test_lengths_and_angles():
    rng = np.random.default_rng(8)
    for _ in range(50):
        vectors = np.tril(rng.uniform(-0.5, 0.5, (3, 3))) + np.diag([3.0, 4.0, 5.0])
        again = box_vectors.from_lengths_angles(*box_vectors.lengths_angles(vectors))
        assert np.allclose(again, vectors, atol=1e-13)
    assert np.isnan(box_vectors.from_lengths_angles([1, 1, 1], [20, 20, 90])).all()
    assert np.isnan(box_vectors.from_lengths_angles([1, 1, 1], [0, 90, 0])).all()


def test_reduced_vectors_make_the_same_lattice():
    rng = np.random.default_rng(8)
    for _ in range(50):
        vectors = np.tril(rng.uniform(-20, 20, (3, 3)), -1) + np.diag(rng.uniform(1, 5, 3))
        better = box_vectors.reduced(vectors)
        box_vectors.check_box(better)
        turns = better @ np.linalg.inv(vectors)
        assert np.allclose(turns, np.rint(turns), atol=1e-9)
        assert np.linalg.det(better) == pytest.approx(np.linalg.det(vectors))


# Beside GROMACS


@pytest.mark.parametrize("box", [np.diag([3.0, 2.5, 4.0]), TRICLINIC])
def test_editconf_reads_ours(here, box):
    gmx, one = gromacs(), made(box=box)
    write_gro("a.gro", one)
    gmx.run("editconf", "-f", "a.gro", "-o", "b.gro")
    same(read_gro("b.gro"), one)
    gmx.run("trjconv", "-f", "a.gro", "-s", "a.gro", "-o", "c.gro", "-ndec", 6, text="0\n")
    same(read_gro("c.gro"), one, tolerance=1e-6)  # single precision of gmx


def test_dump_says_the_same(here):
    gmx, one = gromacs(), made(n=9, box=TRICLINIC)
    write_gro("a.gro", one)
    gmx.run("trjconv", "-f", "a.gro", "-s", "a.gro", "-o", "a.trr", text="0\n")
    said = gmx.run("dump", "-f", "a.trr")
    rows = {
        key: [[float(x) for x in row.split(",")] for row in found]
        for key in ("box", "x", "v")
        if (found := re.findall(rf"^ +{key}\[ *\d+\]=\{{([^}}]*)\}}", said, re.MULTILINE))
    }
    read = read_gro("a.gro")
    assert np.allclose(rows["box"], read.box, atol=1e-4)  # dump prints six digits
    assert np.allclose(rows["x"], read.position, atol=1e-4)
    assert np.allclose(rows["v"], read.velocity, atol=1e-5)


def test_editconf_makes_boxes_for_us(here):
    gmx, one = gromacs(), made(box=np.diag([3.0, 2.5, 4.0]))
    write_gro("a.gro", one)
    for kind in ("cubic", "triclinic", "dodecahedron", "octahedron"):
        gmx.run("editconf", "-f", "a.gro", "-o", "b.gro", "-bt", kind, "-d", 0.5)
        read = read_gro("b.gro")
        volume = float(re.search(r"new box volume *: *([\d.]+)", gmx.run(
            "editconf", "-f", "a.gro", "-o", "b.gro", "-bt", kind, "-d", 0.5))[1])  # fmt: skip
        assert box_vectors.to_box(read.box).volume == pytest.approx(volume, rel=1e-4)


TOP = """\
[ defaults ]
1 2 no 1.0 1.0
[ atomtypes ]
AR 39.948 0.0 A 0.3405 0.996
[ moleculetype ]
AR 1
[ atoms ]
1 AR 1 SOL OW 1 0.0
[ system ]
argon
[ molecules ]
AR 2
"""
LEANS = [
    (5, 5, 5, 0, 0, 2.5012, 0, 0, 0),
    (5, 5, 5, 0, 0, 2.5013, 0, 0, 0),
    (5, 5, 5, 0, 0, 0, 0, -2.5012, 0),
    (5, 5, 5, 0, 0, 0, 0, -2.5013, 0),
    (5, 5, 5, 0, 0, 0, 0, 0, 2.5013),
    (5, 5, 5, 0, 0, 3, 0, 2.4, 3),
    (5, 5, 5, 0, 0, 47, 0, 0, 0),
    (5, 5, 5, 0, 0, 49, 0, 0, 0),
    (5, 5, 5, 0, 0.1, 0, 0, 0, 0),
    (5, 5, 5, 0, 0, 0, 0.1, 0, 0),
]


@pytest.mark.parametrize("numbers", LEANS)
def test_boxes_are_those_that_grompp_takes(here, numbers):
    gmx = gromacs()
    Path("a.top").write_text(TOP)
    Path("a.mdp").write_text("integrator = md\nnsteps = 1\nrvdw = 0.9\nrcoulomb = 0.9\n")
    Path("a.gro").write_text(
        "argon\n2\n    1SOL     OW    1   0.230   0.628   0.113\n"
        "    2SOL     OW    2   1.230   0.628   0.113\n" + "".join(f"{v:10.5f}" for v in numbers)
    )
    said, _ = attempt(gmx, "grompp", "-f", "a.mdp", "-c", "a.gro", "-p", "a.top", "-maxwarn", 9)
    if box_vectors.problem_of(skewed(*numbers)) is not None:
        assert "Only triclinic boxes" in said or "Box was shifted" in said, said
        return
    rows = re.findall(r"^ *box\[ *\d\]=\{(.*)\}", gmx.run("dump", "-s", "topol.tpr"), re.MULTILINE)
    theirs = [[float(word) for word in row.split(",")] for row in rows]
    read = read_gro("a.gro")
    assert np.allclose(theirs, read.box, atol=1e-5)
    assert bool(read.notes) == (not np.array_equal(read.box, skewed(*numbers)))


@pytest.mark.parametrize("name, n", [("dhfr/dhfr.gro", 23558), ("water-ethanol/we12k.gro", 11997)])
def test_shared_files_come_back_to_the_byte(here, name, n):
    path = shared(name)
    read = read_gro(path)
    assert read.n == n and read.notes == ()
    write_gro("a.gro", read)
    ours, theirs = Path("a.gro").read_text().splitlines(), path.read_text().splitlines()
    differing = [k for k, pair in enumerate(zip(ours, theirs, strict=True)) if len(set(pair)) > 1]
    # A number such as -0.000 loses its sign here.
    assert all(ours[k].split() == theirs[k].replace("-0.000", "0.000").split() for k in differing)
