# SPDX-License-Identifier: Apache-2.0
"""Input files are the specs in TOML: same names, same words when something is wrong."""

from __future__ import annotations

from pathlib import Path

import aureole as au
import pytest
from aureole.jobs import input_file
from aureole.specs.kinds import from_dict
from inputs import TOML

GOOD = TOML


def load(text):
    with open("in.toml", "w") as file:
        file.write(text)
    return input_file.load("in.toml")


def test_all_of_it(here):
    plan = load(GOOD + "[minimize]\nforce_tolerance = 0.5\nmax_steps = 50\n")
    assert plan.steps == 100 and plan.thermalize == 1.2
    assert plan.minimize == au.FIRE(force_tolerance=0.5, max_steps=50)
    assert plan.observers == [au.Log("a.csv", every=10)]
    sim = plan.simulation()
    table = {("A", "A"): 1.0, ("A", "B"): 1.5, ("B", "B"): 0.5}
    assert sim.forces == (au.LennardJones(epsilon=table, sigma=1.0, r_cut=2.0, mode="shift"),)
    assert sim.integrator == au.Langevin(dt=0.005, kT=1.0, filter=au.Type("A"))
    assert sim.device == au.Device(name="host", threads=1)
    assert sim.n == 108 and sim.type_names == ("A", "B")
    assert abs(sim.temperature - 1.2) < 1e-9


def test_other_sources(here):
    text = GOOD.replace('kind = "lattice"\nlattice = "fcc"', 'kind = "random"\nmin_distance = 0.7')
    assert load(text).simulation().n == 108
    au.write("start.gsd", au.build.lattice("sc", n=125, density=0.5, type_names=("A", "B")))
    begin, end = text.index("[system]"), text.index("[[forces]]")
    text = text[:begin] + '[system]\nkind = "read"\npath = "start.gsd"\n' + text[end:]
    assert load(text).simulation().n == 125


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("steps = 100", "", "the input has no 'steps'"),
        ("steps = 100", "stesp = 100", "unknown key 'stesp' in the input file"),
        ("steps = 100", "stesp = 100", "Did you mean 'steps'?"),
        ("steps = 100", "steps = 1.5", "steps is 1.5 (it must be a whole number)"),
        ("steps = 100", "steps = ", "is not valid TOML (Invalid value (at line 1, column 9))"),
        ("seed = 1", "seed = 'x'", "seed is 'x'"),
        ("sigma = 1.0", "", "LennardJones lacks 'sigma'"),
        ("sigma = 1.0", "sigm = 1.0", "unknown key 'sigm' in forces[0]"),
        ('"LennardJones"', '"LenardJones"', "Did you mean 'LennardJones'?"),
        ('"Langevin"', '"langevin"', "Did you mean 'Langevin'?"),
        ('kind = "Langevin"\n', "", "integrator has no 'kind'"),
        ("kT = 1.0", "kT = nan", "kT is nan (it must be finite)"),
        ("every = 10", "every = 0", "every of Log is 0"),
        ('kind = "Log"', 'kind = "Callback"', "observers[0] is a Callback"),
        ("[[observers]]", "[observers]", "observers is not a list"),
        ('mode = "exact"', 'mode = "exat"', "Did you mean 'exact'?"),
        ('name = "host"', 'nme = "host"', "unknown key 'nme' in device"),
        ('"A,B" = 1.5', '"AB" = 1.5', "it must be a pair of types"),
        ('types = ["A"]', "types = 3", "types of the filter Type is 3"),
    ],
)
def test_refusals(here, old, new, words):
    assert old in GOOD
    with pytest.raises(au.Error) as caught:
        load(GOOD.replace(old, new, 1))
    assert "in.toml" in str(caught.value) and words in str(caught.value)


@pytest.mark.parametrize(
    "old, new, words",
    [
        ('"B,B" = 0.5', '"B,C" = 0.5', "unknown type 'C'"),
        (', "B,B" = 0.5', "", "no epsilon for the pair B-B"),
        ("r_cut = 2.0", "r_cut = 4.0", "exceeds half the box"),
        ('lattice = "fcc"', 'lattice = "fc"', "Did you mean 'fcc'?"),
        ("n = 108", "n = 1000000000000", "GiB"),
        ('["A"]', '["C"]', "unknown type 'C' in a filter"),
        ("B = 0.5 }", 'B = "x" }', "share of B is 'x'"),
    ],
)
def test_refusals_of_the_whole(here, old, new, words):
    assert old in GOOD
    with pytest.raises(au.InputError) as caught:
        load(GOOD.replace(old, new, 1)).simulation()
    assert words in str(caught.value)


def test_a_wrong_file(here):
    with pytest.raises(au.FileError, match=r"none\.toml: cannot be read"):
        input_file.load("none.toml")
    Path("in.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(au.FileError, match="not valid TOML"):
        input_file.load("in.toml")
    Path("in.toml").write_text("a = " + "[" * 100_000)
    with pytest.raises(au.FileError, match=r"TOML|nested"):
        input_file.load("in.toml")


def test_axes_of_a_random_start():
    made = from_dict("system", {"kind": "random", "n": 9, "box": [5, 5, 5], "periodic": "ppf"}, "")
    assert made.make().box == au.Box(5, 5, 5, periodic=(True, True, False))
