# SPDX-License-Identifier: Apache-2.0
"""Effects of the arguments of simulations of molecules, and of what reads their input."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.jobs.from_gromacs import simulation_of
from aureole_bench.gmx import mdp_text, settings_of
from effects import refuses, shows
from mdrun_inputs import argon, water

PARTS = {"topology", "coordinates", "parameters", "groups"}
SETTINGS = {"precision": "double", "threads": 1}


def argon_files(mdp=""):
    """Files of argon; `mdp` takes the place of options of the same names."""
    Path("argon").mkdir(exist_ok=True)
    files = argon(Path("argon"))
    text = mdp_text(settings_of(Path(files[2]).read_text()), settings_of(mdp))
    Path(files[2]).write_text(text)
    return files


def argon_job(mdp=""):
    return au.read_job(*argon_files(mdp))


def argon_simulation(direct=False, mdp="", **changes):
    """216 atoms of argon, from files or from the parts that are in them."""
    if not direct:
        return au.from_gromacs(*argon_files(mdp), **(SETTINGS | changes))
    parts = {name: changes.pop(name) for name in PARTS & changes.keys()}
    return simulation_of(replace(argon_job(mdp), **parts), **(SETTINGS | changes))


def water_simulation(**changes):
    """125 flexible waters from files."""
    Path("water").mkdir(exist_ok=True)
    return au.from_gromacs(*water(Path("water")), **(SETTINGS | changes))


@shows("System.topology", "System.units")
def parts(_):
    from dataclasses import replace

    plain = argon_simulation(direct=True)
    job = argon_job()
    step = np.array([0.1, 0.0, 0.0])
    moved = replace(job.coordinates, position=job.coordinates.position + step)
    shift = argon_simulation(direct=True, coordinates=moved).get("position") - plain.get("position")
    assert np.allclose(plain.box.minimum_image(shift), step)
    assert argon_simulation(direct=True, parameters=argon_job("dt = 0.001\n").parameters).dt == (
        plain.dt / 2
    )
    one = argon_simulation(direct=True)
    assert one.energy.potential == plain.energy.potential
    text = Path("argon/topol.top").read_text()
    Path("argon/topol.top").write_text(text.replace("0.996", "1.992"))
    from aureole.gromacs.top.read import read_top

    deeper = argon_simulation(direct=True, topology=read_top("argon/topol.top"))
    assert np.isclose(deeper.energy.potential, 2 * plain.energy.potential, rtol=1e-12)
    assert plain.units.name == "molecular" and plain.snapshot().units == "molecular"
    assert np.isclose(plain.temperature, plain.thermo()["temperature"] / 0.00831446261815324)
    same = plain.snapshot()
    reduced = au.Simulation(same.replace(units="reduced"), plain.forces, **SETTINGS)
    assert np.isclose(reduced.temperature, reduced.thermo()["temperature"])


THERMOSTATS = "tcoupl = v-rescale\ntc-grps = first rest\ntau-t = 0.5 0.5\nref-t = 90 90\n"


def index_file():
    """Two groups, of 10 and 206 atoms."""
    ten, others = (" ".join(map(str, span)) for span in (range(1, 11), range(11, 217)))
    Path("index.ndx").write_text(f"[ first ]\n{ten}\n[ rest ]\n{others}\n")
    return "index.ndx"


@shows("System.groups", "System.members.group", "from_gromacs.index", "read_job.index")
def groups(kind):
    files = argon_files(THERMOSTATS)
    refuses("first", lambda: au.from_gromacs(*files))
    job = au.read_job(*files, index=index_file())
    assert {group.name: len(group.particles) for group in job.groups}["first"] == 10
    if kind.startswith("System"):
        sim = simulation_of(job, **SETTINGS)
        system = sim.snapshot()
        assert system.groups.keys() == {"first", "rest"}
        assert system.members("first").tolist() == list(range(10))
        assert len(system.members("system")) == 216
        refuses("no group 'second'", lambda: system.members("second"))
    else:
        sim = au.from_gromacs(*files, index="index.ndx", **SETTINGS)
    v = sim.get("velocity")
    v[:10] = 0.0
    sim.set("velocity", v)
    found = sim.group_temperatures
    assert found.keys() == {"first", "rest"} and found["first"] == 0.0 < found["rest"]


@shows("from_gromacs.state")
def states(_):
    files = argon_files("gen-vel = no\ncontinuation = yes\n")
    with au.from_gromacs(*files, **SETTINGS) as sim:
        sim.thermalize("300 K")
        sim.run(5)
        sim.write_checkpoint("a.cpt")
        wanted = sim.energy
    found = au.from_gromacs(*files, state="a.cpt", **SETTINGS).energy
    assert np.isclose(found.kinetic, wanted.kinetic, rtol=1e-12)
    assert np.isclose(found.potential, wanted.potential)
    assert not np.isclose(found.kinetic, au.from_gromacs(*files, **SETTINGS).energy.kinetic)


RESTRAINED = "[ position_restraints ]\n1 1 1000 1000 1000\n"


@shows("System.references", "from_gromacs.references", "read_job.references")
def references(kind):
    conf, top, mdp = argon_files("refcoord-scaling = all\n")
    text = Path(top).read_text()
    Path(top).write_text(text.replace("[ system ]", RESTRAINED + "[ system ]"))
    job = au.read_job(conf, top, mdp, references=conf)
    assert np.array_equal(job.references.position, job.coordinates.position)
    moved = Path("moved.gro")
    lines = Path(conf).read_text().splitlines()
    x = float(lines[2][20:29])
    lines[2] = f"{lines[2][:20]}{x + 0.1:9.4f}{lines[2][29:]}"
    moved.write_text("\n".join(lines) + "\n")

    def restraint(path):
        if kind == "System":
            job = au.read_job(conf, top, mdp, references=path)
            sim = simulation_of(job, **SETTINGS)
        else:
            sim = au.from_gromacs(conf, top, mdp, references=path, maxwarn=9, **SETTINGS)
        return sim.energy.per_force.get("position_restraint", 0.0)

    assert abs(restraint(conf)) < 1e-9
    assert np.isclose(restraint(str(moved)), 0.5 * 1000 * 0.1**2, rtol=1e-4)


@shows("from_gromacs.conf", "from_gromacs.top", "from_gromacs.mdp", "read_job.conf",
       "read_job.top", "read_job.mdp")  # fmt: skip
def files(kind):
    Path("water").mkdir(exist_ok=True)
    argons, waters = argon_files(), water(Path("water"))
    read = au.read_job if kind == "read_job" else au.from_gromacs
    refuses("375", lambda: read(argons[0], waters[1], argons[2]))
    refuses("216", lambda: read(waters[0], argons[1], argons[2]))
    found = []
    for mdp in (argons[2], waters[2]):
        one = read(argons[0], argons[1], mdp)
        found.append(one.parameters.dt if kind == "read_job" else one.dt)
    assert found == [0.002, 0.0005]


@shows("from_gromacs.maxwarn")
def warnings(_):
    mdp = "tcoupl = berendsen\ntc-grps = System\ntau-t = 0.5\nref-t = 90\n"
    refuses("maxwarn 1", lambda: argon_simulation(mdp=mdp))
    assert argon_simulation(mdp=mdp, maxwarn=1).run(1).step == 1


@shows("from_gromacs.device", "from_gromacs.precision", "from_gromacs.threads")
def place(_):
    def about(**changes):
        return argon_simulation(**changes).describe()

    assert [about(threads=n)["threads"] for n in (1, 2)] == [1, 2]
    assert [about(precision=p)["precision"] for p in ("mixed", "double")] == ["mixed", "double"]
    assert about(device="host")["device"] == "host"
    refuses("cuda", lambda: about(device="cuda:99"))


@shows("Simulation.minimize.tell")
def told(_):
    seen = []
    sim = argon_simulation(mdp="integrator = steep\nnsteps = 4\n")
    sim.minimize(tell=lambda *row: seen.append(row))
    assert seen and all(len(row) == 5 for row in seen)


@shows("Simulation.steps_of.duration")
def durations(_):
    sim = argon_simulation()
    assert (sim.steps_of("2 ps"), sim.steps_of("1 ns"), sim.steps_of(7)) == (1000, 500_000, 7)
    assert sim.steps_of("0 ps") == 0
    with pytest.raises(au.InputError, match="is shorter than one step"):
        sim.steps_of("0.5 fs")


@shows("Simulation.from_checkpoint.job", "Simulation.from_checkpoint.observers")
def restarts(_):
    sim = argon_simulation().run(2)
    sim.write_checkpoint("a.cpt")
    sim.run(2)
    sim.write_checkpoint("b.cpt")
    load = au.Simulation.from_checkpoint
    a, b = load("a.cpt"), load("b.cpt")
    assert (a.step, b.step) == (2, 4)
    assert np.array_equal(a.run(2).get("position"), b.get("position"))
    assert load("a.cpt", threads=2).describe()["threads"] == 2
    flat = au.Device(name="host", threads=1, precision="double", algorithm="flat")
    assert load("a.cpt", device=flat).device.algorithm == "flat"
    seen = []
    load("a.cpt", observers=[au.Callback(seen.append, every=1)]).run(2)
    assert seen
    Path("argon/grompp.mdp").write_text("dt = 0.001\n")
    refuses("grompp.mdp", lambda: load("a.cpt"))
    assert load("a.cpt", argon_job()).step == 2
