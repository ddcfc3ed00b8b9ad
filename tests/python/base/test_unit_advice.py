# SPDX-License-Identifier: Apache-2.0
"""Advice about numbers with units has the size of what was given, or no number."""

from __future__ import annotations

import re

import aureole as au
import numpy as np
import pytest
from aureole.base.unit_advice import OTHERS, SPELLED, advice, in_units_of_files
from aureole.base.unit_table import TABLE
from aureole.base.units import Measured
from aureole.gromacs.mdp.options.table import options
from aureole.gromacs.mdp.values import parse

#: What was given, its dimension, and what it is in the unit of the engine; None for no advice.
GIVEN = [
    ("4 fs^2", "time", None),
    ("4 femtoseconds", "time", 0.004),
    ("1.5 Nanoseconds", "time", 1500.0),
    ("2 s", "time", 2e12),
    ("4", "time", None),
    ("20 parsecs", "time", None),
    ("9 Angstrom", "length", 0.9),
    ("9Angstroms", "length", 0.9),
    ("1.234567890123 angstrom", "length", 0.1234567890123),
    ("9 ps", "length", None),
    ("1,2 nm", "length", None),
    ("27 C", "length", None),
    ("27 °C", "temperature", 300.15),
    ("25.123456 celsius", "temperature", 298.273456),
    ("300", "temperature", 300.0),
    ("1 mbar", "pressure", 1e-3),
    ("1 Mbar", "pressure", None),
    ("2 Atmospheres", "pressure", 2.0265),
    ("1 kJ mol^-1", "energy", 1.0),
    ("5 kcal/(mol Å)", "force", 209.2),
    ("4.5e-5 bar^-1", "compressibility", 4.5e-5),
    ("90 degrees", "radian", np.pi / 2),
    ("90°", "radian", np.pi / 2),
    ("5 ps^-1", "rate", 5.0),
    ("1 V/m", "field", 1e-9),
    ("nothing", "field", None),
]


def size_of(words: str, dimension: str) -> float | None:
    """The number with a unit that an error suggests, which is taken as it stands."""
    found = re.search(r'Write "([^"]*)"', words)
    return None if found is None else float(Measured(found[1], dimension))


@pytest.mark.parametrize(("text", "dimension", "size"), GIVEN)
def test_sizes(text, dimension, size):
    with pytest.raises(au.InputError) as told:
        Measured(text, dimension)
    found = size_of(str(told.value), dimension)
    assert found == (None if size is None else pytest.approx(size, rel=1e-11))
    if size is None:
        assert not re.search(r"\d", advice(text, dimension))


def test_energies_given_as_temperatures():
    with pytest.raises(au.InputError, match=r'are needed: K\). Write "301\.9317\d* K"\.'):
        au.VRescale(T="0.6 kcal/mol", tau=1)  # 0.6 * 4.184 / 0.00831446
    with pytest.raises(au.InputError, match=r"needed: K\)\. Give it in K\."):
        au.VRescale(T="3 nm", tau=1)


def test_all_units_of_texts_are_those_of_the_table():
    """A unit of other programs is no second name of one of ours with another size."""
    for dimension, units in TABLE.items():
        for unit, factor in (OTHERS[dimension] | SPELLED[dimension]).items():
            size = size_of(advice(f"3 {unit}", dimension), dimension)
            assert size == pytest.approx(3 * factor, rel=1e-11), unit
            assert units.get(unit, factor) == factor


@pytest.mark.parametrize(
    ("option", "text", "written"),
    [
        ("dt", "2 fs", "0.002"),
        ("dt", "2fs", "0.002"),
        ("dt", "2 fs^2", None),
        ("rcoulomb", "12 A", "1.2"),
        ("rvdw", "11.5 angstroms", "1.15"),
        ("ref-t", "300 K 27 °C", "300 300.15"),
        ("ref-p", "1 atm", "1.01325"),
        ("tau-t", "100 fs 0.1", None),
        ("compressibility", "4.5e-5 1/bar", "4.5e-05"),
        ("nstxout", "10 ps", None),
    ],
)
def test_options_of_run_parameters(option, text, written):
    with pytest.raises(au.InputError) as told:
        parse(options()[option], text)
    if written is None:
        assert not re.search(rf"Write {option} =", str(told.value))
    else:
        assert f"Write {option} = {written}." in str(told.value)
        assert parse(options()[option], written) is not None
    assert in_units_of_files("", "ps") is None


@pytest.fixture(scope="module")
def sim():
    forces = [au.LennardJones(r_cut=0.6), au.ReactionField(r_cut="0.6 nm")]
    return au.Simulation(au.build.water(64).system(), forces, au.LeapFrog(dt="2 fs"), threads=1)


@pytest.mark.parametrize(
    ("dt", "told"),
    [
        ("2 us", "dt is '2 us', 2000000 ps; did you mean \"2 fs\"?"),
        ("2e3fs", "dt is '2e3fs', 2 ps; did you mean \"2 fs\"?"),
        (4, 'dt is 4 ps; did you mean "4 fs"?'),
        (2e6, 'dt is 2000000 ps; did you mean "2 fs"?'),
        ("40 fs", None),
    ],
)
def test_time_steps_of_another_size(recwarn, dt, told):
    one = [5.0, 5.0, 5.0], np.zeros((1, 3))
    au.Simulation(au.System(*one, units="molecular"), [], au.NVE(dt=dt), threads=1)
    assert [str(one.message) for one in recwarn] == ([told] if told else [])
    reduced = au.NVE(dt=2.0 if isinstance(dt, str) else dt)
    au.Simulation(au.System(*one), [], reduced, threads=1)
    assert len(recwarn) == (1 if told else 0)


@pytest.mark.parametrize(
    ("duration", "advised"),
    [
        ("4 fs^2", None),
        ("0.5 Nanoseconds", 500.0),
        ("3.1 fs", 0.004),
        (2.5, 2.5),
        (123456789.0, 123456789.0),
        ("-4 ps", None),
    ],
)
def test_durations(sim, duration, advised):
    with pytest.raises(au.InputError) as told:
        sim.run(duration)
    found = re.search(r'"([^"]*)"[^"]*\Z', str(told.value))
    assert (None if found is None else float(Measured(found[1], "time"))) == advised
    assert ("for steps" in str(told.value)) == (duration == 123456789.0)


def test_other_places(sim):
    with pytest.raises(au.InputError, match=r'Write "1234567\.5 K", or "1234567\.5 kJ/mol"'):
        sim.thermalize(kT=1234567.5)
    with pytest.raises(au.InputError, match=r'Write "109\.4712206 deg" if you mean'):
        au.HarmonicAngle(k=1.0, theta0=109.4712206)
    with pytest.raises(au.InputError, match=r"is 400 deg \(this exceeds a full turn\). Give a sm"):
        au.HarmonicAngle(k=1.0, theta0="400 deg")
    with pytest.raises(au.InputError, match=r'r_cut of PME is .* Write "0.9 nm"'):
        au.PME(r_cut="9 Angstrom")
    with pytest.raises(au.InputError, match=r"dt is '4 fs\^2' [^\"]*\Z"):
        au.LeapFrog(dt="4 fs^2")


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ('sim.run(float("nan"))', "nan is not a duration .it must be finite.*such as"),
        ('sim.run(until=float("nan"))', "nan is not a duration .it must be finite"),
        ('sim.run(float("inf"))', "inf is not a duration .it must be finite"),
        ('sim.run("1e-400 ps")', "is '1e-400 ps' .it is too small to be told from 0"),
        ("sim.set(velocity=0)", r'Write sim\.set\("velocity", values\)\.'),
        ("sim.set(charge=0)", "Make a System with it"),
        ("sim.set(image=0)", r'Write sim\.set\("image", values\)\.'),
        ('au.read("a.gsd", frame="0")', "frame is '0' .it must be a whole number"),
        ('au.read("a.gsd", frame=0.5)', "frame is 0.5 .it must be a whole number"),
    ],
)
def test_what_is_no_duration_column_or_frame(sim, call, told):
    step = sim.step
    with pytest.raises(au.InputError, match=told):
        eval(call, {"sim": sim, "au": au})
    assert sim.step == step
    assert float(Measured("0.0e5 ps", "time")) == 0.0
