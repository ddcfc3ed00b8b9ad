# SPDX-License-Identifier: Apache-2.0
"""`au.from_gromacs`: the door in Python, its notes, and restarts."""

from __future__ import annotations

import contextlib
import json
import re
from itertools import product
from pathlib import Path
from random import Random

import aureole as au
import numpy as np
import pytest
from aureole.checkpoint import restart_of_job, restart_of_system
from aureole.cli import demo
from aureole.observers.last_frame import write_frame
from mdrun_inputs import argon, rigid, water

SCRIPT = """\
import aureole as au

sim = au.from_gromacs("conf.gro", "topol.top", "grompp.mdp")
sim.run("20 ps")
print(sim.energy, sim.temperature, sim.pressure, sim.ns_per_day)
"""


def state(sim):
    return [sim.get(name) for name in ("position", "velocity", "force", "image")]


def same(one, two):
    assert one.step == two.step
    return all(np.array_equal(a, b) for a, b in zip(state(one), state(two), strict=True))


def test_example_of_the_issue(here, capsys):
    argon(here)
    exec(SCRIPT.replace("20 ps", "0.1 ps"), {})  # the same lines, for a shorter time
    out = capsys.readouterr().out
    assert out.startswith("Energy(potential=-") and len(out.rsplit(")", 1)[1].split()) == 3


def test_lengths(here):
    sim = au.from_gromacs(*argon(here, "tinit = 10\n"), threads=1)
    assert sim.run("20 fs").step == 10
    assert sim.run(5).step == 15
    assert sim.run(until="10.05 ps").step == 25
    again = au.from_gromacs(*argon(here), threads=1)
    assert again.run().step == 200  # as the .mdp says
    with pytest.raises(au.InputError, match=r"time are needed: fs, ps, .* Give it in one of"):
        again.run("20 parsecs")


def test_energy_is_kept(here):
    """The sum of a microcanonical run stays, in the units of GROMACS."""
    sim = au.from_gromacs(*water(here), threads=1)
    start = sim.energy
    assert start.kinetic == pytest.approx(0.5 * 0.00831446 * sim.dof * sim.temperature, rel=1e-6)
    assert sim.temperature == pytest.approx(300, rel=1e-6)
    sim.run("0.2 ps")
    assert sim.energy.total == pytest.approx(start.total, abs=0.01 * start.kinetic)


def test_notes(here):
    conf, top, mdp = argon(here, "nstcalcenergy = 30\n")
    sim = au.from_gromacs(conf, top, mdp, threads=1)
    assert any(note.severity == "note" and "nstcalcenergy" in note.text for note in sim.notes)
    assert sim.notes == au.read_job(conf, top, mdp).notes


def test_errors_are_listed(here):
    files = argon(here)
    text = Path(files[2]).read_text()
    Path(files[2]).write_text(text.replace("rvdw = 0.9", "rvdw = 1.5"))
    with pytest.raises(au.InputError) as caught:
        au.from_gromacs(*files)
    lines = str(caught.value).splitlines()
    assert "docs/checks.md" in lines[0] and all("error A" in line for line in lines[1:])


def test_warnings_may_pass(here):
    files = water(here, "tcoupl = berendsen\ntc-grps = System\ntau-t = 0.1\nref-t = 300\n")
    with pytest.raises(au.InputError, match="maxwarn 1") as caught:
        au.from_gromacs(*files)
    assert "warning A" in str(caught.value)
    job = au.read_job(*files)
    assert job.count("warning") == 1


def meshed(files):
    """The same files with a mesh instead of the reaction field."""
    changed(files[2], "coulombtype = reaction-field\n", "coulombtype = pme\nfourierspacing = 0.1\n")
    return files


DEVICES = {
    "clusters": au.Device(name="host", threads=1),
    "flat": au.Device(name="host", threads=1, algorithm="flat"),
    "tiles": au.Device(name="host", threads=1, algorithm="tiles"),
    "gpu": au.Device(name="cuda:0"),
}


@pytest.fixture(params=["clusters", "flat", "tiles", pytest.param("gpu", marks=pytest.mark.gpu)])
def device(request):
    """Every engine; one thread, so that sums are added up in one order."""
    return DEVICES[request.param]


@pytest.fixture(params=["flat", pytest.param("gpu", marks=pytest.mark.gpu)])
def in_double(request):
    """Other engines than that of clusters that have double precision."""
    return DEVICES[request.param]


@pytest.mark.parametrize("cut", [1, 37, 100])
def test_restart_is_bitwise(here, device, cut):
    files = water(here)
    whole = au.from_gromacs(*files, device=device)
    whole.run(150)
    check_restart(files, device, whole, cut, "log")


@pytest.mark.parametrize("cut", [1, 37, 100])
def test_restart_with_a_mesh_is_bitwise(here, device, cut):
    files = meshed(water(here))
    whole = au.from_gromacs(*files, device=device)
    whole.run(150)
    check_restart(files, device, whole, cut, "quiet")


def test_energies_do_not_change_the_course(here, device):
    files = meshed(water(here))
    whole = au.from_gromacs(*files, device=device)
    whole.run(150)
    check_restart(files, device, whole, 100, "log")


THERMOSTATS = {
    "none": "",
    "v-rescale": "tcoupl = v-rescale\ntc-grps = System\ntau-t = 0.1\nref-t = 300\nld-seed = 5\n",
    "nose-hoover": "tcoupl = nose-hoover\ntc-grps = System\ntau-t = 0.5\nref-t = 300\n",
    "sd": "tc-grps = System\ntau-t = 1\nref-t = 300\nld-seed = 5\n",
}
BAROSTATS = {
    "none": "",
    "c-rescale": "pcoupl = c-rescale\n",
    "parrinello-rahman": "pcoupl = parrinello-rahman\n",
}
BAROSTAT_OPTIONS = "tau-p = 5\ncompressibility = 4.5e-5\nref-p = 1\n"


def test_restart_with_tolerant_lists(here, device):
    files = rigid(here)
    changed(files[2], "verlet-buffer-tolerance = -1\n", "")
    whole = au.from_gromacs(*files, device=device)
    whole.run(150)
    check_restart(files, device, whole, 73, "quiet")


def test_restart_of_the_demo_is_bitwise(here):
    """Its parameters, at every step between two searches for pairs, in a box that shrinks."""
    au.build.solution({"spce": 300, "ethanol": 12}, seed=2).write_gromacs(here, demo.DESCENT)
    with au.from_gromacs("conf.gro", "topol.top", "grompp.mdp", threads=1) as sim:
        sim.minimize()
        write_frame("min.gro", sim)
    options = {"gen-vel": "yes", "gen-temp": 300, "gen-seed": 1, "ld-seed": 1, "tau-p": 0.5}
    Path("eq.mdp").write_text(demo.parameters(options, "as the demonstration equilibrates"))
    files = ("min.gro", "topol.top", "eq.mdp")
    sim = au.from_gromacs(*files, threads=2)
    edge = sim.box.lengths[0]
    sim.run(100)
    states, cuts, beyond = [], 24, 30
    for k in range(cuts + beyond):
        states.append((state(sim), sim.box, sim.pressure))
        if k < cuts:
            sim.write_checkpoint(f"{k}.cpt")
        sim.run(1)
    assert abs(sim.box.lengths[0] / edge - 1) > 0.001
    for k in range(cuts):
        again = au.Simulation.from_checkpoint(f"{k}.cpt", threads=2)
        for step in (k, k + beyond - 1):
            again.run(until=100 + step)
            numbers, box, pressure = states[step]
            assert all(np.array_equal(a, b) for a, b in zip(state(again), numbers, strict=True)), k
            assert again.box == box and again.pressure == pressure


def coupled(here, thermostat, barostat):
    """Rigid water with a mesh, a thermostat and a barostat."""
    more = THERMOSTATS[thermostat] + (
        BAROSTATS[barostat] + BAROSTAT_OPTIONS if barostat != "none" else ""
    )
    files = meshed(rigid(here, more))
    if thermostat == "sd":
        changed(files[2], "integrator = md", "integrator = sd")
    return files


# C-rescale takes its noise from a thermostat.
PAIRS = [pair for pair in product(THERMOSTATS, BAROSTATS) if pair != ("none", "c-rescale")]


@pytest.mark.parametrize("thermostat, barostat", PAIRS)
def test_restart_of_rigid_water_with_thermostats(here, device, thermostat, barostat):
    files = coupled(here, thermostat, barostat)
    whole = au.from_gromacs(*files, device=device, maxwarn=9)
    whole.run(150)
    with au.from_gromacs(*files, device=device, maxwarn=9) as first:
        first.run(73)
        first.write_checkpoint("a.cpt")
    second = au.Simulation.from_checkpoint("a.cpt")
    second.run(until=150)
    assert same(whole, second)
    assert second.box == whole.box and (barostat == "none") == (second.box.lengths[0] == 1.56)
    assert second.group_temperatures == whole.group_temperatures
    assert second.conserved == pytest.approx(whole.conserved, rel=1e-12)


@pytest.mark.parametrize("thermostat, barostat", PAIRS)
def test_devices_go_along(here, in_double, thermostat, barostat):
    """Other loops, other lists and other orders of sums: the same motion."""
    files = coupled(here, thermostat, barostat)
    options = dict(maxwarn=9, precision="double")
    one = au.from_gromacs(*files, device=DEVICES["clusters"], **options)
    other = au.from_gromacs(*files, device=in_double, **options)
    one.run(40), other.run(40)
    edge = one.box.lengths[0]
    for name in ("position", "velocity", "force"):
        apart = other.get(name) - one.get(name)
        if name == "position":  # boxes apart, as each search wraps them
            apart -= edge * np.rint(apart / edge)
        assert np.abs(apart).max() < 1e-6 * np.sqrt((one.get(name) ** 2).mean()), name
    assert other.energy.potential == pytest.approx(one.energy.potential, rel=1e-9)
    assert other.pressure == pytest.approx(one.pressure, abs=1e-3)
    assert other.conserved == pytest.approx(one.conserved, rel=1e-9)


def check_restart(files, device, whole, cut, kind):
    observers = [au.TimedCheckpoint("a.cpt")]
    if kind == "log":
        observers.append(au.Log("a.csv", every=10))
    with au.from_gromacs(*files, device=device, observers=observers) as first:
        first.run(cut)
    with au.Simulation.from_checkpoint("a.cpt") as second:
        assert same(first, second)
        second.run(until=150)
    assert same(whole, second)
    assert second.part == 2 and second.temperature == whole.temperature
    if kind == "log":
        rows = Path("a.csv").read_text().splitlines()[1:]
        assert [int(row.split(",")[0]) for row in rows] == list(range(0, 151, 10))


def test_bonds_that_turn_far_are_reported(here):
    files = rigid(here, "lincs-warnangle = 0.5\n")
    with au.from_gromacs(*files, threads=1, observers=[au.RunLog("md.log", every=100)]) as sim:
        sim.run(100)
        assert sim.recent_warnings() == []  # the log has asked
    text = Path("md.log").read_text()
    found = re.findall(
        r"Warning: at step (\d+) .* atoms (\d+) and (\d+) rotated by (\d+) degrees", text
    )
    assert found and all(0 < int(step) <= 100 and int(angle) < 30 for step, _, _, angle in found)
    with au.from_gromacs(*rigid(here), threads=1) as calm:
        calm.run(100)
        assert calm.recent_warnings() == []


def saved(files, **more):
    observers = [au.TimedCheckpoint("a.cpt")]
    with au.from_gromacs(*files, threads=1, observers=observers, **more) as sim:
        sim.run(3)
    return lambda: au.Simulation.from_checkpoint("a.cpt")


def changed(path, old, new):
    text = Path(path).read_text()
    assert old in text
    Path(path).write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    "name, old, new, words",
    [
        ("grompp.mdp", "rvdw = 0.7", "rvdw = 0.65", "rvdw was 0.7, is 0.65"),
        ("grompp.mdp", "ref-t = 300 310", "ref-t = 300 320", "ref-t was 300 310, is 300 320 "),
        ("grompp.mdp", "tc-grps = A B", "tc-grps = B A", "tc-grps was A B, is B A"),
        ("grompp.mdp", "define = -DX", "define =", "define was -DX, is empty"),
        ("water.itp", "0.1012", "0.1000", "the topology"),
        ("conf.gro", "1.5600", "1.5610", "the coordinates"),
    ],
)
def test_changed_input_is_refused(here, name, old, new, words):
    more = "define = -DX\ntcoupl = v-rescale\ntc-grps = A B\nref-t = 300 310\ntau-t = 1 1\n"
    files = water(here, more)
    halves = {"A": range(1, 181), "B": range(181, 376)}
    text = [f"[ {name} ]\n{' '.join(map(str, atoms))}\n" for name, atoms in halves.items()]
    Path("i.ndx").write_text("".join(text))
    again = saved(files, index="i.ndx", maxwarn=9)
    changed(name, old, new)
    with pytest.raises(au.InputError, match=words):
        again()


def test_harmless_changes_pass(here):
    again = saved(water(here))
    changed("grompp.mdp", "nsteps = 200", "nsteps = 300 ; more")
    changed("water.itp", "[ bonds ]", "[ bonds ] ; stiff")
    sim = again()
    assert sim.end == 300
    assert "nsteps was 200, is 300 since the checkpoint was written" in sim.remarks


def test_one_door_takes_both_kinds(here):
    saved(argon(here))
    job = au.read_job("conf.gro", "topol.top", "grompp.mdp")
    assert au.Simulation.from_checkpoint("a.cpt", job).job is job
    assert au.Simulation.from_checkpoint("a.cpt").parameters.dt == job.parameters.dt
    system = au.build.lattice("fcc", n=256, density=0.8)
    lj = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)
    au.Simulation(system, [lj], au.NVE(dt=0.005)).write_checkpoint("b.cpt")
    assert au.Simulation.from_checkpoint("b.cpt").job is None
    with pytest.raises(au.InputError, match=r"b\.cpt is not a checkpoint of a GROMACS job"):
        au.Simulation.from_checkpoint("b.cpt", job)


def test_damaged_checkpoint_is_refused(here):
    saved(argon(here))
    data = bytearray(Path("a.cpt").read_bytes())
    data[len(data) // 2] ^= 1
    Path("a.cpt").write_bytes(data)
    with pytest.raises(au.FileError, match=r"a\.cpt"):
        au.Simulation.from_checkpoint("a.cpt")


@pytest.mark.parametrize("seed", range(40))
def test_strange_records_are_refused(here, seed, monkeypatch):
    """A record with anything changed gives an error of ours, or the simulation."""
    again = saved(argon(here))
    random = Random(seed)

    known = restart_of_job.read_extra

    def mutant(path, extra):
        data = json.loads(extra)
        place, key = _somewhere(data, random)
        place[key] = random.choice([None, -1, "x", [], {}, 1.5, [1, 2], "a.gro", True])
        return known(path, json.dumps(data).encode())

    monkeypatch.setattr(restart_of_job, "read_extra", mutant)
    monkeypatch.setattr(restart_of_system, "read_extra", mutant)
    with contextlib.suppress(au.Error):
        again()


def _somewhere(data, random):
    """A dictionary or list within `data`, and one of its keys."""
    while True:
        keys = list(data) if isinstance(data, dict) else range(len(data))
        key = random.choice(list(keys))
        below = data[key]
        if not isinstance(below, (dict, list)) or not below or random.random() < 0.3:
            return data, key
        data = below


@pytest.mark.parametrize("correction", ["no", "Ener", "EnerPres"])
def test_energy_that_a_descent_tells(here, correction):
    """With the correction for dispersion, as of the simulation and in GROMACS."""
    files = argon(here, f"DispCorr = {correction}\n")
    text = Path(files[2]).read_text()
    steep = "integrator = steep\nnsteps = 5\nemtol = 0.1\n"
    Path(files[2]).write_text(re.sub(r"(integrator|nsteps) = .*\n", "", text) + steep)
    sim, told = au.from_gromacs(*files, precision="double", threads=1), []
    first = sim.energy.potential
    found = sim.minimize(tell=lambda *row: told.append(row[2]))
    assert told[0] == pytest.approx(first, rel=1e-13)
    assert found.energy == told[-1] == pytest.approx(sim.energy.potential, rel=1e-13)
    assert found.energy < first


@pytest.mark.parametrize("given", [{"state": 123}, {"index": 1}, {"conf": None}, {"top": b"a"}])
def test_what_is_no_name_of_a_file(given):
    (name,) = given
    files = {"conf": "a.gro", "top": "a.top", "mdp": "a.mdp"}
    with pytest.raises(au.InputError, match=f"^{name} is .*it must be a file name"):
        au.from_gromacs(**files | given)
