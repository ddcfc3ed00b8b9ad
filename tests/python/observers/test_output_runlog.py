# SPDX-License-Identifier: Apache-2.0
"""The diary of a run and its JSON twin say what happened, once, and in numbers that hold."""

from __future__ import annotations

import json
import os
import platform
import re
import signal
import sys
from pathlib import Path

import aureole as au
import mdrun_inputs
import numpy as np
import pytest
from aureole.cli.main import main
from aureole.engine.provenance import WITHOUT_END
from aureole.observers.process_facts import process_facts
from aureole.specs.kinds import from_dict
from output_tools import chains


def log(every=50, **more):
    return au.RunLog("a.log", every, inputs={"topology": "topol.top"}, **more)


def twin():
    return json.loads(Path("a.json").read_text())


def lines():
    """Steps of the lines of the table."""
    return [int(m) for m in re.findall(r"^ *(\d+) +[\d.]+ +[\d.]+ +-?[\d.]+ ", text(), re.M)]


def text():
    return Path("a.log").read_text()


def test_what_it_says(here):
    specs = [
        log(notes=["mind the gap"], outputs={"last_frame": "last.gro"}),
        au.Energies("a.csv", 10),
        au.Frames("a.xtc", 100),
        au.Checkpoint("a.ckpt", every=1000),
    ]
    sim, _ = chains(here, specs)
    with sim:
        sim.run(200)
    for words in (
        f"Aureole {au.__version__}", "topology  topol.top", "particles  162", "27 MOL",
        "1.92 × 1.92 × 1.92 nm", "coulombtype     PME", "nstlist=10", "mind the gap",
        "Run from step 0 to 200, time 0 to 0.1 ps", "ns/day", "Done at step 200",
        "Averages of 21 samples", "Where the time went", "last_frame  last.gro",
    ):  # fmt: skip
        assert words in text(), words
    assert lines() == [0, 50, 100, 150, 200]
    said = twin()
    assert list(said)[:5] == ["version", "inputs", "system", "settings", "notes"]
    assert said["inputs"] == {"topology": "topol.top"}
    assert said["system"]["particles"] == 162
    assert said["system"]["molecules"] == [{"name": "MOL", "count": 27}]
    assert said["system"]["box"] == np.diag([1.92] * 3).tolist()
    assert said["settings"]["rcoulomb"] == 0.9 and said["settings"]["periodic-molecules"] is False
    assert said["notes"][0] == "mind the gap"
    assert said["outputs"] == {
        "trajectory": "a.xtc", "energies": "a.csv", "last_frame": "last.gro",
        "checkpoint": "a.ckpt", "trajectories": ["a.xtc"],
    }  # fmt: skip
    speed = said["speed"]
    assert speed["threads"] == 1 and speed["wall_seconds"] > 0 and speed["device"]
    assert speed["steps_per_second"] == pytest.approx(200 / speed["wall_seconds"])
    assert speed["ns_per_day"] == pytest.approx(speed["steps_per_second"] * 0.0005e-3 * 86400)
    assert sum(row["share"] for row in said["profile"]) == pytest.approx(1, abs=0.02)
    assert {"mesh", "force", "rest"} <= {row["part"] for row in said["profile"]}


def test_what_the_checks_say_is_told(here):
    """Numbered notes, and a warning that was let through."""
    heat = "tcoupl = berendsen\ntc-grps = System\ntau-t = 0.5\nref-t = 300\n"
    files = mdrun_inputs.rigid(here, heat)
    sim = au.from_gromacs(*files, maxwarn=9, threads=1, observers=[log()])
    assert {"A207", "A405"} <= {note.number for note in sim.notes}
    sim.run(2).close()
    told, said = " ".join(text().split()), " ".join(twin()["notes"])
    for note in sim.notes:
        assert note.number in told and note.text in told
        assert note.number in said and note.text in said


def test_lists_that_were_outrun_are_told(here):
    """Light atoms at rest that gather speed: once amid the run, and how many at its end."""
    places = (np.array(list(np.ndindex(6, 6, 6))) + 0.5) * 0.4 - 1.2
    places += np.random.default_rng(3).normal(0, 0.02, places.shape)
    sim = au.Simulation(
        au.System(2.4, places, mass=4.0, units="molecular"),
        forces=[au.LennardJones(epsilon=1.0, sigma=0.34, r_cut=0.9, mode="shift")],
        integrator=au.LeapFrog(dt=0.002),
        neighbors=au.NeighborList(mode="tolerance"),
        threads=1,
        observers=[log(10)],
    )
    sim.run(200)
    outrun = sim.describe()["lists_outrun"]
    assert outrun > 1
    sim.forces = sim.forces
    sim.integrator = au.LeapFrog(dt=0.001)
    assert sim.describe()["lists_outrun"] == outrun
    sim.close()
    assert "Warning" not in text()
    told = re.findall(r"^Note: step [\d,]+: particles had moved farther .*", text(), re.MULTILINE)
    assert len(told) == 1 and "rebuilt (harmless unless it repeats often" in told[0]
    assert f"{outrun} rebuilt, because" in text()
    assert twin()["lists"] == {"outrun": outrun}


def test_parts_that_are_replaced_are_told(here, liquid):
    with liquid(n=108, observers=[au.RunLog("a.log", 10), au.Checkpoint("a.ckpt", 10)]) as sim:
        sim.run(20)
        sim.run(20)
        assert "new integrator" not in text()
        sim.integrator = au.NVE(dt=0.001)
        sim.run(20)
        assert "Note: new integrator since step 40: au.NVE(dt=0.001)" in text()
        sim.forces = [au.LennardJones(epsilon=0.5, sigma=1.0, r_cut=2.0)]
        sim.run(10)
    with au.Simulation.from_checkpoint("a.ckpt") as sim:
        sim.run(10)
    told = [note for note in twin()["notes"] if note.startswith("new ")]
    assert len(told) == 2 and "new forces since step 60" in told[1] and "epsilon=0.5" in told[1]
    assert main(["report", "a", "-o", "page.html"]) == 0
    assert "new forces since step 60" in Path("page.html").read_text()


def test_an_error_that_ended_the_run_is_told(here):
    sim, _ = chains(here, [log(), au.Energies("a.csv", 10)])
    velocity = sim.run(20).get("velocity")
    velocity[4] = (1e6, 0.0, 0.0)
    sim.set("velocity", velocity)
    with pytest.raises(au.BlowUpError, match="the simulation became unstable at step") as caught:
        sim.run(20)
    sim.close()
    assert f"Ended by an error after step {sim.step}" in text() and str(caught.value) in text()
    assert twin()["error"] == str(caught.value)
    assert twin()["outputs"]["energies"] == "a.csv"
    assert main(["report", "a", "-o", "page.html"]) == 0
    page = Path("page.html").read_text()
    assert "Ended by an error" in page and "the simulation became unstable at step" in page


def test_a_continued_run_keeps_the_error_of_the_part_before(here):
    sim, _ = chains(here, [log(), au.Checkpoint("a.ckpt", 20)])
    sim.run(20)
    velocity = sim.run(10).get("velocity")
    velocity[4] = (1e6, 0.0, 0.0)
    sim.set("velocity", velocity)
    Path("a.ckpt").rename("kept.ckpt")
    with pytest.raises(au.BlowUpError) as caught:
        sim.run(20)
    sim.close()
    with au.Simulation.from_checkpoint("kept.ckpt") as sim:
        first = sim.step
        sim.run(20)
    (told,) = re.findall(r"\nContinued at step (\d+), .*\nThe part before ended by an (.*)", text())
    assert told[0] == str(first) and str(caught.value) in told[1]
    assert f"Done at step {sim.step}; all {sim.step} steps, in " in text()


def test_averages_are_those_of_the_table(here):
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    sim, _ = chains(here, [au.Energies("a.csv", 10), log(70)])
    with sim:
        sim.run(200).run(105)
    rows = pandas.read_csv("a.csv", comment="#")
    said = twin()["averages"]
    assert list(said) == list(rows.columns)[2:]
    for name, average in said.items():
        column = rows[name]
        scale = max(column.std(), 1e-6 * abs(column.mean()), 1e-12)
        assert average["mean"] == pytest.approx(column.mean(), abs=1e-8 * scale)
        assert average["spread"] == pytest.approx(column.std(), abs=1e-6 * scale)
        rise = np.polyfit(rows["time"], column, 1)[0] * (rows["time"].iloc[-1] - rows["time"][0])
        assert average["drift"] == pytest.approx(rise, abs=1e-6 * scale)
        assert average["error"] is not None
    assert said["temperature"]["unit"] == "K"
    assert lines() == [0, 70, 140, 210, 280]


def test_without_a_table_its_own_lines_are_averaged(here):
    sim, _ = chains(here, [log(50)])
    with sim:
        sim.run(120)
    assert "Averages of 3 samples" in text()
    assert twin()["averages"]["total"]["error"] is None  # too few samples to tell


def test_it_says_what_process_made_each_part(here, monkeypatch, liquid):
    monkeypatch.setenv("SLURM_JOB_ID", "77")
    monkeypatch.setenv("SLURM_ARRAY_JOB_ID", "70")
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "3")
    monkeypatch.setenv("SLURM_RESTART_COUNT", "2")
    monkeypatch.setattr(sys, "orig_argv", ["python", "a b.py", "-x"])
    usable = len(os.sched_getaffinity(0))
    observers = [au.RunLog("a.log", 20), au.Checkpoint("a.ckpt")]
    with liquid(n=108, observers=observers, threads=usable) as sim:
        sim.run(20)
    run = twin()["run"]
    assert run["command"] == "python 'a b.py' -x" and run["folder"] == os.getcwd()
    assert (run["process"], run["slurm_job"], run["ranks"]) == (os.getpid(), "77", 1)
    assert run["host"] == platform.node() and run["instructions"] == sim.describe()["isa"]
    assert run["pinning"] == "yes: one thread per processor"
    assert re.search(r"slurm job +77\n +slurm array +70_3\n +slurm restarts +2\n", text())
    assert run["build"] in text()
    monkeypatch.delenv("SLURM_JOB_ID")
    script = "import sys; from aureole.cli import main; sys.exit(main())"
    monkeypatch.setattr(sys, "orig_argv", ["python", "-c", script, "mdrun", "-v"])
    assert process_facts(sim)["command"] == "aureole mdrun -v"
    monkeypatch.setattr(sys, "orig_argv", ["python", "again.py"])
    with au.Simulation.from_checkpoint("a.ckpt", threads=usable + 1) as sim:
        sim.run(20)
    first, second = text().split("Continued at")
    assert "again.py" in second and "again.py" not in first and "slurm job" not in second
    assert "slurm_job" not in twin()["run"]
    assert twin()["run"]["pinning"].startswith(f"no: {usable + 1} threads on {usable} usable")


def test_it_goes_on_after_a_restart(here):
    specs = [log(20), au.Energies("a.csv", 5), au.Checkpoint("a.ckpt", every=10_000)]
    sim, _ = chains(here, specs)
    with sim:
        sim.run(130)
    whole = twin()["averages"]
    sim, _ = chains(here, specs)
    with sim:
        sim.run(50)
        os.replace("a.ckpt", "kept.ckpt")
        before, first = text(), twin()["speed"]["wall_seconds"]
        sim.run(60)
    again = au.Simulation.from_checkpoint("kept.ckpt")
    with again:
        again.run(until=130)
    assert text().startswith(before)
    assert text().count("Continued at step 50") == 1
    assert lines() == [0, 20, 40, 60, 80, 100, 120]
    told = twin()
    assert told["averages"] == whole
    # Wall time, speed and profile are those of both parts, without what was cut away.
    wall = told["speed"]["wall_seconds"]
    assert told["steps"] == 130 and wall > first
    assert told["speed"]["steps_per_second"] * wall == pytest.approx(130)
    assert sum(part["seconds"] for part in told["profile"]) == pytest.approx(wall)
    assert sum(part["seconds"] for part in told["profile"][:-1]) > 0


@pytest.mark.usefixtures("interruptible")
def test_a_run_that_is_stopped(here):
    stop = au.Callback(lambda s: s.step == 40 and os.kill(os.getpid(), signal.SIGINT), 10)
    sim, _ = chains(here, [log(20), stop])
    with sim, pytest.raises(KeyboardInterrupt):
        sim.run(10_000)
    why = "SIGINT (Ctrl-C)"
    assert f"Stopped by {why} before step 10,000 at step {sim.step:,} after" in text()
    assert twin()["step"] == sim.step < 10_000 and twin()["stopped"] == why


def test_the_reason_of_an_early_end(here):
    few = au.Callback(lambda s: s.step == 20 and s.stop("a convergence test"), 10)
    sim, _ = chains(here, [log(20), few])
    with sim:
        sim.run(100)
        assert "Stopped by a convergence test before step 100 at step 20" in text()
        sim.run(10)
        assert twin()["stopped"] is None
        sim.observers = [log(20), au.TimeLimit(seconds=0.1)]
        sim.run(WITHOUT_END)
    assert "Run from step 30 without a last step, time from 0.015 ps" in text()
    at = f"{sim.step:,}"
    assert f"Stopped by the time limit (TimeLimit) at step {at}; all {at} steps, in" in text()
    assert "4,611," not in text()


def test_the_twin_is_there_at_checkpoints(here):
    seen = []

    def see(sim):
        seen.append((sim.step, os.path.exists("a.json") and twin()["step"]))

    sim, _ = chains(here, [log(20), au.Checkpoint("a.ckpt", every=40), au.Callback(see, 10)])
    with sim:
        sim.run(100)
    assert (50, 40) in seen and (90, 80) in seen
    assert twin()["step"] == 100


def test_reduced_units(here, liquid):
    with liquid(n=108, observers=[au.RunLog("a.log", 10)]) as sim:
        sim.run(20)
    assert "steps/s" in text() and "ns/day" not in text()
    assert twin()["speed"]["ns_per_day"] is None
    assert "tolerance" not in twin()["settings"]["neighbors"]  # of exact lists
    assert twin()["settings"]["integrator"] == {"kind": "NVE", "dt": 0.005, "filter": None,
                                                "remove_com_every": 0, "start": 0.0}  # fmt: skip


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_full_disk(here):
    os.symlink("/dev/full", "a.log")
    sim, _ = chains(here, [log(10)])
    with pytest.raises(au.FileError, match=r"a\.log: cannot be written .*No space.*saved in"):
        sim.run(20)


def test_specs():
    spec = log(5, notes=["one"], outputs={"last_frame": Path("x.gro")})
    assert from_dict("observer", json.loads(json.dumps(spec.to_dict())), "here") == spec
    assert au.RunLog("b/md.log").twin == "b/md.json"
    with pytest.raises(au.InputError, match=r"Use a name that ends in \.log"):
        au.RunLog("a.json")
    with pytest.raises(au.InputError, match="inputs of RunLog"):
        au.RunLog("a.log", inputs=["topol.top"])
