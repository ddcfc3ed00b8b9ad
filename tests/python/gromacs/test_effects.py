# SPDX-License-Identifier: Apache-2.0
"""Options of .mdp files change what GROMACS changes, as stored in tests/data/effects.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aureole import Device, Simulation
from aureole.base.errors import InputError
from aureole.gromacs.mdp.options.table import (
    Option,
    find,
    normal,
    obsolete_lines,
    options,
    renamed_lines,
)
from aureole.gromacs.mdp.read import read_mdp
from effect_jobs import BOX, JOBS
from effect_runs import PLAIN_STEPS, gromacs_numbers, moved, our_numbers, simulation
from effect_table import CASES, OWN, PRESS, SAME_AS, WARM, lacking, run_name, runs
from gmx_tool import gromacs

ROOT = Path(__file__).resolve().parents[3]
STORED = json.loads((ROOT / "tests" / "data" / "effects.json").read_text())["runs"]


def differences(found: dict[str, Any], wanted: dict[str, Any]) -> dict[str, float]:
    """Of each kind of number, in parts of its size."""
    assert found.keys() == wanted.keys()
    differ = {}
    for kind, theirs in wanted.items():
        ours = found[kind]
        if kind == "energy":
            names = {name for name in {**ours, **theirs} if ours.get(name) or theirs.get(name)}
            ours, theirs = ([of.get(name, 0.0) for name in names] for of in (ours, theirs))
        a, b = np.atleast_1d(ours).astype(float), np.atleast_1d(theirs).astype(float)
        differ[kind] = float(np.abs(a - b).max() / (np.abs(b).max() or 1.0))
    return differ


STEPS = [case for case in CASES if not case.change]
CHANGES = [case for case in CASES if case.change]


def named(case):
    return f"{case.option} = {case.value}: {case.name}"


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
@pytest.mark.parametrize("case", STEPS, ids=named)
def test_as_gromacs(case, algorithm, tmp_path):
    device = Device(name="host", algorithm=algorithm)
    found = our_numbers(tmp_path, case.job, case.options, device)
    worst = differences(found, STORED[case.name])
    assert all(gap <= case.tolerance(kind) for kind, gap in worst.items()), worst


@pytest.mark.parametrize("case", STEPS, ids=named)
def test_the_case_shows_the_option(case):
    """A case whose numbers would be the same without the option shows nothing."""
    without = STORED[run_name(case.job, case.without)]
    numbers = STORED[case.name]
    both = without.keys() & numbers.keys()  # of minimisation there are fewer
    change = differences({k: without[k] for k in both}, {k: numbers[k] for k in both})
    seen = max(gap / case.tolerance(kind) for kind, gap in change.items())
    assert (seen > 100) != bool(case.same), change


SAME = [case for case in CASES if case.same]


@pytest.mark.parametrize("case", SAME, ids=named)
def test_an_option_that_changes_no_number_is_shown_otherwise(case):
    """By a test that measures something else, by another case, or there is nothing to choose."""
    shown = {name.split(" = ")[0] for name in OWN}
    shown |= {other.option for other in CASES if not other.same}
    values = [one for one in options()[case.option].values if one.support == "honoured"]
    assert case.option in shown or [normal(one.name) for one in values] == [normal(case.value)]


def pressed(options):
    return options.get("pcoupl", "No") != "No"


@pytest.mark.parametrize("case", CHANGES, ids=named)
def test_the_same_change_as_with_gromacs(case, tmp_path):
    """Where steps are not those of GROMACS, what an option changes is."""
    both = (case.options, case.without)
    kind = "box" if any(map(pressed, both)) else "velocity"
    ours = [our_numbers(tmp_path, case.job, one)[kind] for one in both]
    theirs = [STORED[run_name(case.job, one)][kind] for one in both]
    found, wanted = (np.subtract(*of) for of in (ours, theirs))
    assert np.abs(wanted).max() > 1e-6 * np.abs(theirs[0]).max()
    assert np.abs(found - wanted).max() <= case.change * np.abs(wanted).max()


def as_stored(name, folder, monkeypatch):
    monkeypatch.setenv(PLAIN_STEPS, "1")
    job, options = runs()[name]
    worst = differences(gromacs_numbers(gromacs(folder, double=True), job, options), STORED[name])
    # Runs of GROMACS with a mesh were seen to differ by 1e-7 from each other.
    assert max(worst.values()) < 1e-6, (name, worst)


FEW = [CASES[k].name for k in range(0, len(CASES), 20)]


@pytest.mark.parametrize("name", FEW)
def test_stored_numbers_are_those_of_gromacs(name, tmp_path, monkeypatch):
    as_stored(name, tmp_path, monkeypatch)


@pytest.mark.validate
def test_all_stored_numbers_are_those_of_gromacs(tmp_path, monkeypatch):
    assert STORED.keys() == runs().keys()
    for name in STORED:
        as_stored(name, tmp_path, monkeypatch)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-7, 1e-10])
@pytest.mark.parametrize("integrator", ["md", "md-vv"])
@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_shake_tol_is_met(tolerance, integrator, algorithm, tmp_path):
    job = JOBS["chains"]
    options = {"constraints": "all-bonds", "constraint-algorithm": "SHAKE"}
    job.write(tmp_path, options | {"shake-tol": str(tolerance), "integrator": integrator})
    with simulation(tmp_path, Device(name="host", algorithm=algorithm)) as sim:
        sim.run(10)
        at, v = (sim.get(name).reshape(12, 5, 3) for name in ("position", "velocity"))
    bonds = moved(at[:, :-1], at[:, 1:], np.diag(BOX))
    lengths = np.linalg.norm(bonds, axis=2)
    assert np.abs(lengths / [0.109, 0.152, 0.152, 0.109] - 1).max() <= tolerance
    if integrator == "md-vv":  # whose velocities are those of the positions
        rates = (bonds * np.diff(v, axis=1)).sum(axis=2) / lengths**2
        assert np.abs(rates).max() * 0.001 <= tolerance


def test_a_shake_tol_below_rounding_is_refused(tmp_path):
    JOBS["chains"].write(
        tmp_path,
        {"constraints": "all-bonds", "constraint-algorithm": "SHAKE", "shake-tol": "1e-16"},
    )
    with pytest.raises(AssertionError, match=r"A603.*shake-tol = 1e-16"):
        simulation(tmp_path)


@pytest.mark.parametrize(
    "options",
    [
        {"comm-mode": "Linear", "comm-grps": "Left Right", "nstcomm": "1"},
        {"constraints": "all-bonds", "constraint-algorithm": "SHAKE", "shake-tol": "1e-9"},
        {"electric-field-x": "0.8 300 0 0", "tinit": "0.7"},
    ],
    ids=["groups of drift", "shake-tol", "tinit"],
)
def test_a_restart_goes_on_to_the_bit(options, tmp_path):
    JOBS["chains"].write(tmp_path, options)
    with simulation(tmp_path) as sim:
        sim.run(5)
        sim.write_checkpoint(tmp_path / "a.cpt")
        sim.run(5)
        wanted = [sim.get(name) for name in ("position", "velocity", "force")]
    with Simulation.from_checkpoint(tmp_path / "a.cpt", threads=1) as sim:
        sim.run(5)
        found = [sim.get(name) for name in ("position", "velocity", "force")]
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def other(option: Option) -> str:
    """A value that an option does not have by itself."""
    if option.kind == "enum":
        return next(v.name for v in option.values if normal(v.name) != normal(option.default))
    if option.kind == "bool":
        return "no" if option.default == "yes" else "yes"
    if option.kind == "int":
        return str(int(option.default or 0) + 7)
    if option.kind == "real":
        return str(float(option.default or 0) + 0.3)
    if option.kind in ("reals", "ints"):
        return " ".join(["3"] * max(1, len(option.default.split())))
    return "Y N N" if option.kind == "bools" else "System"


def bits(folder, job, options):
    """All that a few steps come to."""
    JOBS[job].write(folder, options)
    with simulation(folder) as sim:
        sim.run(3)
        columns = [sim.get(name) for name in ("position", "velocity", "force")]
        return [*columns, np.array([sim.energy.total, sim.pressure])]


def same_bits(one, two):
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a, b)


OPTIONS = list(options().values())
HONOURED = [one for one in OPTIONS if one.support == "honoured"]


@pytest.mark.parametrize("option", HONOURED, ids=lambda option: option.name)
def test_no_honoured_option_is_without_evidence(option):
    values = tuple(value.name for value in option.values if value.support == "honoured")
    assert not lacking(option.name, option.default, values)
    for name, test in OWN.items():
        path, function = test.split("::")
        assert f"def {function}(" in (ROOT / "tests" / "python" / path).read_text(), name


def test_the_table_names_options():
    known = {one.name for one in HONOURED}
    assert {one.option for one in CASES} | {name.split(" = ")[0] for name in OWN} <= known


def test_options_without_effect_change_no_bit(tmp_path):
    base = bits(tmp_path, "chains", {})
    for option in OPTIONS:
        if option.support == "no effect":
            same_bits(bits(tmp_path, "chains", {option.name: other(option)}), base)


@pytest.mark.parametrize("name", SAME_AS)
def test_values_that_are_read_as_others(name, tmp_path):
    option, value = name.split(" = ")
    more = {"tcoupl": WARM, "pcoupl": PRESS | WARM | {"tcoupl": "Berendsen"}}.get(option, {})
    more = more | ({"rvdw-switch": "0.6"} if option == "vdwtype" else {})
    one, two = (
        bits(tmp_path, "chains", more | chosen) for chosen in ({option: value}, SAME_AS[name])
    )
    same_bits(one, two)
    assert any((a != b).any() for a, b in zip(one, bits(tmp_path, "chains", {}), strict=True)) or (
        option == "coulombtype"  # which is how the job is
    )


def test_every_value_that_is_read_as_another_is_known():
    found = {f"{o.name} = {v.name}" for o in OPTIONS for v in o.values if v.support == "no effect"}
    assert found - set(SAME_AS) <= {"coulombtype = Generalized-Reaction-Field"} - found


def settings(text, here):
    """Options as they are used, and how many notes there are."""
    thermostat = "tc-grps = System\ntau-t = 1\nref-t = 300\n"
    (here / "a.mdp").write_text(f"{thermostat}{text}\n")
    read = read_mdp(here / "a.mdp")
    return dict(read.values), len(read.notes)


def test_aliases_old_names_and_what_is_left_out(tmp_path):
    plain, _ = settings("", tmp_path)
    for option in OPTIONS:
        for value in option.values:
            if value.support == "alias" and option.value(value.words).support == "honoured":
                found = settings(f"{option.name} = {value.name}", tmp_path)[0]
                assert found == settings(f"{option.name} = {value.words}", tmp_path)[0]
        if option.parent:
            name = option.name.replace("#", "1")
            assert settings(f"{name} = {other(option)}", tmp_path)[0] == plain, name
    for names, _ in obsolete_lines():
        for name in names:
            assert settings(f"{name} = 1", tmp_path) == (plain, 1), name
    for old, new in renamed_lines():
        option = find(new)
        if option is not None and option.support != "refused" and not option.parent:
            value = other(option)
            found = settings(f"{old} = {value}", tmp_path)[0]
            assert found == settings(f"{new} = {value}", tmp_path)[0] != plain, old


def refused():
    """Each option and value that is refused, as a line."""
    for option in OPTIONS:
        if option.support == "refused" and not option.parent and option.kind != "enum":
            yield option.name.replace("#", "1"), other(option)
        for value in option.values:
            if value.support == "refused" and not option.parent:
                yield option.name, value.name


@pytest.mark.parametrize(("name", "value"), list(refused()), ids=" = ".join)
def test_what_is_refused_is_refused_by_name(name, value, tmp_path):
    (tmp_path / "a.mdp").write_text(f"; a comment\n{name} = {value}\n")
    with pytest.raises(InputError) as caught:
        read_mdp(tmp_path / "a.mdp")
    words = str(caught.value)
    assert f"a.mdp:2: {name} = {value!r} is not supported (" in words
    assert "). Instead: " in words or "). Use a program that supports it" in words
