# SPDX-License-Identifier: Apache-2.0
"""Frames come back from files to the precision of the format, by readers that others wrote."""

from __future__ import annotations

import re
from dataclasses import replace

import aureole as au
import numpy as np
import pytest
from aureole.base.errors import FormatError
from aureole.formats import DCD, GRO, PDB, TRR, XTC, Frame, Names
from aureole.formats.gro import read_gro
from aureole.formats.pdb import read_pdb
from aureole.formats.scan_trajectory import scan
from aureole.formats.xtc_trr_reader import Reader
from aureole.system.topology import Labels
from gmx_tool import gromacs
from mutations import mutants
from output_tools import frames_by_mdanalysis, mdtraj

BOX = np.array([[3.1, 0, 0], [0.7, 2.9, 0], [-1.1, 0.6, 2.7]])


def frames(n, count=3, box=BOX):
    random = np.random.default_rng(n)
    return [
        Frame(
            step=250 * k,
            time=0.5 * k,
            box=box * (1 + 0.01 * k),
            position=random.uniform(-0.4, 3.3, (n, 3)),
            velocity=random.normal(size=(n, 3)),
            force=1000 * random.normal(size=(n, 3)),
            number=k,
        )
        for k in range(count)
    ]


def names(n):
    kinds = Labels(("CA", "HB12"), np.arange(n, dtype=np.int32) % 2)
    residues = Labels(("ALA", "W"), (np.arange(n, dtype=np.int32) // 3) % 2)
    return Names("a title", np.arange(n, dtype=np.int32) // 3 + 1, residues, kinds)


def write(path, form, wanted):
    data = form.head() + b"".join(map(form.frame, wanted))
    count = form.count(len(wanted))
    if count is not None:
        data = data[: count[0]] + count[1] + data[count[0] + len(count[1]) :]
    path.write_bytes(data)
    return path


def close(one, two, limit):
    assert np.abs(np.asarray(one) - np.asarray(two)).max() <= limit


# A rounded position is off by half a step, and by the last bit of its single precision.
@pytest.mark.parametrize("precision", [100, 1000, 12345.0, 1e6])
@pytest.mark.parametrize("n", [10, 11, 1000])
def test_xtc(tmp_path, n, precision):
    wanted = frames(n)
    path = write(tmp_path / "a.xtc", XTC(n, precision), wanted)
    limit = 0.5 / precision + 5e-7
    for frame, (time, box, position, *_) in zip(wanted, frames_by_mdanalysis(path, n), strict=True):
        assert time == np.float32(frame.time)
        close(box, frame.box, 2e-6)  # MDAnalysis keeps lengths and angles in single precision
        close(position, frame.position, limit)
    with mdtraj().formats.XTCTrajectoryFile(str(path)) as file:
        position, time, step, box = file.read()
    close(position, [frame.position for frame in wanted], limit)
    assert time.tolist() == [0, 0.5, 1] and step.tolist() == [0, 250, 500]
    assert np.array_equal(box, np.array([frame.box for frame in wanted], np.float32))


@pytest.mark.parametrize("n", [1, 9])
def test_few_particles_are_not_compressed(tmp_path, n):
    wanted = frames(n)
    path = write(tmp_path / "a.xtc", XTC(n, 1000), wanted)
    for frame, (_, _, position, *_) in zip(wanted, frames_by_mdanalysis(path, n), strict=True):
        close(position, frame.position, 1e-6)


def test_xtc_refuses_what_it_cannot_hold():
    far = frames(20)[0]
    far.position[7, 1] = 3e6
    with pytest.raises(FormatError, match=r"particle 8 .* at 3e\+06 nm; .* hold 2\.14748e\+06 nm"):
        XTC(20, 1000).frame(far)
    far.position[7, 1] = np.nan
    with pytest.raises(FormatError, match="particle 8"):
        XTC(20, 1000).frame(far)


def test_large_steps_wrap_as_those_of_gromacs(tmp_path):
    late = [Frame(2**31 + 5, 1e6, BOX, np.ones((12, 3)))]
    with mdtraj().formats.XTCTrajectoryFile(
        str(write(tmp_path / "a.xtc", XTC(12, 1000), late))
    ) as file:
        assert file.read()[2].tolist() == [5 - 2**31]


@pytest.mark.parametrize("columns", [(), ("velocity",), ("velocity", "force")])
def test_trr(tmp_path, columns):
    kept = ("step", "time", "box", "position", *columns)
    wanted = [Frame(**{name: getattr(f, name) for name in kept}) for f in frames(77)]
    path = write(tmp_path / "a.trr", TRR(77), wanted)
    found = frames_by_mdanalysis(path, 77)
    for frame, (time, box, position, velocity, force) in zip(wanted, found, strict=True):
        assert time == np.float32(frame.time)
        close(box, frame.box, 2e-6)
        close(position, frame.position, 5e-7)
        for have, want in ((velocity, frame.velocity), (force, frame.force)):
            assert (have is None) == (want is None)
            if want is not None:
                assert np.allclose(have, want, rtol=3e-7)
    with mdtraj().formats.TRRTrajectoryFile(str(path)) as file:
        position, time, step, box, lambdas = file.read()
    assert np.array_equal(position, np.array([f.position for f in wanted], np.float32))
    assert np.array_equal(box, np.array([f.box for f in wanted], np.float32))
    assert step.tolist() == [0, 250, 500] and not lambdas.any()


MIXED = [
    ("position", "velocity", "force"),
    ("velocity",),
    ("position",),
    ("force",),
    ("position", "force"),
]


def test_trr_of_frames_that_hold_different_columns(tmp_path):
    """Each frame has what it was given and no more; the next one begins where it ends."""
    wanted = [
        replace(
            frame,
            **{name: None for name in MIXED[0] if name not in columns},
        )
        for frame, columns in zip(frames(77, 5), MIXED, strict=True)
    ]
    path = write(tmp_path / "a.trr", TRR(77), wanted)
    for frame, (time, box, *columns) in zip(wanted, frames_by_mdanalysis(path, 77), strict=True):
        assert time == np.float32(frame.time)
        close(box, frame.box, 2e-6)
        for have, name in zip(columns, MIXED[0], strict=True):
            want = getattr(frame, name)
            assert (have is None) == (want is None), name
            if want is not None:
                assert np.allclose(have, want, rtol=3e-7, atol=5e-7)
    with mdtraj().formats.TRRTrajectoryFile(str(path)) as file:
        position, _, step, box, _ = file.read()
    assert step.tolist() == [0, 250, 500, 750, 1000]
    assert np.array_equal(box, np.array([f.box for f in wanted], np.float32))
    for k in (0, 2, 4):  # MDTraj makes positions up where there are none
        assert np.array_equal(position[k], wanted[k].position.astype(np.float32))
    found = scan(str(path))
    assert (found.frames, found.holds, found.rest) == (5, MIXED[0], 0)
    for have, frame in zip(Reader(path), wanted, strict=True):
        assert (have.step, have.time) == (frame.step, np.float32(frame.time))
        for name in ("box", "position", "velocity", "force"):
            want = getattr(frame, name)
            assert (getattr(have, name) is None) == (want is None), name
            if want is not None:
                assert np.array_equal(getattr(have, name), want.astype(np.float32))
    path.write_bytes(b"\0" * 100)
    with pytest.raises(au.FileError, match=r"a\.trr: .*is not a \.trr file"):
        Reader(path)


def test_dcd(tmp_path):
    wanted = frames(55)
    path = write(tmp_path / "a.dcd", DCD(55, 250, 0.002, 0), wanted)
    found = frames_by_mdanalysis(path, 55)
    for frame, (time, box, position, *_) in zip(wanted, found, strict=True):
        assert time == pytest.approx(frame.time, rel=1e-6)
        close(box, frame.box, 2e-6)
        close(position, frame.position, 5e-7)
    with mdtraj().formats.DCDTrajectoryFile(str(path)) as file:
        position, lengths, angles = file.read()
        assert len(file) == 3  # by its head
    close(0.1 * position, [frame.position for frame in wanted], 5e-7)
    a, b, c = np.linalg.norm(BOX, axis=1)
    assert np.allclose(lengths[0], [10 * a, 10 * b, 10 * c], rtol=1e-6)
    cosines = [BOX[1] @ BOX[2] / b / c, BOX[0] @ BOX[2] / a / c, BOX[0] @ BOX[1] / a / b]
    assert np.allclose(angles[0], np.degrees(np.arccos(cosines)), rtol=1e-6)


def test_gro(tmp_path):
    wanted = frames(40)
    path = write(tmp_path / "a.gro", GRO(str(tmp_path / "a.gro"), names(40)), wanted)
    text = path.read_text().splitlines(keepends=True)
    assert len(text) == 3 * 43
    for k, frame in enumerate(wanted):
        one = tmp_path / "one.gro"
        one.write_text("".join(text[43 * k : 43 * (k + 1)]))
        read = read_gro(one)
        assert (read.time, read.step) == (frame.time, frame.step)
        close(read.position, frame.position, 0.00051)
        close(read.velocity, frame.velocity, 0.000051)
        close(read.box, frame.box, 0.0000051)
        assert read.name.array().tolist() == names(40).name.array().tolist()
    loaded = mdtraj().load(str(path))
    close(loaded.xyz, [frame.position for frame in wanted], 0.00051)
    assert loaded.time.tolist() == [0, 0.5, 1]


def test_pdb(tmp_path):
    wanted = frames(40)
    path = write(tmp_path / "a.pdb", PDB(str(tmp_path / "a.pdb"), names(40)), wanted)
    found = frames_by_mdanalysis(path, 40)
    for frame, (_, box, position, *_) in zip(wanted, found, strict=True):
        close(position, frame.position, 0.000051)
        close(box, frame.box, 0.0006)  # angles have two decimals
    loaded = mdtraj().load(str(path), standard_names=False)
    close(loaded.xyz, [frame.position for frame in wanted], 0.000051)
    close(read_pdb(path).position, wanted[0].position, 0.000051)
    numbers = re.findall(r"^MODEL +(\d+)$", path.read_text(), re.M)
    assert numbers == ["1", "2", "3"]


def test_gromacs_reads_and_compresses_alike(tmp_path):
    """GROMACS finds every number of a .trr file, and makes the same .xtc file of it, bit by bit."""
    gmx = gromacs()
    wanted = frames(500)
    for frame in wanted:
        frame.position[:] = frame.position.astype(np.float32)  # what GROMACS begins with
    trr = write(tmp_path / "a.trr", TRR(500), wanted)
    dump = gmx.run("dump", "-f", trr)
    for column, letter in (("position", "x"), ("velocity", "v"), ("force", "f")):
        rows = re.findall(rf"^ +{letter}\[ *\d+\]=\{{([^}}]*)\}}", dump, re.M)
        numbers = np.array([[float(word) for word in row.split(",")] for row in rows])
        both = np.concatenate([getattr(frame, column) for frame in wanted])
        assert np.allclose(numbers, both, rtol=1e-5, atol=1e-6)
    gmx.run("trjconv", "-f", trr, "-o", tmp_path / "theirs.xtc", "-ndec", 3)
    ours = write(tmp_path / "ours.xtc", XTC(500, 1000), wanted)
    assert ours.read_bytes() == (tmp_path / "theirs.xtc").read_bytes()
    said = gmx.run("check", "-f", ours)
    assert "# Atoms  500" in said and re.search(r"Coords +3 ", said)


FORMS = {
    "a.xtc": lambda n: XTC(n, 1000),
    "a.trr": TRR,
    "a.dcd": lambda n: DCD(n, 250, 0.002, 0),
}


@pytest.mark.parametrize("n", [5, 60])
@pytest.mark.parametrize("name", FORMS)
def test_scan(tmp_path, name, n):
    path = write(tmp_path / name, FORMS[name](n), frames(n))
    found = scan(str(path))
    columns = ("position", "velocity", "force") if name == "a.trr" else ("position",)
    assert (found.frames, found.particles, found.holds, found.rest) == (3, n, columns, 0)
    assert found.first == (0, 0.0) and found.last[0] == 500
    assert found.last[1] == pytest.approx(1.0, rel=1e-6)
    data = path.read_bytes()
    path.write_bytes(data[:-7])
    cut = scan(str(path))
    assert cut.frames == 2 and cut.last[0] == 250 and cut.rest > 0


@pytest.mark.parametrize("name", FORMS)
def test_scan_survives_any_file(tmp_path, name):
    path = write(tmp_path / name, FORMS[name](60), frames(60))
    refused = 0
    for data in mutants(path.read_bytes(), 96, 500):
        path.write_bytes(data)
        try:
            scan(str(path))
        except au.FileError:
            refused += 1
    assert refused > 20
