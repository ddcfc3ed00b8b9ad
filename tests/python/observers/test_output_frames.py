# SPDX-License-Identifier: Apache-2.0
"""Trajectories of runs: the right particles at the right steps, through kills and full disks."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import aureole as au
import chemfiles
import numpy as np
import pytest
from aureole.base.values import put
from aureole.formats.gro import read_gro
from aureole.formats.pdb import read_pdb
from aureole.specs.kinds import from_dict
from output_tools import chains, finish_rescued, frames_by_mdanalysis, mdtraj

FILES = ("a.xtc", "a.trr", "a.dcd", "a.gro", "a.pdb", "a.xyz")


def observers(every=20, more=()):
    return [
        au.Frames("a.xtc", every),
        au.Frames("a.trr", every, velocities=True, forces=True),
        au.Frames("a.dcd", every),
        au.Frames("a.gro", every, velocities=True),
        au.Frames("a.pdb", every, particles="0-9,40"),
        au.Frames("a.xyz", every),
        *more,
    ]


def contents(names=FILES):
    return {name: Path(name).read_bytes() for name in names}


def folded(difference, box):
    """Without whole boxes."""
    return difference - box * np.rint(difference / box)


def test_frames_of_a_run(here):
    seen = []
    note = au.Callback(
        lambda s: seen.append((s.time, s.get("position"), s.get("velocity"), s.get("force"))), 20
    )
    sim, _ = chains(here, observers(more=[note]))
    with sim:
        sim.run(50).run(10)
    corner = sim.box.lengths / 2
    read = {name: frames_by_mdanalysis(name, 162) for name in FILES[:3]}
    assert [len(frames) for frames in read.values()] == [4, 4, 4]
    for name, limit in (("a.xtc", 0.000501), ("a.trr", 3e-7), ("a.dcd", 3e-7)):
        for (time, box, position, *_), (when, exact, *_) in zip(read[name], seen, strict=True):
            assert time == pytest.approx(when, rel=1e-6)
            assert np.allclose(box, np.diag(sim.box.lengths), atol=1e-6)
            assert np.abs(folded(position - exact - corner, sim.box.lx)).max() < limit
    for (*_, velocity, force), (*_, v, f) in zip(read["a.trr"], seen, strict=True):
        assert np.allclose(velocity, v, rtol=3e-7)
        assert np.allclose(force, f, rtol=3e-7, atol=1e-4)
    last = mdtraj().load("a.gro")
    assert last.n_frames == 4
    assert np.abs(folded(last.xyz[-1] - seen[-1][1] - corner, sim.box.lx)).max() < 0.000501
    with chemfiles.Trajectory("a.xyz") as file:
        frames = [file.read() for _ in range(file.nsteps)]
    assert [int(frame["Step"]) for frame in frames] == [0, 20, 40, 60]
    assert frames[-1].atoms[0].name == sim.topology.expand_atoms().name[0]
    assert np.allclose(frames[-1].cell.lengths, 10 * sim.box.lengths, atol=1e-6)
    angstroms = folded(frames[-1].positions - 10 * (seen[-1][1] + corner), 10 * sim.box.lx)
    assert np.abs(angstroms).max() < 1e-6
    few = frames_by_mdanalysis("a.pdb", 11)
    exact = seen[-1][1][[*range(10), 40]]
    assert np.abs(folded(few[-1][2] - exact - corner, sim.box.lx)).max() < 0.000051


INTERVALS = {"positions": 20, "velocities": 10, "forces": 30}


def test_columns_at_steps_of_their_own(here):
    """Frames hold what is due at their steps, to the bit what a file of all columns holds."""
    specs = [
        au.Frames("a.trr", 10, **INTERVALS),
        au.Frames("all.trr", 5, velocities=True, forces=True),
        au.Frames("v.trr", 20, positions=False, velocities=True),
    ]
    sim, _ = chains(here, specs)
    with sim:
        sim.run(65)
    whole = dict(zip(range(0, 66, 5), frames_by_mdanalysis("all.trr", 162), strict=True))
    mixed = frames_by_mdanalysis("a.trr", 162)
    assert [round(time / sim.dt) for time, *_ in mixed] == list(range(0, 61, 10))
    for step, (time, box, *columns) in zip(range(0, 61, 10), mixed, strict=True):
        assert time == whole[step][0] and np.array_equal(box, whole[step][1])
        for column, same, every in zip(columns, whole[step][2:], INTERVALS.values(), strict=True):
            assert (column is not None) == (step % every == 0)
            assert column is None or np.array_equal(column, same)
    alone = frames_by_mdanalysis("v.trr", 162)
    assert all(x is None and f is None and v is not None for _, _, x, v, f in alone)
    assert len(alone) == 4


def test_frames_without_anything_are_left_out(here):
    """Between multiples of 20 and of 30 steps, `every` being what both divide into."""
    sim, _ = chains(here, [au.Frames("a.trr", 10, positions=20, velocities=30)])
    with sim:
        sim.run(60)
    times = [round(time / sim.dt) for time, *_ in frames_by_mdanalysis("a.trr", 162)]
    assert times == [0, 20, 30, 40, 60]


@pytest.mark.parametrize("cut", [10, 25, 30])
def test_restart_between_columns_is_bitwise(here, cut):
    spec = au.Frames("a.trr", 10, **INTERVALS)
    sim, _ = chains(here, [spec])
    with sim:
        sim.run(70)
    whole = Path("a.trr").read_bytes()
    sim, _ = chains(here, [spec, au.Checkpoint("a.ckpt", every=10_000)])
    with sim:
        sim.run(cut)
        os.replace("a.ckpt", "kept.ckpt")
        sim.run(30)
    again = au.Simulation.from_checkpoint("kept.ckpt")
    with again:
        again.run(until=70)
    assert Path("a.trr").read_bytes() == whole


def test_molecules_are_whole_unless_not_wanted(here):
    sim, job = chains(here, [au.Frames("a.trr", 50), au.Frames("b.trr", 50, whole=False)])
    sim.set("position", sim.get("position") + 0.9)  # across the boundaries
    with sim:
        sim.run(100)
    bonds = np.concatenate(
        [t.particles for k, t in job.topology.expand_terms().items() if k.endswith("bond")]
    )
    assert len(bonds) == 5 * 27
    for name, whole in (("a.trr", True), ("b.trr", False)):
        for _, box, position, *_ in frames_by_mdanalysis(name, 162):
            lengths = np.linalg.norm(position[bonds[:, 0]] - position[bonds[:, 1]], axis=1)
            assert (lengths.max() < 0.25) == whole
            placed = position.reshape(27, 6, 3).mean(axis=1) if whole else position
            assert placed.min() > -1e-6 and (placed.max(axis=0) < np.diag(box) + 1e-6).all()


@pytest.mark.parametrize("cut", [1, 40, 61])
def test_restart_is_bitwise(here, cut):
    """Frames after the checkpoint are cut away, and none is missing or doubled."""
    sim, _ = chains(here, observers())
    with sim:
        sim.run(130)
    whole = contents()
    sim, _ = chains(here, observers(more=[au.Checkpoint("a.ckpt", every=10_000)]))
    with sim:
        sim.run(cut)
        os.replace("a.ckpt", "kept.ckpt")
        sim.run(60)  # these frames lie beyond the checkpoint
    again = au.Simulation.from_checkpoint("kept.ckpt")
    assert again.step == cut
    with again:
        again.run(until=130)
    assert contents() == whole


RUN = """
    import os, signal, sys
    import aureole as au
    kill = int(sys.argv[1])
    specs = [
        au.Frames("a.xtc", 7),
        au.Frames("a.dcd", 5),
        au.Frames("a.gro", 10, velocities=True),
        au.Energies("a.csv", 3),
        au.Checkpoint("a.ckpt", every=30),
        au.Callback(lambda s: s.step == kill and os.kill(os.getpid(), signal.SIGKILL), every=1),
    ]
    if os.path.exists("a.ckpt"):
        sim = au.Simulation.from_checkpoint("a.ckpt", callbacks=specs[-1:])
    else:
        lattice = au.build.lattice("fcc", n=108, density=0.8)
        force = au.WCA(epsilon=1.0, sigma=1.0)
        sim = au.Simulation(lattice, [force], au.NVE(dt=0.002), specs, seed=1, threads=1)
        sim.thermalize(kT=1.2)
    with sim:
        sim.run(until=120)
"""


def run_killed(steps):
    """Start again after each kill; the files at the end."""
    for kill in (*steps, -1):
        script = textwrap.dedent(RUN)
        path = os.pathsep.join(
            [str(Path(au.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        )
        done = subprocess.run(
            [sys.executable, "-c", script, str(kill)],
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == (0 if kill < 0 else -signal.SIGKILL), done.stderr
    files = contents(("a.xtc", "a.dcd", "a.gro", "a.csv"))
    for name in (*files, "a.ckpt", "a.ckpt.prev"):
        Path(name).unlink(missing_ok=True)
    return files


def test_killed_in_between(here):
    assert run_killed([]) == run_killed([13, 44, 75, 119])


def test_full_disk_loses_nothing(here):
    """Half of a frame reaches the file; the rescue holds the rest."""
    sim, _ = chains(here, observers())
    with sim:
        sim.run(100)
    whole = contents()
    for name in FILES:
        sim, _ = chains(here, observers())
        sim.run(30)
        recorder = next(r for r in sim._loop.recorders if r.spec.path == name)
        recorder.file._file = Full(recorder.file._file)
        with pytest.raises(
            au.FileError, match=rf"{name}: cannot store the frame of step 40 \(No sp"
        ):
            sim.run(70)
        sim.close()
        finish_rescued(100)
        assert contents() == whole, name


def test_the_same_simulation_goes_on_when_there_is_space_again(here):
    specs = [au.Frames("a.dcd", 20), au.Energies("a.csv", 10), au.Log("b.csv", 10)]
    names = ("a.dcd", "a.csv", "b.csv")
    sim, _ = chains(here, specs)
    with sim:
        sim.run(100)
    whole = contents(names)
    sim, _ = chains(here, specs)
    with sim:
        sim.run(30)
        for recorder in sim._loop.recorders:
            recorder.file._file = Full(recorder.file._file)
        with pytest.raises(au.FileError, match="No space left"):
            sim.run(30)
        sim.close()
        sim.run(until=100)
    assert contents(names) == whole


class Full:
    """A file on a disk that is full after half of the next piece."""

    def __init__(self, file):
        self.file = file
        self.left = None

    def write(self, data):
        if self.left is None:
            self.left = len(data) // 2
        if self.left == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        count = self.file.write(data[: self.left])
        self.left -= count
        return count

    def __getattr__(self, name):
        return getattr(self.file, name)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("name", FILES)
def test_disk_that_is_full_from_the_beginning(here, name):
    sim, _ = chains(here, [au.Frames(name, 20)])
    with sim:
        sim.run(40)
    whole = Path(name).read_bytes()
    os.remove(name)
    os.symlink("/dev/full", name)
    sim, _ = chains(here, [au.Frames(name, 20)])
    with pytest.raises(au.FileError, match="No space left on device"):
        sim.run(40)
    sim.close()
    os.remove(name)
    finish_rescued(40)
    assert Path(name).read_bytes() == whole


def test_a_frame_that_fits_no_file_is_one_error(here, liquid):
    box = au.Box(30, 30, 30, periodic=(False, False, False))
    system = au.System(box, np.arange(36.0).reshape(12, 3) / 3, mass=np.ones(12))
    sim = au.Simulation(system, [au.WCA(epsilon=1, sigma=0.1)], au.NVE(dt=0.001),
                        [au.Frames("a.xtc", 10, precision=1e9)])  # fmt: skip
    with pytest.raises(au.InputError, match=r"a\.xtc: cannot be written \(particle.* No step was"):
        sim.run(10)
    assert sim.step == 0 and not Path("a.xtc").exists()


def test_checkpoints_outside_of_runs(here):
    """Before the first run, and again before the first run after a restart."""
    specs = [*observers(), au.Energies("a.csv", 10), au.RunLog("a.log", 20)]
    names = (*FILES, "a.csv")
    sim, _ = chains(here, specs)
    with sim:
        sim.run(60)
    whole = contents(names)
    sim, _ = chains(here, specs)
    sim.write_checkpoint("a.ckpt")
    for steps in (0, 30, 30):
        sim = au.Simulation.from_checkpoint("a.ckpt")
        sim.write_checkpoint("b.ckpt")
        sim = au.Simulation.from_checkpoint("b.ckpt")
        with sim:
            sim.run(steps)
            sim.write_checkpoint("a.ckpt")
    assert sim.step == 60
    assert contents(names) == whole


@pytest.mark.parametrize("spec", [au.Frames("a.gro", 5), au.Energies("a.csv"), au.RunLog("a.log")])
def test_restart_without_the_topology_is_refused(here, spec):
    """Files would go on with other names, units and pieces of molecules."""
    sim, _ = chains(here, [spec, au.Checkpoint("a.ckpt", every=10)])
    with sim:
        sim.run(10)
    before = Path(spec.path).read_bytes()
    again = au.Simulation.from_checkpoint("a.ckpt")
    put(again, "topology", None)
    with pytest.raises(au.InputError, match=rf"{spec.path} cannot be continued .*sim\.topology"):
        again.run(10)
    assert Path(spec.path).read_bytes() == before


def test_reduced_units_and_no_topology(here, liquid):
    files = [au.Frames(name, 10) for name in ("a.trr", "a.gro", "a.xyz")]
    with liquid(n=108, observers=files) as sim:
        sim.run(20)
    position = frames_by_mdanalysis("a.trr", 108)[-1][2]
    exact = sim.box.wrap(sim.get("position"))[0] + sim.box.lengths / 2
    assert np.abs(position - exact).max() < 1e-6
    assert len(Path("a.gro").read_text().splitlines()) == 3 * 111
    words = Path("a.xyz").read_text().splitlines()[-1].split()
    assert words[0] == "A" and np.abs(exact[-1] - [float(x) for x in words[1:]]).max() < 1e-6


def test_specs():
    spec = au.Frames("a.TRR", 5, particles=[7, 3, 4, 5, 3, 9], forces=True)
    assert spec.particles == "3-5,7,9"
    assert spec.tags(10).tolist() == [3, 4, 5, 7, 9]
    assert au.Frames("a.xtc", 5, particles=np.arange(100)).particles == "0-99"
    assert from_dict("observer", spec.to_dict(), "here") == spec
    with pytest.raises(au.InputError, match="names particle 9"):
        spec.tags(9)
    for bad in ([], [-1], "", "3-1", "a", [0.5], [[1, 2]]):
        with pytest.raises(au.InputError, match="at least one tag"):
            au.Frames("a.xtc", 5, particles=bad)
    with pytest.raises(au.InputError, match=r"Known: \.xtc"):
        au.Frames("a.nc", 5)
    with pytest.raises(au.InputError, match=r"velocity .*\.xtc does not store"):
        au.Frames("a.xtc", 5, velocities=True)
    with pytest.raises(au.InputError, match=r"force .*Write \.trr"):
        au.Frames("a.gro", 5, forces=True)


def test_specs_of_intervals():
    spec = au.Frames("a.trr", 5, positions=10, velocities=True, forces=np.int64(25))
    assert spec.intervals == {"position": 10, "velocity": 5, "force": 25}
    assert from_dict("observer", spec.to_dict(), "here") == spec
    assert au.Frames("a.trr", 5, positions=0, forces=5).intervals == {"force": 5}
    assert au.Frames("a.gro", 5, velocities=5).intervals == {"position": 5, "velocity": 5}
    for path, wanted, words in (
        ("a.trr", {"positions": 12}, "multiple"),
        ("a.trr", {"forces": -5}, "at least 0"),
        ("a.trr", {"velocities": 2.5}, "whole number"),
        ("a.trr", {"positions": False}, "neither positions"),
        ("a.gro", {"velocities": 10}, r"Write \.trr"),
        ("a.xtc", {"positions": False}, "including positions"),
    ):
        with pytest.raises(au.InputError, match=words):
            au.Frames(path, 5, **wanted)


def test_last_frame(here):
    sim, job = chains(here, [])
    sim.set("position", sim.get("position") + 0.9)
    sim.run(100)
    au.write_frame("last.gro", sim)
    au.write_frame("last.pdb", sim)
    read = read_gro("last.gro")
    assert (read.step, read.time) == (100, 0.05)
    assert np.allclose(read.box, np.diag(sim.box.lengths), atol=1e-5)
    for coordinates, limit in ((read, 0.000501), (read_pdb("last.pdb"), 0.000051)):
        difference = coordinates.position - sim.get("position") - sim.box.lengths / 2
        assert np.abs(folded(difference, sim.box.lx)).max() < limit
        chain = np.linalg.norm(np.diff(coordinates.position.reshape(27, 6, 3), axis=1), axis=2)
        assert chain.max() < 0.25
        assert coordinates.name.array().tolist() == job.coordinates.name.array().tolist()
        assert coordinates.residue.tolist() == job.coordinates.residue.tolist()
    assert np.abs(read.velocity - sim.get("velocity")).max() < 0.000051
    with pytest.raises(au.InputError, match="unknown extension"):
        au.write_frame("last.xyz", sim)
    with pytest.raises(au.FileError, match=r"no/last\.gro"):
        au.write_frame("no/last.gro", sim)
