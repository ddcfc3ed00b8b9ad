# SPDX-License-Identifier: Apache-2.0
"""Specs are pure data: frozen, picklable, equal to what their dictionary form gives back."""

from __future__ import annotations

import dataclasses
import itertools
import json
import pickle

import aureole as au
import numpy as np
import pytest
from aureole import amr
from aureole.base.engine_schema import DEFAULTS
from aureole.specs import pair as potentials
from aureole.specs.kinds import KINDS, from_dict

COURSE = au.Annealing(times=(0, 1), temperatures=(1, 2))
GROUPS = {"T": {"a": 300.0, "b": COURSE}, "tau": {"a": 0.1, "b": 0.2}}

#: Values of fields, by their names or by "Class.name"; other numbers and flags are made up.
VALUES = {
    "T": GROUPS["T"], "tau": "2 ps", "dt": 0.002, "kT": 1.5, "P": "1 bar", "r_cut": "1.1 nm",
    "times": (0.0, "3 ps"), "temperatures": (1.0, "2 K"), "Annealing.T": "5 K",
    "group": au.Type("A") - au.Tags([1]), "tolerance": 0.25, "accuracy": 0.125,
    "Freeze.group": "wall", "strength": (0.0, "1 V/nm", 2.0), "function": print,
    "types": ["A", "B"], "tags": (1, 2), "a": au.Type("A"), "b": au.Tags([0, 4]) & au.All(),
    "filter": au.Type("A") | au.Tags([1]), "path": "a.gsd", "order": 5, "grid": (20, 20, 24),
    "Energies.path": "a.csv", "Log.path": "a.dat",
    "omega": (2.0, 0.0, 1.0), "centre": (1.0, 0.0, "2 ps"), "width": (0.0, 1.5, 0.0),
    "WCA.sigma": {("A", "B"): 0.9, ("A", "A"): 1}, "mode": "shift", "axes": "xy",
    "drift_groups": ("a", "b"), "barostat": au.ParrinelloRahman(P=1, tau="2 ps"),
    "thermostat": au.NoseHoover(**GROUPS, length=3), "compressibility": "3e-5 1/bar",
    "shape": "anisotropic", "fields": ("position", "force"), "quantities": ("step", "total"),
    "particles": (0, 2), "inputs": {"conf": "a.gro"}, "notes": ("one",), "outputs": {"log": "b"},
    "NeighborList.mode": "tolerance", "buffer": "0.1 nm", "name": "cuda:1", "precision": "double",
    "Frames.precision": 100.0, "algorithm": "flat", "max_steps": 7,
    "NeighborList.every": 20, "timed_from": 20, "Progress.lines": False,
    "box": ((0.0, 1.0), (-1.0, 2.0)), "roots": (2, 3), "boundary": "outflow", "reconstruct": "ppm",
    "steps": "rk3", "cfl": 0.5, "notice": "wait", "field": "pressure", "above": 0.75, "below": 0.01,
}  # fmt: skip
FIXED = {
    (au.WCA, "tail_correction"),
    (amr.Scheme, "riemann"),
}  #: fields that have no other value than their default

#: What a field needs beside it.
BESIDE = {
    "r_switch": {"mode": "xplor"},
    "LennardJones.r_switch": {"mode": "xplor", "epsilon": 1.0, "sigma": 1.0},
    "LennardJones.epsilon": {"sigma": 1.0},
    "LennardJones.sigma": {"epsilon": 1.0},
    "LennardJones.tail_correction": {"epsilon": {("A", "A"): 1}, "sigma": 1.0},
    "Frames.velocities": {"path": "a.trr"},
    "Frames.forces": {"path": "a.trr"},
    "Frames.positions": {"path": "a.trr", "velocities": True},
    "remove_rotation": {"remove_com_every": 10},
    "buffer": {"mode": "tolerance"},
    "NeighborList.tolerance": {"mode": "tolerance"},
    "NeighborList.every": {"mode": "tolerance", "buffer": "0.1 nm"},
}


def value_of(cls, field):
    """Something for a field that is not its default."""
    for name in (f"{cls.__name__}.{field.name}", field.name):
        if name in VALUES:
            return VALUES[name]
    if isinstance(field.default, bool):
        return not field.default
    if isinstance(field.default, int):
        return field.default + 7
    return 1.25


def examples():
    """Specs of each class: with what it needs alone, and with each other field in turn."""
    for family, classes in KINDS.items():
        for cls in classes.values():
            if cls.__module__ == "aureole.jobs.input_file":  # of input files, not of Python
                continue
            fields = dataclasses.fields(cls)
            needed = {f.name: value_of(cls, f) for f in fields if is_needed(f)}
            yield family, cls(**needed)
            for f in fields:
                if not is_needed(f) and (cls, f.name) not in FIXED:
                    names = (f"{cls.__name__}.{f.name}", f.name)
                    beside = next((BESIDE[name] for name in names if name in BESIDE), {})
                    yield family, cls(**needed | beside | {f.name: value_of(cls, f)})
    yield "barostat", au.CRescale(P=(1, 2), tau=1, shape="semiisotropic", compressibility=(1e-5, 0))
    yield "force", au.LennardJones(r_cut=1.0, mode="force-switch", r_switch="0.8 nm")


def is_needed(field):
    missing = dataclasses.MISSING
    return field.default is missing and field.default_factory is missing


SPECS = list(examples())
NAMES = {"au": au, "amr": amr}


@pytest.mark.parametrize("family, spec", SPECS, ids=[type(s).__name__ for _, s in SPECS])
def test_round_trips(family, spec):
    """The text of a spec makes it, as does its dictionary form; a new class is found by itself."""
    assert eval(repr(spec), NAMES) == spec
    assert repr(eval(repr(spec), NAMES)) == repr(spec)
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert hash(spec) == hash(pickle.loads(pickle.dumps(spec)))
    if not isinstance(spec, au.Callback):  # files hold no functions
        assert from_dict(family, json.loads(json.dumps(spec.to_dict())), "here") == spec
    for field in dataclasses.fields(spec):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(spec, field.name, 1)


def test_each_example_differs_from_the_next():
    """The values above are no defaults: each field that may be given is seen in the text."""
    texts = [repr(spec) for _, spec in SPECS]
    assert len(set(texts)) == len(texts)
    for _, spec in SPECS:
        own = [text for text in texts if text.startswith(f"{spec._prefix}{type(spec).__name__}(")]
        for field in dataclasses.fields(spec):
            fixed = (type(spec), field.name) in FIXED
            assert fixed or any(f"{field.name}=" in text for text in own)


@pytest.mark.parametrize("kind", DEFAULTS)
def test_defaults_of_the_engine(kind):
    """Specs have the defaults of the settings that they become; PME has its order where no accuracy
    is asked for.
    """
    fields = {field.name: field.default for field in dataclasses.fields(getattr(au, kind))}
    if kind == "PME":
        assert fields["order"] is None
        fields["order"] = au.PME(r_cut=1.0).usual.order
    assert DEFAULTS[kind].items() <= fields.items()


def test_every_leaf_has_a_class_with_words_and_units():
    assert {"LennardJones", "WCA"} <= set(potentials.CLASSES)
    for entry in potentials.SCHEMA:
        cls = getattr(au, entry["name"])
        names = [field.name for field in dataclasses.fields(cls)]
        for parameter in entry["parameters"]:
            assert parameter["name"] in names
            assert f"{parameter['name']}: {parameter['doc']} [{parameter['unit']}]" in cls.__doc__
        assert names[-4:] == ["r_cut", "r_switch", "mode", "tail_correction"]


def test_potentials_take_keywords_only():
    with pytest.raises(TypeError):
        au.LennardJones(1.0, 1.0, 2.5)


def test_pair_table_has_no_order_and_cannot_change():
    spec = au.LennardJones(epsilon=1, sigma={("B", "A"): 1.0}, r_cut=2)
    assert spec.sigma == {("A", "B"): 1.0}
    with pytest.raises(TypeError):
        spec.sigma[("A", "A")] = 2.0


def test_wca_ends_at_its_minimum():
    _, r_cut, _ = au.WCA(
        epsilon=1.0, sigma={("A", "A"): 1.0, ("A", "B"): 2.0, ("B", "B"): 3.0}
    ).tables(("A", "B"))
    assert np.allclose(r_cut, 2 ** (1 / 6) * np.array([[1, 2], [2, 3]]), rtol=1e-15)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: au.LennardJones(epsilon="x", sigma=1, r_cut=1), "epsilon of LennardJones is 'x'"),
        (lambda: au.LennardJones(epsilon=float("nan"), sigma=1, r_cut=1), "must be finite"),
        (lambda: au.LennardJones(epsilon=1, sigma=1, r_cut=1, mode="shfit"), "mean 'shift'"),
        (lambda: au.LennardJones(epsilon=1, sigma=1, r_cut=1, mode="xplor"), "has no r_switch"),
        (
            lambda: au.LennardJones(
                epsilon=1, sigma=1, r_cut=1, mode="shift", tail_correction=True
            ),
            "plain truncation",
        ),
        (lambda: au.LennardJones(epsilon={"A": 1}, sigma=1, r_cut=1), "it must be a pair of types"),
        (lambda: au.LennardJones(epsilon={}, sigma=1, r_cut=1), "empty table"),
        (
            lambda: au.LennardJones(epsilon={("A", "B"): 1, ("B", "A"): 2}, sigma=1, r_cut=1),
            "given twice for A-B",
        ),
        (lambda: au.NVE(dt=0), "dt is 0 (it must be above 0)"),
        (lambda: au.NVE(dt=True), "it must be a number"),
        (lambda: au.NVE(dt=0.1, filter="A"), "it must be a filter"),
        (lambda: au.Langevin(dt=0.1, kT=-1), "kT is -1 (it must be at least 0)"),
        (lambda: au.Bussi(dt=0.1, kT=1, every=0), "every is 0"),
        (lambda: au.Bussi(dt=0.1, kT=1, every=1.5), "it must be a whole number"),
        (lambda: au.Trajectory("a.nc"), "Known: .xtc"),
        (lambda: au.Trajectory("a", every=0), "every of Trajectory is 0"),
        (lambda: au.Trajectory("a", fields=["positon"]), "Did you mean 'position'?"),
        (
            lambda: au.Simulation(
                au.build.lattice("sc", n=8, density=0.1),
                [],
                observers=[au.Log("a", quantities=["temprature"])],
            ),
            "Did you mean 'temperature'?",
        ),
        (lambda: au.Log(""), "it must be a file name"),
        (lambda: au.Log("/dev/stdout"), "would overwrite each other"),
        (lambda: au.Callback(3), "must be callable"),
        (lambda: au.Device(name="tpu"), "device is 'tpu'"),
        (lambda: au.Device(precision="half"), "mixed, double"),
        (lambda: au.NeighborList(mode="exakt"), "Did you mean 'exact'?"),
        (lambda: au.Tags(["a"]), "whole numbers"),
        (lambda: au.Union("A", au.All()), "both operands must be filters"),
    ],
)
def test_bad_values_say_what_why_and_what_next(make, words):
    with pytest.raises(au.InputError) as caught:
        make()
    text = str(caught.value)
    assert words in text
    assert "(" in text and ")" in text and text.rstrip().endswith((".", "?"))
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, au.Error)


def test_missing_pairs_and_unknown_types():
    spec = au.LennardJones(epsilon=1.0, sigma={("A", "A"): 1.0}, r_cut=2.5)
    with pytest.raises(au.InputError, match="no sigma for the pair A-B"):
        spec.tables(("A", "B"))
    spec = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut={("A", "A"): 2.5})
    with pytest.raises(au.InputError, match="no r_cut for the pair A-B"):
        spec.tables(("A", "B"))
    spec = au.LennardJones(epsilon=1.0, sigma={("A", "Bb"): 1.0}, r_cut=2.5)
    with pytest.raises(au.InputError, match=r"unknown type 'Bb' in sigma.*Did you mean 'BB'"):
        spec.tables(("A", "BB"))
    off = {("A", "A"): 2.5, ("A", "B"): 0, ("B", "B"): 0}
    spec = au.LennardJones(epsilon=1.0, sigma={("A", "A"): 1.0}, r_cut=off)
    assert spec.tables(("A", "B"))[1].tolist() == [[2.5, 0], [0, 0]]


class Counted(tuple):
    """A tuple that counts what is copied when it is added to another, and what looks for a name."""

    steps = 0

    def __radd__(self, other):
        Counted.steps += len(other)
        return other + tuple(self)

    def __contains__(self, name):
        Counted.steps += len(self)
        return tuple.__contains__(self, name)

    def index(self, name):
        Counted.steps += len(self)
        return tuple.index(self, name)


def test_a_table_takes_steps_in_proportion_to_its_entries(monkeypatch):
    """One of 255 types took 25 s: names of all pairs were added to one tuple, each time anew."""
    names = tuple(f"T{k}" for k in range(40))
    pairs = list(itertools.combinations_with_replacement(names, 2))
    values = {pair: 1.0 + 0.001 * k for k, pair in enumerate(pairs)}
    lj = au.LennardJones(epsilon=values, sigma=1.0, r_cut=2.5)
    plain = dict.__iter__
    monkeypatch.setattr(potentials.PairTable, "__iter__", lambda t: map(Counted, plain(t)))
    monkeypatch.setattr(Counted, "steps", 0)
    found = lj.tables(Counted(names))[0][:, :, 0]
    assert Counted.steps <= 2 * len(pairs)
    rows = {name: k for k, name in enumerate(names)}
    assert all(found[rows[a], rows[b]] == found[rows[b], rows[a]] == values[a, b] for a, b in pairs)


def test_filters_are_sets():
    types = np.array([0, 1, 0, 1], np.int32)
    names = ("A", "B")
    a, b = au.Type("A"), au.Tags([0, 1])
    assert (a | b).mask(types, names).tolist() == [True, True, True, False]
    assert (a & b).mask(types, names).tolist() == [True, False, False, False]
    assert (a - b).mask(types, names).tolist() == [False, False, True, False]
    assert au.All().mask(types, names).all()
    with pytest.raises(au.InputError, match="unknown type 'C' in a filter"):
        au.Type("C").mask(types, names)
    with pytest.raises(au.InputError, match="tag 4 in a filter does not exist"):
        au.Tags([4]).mask(types, names)


def test_fields_of_filters_are_matched():
    match au.Type("A") | au.Tags([1]):
        case au.Union(au.Type(types), au.Tags(tags)):
            assert (types, tags) == (("A",), (1,))
        case other:
            raise AssertionError(other)


def test_classes_of_users_compare_as_they_say():
    class Plain(au.observers.Observer, family=""):
        """No dataclass."""

    @dataclasses.dataclass(frozen=True, eq=False)
    class Itself(Plain, family=""):
        values: list[float]

    for one, other in ((Plain(), Plain()), (Itself([1.0]), Itself([1.0]))):
        assert one != other and len({one, other}) == 2
    assert au.NVE(dt=1) == au.NVE(dt=1.0) != au.Bussi(dt=1, kT=1, tau=1)


def test_misspelt_names_get_a_suggestion():
    with pytest.raises(AttributeError, match="Did you mean 'LennardJones'"):
        au.LenardJones  # noqa: B018
