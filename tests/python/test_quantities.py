# SPDX-License-Identifier: Apache-2.0
"""Numbers with units of openmm.unit and pint, wherever text with a unit is taken."""

from __future__ import annotations

from datetime import timedelta

import aureole as au
import numpy as np
import pint
import pytest
from aureole.base.quantities import is_quantity, quantity_text
from aureole.base.units import TABLE, Measured
from openmm import unit

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
