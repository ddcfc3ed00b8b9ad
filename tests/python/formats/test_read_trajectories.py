# SPDX-License-Identifier: Apache-2.0
"""Trajectories are read by code of our own, which damaged ones do not lead astray."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.formats import TRR, XTC, Frame
from aureole.formats.read_trajectory import frames_of
from aureole.formats.scan_trajectory import scan
from aureole.formats.xtc_trr_reader import Reader
from aureole.report.frames import trajectory
from mutations import mutants

PRECISIONS = (10, 1000, 1e5)


def shapes(n):
    """Particles at random, in threes near each other as water is, and as a chain."""
    rng = np.random.default_rng(1)
    for size in (0.01, 1, 4000):
        yield rng.uniform(0, size, (n, 3))
        near = np.repeat(rng.uniform(0, size, ((n + 2) // 3, 3)), 3, 0)[:n]
        yield near + rng.normal(0, 0.05, (n, 3))
    yield np.cumsum(rng.normal(0, 0.1, (n, 3)), axis=0)
    yield np.zeros((n, 3))


@pytest.mark.parametrize("n", [1, 9, 10, 11, 300])
def test_xtc_holds_what_was_written_and_what_chemfiles_finds(tmp_path, n):
    chemfiles = pytest.importorskip("chemfiles")
    path = tmp_path / "a.xtc"
    for precision in PRECISIONS:
        for x in shapes(n):
            data = XTC(n, precision).frame(Frame(7, 2.5, np.eye(3), x))
            path.write_bytes(2 * data)
            first, found = Reader(path)
            assert (found.step, found.time, found.box.tolist()) == (7, 2.5, np.eye(3).tolist())
            assert np.array_equal(first.position, found.position)
            # In single precision, which positions of few particles have and no steps.
            size = 0.5 / precision + 3e-7 * np.abs(x).max()
            assert np.abs(found.position - x).max() <= size
            with chemfiles.Trajectory(str(path)) as file:
                frame = file.read()
                assert np.abs(found.position - frame.positions / 10).max() <= 1e-7 * size


def sound(kind):
    x = next(shapes(60))
    form = XTC(60, 1000) if kind == "xtc" else TRR(60)
    frames = [Frame(k, k / 2, np.eye(3), x + k, x if kind == "trr" else None) for k in range(3)]
    return b"".join(map(form.frame, frames))


def damaged(kind, at, word):
    data = bytearray(sound(kind))
    data[at : at + len(word)] = word
    return bytes(data)


def word(value):
    return struct.pack(">i", value)


@pytest.mark.parametrize(
    ("kind", "at", "words", "told"),
    [
        ("xtc", 88, word(0), "0 bytes cannot hold 60 particles"),
        ("xtc", 4, word(320_000_000), "two numbers of particles"),
        ("xtc", 12, struct.pack(">f", float("nan")), "time or its box is not a finite number"),
        ("xtc", 16, struct.pack(">f", float("inf")), "time or its box is not a finite number"),
        ("xtc", 84, word(3), "a coordinate range is invalid"),
        ("xtc", 56, word(0), "its precision is invalid"),
        ("xtc", 72, word(-(2**31)), "largest coordinate is below"),
        ("xtc", 0, word(1994), "not start with the magic number 1995"),
        ("trr", 64, word(61), "a number has 3 bytes"),
        ("trr", 60, word(9), "sizes do not match 60 particles"),
        ("trr", 76, struct.pack(">f", float("nan")), "time or its box is not a finite number"),
    ],
)
def test_damage_is_told(tmp_path, kind, at, words, told):
    path = tmp_path / f"a.{kind}"
    path.write_bytes(damaged(kind, at, words))
    for read in (lambda: list(frames_of(str(path))), lambda: trajectory(path, 9)):
        with pytest.raises(au.FileError, match=told) as caught:
            read()
        assert str(caught.value).startswith(str(path))


def test_a_frame_that_claims_much_costs_nothing(tmp_path):
    """3.6 kB that say they hold 320 million particles."""
    path = tmp_path / "a.xtc"
    n = word(320_000_000)
    data = bytearray(damaged("xtc", 4, n))
    data[52:56] = n
    path.write_bytes(data.ljust(3600, b"\0"))
    code = (
        "import resource, sys; from aureole.formats.read_trajectory import frames_of\n"
        "import aureole as au\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: list(frames_of(sys.argv[1]))\n"
        "except au.FileError as error: print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    told, more = done.stdout.splitlines()
    assert "cannot hold 320000000 particles" in told and int(more) < 50_000  # kB


@pytest.mark.filterwarnings("ignore:.*after the last complete frame")
@pytest.mark.parametrize("kind", ["xtc", "trr"])
def test_mutants_are_read_or_refused(tmp_path, kind):
    path = tmp_path / f"a.{kind}"
    whole = refused = 0
    for data in mutants(sound(kind), 56, 600):
        path.write_bytes(data)
        try:
            frames = [frame for frame in frames_of(str(path)) if frame is not None]
            scan(str(path)), trajectory(path, 5)
        except au.Error as error:
            assert str(path) in str(error)
            refused += 1
            continue
        whole += 1
        assert all(len(frame.position) <= len(data) * 4 for frame in frames)
    assert whole > 50 and refused > 50


def test_what_is_cut_off_is_told(tmp_path):
    for kind in ("xtc", "trr"):
        path = tmp_path / f"a.{kind}"
        path.write_bytes(sound(kind)[:-5])
        with pytest.warns(UserWarning, match="bytes after the last complete frame are ignored"):
            assert len(list(frames_of(str(path)))) == 2
        assert len(trajectory(path, 5)[0]) == 2 and scan(str(path)).rest > 0


def test_pipes_are_no_input(tmp_path):
    os.mkfifo(tmp_path / "a.xtc")
    with pytest.raises(au.FileError, match="it is a pipe, not a regular file"):
        Reader(tmp_path / "a.xtc")
    with pytest.raises(au.FileError, match="no such file"):
        list(frames_of(str(tmp_path / "a.xtc")))


@pytest.mark.parametrize("ending", [".xtc", ".trr", ".dcd", ".xyz"])
def test_steps_and_times_are_those_that_were_written(here, ending):
    if ending in (".dcd", ".xyz"):
        pytest.importorskip("chemfiles", reason="chemfiles reads them")
    system = au.System(3.0, [[0.1, 0.2, 0.3], [1.0, 1.1, 1.2]], mass=40.0, units="molecular")
    observers = [au.Frames(f"a{ending}", every=50)]
    with au.Simulation(system, integrator=au.LeapFrog(dt=0.001), observers=observers) as sim:
        sim.run(200)
    found = list(frames_of(f"a{ending}"))
    times = [frame.time for frame in found]
    np.testing.assert_allclose(times, [0.0, 0.05, 0.1, 0.15, 0.2], atol=1e-6)
    last, count = trajectory(Path(f"a{ending}"), 2)  # as the report reads it
    np.testing.assert_allclose([frame.time for frame in last], [0.15, 0.2], atol=1e-6)
    assert count == 5
    if ending != ".dcd":  # it counts frames
        assert [frame.step for frame in found] == [0, 50, 100, 150, 200]


@pytest.mark.parametrize("ending", ["gro", "pdb"])
def test_all_frames_of_files_of_coordinates(here, ending):
    """As chemfiles reads them; damage names the frame."""
    chemfiles = pytest.importorskip("chemfiles")
    system = au.build.water(27, "spce").system()
    forces = [au.LennardJones(r_cut=0.4), au.PME(r_cut=0.4)]
    written = au.Frames(f"a.{ending}", 5)
    with au.Simulation(system, forces, au.LeapFrog(dt=0.001), [written], threads=1) as sim:
        sim.thermalize("300 K").run(10)
    found = list(frames_of(f"a.{ending}"))
    assert [frame.step for frame in found] == [0, 5, 10]
    with chemfiles.Trajectory(f"a.{ending}") as file:
        assert file.nsteps == 3
        for k, frame in enumerate(found):
            read = file.read_step(k)
            assert frame.position == pytest.approx(0.1 * read.positions, abs=1e-6)
            assert np.diag(frame.box) == pytest.approx(0.1 * np.array(read.cell.lengths), abs=1e-6)
    assert np.abs(found[2].position - found[0].position).max() > 1e-3
    text = Path(f"a.{ending}").read_text()
    Path(f"b.{ending}").write_text(text[: len(text) // 2 + 20])
    with pytest.raises(au.FileError, match=r"(frame 2: |model 2 has)"):
        list(frames_of(f"b.{ending}"))


def test_frames_of_gsd_files(tmp_path):
    """Every frame as GSD's own package has it, from a corner of the box."""
    import gsd.hoomd as hoomd

    path = str(tmp_path / "a.gsd")
    rng = np.random.default_rng(1)
    box = [4.0, 5.0, 6.0, 0.2, -0.1, 0.3]
    placed = [(rng.random((7, 3)) - 0.5).astype(np.float32) for _ in range(3)]
    with hoomd.open(path, "w") as file:
        for k, position in enumerate(placed):
            frame = hoomd.Frame()
            frame.configuration.step, frame.configuration.box = 10 * k, box
            frame.particles.N, frame.particles.position = 7, position
            frame.particles.velocity = 2 * position
            file.append(frame)
    found = list(frames_of(path))
    # HOOMD's tilts are parts of the heights: a2 = (xy Ly, Ly, 0), a3 = (xz Lz, yz Lz, Lz).
    rows = np.array([[4.0, 0, 0], [0.2 * 5, 5.0, 0], [-0.1 * 6, 0.3 * 6, 6.0]])
    assert [frame.step for frame in found] == [0, 10, 20]
    for frame, position in zip(found, placed, strict=True):
        assert frame.box == pytest.approx(rows, rel=1e-6)
        assert frame.position == pytest.approx(position + rows.sum(axis=0) / 2, rel=1e-6)
        assert np.array_equal(frame.velocity, 2 * position)
    kept, count = trajectory(Path(path), 2)
    assert (len(kept), count) == (2, 3)
    assert kept[-1].position == pytest.approx(placed[-1], abs=1e-6)
