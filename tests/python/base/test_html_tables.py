# SPDX-License-Identifier: Apache-2.0
"""Tables that notebooks show, read by Python's own parser of HTML."""

from __future__ import annotations

import pickle
from html.parser import HTMLParser

import aureole as au
import pytest
from aureole.base.html_table import html_table


class Cells(HTMLParser):
    """The caption, and the text of each row by its name; every element is closed in its turn."""

    def __init__(self, text):
        super().__init__()
        self.open, self.found, self.caption = [], [], ""
        self.feed(text)
        self.close()
        assert self.open == []
        names, values = self.found[::2], self.found[1::2]
        self.rows = dict(zip(names, values, strict=True))

    def handle_starttag(self, tag, attrs):
        if tag == "br":
            self.found[-1] += "\n"
            return
        self.open.append(tag)
        if tag in ("th", "td"):
            self.found.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] in (["th"], ["td"]):
            self.found[-1] += data.replace("\u00a0", " ")
        elif self.open[-1:] == ["caption"]:
            self.caption += data


def cells(thing):
    return Cells(thing._repr_html_())


@pytest.fixture(scope="module")
def sim():
    forces = [au.LennardJones(r_cut=0.6), au.ReactionField(r_cut="0.6 nm", epsilon_rf=78)]
    dynamics = au.LeapFrog(dt="2 fs", thermostat=au.VRescale(T="300 K", tau="0.5 ps"))
    writing = [au.Energies("a<b>&.csv", every=10)]
    return au.Simulation(au.build.water(100).system(), forces, dynamics, writing, threads=1, step=5)


def test_a_simulation(sim):
    found = cells(sim)
    assert found.caption == "Simulation"
    assert found.rows["particles"] == "300" and found.rows["step"] == "5"
    assert found.rows["time"] == "0.01 ps"
    assert found.rows["forces"].splitlines() == [*map(repr, sim.forces)]
    assert found.rows["integrator"] == repr(sim.integrator)
    assert found.rows["observers"] == "au.Energies(path='a<b>&.csv', every=10)"
    assert "<b>" not in sim._repr_html_()


def test_energies(sim):
    found = cells(sim.energy)
    assert found.caption == "Energy [kJ/mol]"
    for name, value in sim.energy.per_force.items():
        assert float(found.rows[name].replace(",", "")) == pytest.approx(value, rel=1e-5)
    total = float(found.rows["total"].replace(",", ""))
    assert total == pytest.approx(sim.energy.potential + sim.energy.kinetic, rel=1e-5)
    reduced = au.Simulation(au.build.lattice("fcc", n=32, density=0.5), [], threads=1)
    assert cells(reduced.energy).caption == "Energy"


def test_a_description(sim):
    found = cells(sim.describe())
    assert found.caption.startswith("300 particles in a box of ")
    for name in ("forces", "constraints", "integrator", "observers"):
        block = str(sim.describe()).split(f"\n{name}\n")[1].split("\n")
        assert found.rows[name].splitlines()[0] == block[0].strip()
    (steps,) = (value for name, value in found.rows.items() if name.startswith("Each step"))
    assert "kick and drift" in steps and len(steps.splitlines()) > 4
    again = pickle.loads(pickle.dumps(sim.describe()))
    assert again._repr_html_() == sim.describe()._repr_html_()


def test_a_system():
    system = au.build.lattice(
        "fcc", n=32, density=0.5, type=[0] * 30 + [1] * 2, type_names=["A", "<i>B</i>"]
    )
    found = cells(system)
    assert found.rows["kinds"].splitlines() == ["30 A", "2 <i>B</i>"]
    assert found.rows["particles"] == "32" and found.rows["density"] == "0.5"
    assert cells(au.build.water(20).system()).rows["kinds"] == "20 SOL"


def test_what_a_terminal_would_obey_is_shown():
    assert "\x1b" not in html_table("a\x1b[2J", [("b\x1b", "c\u202e")])
