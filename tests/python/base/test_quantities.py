# SPDX-License-Identifier: Apache-2.0
"""Numbers with units of openmm.unit and pint, wherever text with a unit is taken."""

from __future__ import annotations

from datetime import timedelta

import aureole as au
import numpy as np
import pytest
from aureole.base.quantities import is_quantity, quantity_text
from aureole.base.unit_advice import OTHERS, SPELLED, unit_of
from aureole.base.units import TABLE, Measured

pint = pytest.importorskip("pint", reason="needs pint")
unit = pytest.importorskip("openmm.unit", reason="needs openmm, in the extra `converters`")

ureg = pint.UnitRegistry()
DIMENSIONS = {
    "length": (unit.angstrom, ureg.angstrom),
    "time": (unit.femtosecond, ureg.fs),
    "temperature": (unit.kelvin, ureg.kelvin),
    "pressure": (unit.atmosphere, ureg.atm),
    "compressibility": (1 / unit.bar, 1 / ureg.GPa),
    "energy": (unit.kilocalorie_per_mole, ureg.kcal / ureg.mol),
    "force": (unit.kilocalorie_per_mole / unit.angstrom, ureg.kcal / ureg.mol / ureg.angstrom),
    "field": (unit.volt / unit.nanometer, ureg.volt / ureg.angstrom),
    "radian": (unit.degree, ureg.degree),
    "rate": (1 / unit.femtosecond, 1 / ureg.ns),
}
IN_OURS = {
    **{"length": (0.1, 0.1), "time": (1e-3, 1e-3), "temperature": (1, 1)},
    **{"pressure": (1.01325, 1.01325), "compressibility": (1, 1e-4), "energy": (4.184, 4.184)},
    **{"rate": (1e3, 1e-3)},
    **{"force": (41.84, 41.84), "field": (1, 10), "radian": (0.017453292519943295,) * 2},
}


@pytest.mark.parametrize("dimension", TABLE)
def test_every_dimension(dimension):
    for one, value in zip(DIMENSIONS[dimension], IN_OURS[dimension], strict=True):
        text = quantity_text(3 * one, dimension, "x")
        assert Measured(text, dimension) == pytest.approx(3 * value, rel=1e-12)


#: Units of texts by the words of pint, where those differ.
_OF_PINT = {
    **{"Ang": "angstrom", "torr": "torr", "mmHg": "mmHg", "psi": "psi", "Torr": "torr"},
    **{"as": "attosecond", "mK": "millikelvin", "sec": "second", "°": "degree", "mrad": "mrad"},
}


@pytest.mark.parametrize("dimension", TABLE)
def test_units_of_advice_are_those_of_pint(dimension):
    """Each unit that texts of other programs have, as another package converts it."""
    ours = unit_of(dimension)
    for word, factor in (OTHERS[dimension] | SPELLED[dimension]).items():
        name = _OF_PINT.get(word, word).replace("/A", "/Å").replace("Å", "angstrom")
        name = name.replace("ångström", "angstrom").replace("ångstrom", "angstrom")
        one = ureg.Quantity(
            1.0, name.replace("kj/", "kJ/").replace("ev/", "eV/").replace("v/a", "V/a")
        )
        molar = dimension in ("energy", "force") and "mol" not in name
        one = one * (ureg.avogadro_constant if molar and name != "kelvin" else 1)
        one = one * (ureg.molar_gas_constant if molar and name == "kelvin" else 1)
        if dimension == "temperature" and one.check("[energy]"):
            one = one / ureg.boltzmann_constant
        elif dimension == "temperature" and one.check("[energy]/[substance]"):
            one = one / ureg.molar_gas_constant
        assert one.to(ours).magnitude == pytest.approx(factor, rel=1e-8), word


def liquid(**specs):
    dynamics = {"dt": 2 * unit.femtoseconds, "thermostat": au.VRescale(T="300 K", tau=1)}
    system = au.build.water(100).system()
    forces = [au.LennardJones(r_cut=6 * unit.angstrom), au.ReactionField(r_cut=0.6 * ureg.nm)]
    return au.Simulation(system, forces, au.LeapFrog(**dynamics), threads=1, **specs)


def test_times_of_runs_and_observers(tmp_path):
    path = tmp_path / "e.csv"
    sim = liquid(observers=[au.Energies(path, every=0.004 * unit.picoseconds)])
    assert sim.dt == 0.002 and sim.forces[0].r_cut == pytest.approx(0.6)
    assert sim.observers == (au.Energies(path, every=2),)
    sim.minimize(max_steps=20)
    assert sim.run(0.01 * unit.picoseconds).step == 5
    assert sim.run(until=20 * ureg.femtosecond).step == 10
    assert sim.steps_of(1 * unit.nanoseconds) == 500_000
    assert sim.thermalize(300 * unit.kelvin).temperature == pytest.approx(300, rel=0.05)


def test_other_dimensions_are_refused():
    sim = liquid()
    with pytest.raises(au.InputError, match=r"duration is 3 K \(one quantity of time is needed"):
        sim.run(3 * unit.kelvin)
    with pytest.raises(au.InputError, match="T of VRescale is 3 ps"):
        au.VRescale(T=3 * unit.picosecond, tau=1)
    with pytest.raises(au.InputError, match=r"\[1 2\] nanometer \(one quantity of length"):
        au.ReactionField(r_cut=[1, 2] * ureg.nm)
    assert not is_quantity("2 fs") and not is_quantity(2)


def test_reduced_units_have_none():
    sim = au.Simulation(au.build.lattice("fcc", n=32, density=0.5), [], au.NVE(dt=0.01), threads=1)
    with pytest.raises(au.InputError, match="reduced units"):
        sim.run(1 * unit.picosecond)
    with pytest.raises(au.InputError, match="the system has reduced units"):
        sim.integrator = au.NVE(dt=1 * unit.picosecond)


def test_times_of_numpy_and_datetime():
    """A number of femtoseconds is neither one of picoseconds nor one of steps."""
    assert au.LeapFrog(dt=np.timedelta64(2, "fs")).dt == pytest.approx(0.002)
    sim = liquid(observers=[au.Energies("e.csv", every=np.timedelta64(4, "fs"))])
    assert sim.observers[0].every == 2
    assert sim.steps_of(np.timedelta64(20, "ps")) == 10_000
    assert sim.steps_of(timedelta(microseconds=1)) == 500_000_000
    with pytest.raises(au.InputError, match=r"r_cut .* is 2 .*one quantity of length"):
        au.LennardJones(r_cut=np.timedelta64(2, "fs"))
    with pytest.raises(au.InputError, match=r"duration is 2 .*one quantity of time"):
        sim.run(np.timedelta64(2))
    with pytest.raises(au.InputError, match="max_steps"):
        sim.minimize(max_steps=np.timedelta64(2, "ps"))


@pytest.mark.parametrize("name", ["position", "velocity", "mass"])
def test_columns_of_particles(name):
    """A unit of a column is converted, wherever columns are given, and never dropped."""
    sim = liquid()
    values = sim.get(name) * 0.9
    ours, theirs, wrong = {
        "position": (unit.nanometer, ureg.nm, unit.kelvin),
        "velocity": (unit.nanometer / unit.picosecond, ureg.km / ureg.s, unit.nanometer),
        "mass": (unit.dalton, ureg.u, unit.kelvin),
    }[name]
    before = {"box": sim.box, "units": "molecular", "position": sim.get("position")}
    if name == "position":
        sim.set(name, values * 10 * unit.angstrom)
        assert sim.get(name) == pytest.approx(values, rel=1e-12)
    for one in (values * ours, values.tolist() * ours, [v * ours for v in values], values * theirs):
        sim.set(name, one)
        assert sim.get(name) == pytest.approx(values, rel=1e-12)
        made = au.System(**before | {name: one})
        assert getattr(made, name) == pytest.approx(values, rel=1e-12)
    for give in (lambda x: sim.set(name, x), lambda x: au.System(**before | {name: x})):
        with pytest.raises(au.InputError, match=rf"{name} has the unit"):
            give(values * wrong)


def test_arrays_without_a_unit_of_their_own():
    reduced = au.build.lattice("fcc", n=32, density=0.5)
    sim = au.Simulation(reduced, [], au.NVE(dt=0.01), threads=1)
    with pytest.raises(au.InputError, match=r"position has a unit .* \(it would be lost"):
        sim.set("position", sim.get("position") * unit.angstrom)
    with pytest.raises(au.InputError, match="mass has a unit"):
        reduced.replace(mass=np.ones(32) * ureg.kg)
    with pytest.raises(au.InputError, match="charge has a unit"):
        liquid().snapshot().replace(charge=np.ones(300) * unit.elementary_charge)
    with pytest.raises(au.InputError, match="diameter has a unit"):
        reduced.columns["diameter"] = np.ones(32) * unit.angstrom


def test_boxes():
    system = liquid().snapshot()
    edge = 10 * system.box.lx
    for box in (edge * unit.angstrom, [edge] * 3 * unit.angstrom, [edge * ureg.angstrom] * 3):
        assert system.replace(box=box).box.lengths == pytest.approx(system.box.lengths)
    with pytest.raises(au.InputError, match=r"box is 3 nm \(a box is one length"):
        au.Box.of(3 * unit.nanometer)
    with pytest.raises(au.InputError, match="box has the unit kelvin"):
        system.replace(box=3 * unit.kelvin)
