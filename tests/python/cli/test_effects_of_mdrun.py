# SPDX-License-Identifier: Apache-2.0
"""Every option of `aureole mdrun` does what its table says: has its effect, none, or is refused.

The table of options is asked which there are: a new one without evidence fails.
"""

from __future__ import annotations

import json
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.cli.main import main
from aureole.cli.mdrun.options import OPTIONS
from mdrun_inputs import argon, frames, rows, steps

MDP = "nstfout = 10\n"
STEPS = ("-nsteps", "20")
RESULTS = ("traj.trr", "traj_comp.xtc", "ener.csv", "confout.gro")

#: By option: words that use it, and what shows its effect in the folder where they ran.
EVIDENCE = {}


def shows(*names):
    def enter(function):
        EVIDENCE.update(dict.fromkeys(names, function))
        return function

    return enter


class Folder:
    """A folder with the input of argon, and calls of the command in it."""

    def __init__(self, capsys):
        self.capsys = capsys
        argon(Path("."), MDP)

    def run(self, *words, code=0, length=STEPS, threads=("-nt", "1")):
        """What a call says; its files are in the folder."""
        found = main(["mdrun", *threads, *length, *map(str, words)])
        said = self.capsys.readouterr()
        assert found == code, said.out + said.err
        return " ".join((said.out + said.err).split())

    def results(self, *words, **how):
        """The bytes of all that a call computes."""
        self.said = self.run("-nobackup", *words, **how)
        return [Path(name).read_bytes() for name in RESULTS]


@pytest.fixture
def folder(here, capsys):
    return Folder(capsys)


def moved(name):
    """A copy of the coordinates with the first atom 0.05 nm away."""
    lines = Path("conf.gro").read_text().splitlines()
    lines[2] = f"{lines[2][:20]}{float(lines[2][20:29]) + 0.05:9.4f}{lines[2][29:]}"
    Path(name).write_text("\n".join(lines) + "\n")
    return name


def edited(name, source, old, new):
    text = Path(source).read_text()
    assert old in text
    Path(name).write_text(text.replace(old, new))
    return name


@shows("c", "p", "f")
def inputs(folder):
    plain = folder.results()
    for words in (
        ("-c", moved("other.gro")),
        ("-p", edited("other.top", "topol.top", "0.996", "1.2")),
        ("-f", edited("other.mdp", "grompp.mdp", "dt = 0.002", "dt = 0.001")),
    ):
        assert folder.results(*words)[2] != plain[2], words
        default = {"-c": "conf.gro", "-p": "topol.top", "-f": "grompp.mdp"}[words[0]]
        assert folder.results(words[0], default) == plain


@shows("n")
def groups(folder):
    edited("grompp.mdp", "grompp.mdp", "nstfout", "compressed-x-grps = few\nnstfout")
    Path("index.ndx").write_text("[ System ]\n1\n[ few ]\n1 2 3\n")
    assert "few" in folder.run(code=2)
    folder.run("-n")
    assert len(frames("traj_comp.xtc")[0].atoms) == 3
    Path("other.ndx").write_text("[ System ]\n1\n[ few ]\n1 2 3 4\n")
    folder.run("-n", "other.ndx")
    assert len(frames("traj_comp.xtc")[0].atoms) == 4


@shows("r")
def references(folder):
    restraint = "[ position_restraints ]\n1 1 1000 1000 1000\n[ system ]"
    edited("topol.top", "topol.top", "[ system ]", restraint)
    folder.run("-r", "conf.gro")
    at_home = rows()["position_restraint"][0]
    folder.run("-r", moved("other.gro"))
    # Every atom is the first one of its molecule; one reference is elsewhere.
    added = rows()["position_restraint"][0] - at_home
    assert at_home < 1e-6 and np.isclose(added, 0.5 * 1000 * 0.05**2, rtol=1e-3)


@shows("cpi", "append", "cpo")
def going_on(folder):
    whole = folder.results()
    folder.run("-nobackup", length=("-nsteps", "10"))
    assert folder.results("-cpi", length=("-nsteps", "10")) == whole
    assert "a new run starts" in folder.run("-f", "grompp.mdp", "-cpi", "none.cpt")
    folder.run("-cpo", "other.cpt", length=("-nsteps", "10"))
    assert au.Simulation.from_checkpoint("other.cpt", observers=()).step == 10
    folder.run("-cpi", "other.cpt", "-noappend", "-deffnm", "b", length=("-nsteps", "10"))
    assert steps("b.part0002.trr")[-1] == 20 and not Path("b.trr").exists()


@shows("rerun")
def rerun(folder):
    folder.run()
    before = rows()["potential"]
    folder.run("-rerun", "traj.trr", "-deffnm", "again", length=())
    assert np.allclose(rows("again.csv")["potential"], [before[0]], rtol=1e-6)


@shows("maxwarn")
def warnings(folder):
    thermostat = "tcoupl = berendsen\ntc-grps = System\ntau-t = 0.5\nref-t = 90\nnstfout"
    edited("grompp.mdp", "grompp.mdp", "nstfout", thermostat)
    assert "maxwarn 1" in folder.run(code=2)
    folder.run("-maxwarn", "1")


@shows("deffnm", "o", "x", "e", "g", "co", "po")
def names(folder):
    plain = folder.results()
    folder.run("-deffnm", "a", "-po")
    assert [Path(f"a.{end}").read_bytes() for end in ("trr", "xtc", "csv", "gro")] == plain
    assert Path("a.cpt").exists() and Path("a.log").exists() and Path("mdout.mdp").exists()
    for option, name, same in (
        ("o", "of.trr", plain[0]), ("x", "of.xtc", plain[1]), ("e", "of.csv", plain[2]),
        ("co", "of.gro", plain[3]), ("g", "of.log", None), ("po", "of.mdp", None),
    ):  # fmt: skip
        folder.run(f"-{option}", name)
        assert Path(name).exists() and (same is None or Path(name).read_bytes() == same)
    assert Path("of.json").exists() and "nstfout" in Path("of.mdp").read_text()


@shows("confout", "backup")
def switches(folder):
    folder.run("-noconfout")
    assert not Path("confout.gro").exists()
    folder.run("-nobackup")
    assert Path("confout.gro").exists() and not Path("#md.log.1#").exists()
    folder.run()
    assert Path("#md.log.1#").exists() and Path("#state.cpt.1#").exists()


@shows("v")
def verbose(folder):
    assert "100.0 %" not in folder.run()
    assert "100.0 %" in folder.run("-v")


@shows("nsteps")
def length(folder):
    for words, last in ((("-nsteps", "7"), 7), (("-nsteps", "-2"), 200), ((), 200)):
        folder.run("-nobackup", length=words)
        assert au.Simulation.from_checkpoint("state.cpt", observers=()).step == last
    assert "-nsteps is -3" in folder.run(code=2, length=("-nsteps", "-3"))


@shows("maxh")
def hours(folder):
    assert "time limit (-maxh) reached" in folder.run("-maxh", "1e-5", length=("-nsteps", "-1"))
    assert "time limit (-maxh) reached" not in folder.run("-maxh", "1")


@shows("cpt")
def minutes(folder):
    for words, name, several in (
        ((), "default", False), (("-cpt", "-1"), "once", False), (("-cpt", "1e-9"), "often", True),
    ):  # fmt: skip
        folder.run(*words, "-cpo", f"{name}.cpt")
        assert Path(f"{name}.cpt").exists() and Path(f"{name}.cpt.prev").exists() == several
    assert "-cpt is 0" in folder.run("-cpt", "0", code=2)


@shows("nt", "ntomp", "ntmpi", "dd")
def threads(folder):
    def used(*words):
        folder.run("-nobackup", threads=words)
        return json.loads(Path("md.json").read_text())["speed"]["threads"]

    assert (used("-nt", "1"), used("-nt", "2")) == (1, 2)
    assert (used("-ntomp", "1"), used("-ntomp", "2")) == (1, 2)
    assert used("-ntmpi", "1", "-ntomp", "2") == 2
    assert "2 ranks" in folder.run("-nobackup", "-ntmpi", "2", threads=("-ntomp", "1"))
    ranks = ("-nobackup", "-ntmpi", "2", "-dd", "2", "2", "2")
    assert "2 × 2 × 2 has 8 domains" in folder.run(*ranks, threads=("-ntomp", "1"), code=2)


@shows("resethway", "resetstep")
def timing(folder):
    def timed(*words):
        folder.run("-nobackup", *words, length=("-nsteps", "20"))
        return json.loads(Path("md.json").read_text())["steps"]

    assert (timed(), timed("-resethway"), timed("-resetstep", "15")) == (20, 10, 5)


@shows("t")
def state(folder):
    folder.run("-deffnm", "a", length=("-nsteps", "5"))
    edited("b.mdp", "grompp.mdp", "gen-vel = yes", "gen-vel = no")
    assert "positions, velocities and box of step 5" in folder.run("-f", "b.mdp", "-t", "a.cpt")
    assert folder.results("-f", "b.mdp", "-t", "a.cpt") != folder.results("-f", "b.mdp")


@shows("pin", "device", "precision")
def place(folder):
    plain = folder.results()
    assert folder.results("-pin", "off") == plain == folder.results("-pin", "on")
    assert folder.results("-device", "host") == plain
    assert "cuda:99" in folder.run("-device", "cuda:99", code=1)
    assert "mixed precision" in folder.said
    assert folder.results("-precision", "double") != plain and "double precision" in folder.said


@shows("nb", "pme", "pmefft", "bonded", "update")
def one_place(folder):
    plain = folder.results()
    for name in ("nb", "pme", "pmefft", "bonded", "update"):
        assert "all forces are computed on one device" in OPTIONS[name].about
        assert folder.results(f"-{name}", "cpu") == plain
        assert f"-{name} cpu has no effect" in folder.said
        assert "Use -device gpu" in folder.run(f"-{name}", "gpu", code=2)


def test_every_option_has_evidence():
    assert {name for name, option in OPTIONS.items() if option.effect == "yes"} == set(EVIDENCE)


@pytest.mark.parametrize("function", dict.fromkeys(EVIDENCE.values()), ids=lambda f: f.__name__)
def test_effect(function, folder):
    function(folder)


VALUES = {"int": ["3"], "real": ["0.5"], "word": ["yes"], "three": ["1", "1", "1"], "file": ["a"]}


def given(option):
    """Words that give an option a value which is not as good as none."""
    if option.kind == "switch":
        return [f"-no{option.name}" if "yes" in option.harmless else f"-{option.name}"]
    return [f"-{option.name}", *VALUES.get(option.kind, ["a"])]


def test_no_effect_is_no_change_of_a_bit(folder):
    plain = folder.results()
    for option in OPTIONS.values():
        if option.effect != "noted":
            continue
        assert folder.results(*given(option)) == plain, option.name
        assert f"{given(option)[0]} has no effect" in folder.said, option.name
        for value in option.harmless:
            words = [f"-{option.name}", value]
            if option.kind == "switch":
                words = [f"-{option.name}" if value == "yes" else f"-no{option.name}"]
            assert "has no effect" not in folder.run("-nobackup", "-nsteps", "0", *words), words


@pytest.mark.parametrize("option", [o for o in OPTIONS.values() if o.effect == "refused"],
                         ids=lambda o: o.name)  # fmt: skip
def test_refused_is_refused(option, folder):
    assert f"-{option.name} is not supported" in folder.run(*given(option), code=2)
    assert not Path("md.log").exists()
