# SPDX-License-Identifier: Apache-2.0
"""Specs are pure data: frozen, picklable, equal to what their dictionary form gives back."""

from __future__ import annotations

import dataclasses
import json
import pickle

import aureole as au
import numpy as np
import pytest
from aureole import potentials
from aureole.spec import from_dict

SPECS = [
    ("force", au.LennardJones(epsilon=1.0, sigma={("A", "B"): 0.9, ("A", "A"): 1}, r_cut=2.5)),
    ("force", au.LennardJones(epsilon=1, sigma=1, r_cut=2.5, mode="xplor", r_switch=2.0)),
    ("force", au.WCA(epsilon=1.0, sigma=1.0)),
    ("integrator", au.NVE(dt=0.005)),
    ("integrator", au.NVE(dt=0.005, filter=au.Type("A") - (au.Tags([1]) | au.All()))),
    ("integrator", au.Langevin(dt=0.005, kT=1.2, gamma=0.5, remove_com_every=10)),
    ("integrator", au.Bussi(dt=0.005, kT=1.2, tau=0.3, every=5)),
    ("minimizer", au.FIRE(force_tolerance=0.1)),
    ("list", au.NeighborList(mode="tolerance", tolerance=0.001)),
    ("device", au.Device(name="cuda", precision="double", threads=2)),
    ("observer", au.Trajectory("a.gsd", every=10, fields=["position", "force"])),
    ("observer", au.Log("a.csv", every=10, quantities=["step", "total"])),
    ("observer", au.Checkpoint("a.ckpt", every=10)),
    ("observer", au.Progress()),
    ("filter", au.Type(["A", "B"]) & au.Tags([1, 2])),
]


@pytest.mark.parametrize("family, spec", SPECS, ids=lambda value: getattr(value, "kind", None))
def test_round_trips(family, spec):
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert from_dict(family, json.loads(json.dumps(spec.to_dict())), "here") == spec
    assert hash(spec) == hash(pickle.loads(pickle.dumps(spec)))
    name = dataclasses.fields(spec)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(spec, name, 1)
    assert type(spec).__name__ in repr(spec)


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
            "plainly truncated",
        ),
        (lambda: au.LennardJones(epsilon={"A": 1}, sigma=1, r_cut=1), "a pair of types is needed"),
        (lambda: au.LennardJones(epsilon={}, sigma=1, r_cut=1), "empty table"),
        (
            lambda: au.LennardJones(epsilon={("A", "B"): 1, ("B", "A"): 2}, sigma=1, r_cut=1),
            "given twice for A-B",
        ),
        (lambda: au.NVE(dt=0), "dt is 0 (it must be above 0)"),
        (lambda: au.NVE(dt=True), "a number is needed"),
        (lambda: au.NVE(dt=0.1, filter="A"), "it must be a filter"),
        (lambda: au.Langevin(dt=0.1, kT=-1), "kT is -1 (it must be at least 0)"),
        (lambda: au.Bussi(dt=0.1, kT=1, every=0), "every is 0"),
        (lambda: au.Bussi(dt=0.1, kT=1, every=1.5), "a whole number is needed"),
        (lambda: au.Trajectory("a", every=0), "every of Trajectory is 0"),
        (lambda: au.Trajectory("a", fields=["positon"]), "Did you mean 'position'?"),
        (lambda: au.Log("a", quantities=["temprature"]), "Did you mean 'temperature'?"),
        (lambda: au.Log(""), "a file name is needed"),
        (lambda: au.Callback(3), "must be callable"),
        (lambda: au.Device(name="tpu"), "device is 'tpu'"),
        (lambda: au.Device(precision="half"), "mixed, double"),
        (lambda: au.NeighborList(mode="exakt"), "Did you mean 'exact'?"),
        (lambda: au.Tags(["a"]), "whole numbers"),
        (lambda: au.Union("A", au.All()), "both sides must be filters"),
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


def test_misspelt_names_get_a_suggestion():
    with pytest.raises(AttributeError, match="Did you mean 'LennardJones'"):
        au.LenardJones  # noqa: B018
