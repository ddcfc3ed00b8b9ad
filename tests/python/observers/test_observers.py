# SPDX-License-Identifier: Apache-2.0
"""Observers write at the right steps, off the run's path, and say when they cannot."""

from __future__ import annotations

import csv
import errno
import io
import math
import os
import shutil
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import aureole as au
import gsd.hoomd
import numpy as np
import pytest
from aureole.base.text import duration, rate
from aureole.formats import gsd as gsdfile
from aureole.observers import Writer
from aureole.recorders.progress import ProgressRecorder


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def test_frames_and_rows_at_multiples(here, liquid):
    seen = []
    sim = liquid(
        observers=[
            au.Trajectory("a.gsd", every=20, fields=("position", "velocity", "force", "energy")),
            au.Log("a.csv", every=7, quantities=["step", "total", "pressure_xy", "momentum_z",
                                                "energy_LennardJones", "density", "time"]),
            au.Callback(lambda s: seen.append(s.step), every=15),
        ]
    )  # fmt: skip
    with sim:
        sim.run(33).run(0).run(12).run(until=60).run(until=10)
    assert sim.step == 60
    assert seen == [0, 15, 30, 45, 60]
    assert [int(row["step"]) for row in rows("a.csv")] == list(range(0, 61, 7))
    assert float(rows("a.csv")[1]["density"]) == pytest.approx(0.8)
    assert float(rows("a.csv")[1]["time"]) == pytest.approx(0.035)
    with gsd.hoomd.open("a.gsd", "r") as file:
        assert [frame.configuration.step for frame in file] == [0, 20, 40, 60]
        last = file[-1]
        assert np.allclose(last.log["particles/force"], sim.get("force"), rtol=1e-6, atol=1e-5)
        assert np.allclose(last.log["particles/energy"], sim.get("energy"), rtol=1e-6)
        assert np.allclose(last.particles.velocity, sim.get("velocity"), rtol=1e-6)
        flat = last.particles.position  # images were not asked for, positions lie in the box
        assert (np.abs(flat) <= sim.box.lx / 2 * (1 + 1e-6)).all()
        assert last.particles.types == ["A"] and last.particles.mass[0] == 1


def test_rows_and_calls_at_times(here, liquid):
    """At the first step that ends at or after each multiple; in pieces and again as in one run."""

    def times_of(pieces):
        seen = []
        call = au.Callback(lambda s: seen.append((s.step, float(s.time))), every_time=0.013)
        log = au.Log("t.csv", every_time=0.021, quantities=("step", "time"))
        with liquid(observers=[call, log]) as sim:
            for steps in pieces:
                sim.run(steps)
        return seen, [int(row["step"]) for row in rows("t.csv")]

    seen, logged = times_of([30])  # steps of 0.005
    assert [step for step, _ in seen] == [math.ceil(0.013 * k / 0.005) for k in range(12)]
    assert logged == [math.ceil(0.021 * k / 0.005) for k in range(8)]
    assert times_of([7, 0, 8, 15]) == (seen, logged)


@pytest.mark.parametrize(
    "name", ["a.h5", "a.HDF5", "a.parquet", "a.edr", "a.xvg", "a.gsd", "a.xtc"]
)
def test_text_gets_no_name_of_another_format(name):
    """A log is text; a name that promises more is refused, as that of `Energies` is."""
    with pytest.raises(au.InputError, match=r"path of Log is .* Write \.csv"):
        au.Log(name)
    if name in ("a.parquet", "a.edr"):
        assert au.Energies(name).path == name
    else:
        with pytest.raises(au.InputError, match=r"path of Energies is .* Write \.csv or \.parq"):
            au.Energies(name)
    for good in ("a.csv", "a.txt", "a.dat", "a"):
        assert au.Log(good).path == au.Energies(good).path == good


def test_the_speed_in_a_log_is_that_of_its_run(here, liquid):
    """Pauses of the second run are in it."""
    pause = []
    log = au.Log("a.csv", 10, ("step", "steps_per_second"))
    with liquid(observers=[au.Callback(lambda _: pause and time.sleep(0.2), 10), log]) as sim:
        sim.run(20)
        before = sim.steps_per_second
        pause.append(True)
        sim.run(20)
    start, one, two, *slow = [float(row["steps_per_second"]) for row in rows("a.csv")]
    assert start == 0 and one > before / 2 > 0 and two > before / 2
    assert len(slow) == 2 and 0 < max(*slow, sim.steps_per_second) < 10 / 0.2


def test_old_files_are_replaced(here, liquid):
    for steps in (40, 20):
        with liquid(observers=[au.Trajectory("a.gsd", every=10), au.Log("a.csv", every=10)]) as sim:
            sim.run(steps)
    assert len(rows("a.csv")) == 3
    with gsd.hoomd.open("a.gsd", "r") as file:
        assert len(file) == 3


def test_no_locks_are_left_in_a_folder_that_was_renamed(here, liquid):
    """And those of another run in a folder of the old name stay."""
    os.mkdir("run")
    one = liquid(observers=[au.Log("run/a.csv", every=10)])
    one.run(10)
    os.rename("run", "kept")
    os.mkdir("run")
    with liquid(observers=[au.Log("run/a.csv", every=10)]) as other:
        other.run(10)
        assert sorted(os.listdir("kept")) == [".a.csv.lock", "a.csv"] == sorted(os.listdir("run"))
        one.close()
        assert os.listdir("kept") == ["a.csv"]
        assert sorted(os.listdir("run")) == [".a.csv.lock", "a.csv"]


def test_a_failing_callback_loses_nothing(here, liquid):
    def fail(sim):
        if sim.step == 20:
            raise RuntimeError("mine")

    sim = liquid(observers=[au.Callback(fail, every=10), au.Log("a.csv", every=10)])
    with pytest.raises(RuntimeError, match="mine"):
        sim.run(100)
    assert [row["step"] for row in rows("a.csv")] == ["0", "10"]
    sim.run(10)
    assert sim.step == 30


def test_a_callback_may_not_run(here, liquid):
    sim = liquid(observers=[au.Callback(lambda s: s.run(1), every=1)])
    with pytest.raises(au.InputError, match="run was called during a run"):
        sim.run(1)


def test_unwritable_places(here, liquid):
    for observer in (au.Log("no/a.csv"), au.Trajectory("no/a.gsd")):
        with pytest.raises(au.FileError, match="cannot be opened for writing"):
            liquid(observers=[observer]).run(1)
    os.mkdir("no")
    sim = liquid(observers=[au.Checkpoint("no/a.ckpt", every=5)])
    sim.run(2)
    shutil.rmtree("no")
    with pytest.raises(au.FileError, match=r"no.*The state at step 5 is saved in"):
        sim.run(10)
    for name in os.listdir():
        if name.startswith("aureole-rescue"):
            assert au.Simulation.from_checkpoint(name).step == 5
            break
    else:
        raise AssertionError("no rescue file")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_full_disk_is_one_error_and_loses_nothing(here, liquid):
    sim = liquid(observers=[au.Log("/dev/full", every=1)])
    with pytest.raises(au.FileError) as caught:
        sim.run(50)
    text = str(caught.value)
    assert "/dev/full: cannot be written (No space left on device)" in text
    saved = [name for name in os.listdir() if name.startswith("aureole-rescue")]
    assert len(saved) == 1 and saved[0] in text
    sim.close()  # no second error
    assert "--allow-write /dev/full`" in text
    again = au.Simulation.from_checkpoint(saved[0], allow_write=["/dev/full"])
    assert np.array_equal(again.get("position"), sim.get("position"))


def test_writer_keeps_order_and_bounds():
    writer, seen, gate = Writer(most_bytes=100), [], threading.Event()
    writer.submit(gate.wait)
    for k in range(3):
        writer.submit(lambda k=k: seen.append(k), 30)
    late = threading.Thread(target=lambda: writer.submit(lambda: seen.append(3), 30))
    late.start()
    late.join(0.1)
    assert late.is_alive()  # the queue is full: the run waits, memory does not grow
    gate.set()
    late.join()
    writer.drain()
    assert seen == [0, 1, 2, 3]
    writer.submit(lambda: seen.append(4), 10**6)  # larger than the bound, but alone
    writer.close()
    assert seen[-1] == 4


def test_writer_hands_errors_over():
    writer, seen = Writer(), []

    def fail():
        raise OSError("disk")

    writer.submit(fail)
    with pytest.raises(OSError, match="disk"):
        writer.drain()
    with pytest.raises(OSError, match="disk"):
        writer.submit(lambda: seen.append(1))
    writer.close()
    assert seen == []


def test_a_writer_without_a_thread_is_one_error(here, liquid, monkeypatch):
    """As where memory or threads are limited."""

    def refuse(_):
        raise RuntimeError("can't start new thread")

    with liquid(observers=[au.Log("a.csv", every=10)]) as sim:
        with monkeypatch.context() as patch, pytest.raises(au.Error, match="cannot be started"):
            patch.setattr(threading.Thread, "start", refuse)
            sim.run(20)
        sim.run(20)
    assert len(Path("a.csv").read_text().splitlines()) > 2


def test_steps_do_not_wait_for_the_disk(here, liquid, monkeypatch):
    sim = liquid(observers=[au.Log("a.csv", every=1)])
    sim.run(1)
    recorder = sim._loop.recorders[0]
    real, gate = recorder.file._write, threading.Event()
    monkeypatch.setattr(recorder.file, "_write", lambda *a: (gate.wait(20), real(*a)))
    opener = threading.Timer(0.5, gate.set)
    opener.start()
    target = sim.step + 10
    reached = []
    watch = au.Callback(lambda s: reached.append(time.perf_counter()), every=1)
    sim._loop.recorders.append(watch.recorder())
    sim._loop._ordered.append(sim._loop.recorders[-1])
    began = time.perf_counter()
    sim.run(until=target)
    assert len(reached) == 11 and not opener.is_alive()
    assert reached[-1] - began <= time.perf_counter() - began
    assert len(rows("a.csv")) == 12


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_on_a_terminal(liquid, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    spec = au.Progress(seconds=0.05)
    sim = liquid(n=108, observers=[spec], forces=[au.WCA(epsilon=1, sigma=1)])
    stream = Terminal()
    recorder = ProgressRecorder(spec, stream)
    sim._loop.recorders[:] = [recorder]
    sim._loop._ordered[:] = [recorder]
    sim.run(400)
    text = stream.getvalue()
    assert "100.0 %" in text and "steps/s" in text and "τ/day" in text
    assert text.endswith("\n") and text.count("\n") == 1
    assert sim.step == 400


def test_progress_on_a_stream_that_only_takes_text(liquid):
    class Lines(list):
        write = list.append

    lines = Lines()
    recorder = ProgressRecorder(au.Progress(lines=True), lines)
    sim = liquid()
    recorder.start(sim, 10)
    sim.run(10)
    recorder.finish(sim)
    assert not recorder.terminal and "step 10" in lines[-1]


def test_progress_elsewhere_is_a_line_now_and_then(liquid, capsys, monkeypatch):
    """One at the start and one at the end; shorter runs soon after have none."""
    sim = liquid(observers=[au.Progress()])
    sim.run(5)
    first, last = capsys.readouterr().err.splitlines()
    assert first == "step 0, to step 5" and "100.0 %  step 5  " in last
    for _ in range(3):
        sim.run(5)
    assert capsys.readouterr() == ("", "")
    late = time.perf_counter() + 11
    monkeypatch.setattr("aureole.recorders.progress.time.perf_counter", lambda: late)
    sim.run(5)
    assert capsys.readouterr().err.splitlines()[0] == "step 20, to step 25"
    liquid(observers=[au.Progress(lines=False)]).run(5)
    assert capsys.readouterr() == ("", "")


def test_lines_of_progress_become_rarer():
    """A day has some forty of them."""
    recorder, now = ProgressRecorder(au.Progress(), io.StringIO()), 0.0
    sim = SimpleNamespace(step=0, target_time=math.inf, pace=lambda _: "", describe=dict)
    sim._place = lambda: f"step {sim.step:,}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("aureole.recorders.progress.time.perf_counter", lambda: now)
        recorder.start(sim, 86_400)
        while sim.step < 86_400:
            sim.step += 1
            now = float(sim.step)
            recorder.observe(sim, sim.step)
        recorder.finish(sim)
    lines = recorder.stream._stream.getvalue().splitlines()
    assert 30 < len(lines) < 50 and "step 10 " in lines[1] and "step 86,400" in lines[-1]


def test_words_of_time_and_rate():
    assert [duration(s) for s in (0.4, 59, 185, 7620, 2 * 86400 + 3 * 3600)] == [
        "0 s", "59 s", "3 min 05 s", "2 h 07 min", "2 d 03 h",
    ]  # fmt: skip
    assert [rate(v) for v in (0.12345, 98.7, 12345.6)] == ["0.123", "98.7", "12,346"]


def test_output_that_failed_is_made_up_for(here, liquid, monkeypatch):
    """A disk that is full for a while: after a restart no frame and no row is missing."""
    specs = [au.Trajectory("a.gsd", every=10), au.Log("a.csv", every=5)]
    with liquid(observers=specs) as sim:
        sim.run(100)
    with gsd.hoomd.open("a.gsd", "r") as file:
        whole = Path("a.csv").read_text(), [frame.particles.position for frame in file]

    sim = liquid(observers=specs)
    sim.run(20)
    real, failing = gsdfile.append, []

    def full(file, chunks):
        if int(chunks[0][1][0]) >= 40:
            failing.append(int(chunks[0][1][0]))
            raise OSError(errno.ENOSPC, "No space left on device")
        real(file, chunks)

    with monkeypatch.context() as patch:
        patch.setattr(gsdfile, "append", full)
        with pytest.raises(au.FileError, match=r"step 40 \(No space left on device\).*saved in"):
            sim.run(80)
    sim.close()
    assert failing == [40]
    saved = next(name for name in os.listdir() if name.startswith("aureole-rescue"))
    with au.Simulation.from_checkpoint(saved) as again:
        assert again.step >= 40
        again.run(until=100)
    assert Path("a.csv").read_text() == whole[0]
    with gsd.hoomd.open("a.gsd", "r") as file:
        assert [frame.configuration.step for frame in file] == list(range(0, 101, 10))
        assert all(
            np.array_equal(f.particles.position, p) for f, p in zip(file, whole[1], strict=True)
        )


@pytest.mark.parametrize("how", ["removed", "replaced", "a link"])
@pytest.mark.parametrize(
    "spec",
    [au.Log("a.csv", every=1), au.Energies("a.csv", every=1), au.Trajectory("a.gsd", every=1)],
    ids=lambda spec: type(spec).__name__,
)
def test_output_that_went_away_during_the_run_is_told(here, liquid, spec, how):
    def lose(sim):
        if sim.step == 5:
            os.remove(spec.path)
            if how == "replaced":
                (here / spec.path).write_text("")
            elif how == "a link":
                os.symlink(os.devnull, spec.path)

    sim = liquid(observers=[spec, au.Callback(lose, every=5)])
    with pytest.raises(au.FileError, match=f"{spec.path}: was removed or replaced"):
        sim.run(10).close()
    if os.path.lexists(spec.path):
        os.remove(spec.path)
    sim = liquid(observers=[spec, au.Callback(lose, every=5), au.Checkpoint("a.ckpt", every=8)])
    with pytest.raises(au.FileError, match=f"{spec.path}: (was removed or repl|cannot be flushed)"):
        sim.run(100)
    assert sim.step <= 16
