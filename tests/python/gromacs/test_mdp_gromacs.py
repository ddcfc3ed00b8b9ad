# SPDX-License-Identifier: Apache-2.0
"""Run parameters beside GROMACS' own preprocessor: what it takes, refuses, and makes of it."""

from __future__ import annotations

import re
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.base.errors import InputError
from aureole.formats.gro import read_gro
from aureole.gromacs.checks.checked_job import Case
from aureole.gromacs.checks.freedom import degrees_of_freedom
from aureole.gromacs.checks.run_checks import check
from aureole.gromacs.groups import default_groups
from aureole.gromacs.job import read_job
from aureole.gromacs.mdp.options.table import find
from aureole.gromacs.mdp.read import read_mdp
from aureole.gromacs.mdp.values import parse
from aureole.gromacs.rigid_bonds import constrain_bonds
from aureole.gromacs.top.read import read_top
from aureole_bench import gmx
from gmx_tool import attempt, gromacs, shared
from gromacs_mini import beads, frame, groups, topology, write_beads, write_files
from gromacs_presets import MARTINI, PRESETS, TALK, WRONG
from mdrun_inputs import water
from test_mdp_checks import OPTIONS

pytestmark = pytest.mark.skipif(gmx.find() is None, reason=f"gmx is missing: {gmx.INSTALL}")


#: Checks of ours, and what GROMACS says where they say something.
SPOKEN = {
    "A101": "For a correct single-point energy evaluation",
    "A102": "You are doing a continuation with SD",
    "A203": "With Verlet lists the optimal nstlist",
    "A208": "You have set rlist larger",
    "A209": "your temperature might be off",
    "A213": "NVE simulation with an initial temperature of zero",
    "A301": "Replacing vdwtype",
    "A302": "exchanging epsilon-r and epsilon-rf",
    "A307": "You are applying a switch function",
    "A401": "Old option for temperature coupling",
    "A402": "Setting tcoupl from",
    "A403": "does not yet support Nose-Hoover chains",
    "A404": "Treating your use of tau-t = 0",
    "A405": "The Berendsen thermostat does not",
    "A406": "thermostat, tau-t",
    "A411": "temperature jump when your annealing loops",
    "A412": "do not use temperature coupling",
    "A502": "Setting pcoupl from",
    "A503": "The Berendsen barostat does not",
    "A504": "barostat, tau-p",
    "A505": "threefold shear stress",
    "A506": "You are generating velocities so",
    "A507": "to avoid resonances",
    "A511": "restraints with Parrinello-Rahman",
    "A514": "C-rescale barostat needs a reference temperature",
    "A601": "lincs-warnangle can not be larger",
    "A602": "lincs_iter should be 2",
    "A605": "estimated oscillational period",
    "A701": "nstcomm is modified",
    "A703": "Removing the rotation around the center",
    "A704": "defeats the purpose of nstcalcenergy",
    "A707": "not part of any center of mass motion removal",
    "A709": "part of COMM",
    "A711": "You are not using center of mass motion removal",
    "A712": "in the presence of position restraints",
}


def grompp(text):
    """What grompp says about an .mdp text for the small system, and whether it is content."""
    name = "beads" if text == MARTINI else "mini"
    if not Path(f"{name}.top").exists():
        write_beads(Path(".")) if name == "beads" else write_files(Path("."))
    Path("run.mdp").write_text(text)
    files = ("-f", "run.mdp", "-c", f"{name}.gro", "-p", f"{name}.top", "-r", f"{name}.gro")
    return attempt(gromacs(), "grompp", *files, "-o", "x.tpr", "-po", "po.mdp", "-maxwarn", "99")


def case_of(p):
    """Our case of the same system."""
    if p["epsilon-r"] == 15.0:
        return Case(p, beads(), groups={})
    restrained = "POSRES" in p.defines
    start = frame()
    system = topology(p["constraints"], posres=restrained)
    return Case(p, system, start, groups(), start if restrained else None)


def judged(text):
    """Our parameters and findings for the same."""
    Path("run.mdp").write_text(text)
    p = read_mdp("run.mdp")
    case = case_of(p)
    found = check(p, case.topology, case.coordinates, case.groups, case.references)
    return p, [*p.notes, *found]


@pytest.mark.parametrize("name", WRONG)
def test_both_refuse(here, name):
    text, _ = WRONG[name]
    said, taken = grompp(text)
    # What GROMACS of this age does not know is a warning to it.
    assert not taken or "Unknown left-hand" in said, said[-2000:]
    try:
        _, notes = judged(text)
    except InputError:
        return
    assert "error" in [note.severity for note in notes]


@pytest.mark.parametrize("number", OPTIONS)
def test_both_refuse_an_atom_that_its_group_lists_twice(here, number):
    write_files(Path("."))
    Path("run.mdp").write_text(OPTIONS[number])
    for twice in (False, True):
        rows = groups()
        if twice:
            rows["LIG"] = np.insert(rows["LIG"], 3, 2)
        lines = [[f"[ {name} ]", *map(str, tags + 1)] for name, tags in rows.items()]
        text = "\n".join(line for of_group in lines for line in of_group) + "\n"
        Path("i.ndx").write_text(text)
        files = ("-f", "run.mdp", "-c", "mini.gro", "-p", "mini.top", "-n", "i.ndx")
        said, taken = attempt(gromacs(), "grompp", *files, "-o", "x.tpr", "-maxwarn", "99")
        assert taken != twice and ("Atom 3 in multiple" in said) == twice, said[-1500:]
        job = read_job("mini.gro", "mini.top", "run.mdp", index="i.ndx")
        errors = [note.number for note in job.notes if note.severity == "error"]
        assert errors == ([number] if twice else [])


def test_a_bond_that_is_listed_twice_counts_twice_in_both(tmp_path):
    """GROMACS does not say so."""
    water(tmp_path)
    program = gromacs(tmp_path, double=True)
    mdp = (tmp_path / "grompp.mdp").read_text()
    mdp = mdp.replace("gen-vel = yes", "gen-vel = no\ncontinuation = yes").replace("= 200", "= 0")
    (tmp_path / "grompp.mdp").write_text(mdp)
    molecule = (tmp_path / "water.itp").read_text()
    line = "1 2 1 0.1012 443000\n"
    more = {"bond": line + "2 1 1 0.1012 443000\n", "other": line + "1 2 1 0.11 44300\n"}
    found = {}
    for name, lines in {"once": line, **more}.items():
        (tmp_path / "water.itp").write_text(molecule.replace(line, lines))
        program.run("grompp", "-c", "conf.gro", "-o", "x.tpr", "-maxwarn", 9)
        program.mdrun("x", "-noconfout")
        theirs = program.energies("x", "Bond")["Bond"][0]
        files = [tmp_path / file for file in ("conf.gro", "topol.top", "grompp.mdp")]
        with au.from_gromacs(*files, precision="double", threads=1, maxwarn=9) as sim:
            found[name] = sim.energy.of("harmonic_bond")
            assert found[name] == pytest.approx(theirs, rel=1e-9)
            told = [note.text for note in sim.notes if note.number == "A810"]
        assert told == [] if name == "once" else "listed twice in SOL" in told[0]
    assert found["once"] < found["bond"] < found["other"]


@pytest.mark.parametrize("name", PRESETS)
def test_both_accept(here, name):
    said, taken = grompp(PRESETS[name])
    assert taken, said[-2000:]
    p, notes = judged(PRESETS[name])
    errors = [note for note in notes if note.severity == "error"]
    assert not errors
    _same_options(p)
    _same_input_record(p, "A213" in [note.number for note in notes])
    _same_freedom(case_of(p), said)


def _same_options(p):
    """Values as GROMACS has read them, where reading did not change ours."""
    changed = {"nstcalcenergy", "nstenergy", "nstcomm", "comm-mode", "tcoupl", "pcoupl", "vdwtype"}
    changed |= {"vdw-modifier", "nh-chain-length", "epsilon-r", "epsilon-rf", "nsttcouple", "tau-t"}
    changed |= {"nstpcouple", "rlist", "lincs-warnangle", "gen-seed"}
    compared = 0
    for line in Path("po.mdp").read_text().splitlines():
        key, equals, value = (part.strip() for part in line.partition(";")[0].partition("="))
        if not equals:
            continue
        option = find(key)
        assert option is not None, key
        if option.parent or option.name in changed or option.name not in p.values:
            continue
        theirs = parse(option, value)
        assert theirs == p.values[option.name] or not any((theirs, p.values[option.name])), key
        compared += 1
    assert compared > 80


def _record():
    """The input record of x.tpr: scalars by name, in lower case."""
    dump = gromacs().run("dump", "-s", "x.tpr")
    dump = dump[: dump.index("\ntopology:")]
    found = {}
    for line in dump.splitlines():
        match = re.match(r"\s+([\w\- ,]+?)\s*(?:=|:|\[\s*\d+\]=)\s*(.*)", line)
        if match and match[1].strip() not in found:
            found[match[1].strip()] = match[2].strip().lower()
    return found, dump


SAME = {
    "integrator": "integrator",
    "nsteps": "nsteps",
    "init-step": "init-step",
    "nstcomm": "nstcomm",
    "nstlist": "nstlist",
    "nstcalcenergy": "nstcalcenergy",
    "nstenergy": "nstenergy",
    "nstlog": "nstlog",
    "nstxout-compressed": "nstxout-compressed",
    "coulombtype": "coulombtype",
    "coulomb-modifier": "coulomb-modifier",
    "rcoulomb": "rcoulomb",
    "rvdw": "rvdw",
    "rvdw-switch": "rvdw-switch",
    "vdw-type": "vdwtype",
    "vdw-modifier": "vdw-modifier",
    "DispCorr": "DispCorr",
    "epsilon-r": "epsilon-r",
    "epsilon-rf": "epsilon-rf",
    "tcoupl": "tcoupl",
    "nsttcouple": "nsttcouple",
    "nh-chain-length": "nh-chain-length",
    "pcoupl": "pcoupl",
    "pcoupltype": "pcoupltype",
    "nstpcouple": "nstpcouple",
    "tau-p": "tau-p",
    "refcoord-scaling": "refcoord-scaling",
    "comm-mode": "comm-mode",
    "constraint-algorithm": "constraint-algorithm",
    "continuation": "continuation",
    "lincs-order": "lincs-order",
    "lincs-iter": "lincs-iter",
    "lincs-warnangle": "lincs-warnangle",
    "verlet-buffer-tolerance": "verlet-buffer-tolerance",
    "pbc": "pbc",
    "dt": "dt",
}


def _same_input_record(p, cold):
    """The record that GROMACS would simulate from; without a temperature it has its own buffer."""
    found, dump = _record()
    known = {key.lower().replace("_", "-"): value for key, value in found.items()}
    for theirs, ours in SAME.items():
        value = known[theirs.lower()]
        option = find(ours)
        mine = p.values[ours]
        if ours in ("nsttcouple", "nstpcouple") and mine == -1:
            mine = value if value in ("-1", "0") else "-1"
            assert mine == value, (theirs, value)
            continue
        if ours == "verlet-buffer-tolerance" and cold:
            assert value == "-1"
            continue
        if ours == "nh-chain-length" and p["tcoupl"] != "Nose-Hoover":
            continue
        if ours == "epsilon-rf" and mine == 0.0:
            assert value in ("inf", "0")
        elif isinstance(mine, bool):
            assert value == ("true" if mine else "false"), theirs
        elif isinstance(mine, float):
            assert float(value) == pytest.approx(mine, rel=1e-6), theirs
        elif isinstance(mine, int):
            assert int(value) == mine, (theirs, value, mine)
        else:
            assert option.value(value) == option.value(mine), (theirs, value, mine)
    thermostats = p.temperature_groups
    if thermostats:
        for key, values in (
            ("ref-t", [g.temperature for g in thermostats]),
            ("tau-t", [g.tau for g in thermostats]),
        ):
            assert [float(x) for x in known[key].split()] == pytest.approx(values, rel=1e-6)
    if p["pcoupl"] != "No":
        assert _matrix(dump, "compressibility") == pytest.approx(_lower(p.compressibility))
        assert _matrix(dump, "ref-p") == pytest.approx(_lower(p.pressure))


def _matrix(dump, name):
    rows = re.search(rf"{name} \(3x3\):\n(.*\n.*\n.*\n)", dump)[1].splitlines()
    return [float(word) for row in rows for word in row.split("{")[1].rstrip("}").split(",")]


def _lower(six):
    """The nine components that GROMACS keeps of xx yy zz xy xz yz."""
    xx, yy, zz, xy, xz, yz = six
    return [xx, 0.0, 0.0, xy, yy, 0.0, xz, yz, zz]


def _same_freedom(case, said):
    """Degrees of freedom of the temperature groups, as printed with two digits."""
    # GROMACS sums in single precision and prints two digits: 0.01 of 5000.
    printed = [float(x) for x in re.findall(r"freedom in T-Coupling group \S+ is ([\d.]+)", said)]
    ours = degrees_of_freedom(case)
    ours = ours[:-1] if len(ours) > 1 else ours
    assert printed == pytest.approx(list(ours), abs=0.016)


@pytest.mark.parametrize("name", PRESETS | TALK)
def test_same_warnings(here, name):
    """Where GROMACS warns, so do we, as often; and where it is silent there is none of ours."""
    text = (PRESETS | TALK)[name]
    said, taken = grompp(text)
    assert taken, said[-2000:]
    flat = " ".join(said.split())
    theirs = len(re.findall(r"^WARNING \d+", said, flags=re.M)) - said.count("Unknown left-hand")
    notes = judged(text)[1]
    ours = [note.number for note in notes if note.severity == "warning"]
    assert len(ours) == theirs, (ours, said)
    for number, words in SPOKEN.items():
        assert (number in [note.number for note in notes]) == (words in flat), number


@pytest.mark.parametrize("name", ["charmm", "gromos", "sd", "nve"])
@pytest.mark.parametrize("system", ["water-ethanol/we12k", "dhfr/dhfr"])
def test_whole_systems(here, system, name):
    """The same words and degrees of freedom for systems that were read from files."""
    gro, top = shared(f"{system}.gro"), shared(f"{system}.top")
    text = PRESETS[name]
    if system.startswith("dhfr"):
        text = text.replace("Other Water", "Protein non-Protein")
    Path("run.mdp").write_text(text)
    files = ("-f", "run.mdp", "-c", str(gro), "-p", str(top), "-o", "x.tpr", "-po", "po.mdp")
    said, taken = attempt(gromacs(), "grompp", *files, "-maxwarn", "99")
    assert taken, said[-2000:]
    p = read_mdp("run.mdp")
    molecules = constrain_bonds(read_top(top, defines=p.defines), p["constraints"])
    parts = {group.name: group.particles for group in default_groups(molecules.expand_atoms())}
    case = Case(p, molecules, read_gro(gro), parts)
    notes = [*p.notes, *check(p, molecules, case.coordinates, parts)]
    flat = " ".join(said.split())
    for number, words in SPOKEN.items() | {("A309", "system with net charge")}:
        assert (number in [note.number for note in notes]) == (words in flat), number
    _same_freedom(case, said)
