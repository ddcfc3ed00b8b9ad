# SPDX-License-Identifier: Apache-2.0
"""Small systems for the tests of coordinate files, and how two are compared."""

from __future__ import annotations

import numpy as np
from aureole.formats import box_vectors
from aureole.formats.coordinates import Coordinates
from aureole.system.topology import Labels


def labels(words):
    unique = tuple(sorted(set(words)))
    return Labels(unique, np.array([unique.index(word) for word in words], dtype=np.int32))


def made(n=300, seed=3, box=None, velocity=True):
    """A random system, its numbers those that three decimals hold."""
    rng = np.random.default_rng(seed)
    names = [("OW", "HW1", "HW2")[k % 3] for k in range(n)]
    return Coordinates(
        "made by a test",
        (np.arange(n) // 3 + 1).astype(np.int32),
        labels(["SOL"] * n),
        labels(names),
        np.rint(rng.uniform(-5, 15, (n, 3)) * 1000) / 1000,
        np.rint(rng.normal(size=(n, 3)) * 1e4) / 1e4 if velocity else None,
        np.diag([10.0, 11.0, 12.5]) if box is None else box,
    )


def same(one, two, tolerance=0.0):
    assert np.array_equal(one.residue, two.residue)
    for field in ("residue_name", "name"):
        assert np.array_equal(getattr(one, field).array(), getattr(two, field).array())
    for field in ("position", "velocity", "box"):
        a, b = getattr(one, field), getattr(two, field)
        assert (a is None) == (b is None)
        assert a is None or np.allclose(a, b, rtol=0, atol=tolerance)


def skewed(*numbers):
    return box_vectors.from_gro_numbers(list(numbers))


TRICLINIC = skewed(3.0, 2.9, 2.5, 0, 0, 0.7, 0, -1.1, 1.3)
