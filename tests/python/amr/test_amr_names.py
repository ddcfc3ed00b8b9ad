# SPDX-License-Identifier: Apache-2.0
"""Names of Athena++, PyClaw, FLASH and Castro are answered with those here."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import aureole as au
import pytest
from aureole import amr
from aureole.amr import names_elsewhere

ROOT = Path(__file__).parents[3]
ARGUMENTS = {
    amr.Mesh: names_elsewhere.OF_MESH,
    amr.Scheme: names_elsewhere.OF_SCHEME,
    amr.IdealGas: names_elsewhere.OF_GAS,
    amr.Region: names_elsewhere.OF_REGION,
    amr.Fixed: names_elsewhere.OF_FIXED,
    amr.Simulation: names_elsewhere.OF_ARGUMENTS,
    amr.Simulation.run: names_elsewhere.OF_RUN,
    amr.sod: names_elsewhere.OF_TUBE,
    amr.sound_wave: names_elsewhere.OF_TUBE,
    amr.implosion: names_elsewhere.OF_SQUARE,
    amr.kelvin_helmholtz: names_elsewhere.OF_SQUARE,
    amr.vortex: names_elsewhere.OF_SQUARE,
    amr.noh: names_elsewhere.OF_NOH,
    amr.sedov: names_elsewhere.OF_BLAST,
}


def gas():
    return amr.Simulation(amr.Mesh(box=[(0, 1)] * 3, roots=(1,) * 3), threads=1).set(
        density=1.0, pressure=1.0
    )


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Grid", r"Use amr\.Mesh\(box="),
        ("Euler", r"Use amr\.Simulation\(mesh"),
        ("ClawSolver2D", r"Use amr\.Simulation\(mesh"),
        ("EOS", r"Use amr\.IdealGas"),
        ("Roe", r"riemann=\"hllc\"\), \"hlle\" or \"llf\"\. Add it"),
        ("fofc", r"sim\.repairs counts them"),
        ("WENO", r'reconstruct="wenoz"'),
        ("Callback", r"Use au\.Callback, with"),
        ("RayleighTaylor", "function of the coordinates"),
        ("shk_cloud", "function of the coordinates"),
        ("kh", r"Use amr\.kelvin_helmholtz\(\)"),
        ("sedov_taylor", r"Use amr\.sedov\(\)"),
        ("hllc", r'Use amr\.Scheme\(riemann="hllc"\)\.'),
        ("roe", r"riemann=\"hllc\"\), \"hlle\""),
        ("Refinement", r"max_level=2\), amr\.Simulation\(mesh, refine="),
        ("inflow", r"Use amr\.Fixed\(density="),
        ("simulation_", "Did you mean 'Simulation'"),
        ("Sedow", "Did you mean 'sedov'"),
        ("nothing_like_it", "Known: Aggregate, "),
    ],
)
def test_names_of_the_package(name, told):
    with pytest.raises(AttributeError, match=rf"^aureole\.amr has no '{name}'\. .*{told}") as error:
        getattr(amr, name)
    assert error.value.name == name and error.value.obj is None  # Python adds no second hint
    assert not hasattr(amr, name)


def test_what_names_of_the_package_lead_to_is_there():
    for name, here in names_elsewhere.OF_PACKAGE.items():
        assert not hasattr(amr, name)
        for package, word in re.findall(r"\b(amr|au)\.(\w+)", here):
            assert hasattr({"amr": amr, "au": au}[package], word), here
        for page in re.findall(r"docs/[\w/-]+\.md", here):
            assert (ROOT / page).exists(), here
        assert re.search(r"\bamr\.|\bau\.|docs/|sim\.", here), f"{name} leads nowhere"


def test_attributes_of_simulations():
    sim = gas()
    for name, here in names_elsewhere.OF_SIMULATION.items():
        with pytest.raises(AttributeError, match=f"^Simulation has no attribute '{name}'. Use "):
            getattr(sim, name)
        for code in re.findall(r"sim\.\w+(?:\.\w+)?(?:\(\"\w+\"\)|\[\"\w+\"\])?", here):
            eval(code, {"sim": sim})


@pytest.mark.parametrize("make", ARGUMENTS, ids=lambda make: make.__qualname__)
def test_arguments(make):
    of_others = ARGUMENTS[make]
    known = set(inspect.signature(make).parameters)
    of = make.__name__
    call = gas().run if make is amr.Simulation.run else make
    for name, here in of_others.items():
        assert name not in known
        with pytest.raises(TypeError, match=rf"^{of} has no argument '{name}' .*{re.escape(here)}"):
            call(**{name: 1})
        given = re.search(r"Give (\w+)(?:[=,.]| or|$)", here)
        assert given is None or given[1] in known | {"it"}, here


def test_fields():
    sim = gas()
    for name, here in names_elsewhere.FIELDS.items():
        assert sim.get(here) is not None
        with pytest.raises(au.InputError, match=f"unknown field '{name}'.*mean '{here}'"):
            sim.get(name)
    with pytest.raises(au.InputError, match=r"unknown field 'rho' to set.*mean 'density'"):
        sim.set(rho=1.0, p=1.0)


def test_boundaries():
    for name, here in names_elsewhere.BOUNDARIES.items():
        amr.Mesh(box=[(0, 1)], roots=(1,), boundary=here)
        with pytest.raises(au.InputError, match=f"boundary of Mesh along x .*mean '{here}'"):
            amr.Mesh(box=[(0, 1)], roots=(1,), boundary=name)


def test_boundaries_that_are_fixed_states():
    for name in names_elsewhere.FIXED_BOUNDARIES:
        with pytest.raises(au.InputError, match=f"boundary of Mesh along x is '{name}'.*amr.Fixed"):
            amr.Mesh(box=[(0, 1)], roots=(1,), boundary=name)


def test_the_tables_are_about_names_that_are_not_here():
    from aureole.amr.fields import NAMES
    from aureole.amr.mesh import BOUNDARIES

    assert not names_elsewhere.FIELDS.keys() & set(NAMES)
    assert not names_elsewhere.BOUNDARIES.keys() & set(BOUNDARIES)
    assert not any(hasattr(amr.Simulation, name) for name in names_elsewhere.OF_SIMULATION)
