# SPDX-License-Identifier: Apache-2.0
"""Two runs meet at one file: the second is refused, or goes on only with what is its own."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

import aureole as au
import commands
import gsd.fl
import pytest
from mdrun_inputs import command, mdrun, rows, water
from small_runs import liquid

LONG = "nsteps = 200000"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def hidden(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir() if entry.name.startswith(".")]


def test_the_second_run_in_a_folder_is_refused(here):
    mdp = Path(water(here)[2])
    mdrun("-nsteps", 20)
    mdp.write_text(mdp.read_text().replace("nsteps = 200", LONG))
    first = commands.start(
        command("-cpi"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    for line in first.stdout:
        if line.split()[:1] == ["output"]:  # it has its files, and makes steps
            break
    for more in ((), ("-cpi",)):
        said = mdrun(*more, code=1).stderr
        assert "being written by another run" in said
        assert f"(process {first.pid} on {platform.node()} holds the lock" in said
    first.terminate()
    assert first.wait(30) == 143
    first.stdout.close(), first.stderr.close()
    # The first run has renamed the final frame of the one before it; the others rename nothing.
    assert [path.name for path in here.glob("#*")] == ["#confout.gro.1#"]
    table = rows()
    assert (
        all(map(float.is_integer, table["step"])) and (table["step"][1:] > table["step"][:-1]).all()
    )
    assert hidden(here) == []
    mdrun("-cpi", "-nsteps", 10)  # nothing keeps the next one out


def test_a_killed_run_keeps_nobody_out(here):
    water(here, "")
    mdp = Path("grompp.mdp")
    mdp.write_text(mdp.read_text().replace("nsteps = 200", LONG))
    first = subprocess.Popen(command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not hidden(here):
        assert first.poll() is None
    first.kill()
    first.communicate(timeout=30)
    mdrun("-nsteps", 20)
    assert hidden(here) == []


def test_a_run_that_never_began_leaves_no_lock(here):
    water(here)
    for name in ("md.log", *(f"#md.log.{k}#" for k in range(1, 100))):
        Path(name).write_text("old")
    assert "99 backups" in mdrun(code=1).stderr
    assert hidden(here) == []


@pytest.mark.parametrize("make", [os.symlink, os.link], ids=["symbolic", "hard"])
def test_two_observers_on_one_file_by_a_link(make):
    Path("real.csv").write_text("")
    make("real.csv", "other.csv")
    with pytest.raises(au.InputError, match="overwrite each other"):
        liquid(observers=[au.Log("real.csv", every=5), au.Log("other.csv", every=5)])


def test_two_observers_may_write_to_a_device():
    with liquid(observers=[au.Log("/dev/null", every=5), au.Energies("/dev/null", every=5)]) as sim:
        sim.run(10)


def test_a_log_goes_to_the_simulation_that_ran_last():
    one = liquid(observers=[au.Log("a.csv", every=10)])
    one.run(100)
    two = liquid(seed=2, observers=[au.Log("a.csv", every=10)])
    two.run(50)
    text = Path("a.csv").read_text()
    assert len(text.splitlines()) == 1 + 6
    with pytest.raises(au.FileError, match=r"a\.csv"):
        one.run(100)
    assert Path("a.csv").read_text() == text
    two.run(10)
    assert Path("a.csv").read_text().startswith(text)
    two.close()


def test_a_log_of_a_simulation_that_runs_is_refused():
    said = []

    def start_another(sim):
        if sim.step == 20:
            with pytest.raises(au.FileError, match="being written by another run") as caught:
                liquid(seed=2, observers=[au.Log("a.csv", every=10)]).run(10)
            said.append(str(caught.value))

    with liquid(observers=[au.Log("a.csv", every=10), au.Callback(start_another, every=10)]) as sim:
        sim.run(50)
    assert said and len(Path("a.csv").read_text().splitlines()) == 1 + 6


def interrupted(name: str, seed: int = 1) -> None:
    """A run that wrote 6 frames or rows to a file NAME and a checkpoint beside."""
    kinds = {".gsd": au.Trajectory, ".csv": au.Log, ".parquet": au.Energies}
    kind = kinds.get(Path(name).suffix, au.Frames)
    observers = [kind(name, every=10), au.Checkpoint(f"{name}.ckpt", every=50)]
    with liquid(seed=seed, observers=observers) as sim:
        sim.run(50)


@pytest.mark.parametrize(
    "name", ["a.gsd", "a.csv", "a.xtc", "a.dcd", "a.trr", "a.gro", "a.parquet"]
)
def test_a_foreign_file_is_neither_cut_nor_continued(name):
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow", reason="tables need pyarrow")
    interrupted(name)
    with au.Simulation.from_checkpoint(f"{name}.ckpt") as sim:  # its own file is continued
        sim.run(20)
    own = Path(name).read_bytes()
    ending = Path(name).suffix
    interrupted(f"other{ending}", seed=2)
    with au.Simulation.from_checkpoint(f"other{ending}.ckpt") as sim:
        sim.run(60)
    foreign = Path(f"other{ending}").read_bytes()
    Path(name).write_bytes(foreign)
    sim = au.Simulation.from_checkpoint(f"{name}.ckpt.prev")
    with pytest.raises(au.FileError, match="is not the file that the run of the checkpoint wrote"):
        sim.run(10)
    assert Path(name).read_bytes() == foreign
    Path(name).write_bytes(own)
    sim.run(20)
    sim.close()
    assert Path(name).read_bytes() == own


def test_no_file_is_cut_before_all_are_known_again():
    observers = [
        au.Log("a.csv", every=10),
        au.Trajectory("b.gsd", every=10),
        au.Checkpoint("c.ckpt", every=50),
    ]
    with liquid(observers=observers) as sim:
        sim.run(50)
        sim.run(40)
    with gsd.fl.open("b.gsd", "w", application="x", schema="hoomd", schema_version=(1, 4)):
        pass
    before = Path("a.csv").read_bytes()
    with pytest.raises(au.FileError, match=r"b\.gsd"):
        au.Simulation.from_checkpoint("c.ckpt.prev").run(10)
    assert Path("a.csv").read_bytes() == before


def test_a_folder_without_permission_is_one_error(monkeypatch, recwarn):
    """The locks of its files need no words of their own, unless the files may be written."""
    import errno

    from aureole.base import file_locks

    def refuse(*_):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(file_locks, "_locked", refuse)
    monkeypatch.setattr(os, "access", lambda path, mode: str(path).endswith("mine.csv"))
    with file_locks.Claims() as claims:
        claims.take(["a.csv", "b.csv"])
        assert not recwarn.list
        claims.take(["mine.csv"])
    assert "mine.csv cannot be locked" in str(recwarn.pop(UserWarning).message)


def test_where_locks_are_not_to_be_had_a_line_says_so(monkeypatch):
    import errno

    from aureole.base import file_locks

    def refuse(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(file_locks.fcntl, "flock", refuse)
    sim = liquid(observers=[au.Log("a.csv", every=10)])
    with pytest.warns(UserWarning, match=r"a\.csv cannot be locked \(No locks available\)"):
        sim.run(20)
    sim.close()
    assert len(Path("a.csv").read_text().splitlines()) == 1 + 3
