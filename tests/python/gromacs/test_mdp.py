# SPDX-License-Identifier: Apache-2.0
"""Run parameters: what a file says is what is read, and what is wrong has a line and a reason."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import pytest
from aureole.base.errors import FileError, InputError
from aureole.gromacs.checks.run_checks import check
from aureole.gromacs.mdp.options import table
from aureole.gromacs.mdp.options.table import find, normal, obsolete, options, renamed
from aureole.gromacs.mdp.parameters import Annealing, Frozen, TemperatureGroup
from aureole.gromacs.mdp.read import mdout, read_mdp, write_mdout
from aureole.gromacs.mdp.values import parse, written
from gromacs_mini import frame, groups, topology
from gromacs_presets import AMBER, CHARMM, GRAPPA, PRESETS

ROOT = Path(__file__).parents[3]


def read(text, name="run.mdp"):
    Path(name).write_text(text)
    return read_mdp(name)


def numbers(notes):
    return [note.number for note in notes]


def test_the_table_is_complete():
    known = options()
    assert len(known) > 320
    names = [normal(name) for name in known]
    assert len(set(names)) == len(names)
    assert not set(names) & (set(renamed()) | set(obsolete()))
    for option in known.values():
        assert option.text.endswith((".", ")")), option.name
        assert not option.parent or known[option.parent].support in ("refused", "honoured")
        if option.parent or option.values or option.support == "honoured":
            assert not option.reason, option.name
        else:
            assert option.reason, option.name
        for value in option.values:
            if value.support == "alias":
                assert option.value(value.words).support == "honoured"
            if value.support == "refused":
                assert "; instead: " in value.words, value
        if option.support == "refused" and not option.parent and option.kind != "enum":
            assert "; instead: " in option.reason, option.name
    for new in renamed().values():
        assert new in known


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("dt: length = 1", r"run.table:2: .*'dt: length = 1' begins no option"),
        ("dt: real = 1 | somehow", "run.table:2: .*begins no option"),
        ("    Without an option.", r"run.table:2: .*'Without an option.' comes before"),
        ("dt: real = 1\n    + value", "run.table:3: .*no part of an option"),
        ("dt: real = 1\ndt: real = 1", "run.table:3: .*has dt twice"),
        ("dt: real = \xff", "run.table:2: .*not UTF-8"),
    ],
)
def test_a_damaged_table_names_its_line(tmp_path, monkeypatch, line, words):
    monkeypatch.setattr(table, "FOLDER", tmp_path)
    (tmp_path / "run.table").write_bytes(f"# A comment\n{line}\n".encode("latin-1"))
    with pytest.raises(FileError, match=words):
        options.__wrapped__()


def test_defaults_are_values():
    for option in options().values():
        if option.parent:
            continue
        value = parse(option, "")
        assert parse(option, written(option, value)) == value, option.name
        if option.kind == "enum":
            assert option.value(value).support == "honoured", option.name


def test_amber(here):
    p = read(AMBER)
    assert (p.integrator, p.dt, p.n_steps, p.t_start, p.first_step) == ("md", 0.002, 500000, 0, 0)
    assert p["coulombtype"] == "PME" and p["rcoulomb"] == 1.0
    assert p["fourierspacing"] == 0.125 and p["coulomb-modifier"] == "Potential-shift"
    assert p["vdw-modifier"] == "Potential-shift"
    assert p["DispCorr"] == "EnerPres"
    assert p["tcoupl"] == "V-rescale" and p["nsttcouple"] == 10
    assert p.temperature_groups == (TemperatureGroup("System", 0.1, 300.0),)
    assert p["pcoupl"] == "C-rescale" and p["nstpcouple"] == 10
    assert p.compressibility == (4.5e-5,) * 3 + (0.0,) * 3
    assert p["constraints"] == "h-bonds" and p["constraint-algorithm"] == "LINCS"
    assert p["nstxout-compressed"] == 5000 and p["nstcalcenergy"] == 100
    assert p.periodic == (True, True, True) and p.r_list is None
    assert p.notes == () and p.dynamics and p.r_cut == 1.0


def test_charmm(here):
    p = read(CHARMM)
    assert p["vdwtype"] == "Cut-off" and p["vdw-modifier"] == "Force-switch"
    assert p["rvdw"] == 1.2 and p["rvdw-switch"] == 1.0
    assert p["tcoupl"] == "Nose-Hoover" and p["nh-chain-length"] == 1
    assert [group.name for group in p.temperature_groups] == ["Other", "Water"]
    assert p["pcoupltype"] == "semiisotropic" and p.pressure[:3] == (1.0, 1.0, 1.0)
    assert p["nstxout-compressed"] == 5000 and p["continuation"]
    assert numbers(p.notes) == ["A902", "A403"]
    assert p.notes[0].where == "run.mdp:7" and "nstxout-compressed" in p.notes[0].text


def test_groups_fields_and_courses(here):
    p = read(
        "tcoupl = v-rescale\ntc-grps = A B\ntau-t = 1 -1\nref-t = 300 310\n"
        "annealing = Periodic no\nannealing-npoints = 3 0\nannealing-time = 0 1 2\n"
        "annealing-temp = 300 400 300\nfreezegrps = wall tip\nfreezedim = Y y N n N Yes\n"
        "electric-field-x = 0.5 10 3 1\nelectric_field_y = 0 5 0 0\ncomm-grps = A B\n"
        "comm-mode = angular\ndefine = -DPOSRES -D FLEXIBLE -DK=5\ninclude = -I../top -Ix\n"
        "pcoupl = parrinello-rahman\npcoupltype = anisotropic\nref-p = 1 2 3 4 5 6\n"
        "compressibility = 1e-5 1e-5 1e-5 0 0 0\nrefcoord-scaling = com\n"
    )
    course = Annealing(True, (0.0, 1.0, 2.0), (300.0, 400.0, 300.0))
    assert p.temperature_groups[0] == TemperatureGroup("A", 1.0, 300.0, course)
    assert p.temperature_groups[1] == TemperatureGroup("B", -1.0, 310.0, None)
    wall, tip = p.frozen
    assert wall == Frozen("wall", (True, True, False)) and tip.axes == (False, False, True)
    assert p.fields == ((0.5, 10.0, 3.0, 1.0), (0.0,) * 4, (0.0,) * 4)
    assert p["comm-mode"] == "Angular" and p["comm-grps"] == ("A", "B")
    assert p.defines == ("POSRES", "FLEXIBLE", "K=5") and p.includes == ("../top", "x")
    assert p.pressure == (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    assert p["refcoord-scaling"] == "COM"


def test_spelling_does_not_count(here):
    plain = read("nstlist = 20\nvdwtype = cut-off\ncoulombtype = Reaction-Field\nDispCorr = no\n")
    other = read(
        "\ufeff; a comment = 5\r\n  NST_LIST=20;x\r\nVdW-Type\t=\tCutOff\r\n\r\n"
        "coulomb_type = reaction_field ; = PME\rdisp-corr= NO\nnstenergy =\nepsilon-rf = ; 5\n"
    )
    assert dict(plain.values) == dict(other.values)
    Path("run.mdp").write_bytes(b"; temp\xe9rature\nref-t =\n")
    assert read_mdp("run.mdp").temperature_groups == ()


def test_old_names(here):
    p = read(
        "title = x\ncpp = /lib/cpp\nunconstrained-start = yes\nverlet-buffer-drift = 0.01\n"
        "xtc_precision = 500\nE_x =\nns-type = grid\n"
    )
    assert p["continuation"] and p["compressed-x-precision"] == 500.0
    assert p["verlet-buffer-tolerance"] == 0.01
    expected = ["A901", "A901", "A902", "A902", "A902", "A904", "A901"]
    assert numbers(p.notes) == expected
    assert read("dt =\ndt = 0.002\ndt = ; none\n").dt == 0.002
    with pytest.raises(InputError, match="set twice"):
        read("nstxtcout = 5\nnstxout-compressed = 5\n")
    with pytest.raises(InputError, match="unknown option 'E_x'"):
        read("E_x = 1 1.5 0\n")


def test_what_is_off_makes_no_noise(here):
    p = read(
        "free-energy = no\ninit-lambda = 0.5\nsc-alpha = 0.5\npull = no\npull-ngroups = 2\n"
        "pull-group1-name = A\npull-coord12-k = 1000\nawh1-dim2-start = x\nnwall = 0\n"
        "density-guided-simulation-active = false\nrotation = no\nQMMM = no\nuserint1 = 0\n"
        "cos-acceleration = 0\ndeform = 0 0 0 0 0 0\nswapcoords = no\nmorse = no\nbd-fric = 1\n"
        "mts = no\nsimulated-tempering = no\n"
    )
    assert p.notes == ()
    assert numbers(read("energygrps = A B\n").notes) == ["A903"]


@pytest.mark.parametrize(
    "text, words",
    [
        ("integrator = cg", "1: integrator = 'cg' is not supported (minimisation by conjugate"),
        ("\nintegrator = cg", "run.mdp:2: integrator"),
        ("integrator = cg", "Instead: steep."),
        ("integrator = bd", "Instead: sd."),
        ("integrator = mimic", "not supported"),
        ("cutoff-scheme = group", "Instead: Verlet."),
        ("coulombtype = PME-Switch", "Instead: PME."),
        ("coulombtype = p3m_ad", "Instead: PME."),
        ("coulombtype = switch", "Instead: Reaction-Field."),
        ("vdwtype = user", "user-defined tables"),
        ("vdwtype = PME", "Lennard-Jones PME is not implemented"),
        ("vdwtype = lj-pme", "unknown value"),
        ("free-energy = yes", "Use a program that supports it, such as gmx"),
        ("deform = 0 0 0 0 0 1e-3", "Use a program that supports it, such as gmx"),
        ("pull = yes", "pulling is not implemented"),
        ("nwall = 2", "walls are not implemented"),
        ("awh = yes", "adaptive biasing"),
        ("pcoupl = MTTK", "Instead: C-rescale."),
        ("tcoupl = andersen", "Instead: V-rescale."),
        ("pcoupltype = surface-tension", "Use a program that supports it, such as gmx"),
        ("constraints = all-angles", "Instead: all-bonds."),
        ("pbc = screw", "Use a program that supports it, such as gmx"),
        ("energygrp-excl = A A", "[ exclusions ]"),
        ("user1-grps = A", "not supported"),
        ("userint3 = 1", "not supported"),
        ("cos-acceleration = 0.1", "viscosity"),
        ("qmmm-cp2k-active = true", "not supported"),
        ("gen-vel = true", "Write yes or no."),
        ("dt = 0.002 ns", "Write dt = 2"),
        ("dt = 0.002 0.001", "there are 2 words"),
        ("dt = nan", "it must be a number"),
        ("dt = 1_0", "it must be a number"),
        ("dt = 1e999", "it must be a number"),
        ("nsteps = 5e5", "Write 500000."),
        ("nsteps = 1.5", "Write digits only."),
        ("nstlist = 3000000000", "must not exceed"),
        ("nsteps = 99999999999999999999", "it must not exceed"),
        ("tcoupl = v-rescaling", "Known: No, V-rescale"),
        ("nstlst = 5", "Did you mean 'nstlist'?"),
        ("zzzzzzzz = 5", "docs/gromacs-mdp.md"),
        ("= 5", "there is no option before the ="),
        ("nstlist", "has no ="),
        ("freezegrps = A\nfreezedim = Y Q N", "it is a list of Y and N"),
        ("define = POSRES", "Write define = -DPOSRES."),
        ("electric-field-x = 1 2", "needs four"),
        (
            "electric-field-x = 0.5 V/nm",
            "electric-field-x = '0.5 V/nm' (numbers of this option are in V/nm, 1/ps, ps, ps, "
            "without the name of a unit). Write electric-field-x = 0.5 0 0 0.",
        ),
        ("electric-field-y = 0.5 V/A 3 1/ps 0 ps 2 fs", "Write electric-field-y = 5 3 0 0.002."),
        ("electric-field-z = 0.5 0 0 fs 2", "'0.5 0 0 fs 2' (numbers of this option are in V/nm"),
        ("ref-t = 300 K 310", "Write ref-t = 300 310."),
        ("ref-t = 20 25 C", "ref-t = '20 25 C' (numbers of this option are in K"),
        ("annealing-time = 0 10 furlongs", "'0 10 furlongs' (numbers of this option are in ps"),
        ("accelerate = 0.1 nm/ps^2 0 0", "Write accelerate = 0.1 0 0."),
        ("tcoupl = v-rescale", "a thermostat for every particle"),
        ("integrator = sd", "a thermostat for every particle"),
        ("vdwtype = Shift\nvdw-modifier = Potential-switch", "modified twice"),
    ],
)
def test_refusals(here, text, words):
    with pytest.raises(InputError) as caught:
        read(text + "\n")
    assert words in str(caught.value)
    assert str(caught.value).startswith("run.mdp:")


def test_all_errors_at_once(here):
    with pytest.raises(InputError) as caught:
        read("dt = x\nfoo = 1\nnstlist = y\n")
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[0] for line in lines] == ["run.mdp:1", "run.mdp:2", "run.mdp:3"]
    with pytest.raises(InputError, match="280 more errors"):
        read("foo = 1\n" * 300)


def test_files_that_are_none(here):
    with pytest.raises(FileError, match="cannot be read"):
        read_mdp("missing.mdp")
    Path("run.mdp").write_bytes(b"dt = 1\0")
    with pytest.raises(FileError, match="is not text"):
        read_mdp("run.mdp")
    Path("run.mdp").write_bytes(b";" * 5_000_000)
    with pytest.raises(FileError, match="is larger than"):
        read_mdp("run.mdp")


@pytest.mark.parametrize("name", PRESETS)
def test_mdout_says_the_same(here, name):
    first = read(PRESETS[name])
    write_mdout("mdout.mdp", first)
    again = read_mdp("mdout.mdp")
    assert dict(again.values) == dict(first.values)
    skip = {"path", "values", "lines", "notes"}
    for field in fields(first):
        if field.name not in skip:
            assert getattr(again, field.name) == getattr(first, field.name), field.name
    assert mdout(again) == mdout(replace(first, path="mdout.mdp"))
    assert all(find(key) for key in first.values)


def finite(value):
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, (tuple, list)):
        return all(finite(item) for item in value)
    if is_dataclass(value):
        return all(finite(getattr(value, f.name)) for f in fields(value))
    return True


PIECES = (
    *("=", ";", "-1", "0", "1e400", "nan", "-", "_", "\n", "\r", "\x00", "\xff", "99999999999"),
    *("yes", "Y N", "System", "PME", " ", "\t", "1e-5", "0x10", "inf", "é", "½", "−1", "1" * 5000),
)


def mutated(text, rng):
    for _ in range(rng.randint(1, 4)):
        kind = rng.randrange(6)
        at = rng.randrange(len(text) + 1)
        lines = text.split("\n")
        line = rng.randrange(len(lines))
        if kind == 0:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + rng.randint(1, 5) :]
        elif kind == 2:
            text = "\n".join(lines[:line] + lines[line + 1 :])
        elif kind == 3:
            text = "\n".join([*lines, lines[line]])
        elif kind == 4:
            key = lines[line].partition("=")[0]
            lines[line] = f"{key} = {rng.choice(PIECES)}"
            text = "\n".join(lines)
        else:
            text += f"\n{rng.choice(list(options()))} = {rng.choice(PIECES)}"
    return text


def test_mutations(here):
    system = (topology("h-bonds", posres=True), frame(), groups())
    rng = random.Random(3)
    presets = list(PRESETS.values())
    accepted = 0
    for _ in range(2000):
        text = mutated(rng.choice(presets), rng)
        Path("run.mdp").write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            p = read_mdp("run.mdp")
        except FileError as error:
            assert str(error).startswith("run.mdp:")
        except InputError as error:
            assert all(line.startswith("run.mdp:") for line in str(error).splitlines())
        else:
            accepted += 1
            assert all(finite(getattr(p, f.name)) for f in fields(p))
            assert finite(tuple(p.values.values()))
            check(p)
            check(p, *system)
            mdout(p)
    assert 200 < accepted < 1800


def test_intervals_of_coupling(here):
    short = GRAPPA.replace("tau-t                   = 0.5", "tau-t = 0.05")
    assert read(short.replace("v-rescale", "nose-hoover"))["nsttcouple"] == 10
    shorter = short.replace("0.05", "0.02")
    assert read(shorter)["nsttcouple"] == 10
    assert read(shorter.replace("v-rescale", "nose-hoover"))["nsttcouple"] == 1
    assert read(shorter.replace("v-rescale", "berendsen"))["nsttcouple"] == 2


def test_pages_are_fresh():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "gen_mdp_docs.py", "--check"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
