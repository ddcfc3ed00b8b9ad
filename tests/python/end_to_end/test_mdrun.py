# SPDX-License-Identifier: Apache-2.0
"""`aureole mdrun` from its input to all of its files, in a process of its own."""

from __future__ import annotations

import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

import aureole as au
import commands
import numpy as np
import pytest
from aureole.cli.main import main
from aureole.gromacs.job import Job
from gmx_tool import gromacs
from mdrun_inputs import argon, command, frames, intervals, mdrun, rows, steps, water
from output_tools import frames_by_mdanalysis

FILES = {
    *("traj.trr", "traj_comp.xtc", "ener.csv", "md.log", "md.json", "state.cpt", "confout.gro"),
    *("conf.gro", "topol.top", "water.itp", "grompp.mdp"),
}


def kept():
    """What must be the same after a restart: trajectories to the byte, energies to rounding.

    The energy of charges with themselves is a sum over particles in the order of their places.
    """
    return {name: Path(name).read_bytes() for name in ("traj.trr", "traj_comp.xtc")}, rows()


def same_files(one, two):
    assert one[0] == two[0]
    assert one[1].keys() == two[1].keys()
    for name, column in one[1].items():
        np.testing.assert_allclose(column, two[1][name], rtol=1e-12, atol=1e-11, err_msg=name)


def test_files_of_a_run(here):
    water(here)
    out = mdrun(fresh=True).stdout
    assert set(os.listdir()) == FILES
    assert "375 in 125 molecules: 125 SOL" in out and "200 steps to 0.1 ps" in out
    assert "ns/day" in out and "pressure" in out and "\033" not in out
    assert steps("traj.trr") == list(range(0, 201, 40))
    assert all(frame.has_velocities() for frame in frames("traj.trr"))
    assert steps("traj_comp.xtc") == list(range(0, 201, 20))
    table = rows()
    assert table["step"].tolist() == list(range(0, 201, 20))
    assert table["time"][-1] == pytest.approx(0.1)
    assert np.ptp(table["total"]) < 0.01 * table["kinetic"].mean()
    log = Path("md.log").read_text()
    assert "topol.top" in log and "\n         150 " in log
    twin = json.loads(Path("md.json").read_text())
    assert twin["inputs"]["conf"] == "conf.gro" and twin["outputs"]["last_frame"] == "confout.gro"


def test_the_mdp_file_decides_what_is_written(here):
    text = Path(argon(here)[2]).read_text()
    for key in ("nstxout", "nstvout", "nstxout-compressed", "nstenergy"):
        text = text.replace(f"{key} =", f"{key} = 0 ;")
    Path("grompp.mdp").write_text(text)
    mdrun()
    assert {"md.log", "md.json", "confout.gro", "state.cpt"} == set(os.listdir()) - {
        *("conf.gro", "topol.top", "grompp.mdp")
    }


def test_groups_and_precision(here):
    water(here, "compressed-x-grps = Oxygen\ncompressed-x-precision = 100\n")
    numbers = " ".join(str(3 * k + 1) for k in range(125))
    Path("index.ndx").write_text(f"[ System ]\n1\n[ Oxygen ]\n{numbers}\n")
    mdrun("-n")
    frame = frames("traj_comp.xtc")[0]
    assert len(frame.atoms) == 125 and frame["xtc_precision"] == 100
    assert len(frames("traj.trr")[0].atoms) == 375


def test_intervals_of_positions_velocities_and_forces(here):
    """A frame holds what is due at its step, as in GROMACS: the same as in a file of all."""
    intervals(here, 10, 10, 10)
    assert "have no positions" not in mdrun("-deffnm", "all").stdout
    intervals(here, 40, 50, 100)
    assert "have no positions, as in GROMACS" in " ".join(mdrun().stdout.split())
    assert "have no positions" in " ".join(Path("md.log").read_text().split())
    found = {round(time / 0.0005): rest for time, _, *rest in frames_by_mdanalysis("traj.trr", 375)}
    whole = {round(time / 0.0005): rest for time, _, *rest in frames_by_mdanalysis("all.trr", 375)}
    assert list(found) == [0, 40, 50, 80, 100, 120, 150, 160, 200]
    for step, columns in found.items():
        for column, same, every in zip(columns, whole[step], (40, 50, 100), strict=True):
            assert (column is not None) == (step % every == 0), step
            assert column is None or np.array_equal(column, same)
    assert "nstxout" not in mdrun("-rerun", "traj_comp.xtc", "-deffnm", "again").stdout


def test_frames_of_other_formats_hold_the_same(here):
    intervals(here, 40, 100, 0)
    out = " ".join(mdrun("-o", "traj.gro").stdout.split())
    assert "written every 20 steps, with positions, because all frames of traj.gro hold" in out
    assert steps("traj.trr" if os.path.exists("traj.trr") else "traj.gro") == list(range(11))


def test_velocities_alone(here):
    intervals(here, 0, 40, 0)
    mdrun()
    found = frames_by_mdanalysis("traj.trr", 375)
    assert [(x is None, v is None, f is None) for _, _, x, v, f in found] == [(1, 0, 1)] * 6
    done = mdrun("-rerun", "traj.trr", "-deffnm", "again", code=1)
    assert "traj.trr: holds no frame with positions" in done.stderr


def test_names(here):
    argon(here)
    energies = "other.parquet" if find_spec("pyarrow") else "other.csv"
    mdrun("-deffnm", "eq", "-e", energies, "-x", "frames.dcd", "-co", "last.pdb")
    made = {"eq.trr", "frames.dcd", energies, "eq.log", "eq.json", "eq.cpt", "last.pdb"}
    assert set(os.listdir()) - {"conf.gro", "topol.top", "grompp.mdp"} == made
    out = " ".join(mdrun("-deffnm", "eq", "-e", "eq.edr", "-noconfout").stdout.split())
    assert "the existing eq.log was renamed to #eq.log.1#" in out
    assert {"#eq.trr.1#", "#eq.log.1#", "#eq.json.1#", "eq.edr"} <= set(os.listdir())
    assert not os.path.exists("eq.gro")
    mdrun("-deffnm", "eq", "-nobackup")
    assert not os.path.exists("#eq.log.2#")


def test_inputs_elsewhere(here):
    (here / "in").mkdir()
    conf, top, mdp = water(here / "in")
    mdrun("-c", conf, "-p", top, "-f", mdp, "-nsteps", 20, "-po")
    assert rows()["step"][-1] == 20
    assert "nstxout-compressed" in Path("mdout.mdp").read_text()


@pytest.mark.parametrize("cut", [1, 73, 100])
def test_append_is_bitwise(here, cut):
    water(here)
    mdrun("-deffnm", "whole")
    mdrun("-nsteps", cut)
    out = mdrun("-cpi").stdout
    assert f"continuing from state.cpt, step {cut}" in out
    parts = kept()
    for ending, name in {"trr": "traj.trr", "xtc": "traj_comp.xtc", "csv": "ener.csv"}.items():
        os.replace(f"whole.{ending}", name)
    same_files(kept(), parts)
    assert Path("whole.gro").read_text() == Path("confout.gro").read_text()
    assert [name for name in os.listdir() if name.startswith("#")] == ["#confout.gro.1#"]


def test_parts(here):
    water(here)
    mdrun("-nsteps", 100)
    mdrun("-cpi", "-noappend", "-nsteps", 60)
    mdrun("-cpi", "-noappend")
    assert steps("traj_comp.xtc") == list(range(0, 101, 20))
    # As in GROMACS, a part begins with the frame at which the last one ended.
    assert steps("traj_comp.part0002.xtc") == [100, 120, 140, 160]
    assert steps("traj_comp.part0003.xtc") == [160, 180, 200]
    assert rows("ener.part0002.csv")["step"].tolist() == [100, 120, 140, 160]
    assert {"md.part0002.log", "md.part0003.json", "confout.part0003.gro"} <= set(os.listdir())
    assert "the run of state.cpt ended at step 200" in mdrun("-cpi").stdout


@pytest.mark.parametrize("first", [1, 3, 0])
def test_parts_count_from_simulation_part(here, first):
    files = argon(here, f"simulation-part = {first}\n")
    for words in ((), ("-cpi",), ("-cpi",)):
        mdrun("-noappend", "-nsteps", 20, *words)
    logs = {name for name in os.listdir() if name.startswith("md.part") and name.endswith(".log")}
    assert logs == {f"md.part{part:04d}.log" for part in (1, first + 1, first + 2)}
    (here / "gmx").mkdir()
    gmx = gromacs(here / "gmx")
    for name in files:
        shutil.copy(name, gmx.folder)
    gmx.run("grompp", "-maxwarn", "9")
    for words in ((), ("-cpi",), ("-cpi",)):
        gmx.run("mdrun", "-noappend", "-nsteps", "20", "-nt", "1", *words)
    assert logs == {p.name for p in gmx.folder.glob("md.part*.log")}


def test_an_ended_run_of_other_input_is_not_this_one(here):
    water(here)
    mdrun("-nsteps", 10)
    conf = Path("conf.gro").read_text().splitlines()
    conf[2], conf[3] = conf[2][:20] + conf[3][20:], conf[3][:20] + conf[2][20:]
    Path("conf.gro").write_text("\n".join([*conf, ""]))
    refused = mdrun("-cpi", "-nsteps", 10, code=2)
    assert "state.cpt was written with other input: the coordinates conf.gro" in refused.stderr
    Path("other.mdp").write_text(Path("grompp.mdp").read_text().replace("0.0005", "0.001"))
    job = au.read_job("conf.gro", "topol.top", "other.mdp")
    bare = Job(job.coordinates, job.topology, job.parameters)
    with pytest.raises(au.InputError, match=r"coordinates conf\.gro; .*mdp: dt was .* is 0\.001"):
        au.Simulation.from_checkpoint("state.cpt", bare)


def test_first_part_has_a_number_too(here):
    argon(here)
    mdrun("-noappend", "-nsteps", 20)
    assert {"md.part0001.log", "state.cpt"} <= set(os.listdir())


def test_missing_checkpoint_begins_anew(here):
    argon(here)
    out = mdrun("-cpi", "-nsteps", 20).stdout
    assert "state.cpt does not exist: a new run starts" in out
    assert rows()["step"].tolist() == [0, 20]


def test_what_was_written_past_the_checkpoint_is_cut(here):
    water(here)
    mdrun("-nsteps", 60)
    early = Path("state.cpt").read_bytes()
    mdrun("-cpi")
    whole = kept()
    Path("state.cpt").write_bytes(early)
    mdrun("-cpi")
    same_files(kept(), whole)


def test_missing_and_foreign_files_at_a_restart(here):
    water(here)
    mdrun("-nsteps", 60)
    os.rename("ener.csv", "elsewhere.csv")
    done = mdrun("-cpi", code=1)
    assert "ener.csv: cannot be continued" in done.stderr and "-noappend" in done.stderr
    os.rename("elsewhere.csv", "ener.csv")
    done = mdrun("-cpi", "-o", "other.trr", code=2)
    assert "belongs to a run that writes traj.trr" in done.stderr
    for name in ("traj.trr", "traj_comp.xtc", "ener.csv", "md.log"):
        os.remove(name)
    out = mdrun("-cpi", "-nsteps", 20).stdout
    assert "the previous output files do not exist: new ones are written" in out
    assert rows()["step"].tolist() == [60, 80]


def test_changed_input_at_a_restart(here):
    water(here)
    mdrun("-nsteps", 60)
    text = Path("grompp.mdp").read_text()
    Path("grompp.mdp").write_text(text.replace("epsilon-rf = 80", "epsilon-rf = 78"))
    done = mdrun("-cpi", code=2)
    assert "epsilon-rf was 80" in done.stderr and "is 78" in done.stderr
    Path("grompp.mdp").write_text(text.replace("nsteps = 200", "nsteps = 220"))
    assert "nsteps was 200, is 220" in mdrun("-cpi").stdout
    assert rows()["step"][-1] == 220


def test_time_limit(here):
    text = Path(argon(here)[2]).read_text().replace("nstenergy = 20", "nstenergy = 1000")
    for name in ("nstxout", "nstvout", "nstxout-compressed", "nstlog"):
        text = text.replace(f"\n{name} =", f"\n{name} = 0 ;")
    Path("grompp.mdp").write_text(text)
    began = time.monotonic()
    done = mdrun("-nsteps", -1, "-maxh", 3 / 3600, "-v")
    passed = time.monotonic() - began
    assert 1.5 < passed < 30  # of which 3 seconds from the start of the command
    assert "no step limit" in done.stdout and "(-maxh) reached at step" in done.stdout
    again = done.stdout.split("continue with `")[1].split("`")[0]
    assert again.endswith("-cpi state.cpt") and "-maxh" in again and "-nsteps -1" in again
    stopped = int(done.stdout.split("reached at step ")[1].split(";")[0].replace(",", ""))
    assert not os.path.exists("confout.gro")
    more = mdrun("-cpi", "-nsteps", 1000).stdout
    assert f"continuing from state.cpt, step {stopped:,}" in more and os.path.exists("confout.gro")
    assert np.all(np.diff(rows()["step"]) == 1000)


def test_a_time_that_is_over_at_once(here):
    argon(here)
    out = mdrun("-nsteps", 100, "-maxh", 1e-9).stdout
    assert "no step was made" in out and "continue with" not in out


def test_the_rest_of_a_number_of_steps(here):
    """What is printed for going on asks for the steps that are left."""
    argon(here)
    done = mdrun("-nsteps", 1_000_000, "-maxh", 1 / 3600)
    stopped = int(done.stdout.split("reached at step ")[1].split(";")[0].replace(",", ""))
    assert f"-nsteps {1_000_000 - stopped} " in done.stdout


@pytest.mark.parametrize(
    "number, code",
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGUSR1, 138), (signal.SIGXCPU, 152)],
)
def test_signals_write_a_checkpoint(here, number, code):
    argon(here)
    process = subprocess.Popen(
        command("-nsteps", -1),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell's background jobs ignore SIGINT, and so would a run started among them.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    wait_until(lambda: os.path.exists("md.log"), process)
    time.sleep(0.3)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert err.startswith("ended: stopped at step ") and err.count("\n") == 1
    assert "continue with `aureole mdrun -nt 1 -nsteps -1 -cpi state.cpt`" in err
    assert f" by {number.name} (" in err
    assert f"Stopped by {number.name} (" in Path("md.log").read_text()
    stopped = int(err.split("step ")[1].split()[0])
    mdrun("-cpi", "-nsteps", 100)
    end = (stopped + 100) // 20 * 20
    assert rows()["step"].tolist() == list(range(0, end + 1, 20))
    assert steps("traj_comp.xtc") == list(range(0, end + 1, 20))


def test_kill_and_go_on(here):
    argon(here)
    process = commands.start(
        command("-nsteps", -1, "-cpt", 0.003), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    wait_until(lambda: os.path.exists("state.cpt.prev"), process)
    process.kill()
    process.communicate()
    out = mdrun("-cpi", "-nsteps", 100).stdout
    end = int(out.split("state  step ")[1].split(":")[0].replace(",", ""))
    parts = kept()
    mdrun("-nsteps", end)
    same_files(kept(), parts)


def test_no_room_for_output(here):
    """The last frames find no room: the state is saved, and the run goes on when there is some."""
    argon(here, "compressed-x-precision = 100000\n")
    text = Path("grompp.mdp").read_text().replace("nstxout = 40", "nstxout = 2")
    Path("grompp.mdp").write_text(text.replace("nstvout = 40", "nstvout = 2"))
    mdrun("-deffnm", "whole")
    limit = os.path.getsize("whole.trr") - 15_000
    done = subprocess.run(
        command(),
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("error: traj.trr: cannot store the frame of step")
    told = done.stderr.removeprefix("error: ").strip()
    ended = re.search(
        r"\nEnded by an error after step \d+, [\d: -]+: (.*)", Path("md.log").read_text()
    )
    assert ended and ended[1] == told == json.loads(Path("md.json").read_text())["error"]
    again = done.stderr.split("continue with `aureole mdrun ")[1].split("`")[0]
    mdrun(*shlex.split(again)[2:])  # -nt 1 is there already
    for name, ending in (("traj", "trr"), ("traj_comp", "xtc")):
        assert Path(f"{name}.{ending}").read_bytes() == Path(f"whole.{ending}").read_bytes()
    assert "Ended by" not in Path("md.log").read_text()


def test_checkpoint_whose_name_has_no_ending(here):
    argon(here)
    mdrun("-nsteps", 20)
    Path("state.cpt").rename("saved")
    assert "continuing from saved, step 20" in mdrun("-cpi", "saved", "-nsteps", 20).stdout
    assert rows()["step"].tolist() == [0, 20, 40]
    Path("saved").rename("saved.cpt")
    Path("saved").write_text("no checkpoint")
    assert "continuing from saved.cpt" in mdrun("-cpi", "saved", "-nsteps", 20, "-noappend").stdout


def wait_until(there, process, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        if there():
            return
        time.sleep(0.01)
    raise AssertionError(process.communicate())


def steep(folder, steps, tolerance):
    """Argon that is shaken, to be put into a minimum."""
    text = Path(argon(folder)[2]).read_text().replace("md-vv", "steep")
    for line in ("gen-vel = yes\n", "gen-temp = 90\n", "gen-seed = 3\n"):
        text = text.replace(line, "")
    text = text.replace("nsteps = 200", f"nsteps = {steps}")
    Path("grompp.mdp").write_text(f"{text}emtol = {tolerance}\nemstep = 0.001\n")


def test_minimisation(here):
    steep(here, 1000, 5)
    out = mdrun().stdout
    assert "largest force" in out and "converged in" in out
    table = rows()
    assert table["step"].tolist() == list(range(len(table["step"])))
    assert np.all(np.diff(table["potential"]) <= 0)  # a step that rises is taken back
    assert table["max_force"][-1] < 5 < table["max_force"][0]
    twin = json.loads(Path("md.json").read_text())
    assert twin["minimum"]["reason"] == "its force tolerance"
    assert twin["minimum"]["converged"] and twin["minimum"]["steps"] == table["step"][-1]
    assert "converged" in Path("md.log").read_text()
    # The final frame is where the potential is that of the table.
    Path("grompp.mdp").write_text(Path("grompp.mdp").read_text().replace("steep", "md"))
    mdrun("-rerun", "confout.gro", "-deffnm", "end")
    assert rows("end.csv")["potential"][0] == pytest.approx(table["potential"][-1], rel=1e-3)
    assert not os.path.exists("state.cpt")


def test_minimisation_of_few_steps(here):
    steep(here, 1000, 0.001)
    out = " ".join(mdrun("-nsteps", 7, "-deffnm", "em", "-v").stdout.split())
    assert "ended after 7 steps, with forces above 0.001" in out
    assert "steep, at most 7 steps" in out
    assert rows("em.csv")["step"].tolist() == list(range(8))
    assert {"em.gro", "em.log", "em.json"} <= set(os.listdir())


def test_minimisation_is_stopped(here):
    steep(here, -1, 1e-9)
    text = Path("grompp.mdp").read_text()
    Path("grompp.mdp").write_text(text.replace("emstep = 0.001", "emstep = 1e-7"))
    out = " ".join(mdrun("-maxh", 1 / 3600).stdout.split())
    stopped = "(-maxh) reached" in out
    if stopped:
        assert " steps by the time limit (-maxh)" in Path("md.log").read_text()
    else:
        assert "no step lowers the energy further" in out
    assert os.path.exists("confout.gro") != stopped
    assert os.path.exists("confout.stopped.gro") == stopped


ERRORS = [
    (["-s", "topol.tpr"], 2, "so mdrun reads what grompp reads"),
    (["-plumed", "plumed.dat"], 2, "PLUMED are not implemented). Use gmx for this run."),
    (["-c", "md.xtc"], 1, "Take a frame: gmx trjconv -s md.tpr -f md.xtc -dump T -o frame.gro"),
    (["-c", "topol.tpr"], 1, "coordinates, topology and run parameters"),
    (["-deffname", "a"], 2, "Did you mean -deffnm?"),
    (["-noapend"], 2, "Did you mean -noappend?"),
    (["-ntmp", "2"], 2, "Did you mean -ntmpi or -ntomp?"),
    (["-fancy"], 2, "`aureole mdrun -h` lists all options"),
    (["-nsteps", "many"], 2, "it must be a whole number"),
    (["-maxh", "24h"], 2, "it must be a number: stop after 0.99 times this many hours"),
    (["-nsteps", "-3"], 2, "-nsteps is -3"),
    (["-nt"], 2, "-nt has no value"),
    (["conf.gro"], 2, "is not an option"),
    (["-c", "none.gro"], 1, "No such file"),
    (["-gpu_id", "0"], 2, "-device gpu:N"),
    (["-nb", "gpu"], 2, "Use -device gpu"),
    (["-pin", "maybe"], 2, "-pin is 'maybe' (no such choice). Choose auto, on or off"),
    (["-maxh", "0"], 2, "-maxh is 0 (-1: no limit)"),
    (["-maxh", "-3"], 2, "-maxh is -3"),
    (["-multidir", "a", "b"], 2, "start one in each folder"),
    (["-x", "a.tng"], 2, "Known: .xtc"),
    (["-e", "a.xvg"], 2, ".csv, .parquet or .edr"),
    (["-co", "a.g96"], 2, ".gro, .pdb or .trr"),
    (["-cpt", "0"], 2, "-cpt is 0"),
    (["-co", "conf.gro"], 2, "conf.gro is an input file"),
    (["-deffnm", "conf"], 2, "conf.gro is an input file"),
    (["-cpi", "conf.gro"], 1, "conf.gro"),
    (["-rerun", "none.xtc"], 1, "no such file"),
    (["-rerun", "topol.top"], 1, "topol.top"),
    (["-device", "tpu"], 2, "aureole doctor"),
    (["-g", "no/such/folder/md.log"], 1, "no/such/folder"),
]


@pytest.mark.parametrize("words, code, text", ERRORS, ids=[" ".join(e[0]) for e in ERRORS])
def test_errors_are_one_line(here, capsys, words, code, text):
    argon(here)
    Path("topol.tpr").write_bytes(b"\0\0\0\x0dVERSION")
    assert main(["mdrun", "-nt", "1", *words]) == code
    said = capsys.readouterr().err
    assert said.startswith("error: ") and said.count("\n") == 1
    assert text in said


def test_blow_up_is_told(here, capsys):
    """A step of 500 fs throws atoms out of a liquid within a few steps."""
    text = Path(argon(here)[2]).read_text().replace("dt = 0.002", "dt = 0.5")
    Path("grompp.mdp").write_text(text.replace("gen-temp = 90", "gen-temp = 9000"))
    assert main(["mdrun", "-nt", "1", "-maxwarn", "9", "-nsteps", "2000"]) == 1
    note, said = capsys.readouterr().err.splitlines()
    assert note == 'note: dt is 0.5 ps; did you mean "0.5 fs"?'
    assert said.startswith("error: ") and "step" in said
    assert rows()["step"][0] == 0


def test_options_without_effect_are_told(here):
    argon(here)
    words = ["-ntmpi", 1, "-dlb", "yes", "-notunepme", "-nb", "cpu", "-pinoffset", 0, "-npme", 0]
    out = mdrun(*words, "-nsteps", 5).stdout
    for name in ("-dlb", "-notunepme", "-nb cpu"):
        assert f"{name} has no effect" in out
    assert "-npme" not in out and "-pinoffset" not in out


def test_input_with_errors_and_warnings(here):
    argon(here, "tcoupl = berendsen\ntc-grps = System\ntau-t = 0.1\nref-t = 90\n")
    done = mdrun(code=2)
    assert "warning A" in done.stdout and "if it is intended, use -maxwarn" in done.stderr
    text = Path("grompp.mdp").read_text()
    Path("grompp.mdp").write_text(text.replace("rvdw = 0.9", "rvdw = 1.5"))
    done = mdrun(code=2)
    assert "error A" in done.stdout and "docs/checks.md" in done.stderr


def test_info_about_a_checkpoint(here, capsys):
    argon(here)
    mdrun("-nsteps", 20)
    assert main(["info", "state.cpt"]) == 0
    out = capsys.readouterr().out
    assert "20 of 20" in out and "topol.top" in out and "-cpi state.cpt" in out
    assert main(["run", "state.cpt"]) == 2
    assert "aureole mdrun -nt 1 -nsteps 0 -cpi state.cpt" in capsys.readouterr().err


def test_help(here):
    text = mdrun("-h").stdout
    assert "the initial structure" in text
    for name in ("-deffnm", "-cpi", "-cpt", "-maxh", "-rerun", "-[no]append", "-nsteps"):
        assert f"  {name}" in text


@pytest.mark.parametrize("place", [3, 0.5, 0.95])
def test_a_damaged_checkpoint_names_the_command_for_the_one_before(here, place):
    argon(here)
    mdrun("-deffnm", "md", "-nsteps", 20)
    mdrun("-deffnm", "md", "-nsteps", 20, "-cpi")
    data = bytearray(Path("md.cpt").read_bytes())
    data[int(place * len(data) if place < 1 else place)] ^= 255
    Path("md.cpt").write_bytes(data)
    said = mdrun("-deffnm", "md", "-nsteps", 20, "-cpi", code=1).stderr
    command = "aureole mdrun -nt 1 -deffnm md -nsteps 20 -cpi md.cpt.prev"
    assert f"Use `{command}`." in said
    assert "continuing from md.cpt.prev, step 20" in mdrun(*command.split()[2:]).stdout
    assert rows("md.csv")["step"][-1] == 40
