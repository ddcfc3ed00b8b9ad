# SPDX-License-Identifier: Apache-2.0
"""Trajectories of chosen particles hold what binds these among themselves, and nothing cut in two.

What is expected is collected tuple by tuple in Python; gsd's own reader, which checks that columns
are of one length, gives what is there.
"""

from __future__ import annotations

import aureole as au
import gsd.hoomd
import numpy as np
import pytest

N = 27
CHAIN = np.arange(N)
#: Everything that binds particles by name: tuples of neighbours along a line through all of them.
BOUND = {
    "bonds": {"one": [(k, k + 1) for k in range(0, 25, 2)], "two": [(k, k + 1) for k in (1, 5, 9)]},
    "angles": {"wide": [(k, k + 1, k + 2) for k in range(0, 24, 3)]},
    "dihedrals": {"turn": [tuple(range(k, k + 4)) for k in range(0, 22, 5)]},
    "impropers": {"flat": [tuple(range(k, k + 4)) for k in range(1, 20, 6)]},
    "pairs": {"far": [(k, k + 3) for k in range(0, 22, 4)]},
}
#: Held at distances that all differ, so that each tells whose it is.
HELD = [(0, 3), (4, 7), (9, 12), (15, 18), (20, 23)]
PLACE = np.array([[x, y, z] for x in range(3) for y in range(3) for z in range(3)]) * 1.2
PLACE += 0.01 * np.sin(1.0 + np.arange(3 * N)).reshape(N, 3)
#: All that is bound needs parameters.
FORCES = [
    au.LennardJones(epsilon=1e-9, sigma=0.1, r_cut=0.3),
    au.HarmonicBond(r0=1.2, k=1.0),
    au.HarmonicAngle(theta0=2.0, k=1.0),
    au.PeriodicDihedral(phi0=0.0, k=1.0, n=1),
    au.HarmonicImproper(xi0=0.0, k=1.0),
    au.SpecialPair(c6=0.0, c12=1e-9, qq=0.0),
]
CUT = {  # first and last of pairs of HELD without each other
    "one end of each": [0, 7, 9, 18, 20],
    "both ends of some": [3, 0, 4, 15, 18, 26],
    "none": [1, 2, 13],
    "all": list(range(N)),
    "by chance": np.random.default_rng(3).permutation(N)[:19].tolist(),
}


def within(tuples, tags):
    """Those of which all particles are there, by their rows."""
    row = {tag: k for k, tag in enumerate(sorted(tags))}
    return [[row[i] for i in one] for one in tuples if all(i in row for i in one)]


def distance(i, j):
    return float(np.linalg.norm(PLACE[i] - PLACE[j]))


@pytest.mark.parametrize("name", CUT)
def test_tuples_that_a_selection_cuts(here, name):
    tags = CUT[name]
    terms = {"constraint": (HELD, [[distance(*pair)] for pair in HELD])}
    start = au.System(au.Box(9.0, 9.0, 9.0), PLACE, terms=terms, **BOUND)
    frames = au.Frames("few.gsd", 1, particles=tags)
    with au.Simulation(start, FORCES, au.NVE(dt=1e-4), observers=[frames]) as sim:
        sim.run(0)
    with gsd.hoomd.open("few.gsd", "r") as file:
        frame = file[0]
    frame.validate()
    assert len(tags) == frame.particles.N
    for field, kinds in BOUND.items():
        there = getattr(frame, field)
        found = {}
        for kind, group in zip(there.typeid.tolist(), there.group.tolist(), strict=True):
            found.setdefault(there.types[kind], []).append(group)
        wanted = {kind: within(tuples, tags) for kind, tuples in kinds.items()}
        assert found == {kind: rows for kind, rows in wanted.items() if rows}, field
    pairs = within(HELD, tags)
    assert len(pairs) == frame.constraints.N
    assert frame.constraints.group.tolist() == pairs
    chosen = sorted(tags)
    lengths = [distance(chosen[i], chosen[j]) for i, j in pairs]
    assert frame.constraints.value == pytest.approx(lengths, rel=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_ranges_are_the_union_of_what_is_named(seed):
    """Whatever their order, whether they lie apart, beside, across or within each other."""
    random = np.random.default_rng(seed)
    spans = []
    for _ in range(int(random.integers(1, 7))):
        first = int(random.integers(0, 60))
        spans.append((first, first + int(random.integers(0, 25))))
    words = [f"{a}-{b}" if b > a or random.integers(2) else str(a) for a, b in spans]
    wanted = sorted({tag for a, b in spans for tag in range(a, b + 1)})
    spec = au.Frames("a.xtc", particles=", ".join(words))
    assert spec.tags(100).tolist() == wanted
    assert au.Frames("a.xtc", particles=wanted).particles == spec.particles
