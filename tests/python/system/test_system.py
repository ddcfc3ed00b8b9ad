# SPDX-License-Identifier: Apache-2.0
"""Systems: what is accepted, what is refused, and with which words."""

from __future__ import annotations

import pickle

import aureole as au
import numpy as np
import pytest

BOX = au.Box(10, 10, 10)
TWO = np.array([[0.0, 0, 0], [1, 1, 1]])


def test_defaults_and_read_only():
    system = au.System(BOX, TWO)
    assert (system.n, system.type_names, system.mass.tolist()) == (2, ("A",), [1.0, 1.0])
    assert not system.velocity.any() and not system.image.any()
    with pytest.raises(ValueError):
        system.position[0] = 1
    assert pickle.loads(pickle.dumps(system)) == system
    assert system.replace(mass=2.0).mass.tolist() == [2.0, 2.0]


def test_types_by_name():
    system = au.System(BOX, TWO, type=["B", "A"], type_names=["A", "B"])
    assert system.type.tolist() == [1, 0]
    with pytest.raises(au.InputError, match="type of particle 1 is 'C'"):
        au.System(BOX, TWO, type=["B", "C"], type_names=["A", "B"])


@pytest.mark.parametrize("box", [BOX, au.Box(10, 12, 9, 0.4, -0.3, 0.2)])
def test_positions_outside_are_wrapped_and_remembered(box):
    rng = np.random.default_rng(1)
    position = rng.normal(scale=40, size=(500, 3))
    system = au.System(box, position)
    fractions = box.fractions(system.position)
    assert (fractions >= -1e-12).all() and (fractions < 1 + 1e-12).all()
    back = system.position + system.image @ box.matrix.T
    assert np.allclose(back, position, atol=1e-12)


def test_image_counts_on():
    system = au.System(BOX, TWO + np.array([10, 0, 0]), image=np.array([[5, 0, 0], [0, 0, 0]]))
    assert system.image[:, 0].tolist() == [6, 1]


def test_open_axes():
    box = au.Box(10, 10, 10, periodic=(True, True, False))
    assert au.System(box, [[0, 0, 4.9], [11, 0, 0]]).image.tolist() == [[0, 0, 0], [1, 0, 0]]
    outside = au.System(box, [[0, 0, 5.1], [11, 0, -25.0]])
    assert outside.position[:, 2].tolist() == [5.1, -25.0]
    with pytest.warns(UserWarning, match="^2 of 2 particles lie outside the box along z, where"):
        au.Simulation(outside)


def test_box_widths_and_minimum_image():
    box = au.Box(10, 12, 9, 0.4, -0.3, 0.2)
    a, b, c = box.matrix.T
    volume = abs(a @ np.cross(b, c))
    areas = [np.linalg.norm(np.cross(*pair)) for pair in ((b, c), (c, a), (a, b))]
    assert np.allclose(box.widths, volume / np.array(areas))
    assert np.isclose(box.volume, volume)
    rng = np.random.default_rng(2)
    d = rng.uniform(-30, 30, size=(200, 3))
    shifts = np.array(np.meshgrid(*[range(-5, 6)] * 3)).reshape(3, -1).T @ box.matrix.T
    best = np.sqrt(((d[:, None] + shifts) ** 2).sum(-1)).min(1)
    near = best < box.widths.min() / 2
    found = np.linalg.norm(box.minimum_image(d), axis=1)
    assert near.sum() > 50
    assert np.allclose(found[near], best[near])


@pytest.mark.parametrize(
    "arguments, words",
    [
        (dict(position=[[0, 0, np.nan], [1, 1, 1]]), "position of particle 0 is (0, 0, nan)"),
        (dict(position=[[0, 0, 0], [1, 1, np.inf]]), "position of particle 1"),
        (
            dict(position=[[1, 1, 1], [2, 2, 2], [1, 1, 1]]),
            "0 and 2 are at the same point",
        ),
        (dict(position=[[5, 0, 0], [-5, 0, 0]]), "0 and 1 are at the same point"),
        (dict(position=[[0.0, 0, 0], [-0.0, 0, 0]]), "0 and 1 are at the same point"),
        (dict(position=[0, 0, 0]), "position has the shape (3,)"),
        (dict(position=[["a", 0, 0]]), "position is not an array of numbers"),
        (dict(position=np.zeros((0, 3))), "the system is empty"),
        (dict(position=[[1e30, 0, 0], [0, 0, 0]]), "does not fit in 32 bits"),
        (dict(velocity=[[0, 0, 0], [np.nan, 0, 0]]), "velocity of particle 1"),
        (dict(velocity=np.zeros((3, 3))), "velocity has the shape (3, 3)"),
        (dict(mass=[1, 0]), "mass of particle 1 is 0"),
        (dict(mass=[1, -np.inf]), "mass of particle 1 is -inf"),
        (dict(mass=[1, 1, 1]), "mass has the shape (3,)"),
        (dict(type=[0, 2], type_names=["A", "B"]), "type of particle 1 is 2"),
        (dict(type=[0, -1]), "type of particle 1 is -1"),
        (dict(type=[0.0, 1.0]), "whole numbers are needed"),
        (dict(type_names=["A", "A"]), "type names must be unique"),
        (dict(image=np.zeros((2, 2), int)), "image has the shape (2, 2)"),
        (dict(box=(10, 10)), "box is (10, 10)"),
        (dict(box=(10, 10, 0)), "box length lz is 0"),
        (dict(box=(10, 10, np.nan)), "box length lz is nan"),
        (dict(box=(10, -10, 10)), "box length ly is -10"),
        (dict(box=(1e200, 1e200, 1e200)), "volume of the box overflows"),
    ],
)
def test_what_cannot_be_simulated_is_refused(arguments, words):
    with pytest.raises(au.InputError) as caught:
        au.System(**(dict(box=BOX, position=TWO) | arguments))
    assert words in str(caught.value)


def test_points_in_common_are_found_among_many():
    rng = np.random.default_rng(3)
    position = rng.uniform(-5, 5, size=(100_000, 3))
    au.System(BOX, position)
    position[77_777] = position[1_234]
    with pytest.raises(au.InputError, match="particles 1234 and 77777 are at the same point"):
        au.System(BOX, position)
