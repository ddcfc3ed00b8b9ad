# SPDX-License-Identifier: Apache-2.0
"""Nobody reads what a run says: the run goes on, its files are whole, its exit status is true."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from pathlib import Path

import aureole as au
import commands
import pytest
from mdrun_inputs import argon, command, mdrun, rows, water
from small_runs import liquid, python

STEPS = 20_000  # of 216 atoms of argon: most of a second


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def long_job(folder: Path, steps: int = STEPS) -> None:
    mdp = Path(argon(folder)[2])
    mdp.write_text(mdp.read_text().replace("nsteps = 200", f"nsteps = {steps}"))


def is_whole(steps: int) -> None:
    assert rows()["step"][-1] == steps
    assert "Done" in Path("md.log").read_text() and Path("confout.gro").exists()


def test_a_reader_that_has_seen_enough_ends_no_run(here):
    """As in `aureole mdrun | head -1`."""
    water(here)
    process = subprocess.Popen(
        command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )
    assert process.stdout.read(1)
    process.stdout.close()
    said = process.stderr.read()
    assert (process.wait(60), said) == (0, "")
    process.stderr.close()
    is_whole(200)


def test_a_terminal_that_goes_ends_no_run(here):
    """A progress line meets an error of input and output."""
    long_job(here)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command("-v"), stdout=theirs, stderr=theirs)
    os.close(theirs)
    while b"steps/s" not in os.read(ours, 4096):
        assert process.poll() is None
    os.close(ours)
    assert process.wait(60) == 0
    is_whole(STEPS)


def test_a_hangup_ends_a_run_with_its_checkpoint(here):
    long_job(here, 10_000_000)
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # below nohup it is ignored
    process = subprocess.Popen(command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGHUP, before)
    table = Path("ener.csv")
    while not table.exists() or len(table.read_text().splitlines()) < 5:  # it makes steps
        assert process.poll() is None
    process.send_signal(signal.SIGHUP)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 129 and "continue with" in said, said
    step = int(rows()["step"][-1])
    mdrun("-cpi", "-nsteps", 200)
    assert rows()["step"][-1] >= step + 100


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_closed_streams_end_no_run_and_no_file_takes_their_place(here, closed):
    water(here)
    words = " ".join(command("-v", "-maxwarn", 1))
    assert subprocess.run(["sh", "-c", f"exec {words} {closed}"], timeout=60).returncode == 0
    is_whole(200)
    assert "%" not in Path("ener.csv").read_text()


def test_where_words_are_all_a_full_disk_is_an_error(here):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    water(here)
    with open("/dev/full", "w") as full:
        words = command()
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        is_whole(200)
        words = [*words[:3], "info", "ener.csv"]
        words = [*words[:3], "presets"]
        done = commands.run(words, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        assert done.returncode == 1 and "No space left on device" in done.stderr


@pytest.mark.parametrize("change", ["sys.stderr = None", "sys.stderr.close()", "os.close(2)"])
def test_progress_in_a_script_without_stderr(change):
    done = python(f"""
import os
import aureole as au
from small_runs import liquid
sim = liquid(observers=[au.Progress(seconds=0.05, lines=True), au.Log("a.csv", every=10)])
{change}
with sim:
    sim.run(50)
    new = liquid(observers=[au.Progress(seconds=0.05, lines=True)]).run(10)
assert sim.step == 50 and new.step == 10
os._exit(9)
""")
    assert done.returncode == 9, done.stderr
    assert len(Path("a.csv").read_text().splitlines()) == 1 + 6


def test_names_that_are_not_text(here):
    """A name of bytes that are no UTF-8 is a name."""
    name = os.fsdecode(b"caf\xe9")
    try:
        Path(name).mkdir()
    except OSError as error:
        pytest.skip(f"this file system takes no such name: {error}")
    files = [f"{name}/{k}" for k in ("a.csv", "b.xtc", "c.csv", "d.log", "e.ckpt")]
    kinds = (au.Log, au.Frames, au.Energies, au.RunLog, au.Checkpoint)
    observers = [kind(path, every=10) for kind, path in zip(kinds, files, strict=True)]
    with liquid(observers=observers) as sim:
        sim.run(20)
    with au.Simulation.from_checkpoint(files[-1]) as sim:
        sim.run(10)
    assert len(Path(files[0]).read_text().splitlines()) == 1 + 4
    os.chdir(name)
    water(Path())
    mdrun("-deffnm", name, "-nsteps", 20)
    mdrun("-deffnm", name, "-cpi", "-nsteps", 20)
    assert rows(f"{name}.csv")["step"][-1] == 40
    words = [*command()[:3], "info", f"{name}.xtc", f"{name}.gro", f"{name}.cpt"]
    done = commands.run(words, capture_output=True, timeout=60)
    assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr


def test_a_gsd_file_with_a_name_that_is_not_text_is_refused_in_words():
    name = os.fsdecode(b"caf\xe9.gsd")
    with pytest.raises(au.Error, match="valid text"):
        liquid(observers=[au.Trajectory(name, every=10)]).run(10)
