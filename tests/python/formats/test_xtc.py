# SPDX-License-Identifier: Apache-2.0
"""Frames of .xtc files are those of other programs, which find in them what we find."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.formats import DCD, GRO, TRR, XTC, Frame
from aureole.formats.gro import read_gro
from aureole.formats.read_trajectory import frames_of
from aureole.formats.xtc_trr_reader import Reader
from aureole.live.writer_thread import Writer
from aureole.recorders.growing_file import Appended
from aureole.report.frames import trajectory
from gmx_tool import gromacs, shared
from output_tools import mdanalysis, mdtraj
from test_output_formats import names

BOX = np.array([[3.1, 0, 0], [0.7, 2.9, 0], [-1.1, 0.6, 2.7]])


def water(n, edge):
    """Rigid waters at random: an oxygen and two hydrogens 0.1 nm from it."""
    rng = np.random.default_rng(3)
    arms = rng.normal(size=(n // 3 + 1, 2, 3))
    arms *= 0.1 / np.linalg.norm(arms, axis=2, keepdims=True)
    oxygen = rng.uniform(0, edge, (n // 3 + 1, 1, 3))
    return np.concatenate([oxygen, oxygen + arms], axis=1).reshape(-1, 3)[:n]


def shapes(n):
    """Positions by name; those whose neighbours are far apart begin with "far"."""
    rng = np.random.default_rng(2)
    few = water(n, (n / 100) ** (1 / 3))
    yield "water", few
    yield "waters below 0", few - 40
    yield "a chain", np.cumsum(rng.normal(0, 0.08, (n, 3)), axis=0)
    yield "random", rng.uniform(-3, 9, (n, 3))
    yield "a dilute gas", rng.uniform(0, 40, (n, 3))
    yield "a dense drop", rng.uniform(0, 0.01, (n, 3))
    yield "one place", np.full((n, 3), 0.5)
    yield "water, then a gas", np.concatenate([few[: n // 2], rng.uniform(0, 40, (n - n // 2, 3))])
    yield "one long axis", rng.uniform(0, 1, (n, 3)) * [17, 0.2, 3]
    yield "far: a gas", rng.uniform(0, 3000, (n, 3))
    yield "far: three axes of 2^24 steps", rng.uniform(0, 20_000, (n, 3))
    yield "far: one axis of 2^24 steps", rng.uniform(0, 1, (n, 3)) * [20_000, 1, 5]
    yield "far: nearly 2^31 steps", rng.uniform(-1, 1, (n, 3)) * 1.07e6


def packed(x, precision=1000):
    return XTC(len(x), precision).frame(Frame(7, 2.5, BOX, x))


def by_chemfiles(x, precision, path):
    """The file that chemfiles makes of one frame, from its second number of particles on."""
    chemfiles = pytest.importorskip("chemfiles")
    frame = chemfiles.Frame()
    frame.resize(len(x))
    frame["xtc_precision"] = float(precision)
    frame.positions[:] = 10 * x
    with chemfiles.Trajectory(str(path), "w") as file:
        file.write(frame)
    return path.read_bytes()[52:]


@pytest.mark.parametrize("n", [1, 9, 10, 11, 50, 3000])
def test_bytes_are_those_of_chemfiles(tmp_path, n):
    """All of them, unless squares of distances overflow there: then there are as many."""
    for precision in (10, 1000, 12345.0):
        for name, x in shapes(n):
            if np.abs(x).max() * precision > 2**30:
                continue
            ours, theirs = packed(x, precision)[52:], by_chemfiles(x, precision, tmp_path / "a.xtc")
            if precision > 1000 or name.startswith("far"):
                assert len(ours) <= 1.02 * len(theirs) + 4, (name, precision)
            else:
                assert ours == theirs, (name, precision)


@pytest.mark.parametrize("n", [10, 12, 500])
def test_others_find_what_we_find(tmp_path, n):
    """The same floats to the bit, whatever the shape."""
    chemfiles, xdr = pytest.importorskip("chemfiles"), mdanalysis().lib.formats.libmdaxdr
    path = tmp_path / "a.xtc"
    for name, x in shapes(n):
        path.write_bytes(packed(x))
        (found,) = Reader(path)
        assert np.abs(found.position - x).max() <= 0.0005 + 2e-7 * np.abs(x).max(), name
        assert (found.step, found.time) == (7, 2.5) and np.allclose(found.box, BOX, atol=1e-6)
        with xdr.XTCFile(str(path)) as file:
            frame = file.read()
        assert np.array_equal(frame.x, found.position), name
        assert (frame.step, frame.time, frame.prec) == (7, 2.5, 1000)
        with mdtraj().formats.XTCTrajectoryFile(str(path)) as file:
            assert np.array_equal(file.read()[0][0], found.position), name
        with chemfiles.Trajectory(str(path)) as file:
            frame = file.read()
            limit = 2e-7 * np.abs(x).max()
            assert np.abs(frame.positions / 10 - found.position).max() <= limit, name


def test_a_universe_of_mdanalysis(tmp_path):
    """With the defaults that users have: positions in ångström, times, dimensions, any frame."""
    x = water(300, 1.4)
    (tmp_path / "a.gro").write_bytes(GRO("a.gro", names(300)).frame(Frame(0, 0.0, BOX, x)))
    form = XTC(300, 1000)
    frames = [Frame(10 * k, 0.5 * k, (1 + 0.01 * k) * BOX, x + 0.01 * k) for k in range(5)]
    (tmp_path / "a.xtc").write_bytes(b"".join(map(form.frame, frames)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # elements and masses are guessed
        universe = mdanalysis().Universe(str(tmp_path / "a.gro"), str(tmp_path / "a.xtc"))
    assert universe.trajectory.n_frames == 5
    for k in (4, 0, 2):
        step = universe.trajectory[k]
        assert step.time == pytest.approx(0.5 * k)
        assert np.allclose(universe.atoms.positions, 10 * frames[k].position, atol=0.005001)
        assert np.allclose(step.triclinic_dimensions, 10 * frames[k].box, atol=2e-5)


@pytest.mark.parametrize("name", ["dhfr/dhfr.gro", "water-ethanol/we12k.gro"])
def test_solutions_are_packed_as_chemfiles_packs_them(tmp_path, name):
    x = read_gro(shared(name)).position
    assert packed(x)[52:] == by_chemfiles(x, 1000, tmp_path / "a.xtc")
    assert len(packed(x)) < 0.4 * 12 * len(x)  # of single precision


def test_gromacs_makes_the_same_files(tmp_path):
    """Of the same positions in a .trr file; and finds in ours what we find."""
    gmx = gromacs(tmp_path)
    n = 1000
    some = [(name, x) for name, x in shapes(n) if not name.startswith("far: nearly")]
    wanted = [Frame(k, 0.5 * k, BOX, x.astype(np.float32)) for k, (_, x) in enumerate(some)]
    (tmp_path / "a.trr").write_bytes(b"".join(map(TRR(n).frame, wanted)))
    ours = [XTC(n, 1000).frame(frame) for frame in wanted]
    (tmp_path / "ours.xtc").write_bytes(b"".join(ours))
    gmx.run("trjconv", "-f", "a.trr", "-o", "theirs.xtc", "-ndec", 3)
    gmx.run("trjconv", "-f", "ours.xtc", "-o", "found.trr")
    data = (tmp_path / "theirs.xtc").read_bytes()
    for (name, _), frame, head in zip(
        some, ours, Reader(tmp_path / "theirs.xtc").heads, strict=True
    ):
        same = data[head.place : head.place + head.size] == frame
        assert same or (name.startswith("far") and len(frame) <= 1.02 * head.size), name
    readers = [Reader(tmp_path / name) for name in ("ours.xtc", "theirs.xtc", "found.trr")]
    for (name, _), one, *others in zip(some, *readers, strict=True):
        assert all(np.array_equal(one.position, other.position) for other in others), name


def test_no_particles_are_a_frame():
    data = packed(np.empty((0, 3)))
    assert len(data) == 56 and data[4:8] == data[52:56] == bytes(4)


def test_columns_of_any_layout_are_taken():
    x = water(60, 1.0).astype(np.float32)
    turned = np.asfortranarray(x)
    assert packed(turned) == packed(turned[:, ::1]) == packed(x.astype(float))


def test_frames_that_do_not_fit_leave_whole_ones(tmp_path):
    """The error names particle and file; the file ends with the frame before."""
    path, form, x = str(tmp_path / "a.xtc"), XTC(30, 1000), water(30, 1.0)
    for at, told in (
        ((4, 2, 3e6), r"a\.xtc: cannot store the frame of step 8 \(particle 5 .* at 3e\+06 nm"),
        ((4, 2, np.nan), "particle 5 of the frame is at nan nm; .* precision 1000 stores"),
        ((slice(4, 7, 2), 0, [-2e6, 2e6]), r"particles 5 and 7 of the frame are 4e\+06 nm apart"),
    ):
        far = x.copy()
        far[at[0], at[1]] = at[2]
        file, writer = Appended(path), Writer()
        file.open(writer, None)
        file.put(lambda: form.frame(Frame(7, 0.0, BOX, x)), 720, "the frame of step 7")
        file.put(lambda far=far: form.frame(Frame(8, 0.0, BOX, far)), 720, "the frame of step 8")
        with pytest.raises(au.FileError, match=told) as caught:
            writer.drain()
        assert "Lower the precision" in str(caught.value)
        writer.close(), file.close()
        assert Path(path).read_bytes() == form.frame(Frame(7, 0.0, BOX, x))


def test_precisions_that_no_file_holds_are_refused():
    for precision in (0, -1, 1e39, 1e-40, np.nan):
        with pytest.raises(
            au.InputError, match=r"precision of an \.xtc file is .* Use 1000 to round"
        ):
            XTC(10, precision)
    with pytest.raises(au.InputError, match="a frame has 2147483648 particles"):
        XTC(2**31, 1000)
    with pytest.raises(au.InputError, match=r"has 27 coordinates .* frames of 10 particles"):
        XTC(10, 1000).frame(Frame(0, 0.0, BOX, np.zeros((9, 3))))


def test_chemfiles_is_an_option(tmp_path, monkeypatch):
    """Without it .xtc files are written and read; what needs it says so."""
    monkeypatch.setitem(sys.modules, "chemfiles", None)
    (tmp_path / "a.xtc").write_bytes(packed(np.ones((10, 3))))
    assert [len(frame.position) for frame in frames_of(str(tmp_path / "a.xtc"))] == [10]
    form = DCD(10, 1, 0.002, 0)
    data = form.head() + form.frame(Frame(0, 0.0, BOX, np.ones((10, 3))))
    (tmp_path / "a.dcd").write_bytes(data[:8] + form.count(1)[1] + data[24:])
    for read in (lambda p: list(frames_of(str(p))), lambda p: trajectory(p, 5)):
        with pytest.raises(au.InputError, match=r"a\.dcd cannot be read .*aureole\[trajectories\]"):
            read(tmp_path / "a.dcd")
