# SPDX-License-Identifier: Apache-2.0
"""What is assigned acts or is refused: forces may change between runs, nothing is ignored."""

import copy
import dataclasses
import inspect
import pickle
import re

import aureole as au
import numpy as np
import pytest
from aureole.base.attributes import Guarded, refuse
from aureole.base.names_elsewhere import OF_PACKAGE
from aureole.specs.spec import Spec


def box_of_beads(**more):
    """Beads on a grid, bound in pairs."""
    grid = np.stack(np.meshgrid(*[np.arange(6)] * 3), axis=-1).reshape(-1, 3) * 1.1
    pairs = np.arange(216).reshape(-1, 2)
    return au.System(6.6, grid, bonds={"backbone": pairs}, **more)


def simulation(*forces, **more):
    return au.Simulation(box_of_beads(), forces, au.Langevin(dt=0.004, kT=1, gamma=1), **more)


ATTRACTION = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)
BOND = au.HarmonicBond(r0=1.1, k=80.0)


def test_forces_change_between_runs():
    """A simulation with other forces goes on as one that begins with them at that state."""
    sim = simulation(ATTRACTION, BOND, seed=4)
    sim.run(30)
    other = (dataclasses.replace(ATTRACTION, epsilon=0.3), dataclasses.replace(BOND, k=200.0))
    fresh = au.Simulation(sim.snapshot(), other, sim.integrator, seed=4, step=sim.step)
    before = sim.energy.potential
    sim.forces = list(other)
    assert sim.forces == other and sim.step == 30
    assert repr(other[0]) in str(sim.describe())
    assert abs(sim.energy.potential - before) > 1
    assert sim.energy.per_force == pytest.approx(fresh.energy.per_force, rel=1e-12)
    sim.run(20), fresh.run(20)
    assert np.allclose(sim.get("position"), fresh.get("position"), rtol=0, atol=1e-9)


def test_what_couplings_remember_stays():
    sim = au.Simulation(
        box_of_beads(),
        (ATTRACTION, BOND),
        au.LeapFrog(dt=0.002, thermostat=au.NoseHoover(T=1.2, tau=0.5)),
    )
    sim.thermalize(1.2)
    sim.run(50)
    given = sim.thermo()["given"]
    assert given != 0
    sim.forces = sim.forces
    assert sim.thermo()["given"] == given
    energy = sim.conserved
    sim.run(50)
    assert sim.conserved == pytest.approx(energy, abs=0.05 * sim.n * 1.2)


def test_replaced_forces_are_those_of_a_restart(tmp_path):
    sim = simulation(ATTRACTION, BOND)
    sim.run(10)
    sim.forces = (ATTRACTION, au.HarmonicBond(r0=1.2, k=50.0))
    sim.run(10)
    sim.write_checkpoint(tmp_path / "a.ckpt")
    again = au.Simulation.from_checkpoint(tmp_path / "a.ckpt")
    assert again.forces == sim.forces
    sim.run(10), again.run(10)
    assert np.array_equal(sim.get("position"), again.get("position"))


@pytest.mark.parametrize("kind", [au.NVE, au.LeapFrog])
def test_the_time_goes_on_with_another_time_step(kind, tmp_path):
    sim = simulation(ATTRACTION, BOND)
    sim.run(50)
    assert sim.time == pytest.approx(0.2)
    sim.integrator = kind(dt=0.001)
    assert sim.time == pytest.approx(0.2)
    sim.run(100)
    assert sim.time == pytest.approx(0.3)
    sim.write_checkpoint(tmp_path / "a.ckpt")
    with au.Simulation.from_checkpoint(tmp_path / "a.ckpt") as again:
        assert again.time == sim.time
        again.integrator = au.NVE(dt=0.001)
        assert again.time == sim.time
    sim.integrator = kind(dt=0.002, start=1.0)
    assert sim.time == pytest.approx(1.0 + 150 * 0.002)
    sim.integrator = dataclasses.replace(sim.integrator, dt=0.001)
    assert sim.time == pytest.approx(1.0 + 150 * 0.002)


class Beads(au.Simulation):
    """One that passes its arguments on."""

    def __init__(self, system, **others):
        super().__init__(system, **others)


def test_classes_of_ones_own_may_pass_arguments_on():
    sim = Beads(box_of_beads(), forces=[ATTRACTION, BOND], seed=4)
    assert sim.seed == 4
    with pytest.raises(TypeError, match="'sed'"):
        Beads(box_of_beads(), forces=[ATTRACTION, BOND], sed=4)


@pytest.mark.parametrize("kind", [au.NVE, au.LeapFrog])
def test_fields_follow_the_time_that_goes_on(kind):
    """Half a period of a field later its force is the opposite, whatever the time step was."""
    system = au.System(5.0, [[0, 0, 0], [2, 2, 2]], charge=[1.0, -1.0], units="molecular")
    field = au.ElectricField(strength=(1.0, 0, 0), omega=(np.pi / 0.1, 0, 0))
    with au.Simulation(
        system, [au.Coulomb(r_cut=1.2), field], au.LeapFrog(dt=0.002), threads=1
    ) as sim:
        first = sim.get("force")[0, 0]
        assert abs(first) > 1
        sim.run(25)
        sim.integrator = kind(dt=0.001)
        sim.run(50)
        assert sim.get("force")[0, 0] == pytest.approx(-first, rel=1e-2)


def test_forces_that_do_not_fit_change_nothing():
    sim = simulation(ATTRACTION, BOND)
    sim.run(5)
    before = sim.energy
    for forces, why in (
        ((ATTRACTION,), "'backbone' of the system have no parameters"),
        ((dataclasses.replace(ATTRACTION, r_cut=5.0), BOND), "exceeds half the box"),
        ((ATTRACTION, BOND, 3), "3"),
        (ATTRACTION, "it must be a list"),
        (None, "it must be a list"),
    ):
        with pytest.raises(au.InputError, match=why):
            sim.forces = forces
        assert sim.forces == (ATTRACTION, BOND)
        assert sim.energy == before
    with sim.arrays, pytest.raises(au.InputError, match="set the forces"):
        sim.forces = (ATTRACTION, BOND)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("seed", "Assignable: forces, integrator, observers, step"),
        ("device", "Make another simulation"),
        ("neighbors", "Make another simulation"),
        ("constraints", "cannot be assigned"),
        ("stages", "cannot be assigned"),
        ("topology", "cannot be assigned"),
        ("energy", "cannot be assigned"),
        ("integrater", "Did you mean 'integrator'?"),
        ("force", "Did you mean 'forces'?"),
        ("temperature_", "there is no Simulation.temperature_"),
    ],
)
def test_all_else_is_refused(name, said):
    sim = simulation(ATTRACTION, BOND)
    with pytest.raises(au.InputError, match=said.replace("?", r"\?")):
        setattr(sim, name, 1)
    if not hasattr(au.Simulation, name):
        assert name not in vars(sim) or vars(sim)[name] != 1
    with pytest.raises(au.InputError):
        del sim.seed


@pytest.mark.parametrize(
    "make, said",
    [
        (lambda: au.System(3.0, [[0, 0, 0]], velocities=[[0, 0, 0]]), "Did you mean 'velocity'"),
        (lambda: simulation(ATTRACTION, BOND, sed=4), "Did you mean 'seed'"),
        (lambda: au.Simulation(), "missing a required argument: 'system'"),
    ],
)
def test_arguments_that_are_not_taken_name_the_nearest(make, said):
    with pytest.raises(au.InputError, match=said):
        make()


def test_a_description_stays_and_takes_no_attributes():
    sim = simulation(ATTRACTION, BOND)
    about = sim.describe()
    text = str(about)
    assert "HarmonicBond" in text
    with pytest.raises(AttributeError):
        about.threads = 9
    sim.close()
    del sim
    assert str(about) == text


def test_specs_and_data_name_the_nearest():
    with pytest.raises(au.InputError, match="Did you mean 'kT'"):
        au.Langevin(dt=0.1, kT=1.0, gamma=1.0).KT = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match=r"dataclasses\.replace"):
        ATTRACTION.r_cut = 3.0
    system = box_of_beads()
    with pytest.raises(au.InputError, match="Did you mean 'velocity'"):
        system.velocities = system.position
    with pytest.raises(au.InputError, match="columns\\["):
        system.columns.diameter = np.ones(system.n)
    sim = simulation(ATTRACTION, BOND)
    with sim.arrays as a, pytest.raises(au.InputError, match=r"sim\.set"):
        a.position = 0


def test_every_public_class_refuses():
    """Including those that will be added."""
    for name in au.__all__:
        one = getattr(au, name)
        if inspect.isclass(one) and not issubclass(one, BaseException):
            guarded = issubclass(one, Guarded) or one.__setattr__ is refuse
            assert guarded or (issubclass(one, Spec) and not dataclasses.is_dataclass(one)), name


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("minimizeEnergy", r"Use sim\.minimize\(\)"),
        ("reporters", r"Use sim\.observers"),
        ("setVelocitiesToTemperature", r"Use sim\.thermalize\(\)"),
        ("thermalise", "Did you mean 'thermalize'"),
        ("nothing_like_it", "Known: .*write_checkpoint"),
    ],
)
def test_attributes_that_are_not_there_name_those_that_are(name, told):
    sim = au.Simulation(au.build.lattice("fcc", n=32, density=0.1), [])
    with pytest.raises(AttributeError, match=f"Simulation has no attribute '{name}'. {told}"):
        getattr(sim, name)
    assert not hasattr(sim, name) and not hasattr(sim, "_ipython_display_")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: au.Langevin(dt=0.005, kT=1.0, barostat=None), "barostats to LeapFrog, Velocity"),
        (lambda: au.NVE(dt=0.005, thermostat=None), "Give thermostats and barostats to LeapFrog"),
        (lambda: au.Trajectory("a.gsd", filter=au.All()), "Give the tags as `particles` to Frames"),
        (lambda: au.Langevin(dt=0.005, kT=1.0, damp=2.0), "Give gamma, which is 1 / damp"),
        (lambda: au.FeneBond(R0=1.5, k=30.0), "Give r_max"),
        (lambda: au.Annealing(steps=(0, 10), temperatures=(2, 1)), "Give times, which are steps"),
        (lambda: au.LennardJones(epsilon=1, sigma=1, r_cut=2, r_on=1), "Give r_switch"),
        (lambda: au.Freeze(filter=au.All()), "Name a group of System"),
    ],
)
def test_arguments_of_other_programs_have_a_place(make, words):
    with pytest.raises(TypeError, match=words):
        make()


def test_names_of_other_programs_have_a_place(liquid):
    names = {"LJ": "Use LennardJones", "NVT": "Bussi or Langevin", "BoxResize": "scaled snapshot"}
    for name, told in names.items():
        with pytest.raises(AttributeError, match=told):
            getattr(au, name)
    for name, here in OF_PACKAGE.items():  # what they lead to is there
        assert not hasattr(au, name)
        assert all(hasattr(au, word) for word in re.findall(r"\b[A-Z]\w+(?=\()", here)), here
    for name, told in {"pe": "potential", "temp": "temperature", "pxy": "pressure_xy"}.items():
        with pytest.raises(au.InputError, match=f"Did you mean '{told}'"):
            liquid(observers=[au.Log(quantities=(name,))])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda kT: au.Langevin(dt=0.005, kT=kT), r"Use StochasticDynamics\(T=Annealing"),
        (lambda kT: au.Bussi(dt=0.005, kT=kT), r"VRescale\(T=Annealing"),
    ],
)
def test_schedules_where_one_temperature_is_kept(make, words):
    with pytest.raises(au.InputError, match=words):
        make(au.Annealing(times=(0, 5), temperatures=(2, 1)))


def test_python_adds_no_second_hint():
    """As it does where an error says of which object the attribute is missing."""
    sim = au.Simulation(au.build.lattice("fcc", n=32, density=0.1), [])
    with pytest.raises(AttributeError, match="Did you mean 'thermalize'") as caught:
        sim.thermalise(1.0)
    assert caught.value.name == "thermalise" and caught.value.obj is None


def test_groups_that_are_constraints_or_types():
    system = au.build.lattice("fcc", n=32, density=0.1)
    with pytest.raises(au.InputError, match=r"constraints=\[\.\.\.\]"):
        au.Simulation(system, [], stages=[au.Freeze(group="A")])
    with pytest.raises(au.InputError, match=r"groups=\{'A': np\.flatnonzero\(system\.type == 0\)"):
        au.Simulation(system, [], constraints=[au.Freeze(group="A")])


def test_advice_is_in_the_units_of_the_system():
    barostat = au.CRescale(P=1.0, tau=2.0, compressibility=0.1)
    with pytest.raises(au.InputError, match=r"au\.VRescale\(T=\.\.\., tau=\.\.\.\)"):
        au.LeapFrog(dt=0.005, barostat=barostat)
    with pytest.raises(au.InputError, match=r"as in au\.LeapFrog\(dt=0\.005, barostat="):
        au.Simulation(box_of_beads(), [ATTRACTION], barostat)


WARMER = "replace(sim.integrator, thermostat=replace(sim.integrator.thermostat, T=...))"


@pytest.mark.parametrize(
    "code, words",
    [
        ("sim.potential", "Use sim.energy.potential."),
        ("sim.volume", "Use sim.box.volume."),
        ("sim.integrator.setTemperature(310)", WARMER),
        ("replace(sim.integrator, T=310)", WARMER),
        ("au.StochasticDynamics(dt=1, T=1, friction=1)", "Give tau=1/friction."),
        ("au.StochasticDynamics(dt=1, temperature=1, tau=1)", "Give T."),
        ("sim.minimize(maxIterations=10)", "Give max_steps."),
        ("sim.minimize(100)", "Write minimize(max_steps=100)."),
        ('au.Energies("a.csv", reportInterval=100)', "Give every, a number"),
        ('au.VRescale(T="27 °C", tau=1)', 'are needed: K). Write "300.15 K".'),
        ('au.PME(r_cut="27 C")', "Give it in one of these units."),
        ("au.app", "Use `from openmm import app`."),
    ],
)
def test_names_of_other_programs(code, words):
    integrator = au.LeapFrog(dt=0.005, thermostat=au.VRescale(T=1.0, tau=1.0))
    sim = au.Simulation(au.build.lattice("fcc", n=32, density=0.5), [], integrator, threads=1)
    names = {"au": au, "sim": sim, "replace": dataclasses.replace}
    with pytest.raises((AttributeError, au.InputError)) as told:
        eval(code, names)
    assert words in str(told.value)
    assert pickle.loads(pickle.dumps(integrator)) == copy.deepcopy(integrator) == integrator
