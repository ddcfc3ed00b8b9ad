# SPDX-License-Identifier: Apache-2.0
"""Each property fails where a fault is put in, and names it; without one it says nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import beside_gromacs
import conservation
import derivatives
import lists
import numpy as np
import on_ranks
import particle_properties
import pytest
import restart
import temperatures
from aureole import Simulation
from aureole.system import degrees_of_freedom as freedom
from built import Built
from files import box
from particles import ParticleRecipe, Particles
from properties import examine
from recipe import Recipe
from shrink import fails_by, shrunk, without_numbers

RUN = {"integrator": "md", "dt": "0.001"}
CUTS = {"rcoulomb": "0.6", "rvdw": "0.6"}
SALT = Recipe(
    5,
    (("soft water", 12), ("site:3out", 2), ("ion+", 1), ("ion-", 1)),
    (1.9, 2.0, 2.1, 0, 0, 0, 0, 0, 0),
    (3, 3, 3),
    features={
        "run": RUN,
        "cut-offs": CUTS,
        "charges": {"coulombtype": "Reaction-Field", "epsilon-rf": "0"},
        "drift": {"comm-mode": "None"},
        "output": {"nstxout": "5", "nstenergy": "5"},
    },
)
RIGID = replace(SALT, molecules=(("water", 20), ("tip4p", 4)))
LIQUID = ParticleRecipe(
    *(7, 100, 0.6),
    forces=[
        {"kind": "LennardJones", "epsilon": 1.0, "sigma": 1.0, "r_cut": 2.3, "mode": "shift"},
    ],
)
#: Of which each grid of ranks has room.
SHORT = replace(LIQUID, forces=[LIQUID.forces[0] | {"r_cut": 2.0}])


class Altered:
    """A simulation of which some answers are false."""

    def __init__(self, sim, **answers):
        self._sim, self._answers = sim, answers

    def __getattr__(self, name):
        answer = self._answers.get(name)
        return answer(self._sim) if answer else getattr(self._sim, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._sim.close()


def getting(column, change):
    """A false `get`."""

    def answer(sim):
        def get(name, *rest):
            found = np.array(sim.get(name, *rest), dtype=float)
            return change(found) if name == column else found

        return get

    return answer


def nudged(array, by, row=3):
    array[row, 0] += by
    return array


def alter(monkeypatch, owner, when=lambda options: True, **answers):
    """Simulations of a class of jobs give false answers."""
    honest = owner.simulation

    def simulation(self, **options):
        sim = honest(self, **options)
        return Altered(sim, **answers) if when(options) else sim

    monkeypatch.setattr(owner, "simulation", simulation)


FALSE = {
    "a force scaled by 1 + 1e-6": (
        derivatives.check,
        {"get": getting("force", lambda f: f * (1 + 1e-6))},
        "forces: -dE",
    ),
    "a virial scaled by 1 + 1e-5": (
        derivatives.check,
        {"virial": lambda sim: sim.virial * (1 + 1e-5)},
        "virial: -dE",
    ),
    "a force too much": (
        conservation.check,
        {"get": getting("force", lambda f: nudged(f, 1e-4))},
        "forces add up",
    ),
    "energy that grows": (
        conservation.check,
        {"conserved": lambda sim: sim.conserved + 2.0 * sim.step},
        "conserved energy moved",
    ),
    "momentum that grows": (
        conservation.check,
        {"momentum": lambda sim: sim.momentum + 1e-6 * sim.step},
        "momentum changed",
    ),
}


@pytest.mark.parametrize("fault", FALSE)
def test_molecules(fault, tmp_path, monkeypatch):
    check, answers, words = FALSE[fault]
    built = Built(SALT, tmp_path)
    assert not list(check(built))
    alter(monkeypatch, Built, **answers)
    assert words in " ".join(check(built))


def test_constraints_off_their_lengths(tmp_path, monkeypatch):
    built = Built(RIGID, tmp_path)
    assert not list(conservation.check(built))
    alter(monkeypatch, Built, get=getting("position", lambda x: nudged(x, 3e-5)))
    assert "off by" in " ".join(conservation.check(built))


def test_frozen_particles_that_move(tmp_path, monkeypatch):
    recipe = replace(SALT, molecules=(("site:3", 8), ("ion+", 1), ("ion-", 1)))
    cold = {"freezegrps": "Cold", "freezedim": "Y Y Y"}
    built = Built(replace(recipe, features={**SALT.features, "frozen": cold}), tmp_path)
    monkeypatch.setattr(conservation, "frozen_axes", lambda case: np.ones((case.system.n, 3), bool))
    assert "frozen particles moved" in " ".join(conservation.check(built))


def test_degrees_of_freedom_that_are_shared_by_particles(tmp_path, monkeypatch):
    halves = {"tc-grps": "First Rest", "tau-t": "1 1", "ref-t": "300 300", "tcoupl": "v-rescale"}
    more = {
        "thermostat": halves,
        "drift": {"comm-mode": "Linear"},
        "frozen": {"freezegrps": "Cold", "freezedim": "Y Y Y"},
    }
    built = Built(replace(RIGID, features={**SALT.features, **more}), tmp_path)
    assert not list(temperatures.check(built))
    honest = freedom.degrees_of_freedom

    def shared(*arguments):
        found = honest(*arguments)
        return found.sum() * np.bincount(arguments[2], minlength=len(found)) / len(arguments[2])

    monkeypatch.setattr(freedom, "degrees_of_freedom", shared)
    said = " ".join(temperatures.check(built))
    assert "degrees of freedom" in said and "temperatures of groups" in said
    monkeypatch.setattr(freedom, "degrees_of_freedom", lambda *a: honest(*a) * 0.5)
    assert "; temperature " in "; ".join(temperatures.check(built))


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("algorithm", "flat", "flat lists beside"),
        ("threads", 3, "on 3 threads beside"),
        ("precision", "mixed", "mixed precision beside"),
    ],
)
@pytest.mark.parametrize("kind", [Built, Particles])
def test_ways_of_computing(kind, option, value, words, tmp_path, monkeypatch):
    job = kind(SALT if kind is Built else LIQUID, tmp_path)
    check = lists.check if kind is Built else particle_properties.lists
    assert not list(check(job))
    change = getting("force", lambda f: f * (1.001 if value == "mixed" else 1 + 1e-8))
    alter(monkeypatch, kind, lambda options: options.get(option) == value, get=change)
    assert (words if kind is Built else str(value)) in " ".join(check(job))


def _many(options):
    device = options.get("device")
    return device is not None and device.ranks > 1


@pytest.mark.parametrize("kind", [Built, Particles])
def test_ranks(kind, tmp_path, monkeypatch):
    job = kind(SALT if kind is Built else SHORT, tmp_path)
    assert not list(on_ranks.check(job))
    change = getting("force", lambda f: f * (1 + 1e-8))
    alter(monkeypatch, kind, _many, get=change)
    found = " ".join(on_ranks.check(job))
    assert "ranks beside one" in found
    assert ("ranks after steps" in found) == (kind is Particles)  # with exact lists alone
    assert "ranks, restarted" not in found


@pytest.mark.parametrize("column", ["velocity", "position"])
@pytest.mark.parametrize("kind", [Built, Particles])
def test_restarts_that_lose_a_bit(kind, column, tmp_path, monkeypatch):
    job = kind(SALT if kind is Built else LIQUID, tmp_path)
    owner = Simulation
    check = restart._in_python if kind is Built else particle_properties.restart
    assert not list(check(job))
    honest = owner.from_checkpoint

    def changed(*given, **options):
        sim = honest(*given, **options)
        values = sim.get(column)
        values[4, 1] = np.nextafter(values[4, 1], np.inf)
        sim.set(column, values)
        return sim

    monkeypatch.setattr(owner, "from_checkpoint", changed)
    assert f"{column} differ" in " ".join(check(job))


@pytest.mark.parametrize("kind", [Built, Particles])
def test_ranks_that_restart_elsewhere(kind, tmp_path, monkeypatch):
    job = kind(SALT if kind is Built else SHORT, tmp_path)
    honest = Simulation.from_checkpoint

    def changed(*given, **options):
        sim = honest(*given, **options)
        if _many(options):
            sim.set("position", nudged(sim.get("position"), 1e-6))
        return sim

    monkeypatch.setattr(Simulation, "from_checkpoint", changed)
    assert "ranks, restarted" in " ".join(on_ranks.check(job))


@pytest.mark.parametrize("name", ["traj.trr", "ener.csv", "confout.gro"])
def test_restarts_of_mdrun_that_lose_a_bit(name, tmp_path, monkeypatch):
    built = Built(SALT, tmp_path)
    assert not list(restart._by_command(built))
    honest = restart.mdrun

    def changed(job, folder, *more):
        said = honest(job, folder, *more)
        if "-cpi" in more:
            data = bytearray((folder / name).read_bytes())
            data[-5] ^= 1
            (folder / name).write_bytes(bytes(data))
        return said

    monkeypatch.setattr(restart, "mdrun", changed)
    assert f"{name} differs" in " ".join(restart._by_command(built))


def _as_if(built, change):
    """What GROMACS would say if it were this engine, but for a change."""
    with built.simulation(precision="double", threads=1) as sim:
        energies = dict(sim.energy.per_force)
        names = {ours: beside_gromacs.TERMS[ours][0] for ours in energies}
        energy = {names[name]: value for name, value in energies.items()}
        energy |= {"Potential": sim.energy.potential, "Kinetic-En.": sim.energy.kinetic}
        energy |= {"Temperature": sim.temperature, "Pressure": sim.pressure}
        found = {"energy": energy, "f": sim.get("force"), "x": built.job.coordinates.position}
    return change(found)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Bond", "harmonic_bond is"),
        ("LJ-(SR)", "pair energies"),
        ("Potential", "potential is"),
        ("Kinetic-En.", "kinetic energy"),
        ("Temperature", "temperature"),
        ("Pressure", "pressure"),
        ("f", "forces differ"),
    ],
)
def test_gromacs_differs(name, words, tmp_path, monkeypatch):
    built = Built(SALT, tmp_path)

    def change(found):
        if name == "f":
            found["f"] = found["f"] * (1 + 1e-5)
        else:
            found["energy"][name] += 0.01
        return found

    monkeypatch.setattr(beside_gromacs, "_gromacs", partial(_as_if, change=lambda found: found))
    assert not list(beside_gromacs.check(built))
    monkeypatch.setattr(beside_gromacs, "_gromacs", partial(_as_if, change=change))
    assert words in " ".join(beside_gromacs.check(built))


@pytest.mark.parametrize(
    ("answers", "check", "words"),
    [
        (
            {"get": getting("force", lambda f: f * (1 + 1e-6))},
            particle_properties.derivatives,
            "forces: -dE",
        ),
        (
            {"virial": lambda sim: sim.virial * (1 + 1e-5)},
            particle_properties.derivatives,
            "virial: -dE",
        ),
        (
            {"get": getting("force", lambda f: nudged(f, 1e-4))},
            particle_properties.conservation,
            "forces add up",
        ),
        (
            {"momentum": lambda sim: sim.momentum + 1e-6 * sim.step},
            particle_properties.conservation,
            "momentum changed",
        ),
    ],
)
def test_particles(answers, check, words, tmp_path, monkeypatch):
    job = Particles(LIQUID, tmp_path)
    assert not list(check(job))
    alter(monkeypatch, Particles, **answers)
    assert words in " ".join(check(job))


def test_a_failure_is_made_small(tmp_path, monkeypatch):
    """A fault of reaction fields alone: all else goes."""
    alter(monkeypatch, Built, get=getting("force", lambda f: f * (1 + 1e-5)))
    fails = fails_by("derivatives", "forces: -dE = 1.5 along a direction, F d = 2 of 3e+04")
    assert fails(SALT)
    small = shrunk(SALT, fails, 20.0)
    assert sum(count for _, count in small.molecules) <= 2
    assert set(small.features) == {"run", "cut-offs"}
    assert examine(0, small, tmp_path, ("derivatives",)).failures
    assert {"conf.gro", "topol.top", "grompp.mdp", "run.sh"} <= {p.name for p in tmp_path.iterdir()}
    assert box(small).shape == (3, 3)


def test_a_failure_of_another_kind_is_no_smaller_one(tmp_path, monkeypatch):
    """Wrong forces do not stand for a wrong virial, nor for lists that differ."""
    alter(monkeypatch, Built, get=getting("force", lambda f: f * (1 + 1e-5)))
    words = [text for _, text in examine(0, SALT, tmp_path, ("derivatives",)).failures]
    assert words
    assert not fails_by("derivatives", "virial: -dE = 1 by a strain, virial 2 of 3")(SALT)
    assert not fails_by("lists", words[0])(SALT)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("pressure 2406.7, in GROMACS -4e-05 bar", "pressure nan, in GROMACS 1 bar", True),
        ("row 65: [-9.6  7.1] and [1 2]", "row 3: [ 1.0 -2.0] and [3 4]", True),
        ("pair energies {'vdw': 1.0} add up to 2", "pair energies {} add up to -1e+3", True),
        ("Traceback\n  line 3\nValueError: no 3", "Traceback\n  line 9\nValueError: no 4", True),
        ("forces differ by 1e-3", "pressure differs by 1e-3", False),
        ("field x is 1", "field y is 1", False),
    ],
)
def test_messages_without_numbers(one, other, same):
    assert (without_numbers(one) == without_numbers(other)) == same
