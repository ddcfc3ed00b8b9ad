# SPDX-License-Identifier: Apache-2.0
"""What users give is taken over exactly, or refused with words that help."""

from __future__ import annotations

from decimal import Decimal

import aureole as au
import numpy as np
import pytest


@pytest.fixture
def sim(liquid):
    return liquid(108, forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=1.5)])


IMAGES = {
    "too large": (2**40, "must fit (in )?32 bits"),
    "no number": (np.nan, "whole numbers are needed"),
    "a fraction": (0.5, "whole numbers are needed"),
    "complex": (1j, "whole numbers are needed"),
}


@pytest.mark.parametrize("case", IMAGES)
def test_images_that_do_not_fit_are_refused(sim, case):
    value, words = IMAGES[case]
    before = sim.get("image")
    images = np.zeros((sim.n, 3), dtype=type(value))
    images[5, 1] = value
    with pytest.raises(au.InputError, match=words):
        sim.set("image", images)
    with pytest.raises(au.InputError, match=words):
        sim.snapshot().replace(image=images)
    assert (sim.get("image") == before).all()


def test_images_that_fit_are_taken(sim):
    images = np.full((sim.n, 3), -(2**31), dtype=np.int64)
    sim.set("image", images)
    assert (sim.get("image") == images).all()


def columns(n):
    """Arrays that no engine can hold as they are, with the words of the refusal."""
    masked = np.ma.masked_array(np.ones((n, 3)), mask=np.eye(n, 3))
    return {
        "complex": (np.ones((n, 3)) + 1j, "imaginary parts would be lost"),
        "text": ([["1", "0", "0"]] * n, "is not an array of numbers"),
        "flags": (np.ones((n, 3), dtype=bool), "is not an array of numbers"),
        "dates": (np.ones((n, 3), dtype="M8[s]"), "is not an array of numbers"),
        "nested text": (np.full((n, 3), "1", dtype=object), "is not an array of numbers"),
        "masked": (masked, "masked"),
        "ragged": ([[1.0, 2.0, 3.0]] * (n - 1) + [[1.0]], "is not an array of numbers"),
        "rounded": (np.full((n, 3), 2**53 + 1), "a double cannot represent"),
    }


@pytest.mark.parametrize("case", columns(4))
def test_numbers_that_would_change_are_refused(sim, case):
    values, words = columns(sim.n)[case]
    for name in ("position", "velocity"):
        with pytest.raises(au.InputError, match=words):
            sim.set(name, values)
        with pytest.raises(au.InputError, match=words):
            sim.snapshot().replace(**{name: values})


def test_numbers_of_all_real_kinds_are_taken(sim):
    for values in ([[1, 2, 3]] * sim.n, [[Decimal("1"), np.float32(2), 3]] * sim.n):
        sim.set("velocity", values)
        assert (sim.get("velocity") == [1.0, 2.0, 3.0]).all()


SPECS = {
    "eps": (lambda: au.LennardJones(eps=1), "Did you mean 'epsilon'"),
    "missing": (lambda: au.LennardJones(epsilon=1, r_cut=2), "'sigma'"),
    "places": (lambda: au.NVE(0.1, 0.2, 0.3, 0.4, 0.5), "too many positional arguments"),
    "twice": (lambda: au.Log("a.csv", path="b.csv"), "multiple values for argument 'path'"),
    "filter": (lambda: au.Type(type="A"), "Did you mean 'types'"),
    "observer": (lambda: au.Frames(particle=5), "Did you mean 'particles'"),
    "device": (lambda: au.Device(thread=1), "Did you mean 'threads'"),
    "list": (lambda: au.NeighborList(tol=1), "tolerance"),
    "replace": (
        lambda: au.LennardJones(epsilon=1, sigma=1, r_cut=2).replace(rcut=3),
        "Did you mean 'r_cut'",
    ),
}


@pytest.mark.parametrize("case", SPECS)
def test_arguments_that_a_spec_does_not_take(case):
    make, words = SPECS[case]
    with pytest.raises(au.InputError, match=words):
        make()


def test_minimize_names_the_nearest_setting(sim):
    with pytest.raises(au.InputError, match="Did you mean 'force_tolerance'"):
        sim.minimize(force_tol=0.1)


@pytest.mark.parametrize("particles", [5, 5.0, None, object(), [0.5], ["a"], [[1]], "٣", "5-3", ""])
def test_particles_of_frames_that_are_none(particles):
    if particles is None:
        assert au.Frames(particles=None).particles is None
        return
    with pytest.raises(au.InputError, match="particles of Frames"):
        au.Frames("a.xtc", particles=particles)


def test_particles_of_frames_are_merged():
    spec = au.Frames("a.xtc", particles="7, 0-4,3-5,1999999999-2000000000")
    assert spec.particles == "0-5,7,1999999999-2000000000"
    assert au.Frames("a.xtc", particles="7,0-4").tags(8).tolist() == [0, 1, 2, 3, 4, 7]
    with pytest.raises(au.InputError, match="particle 2000000000"):
        spec.tags(100)


@pytest.mark.parametrize("charge", ["-1e308", "1e101", "1e400", "nan"])
def test_charges_beyond_all_measure_name_their_line(here, charge):
    from mdrun_inputs import mdrun, rigid

    rigid(here)
    lines = (here / "water.itp").read_text().splitlines()
    at = next(k for k, line in enumerate(lines) if line.split()[3:5] == ["SOL", "OW"])
    lines[at] = " ".join([*lines[at].split()[:6], charge])
    (here / "water.itp").write_text("\n".join(lines) + "\n")
    said = mdrun("-maxwarn", 9, code=2).stderr
    assert f"water.itp:{at + 1}: the charge is '{charge}'" in said


@pytest.mark.parametrize("box", ["'abc'", "['a', 'b', 'c']", "true", "{a = 1}", "[1, 2]", "'1e3'"])
def test_boxes_of_text_in_an_input_file(here, box):
    text = f"""
steps = 1
[system]
kind = "random"
n = 10
box = {box}
[integrator]
kind = "NVE"
dt = 0.005
"""
    (here / "a.toml").write_text(text)
    from aureole.jobs import input_file

    with pytest.raises(au.InputError, match="box"):
        input_file.load("a.toml").simulation()


def misplaced():
    """What is given in a wrong place, with what the refusal proposes."""
    lj = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=1.5)
    thermostat = au.VRescale(T=1.0, tau=1.0)
    box = au.System(4.0, [[1.0, 1.0, 1.0]])
    made = lambda **given: au.Simulation(**{"system": box, "forces": [lj], **given})  # noqa: E731
    return {
        "a thermostat alone": (lambda: made(integrator=thermostat), "thermostat=au.VRescale"),
        "a class": (lambda: made(integrator=au.LeapFrog), r"write LeapFrog\(\.\.\.\)"),
        "text": (lambda: made(forces=["LJ"]), "au.LennardJones"),
        "a thermostat": (lambda: made(forces=[thermostat]), "a thermostat does not belong there"),
        "noise without a temperature": (
            lambda: au.LeapFrog(dt=0.005, barostat=au.CRescale(P=1.0, tau=1.0)),
            "au.ParrinelloRahman",
        ),
        "a tolerance": (lambda: au.NeighborList(tolerance=0.1), 'mode="tolerance"'),
        "groups of drift": (
            lambda: au.LeapFrog(dt=0.005, remove_com_every=0, drift_groups=("System",)),
            "drift is never removed",
        ),
        "degrees": (lambda: au.HarmonicAngle(theta0=109.5, k=5.0), '"109.5 deg"'),
        "a barostat of an open box": (
            lambda: made(
                system=au.System(
                    au.Box(4.0, 4.0, 4.0, periodic=(True, True, False)), [[1.0, 1.0, 1.0]]
                ),
                integrator=au.LeapFrog(
                    dt=0.005, barostat=au.ParrinelloRahman(P=1.0, tau=1.0, compressibility=0.1)
                ),
            ),
            "periodic along all axes",
        ),
        "a simulation to write": (lambda: au.write("a.gsd", made()), r"sim\.snapshot"),
        "no GSD file": (lambda: au.write("a.xyz", box), r"au\.write_frame"),
    }


@pytest.mark.parametrize("case", misplaced())
def test_what_is_misplaced_is_refused_with_its_place(case):
    give, words = misplaced()[case]
    with pytest.raises(au.InputError, match=words):
        give()


def test_a_bare_number_is_no_temperature_of_molecules():
    lj = au.LennardJones(r_cut="0.4 nm", mode="shift")
    sim = au.Simulation(au.build.water(27, "spce").system(), [lj, au.ReactionField(r_cut="0.4 nm")])
    with pytest.raises(au.InputError, match=r'3\.608e\+04 K.*"300 K"'):
        sim.thermalize(300)
    assert np.isclose(sim.thermalize("300 K").temperature, 300.0)
    with pytest.raises(au.InputError, match='"300 K"'):
        sim.integrator = au.Langevin(dt="2 fs", kT=300)
    sim.integrator = au.Langevin(dt="2 fs", kT="300 K")
    assert np.isclose(sim.integrator.kT, 300 * 0.00831446261815324)


def test_durations_are_whole_numbers_of_steps():
    lj = au.LennardJones(r_cut="0.4 nm", mode="shift")
    forces = [lj, au.ReactionField(r_cut="0.4 nm")]
    sim = au.Simulation(au.build.water(27, "spce").system(), forces, au.LeapFrog(dt="2 fs"))
    with pytest.raises(au.InputError, match=r"the time step is 0\.002 ps"):
        sim.run("3 fs")
    assert sim.run("4 fs").step == 2


def test_degrees_are_angles():
    one, other = (au.HarmonicAngle(theta0=x, k=5.0) for x in ("90 deg", np.pi / 2))
    assert one.theta0 == other.theta0


def test_sums_are_copies(sim):
    before = sim.temperature, sim.energy
    sums = sim.thermo()
    sums["temperature"] = 1.0
    sums["per_force"][0]["energy"] = 1.0
    assert (sim.temperature, sim.energy) == before


@pytest.mark.parametrize(
    "observer",
    [
        au.Energies("a.csv", every=2),
        au.RunLog("a.log", every=2),
        au.Log("b.csv", every=2, quantities=("step", "energy_LennardJones")),
    ],
    ids=lambda spec: type(spec).__name__,
)
def test_forces_that_a_file_cannot_tell_of_are_refused(here, liquid, observer):
    lj = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=1.5)
    with liquid(108, forces=[lj], observers=[observer]) as sim:
        sim.run(2)
        with pytest.raises(au.InputError, match=observer.path):
            sim.forces = [au.WCA(epsilon=1.0, sigma=1.0)]
        assert sim.forces == (lj,)
        sim.forces = [au.LennardJones(epsilon=0.5, sigma=1.0, r_cut=1.5)]
        sim.run(2)
