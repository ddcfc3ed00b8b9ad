# SPDX-License-Identifier: Apache-2.0
"""Non-bonded forces of molecules against a double-precision sum over all pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from aureole import _core
from numpy.typing import NDArray

COULOMB = 138.935458
erf = np.vectorize(math.erf)
BOXES = {
    "orthorhombic": (2.4, 2.5, 2.6, 0.0, 0.0, 0.0),
    "triclinic": (2.4, 2.6, 2.7, 0.3, -0.2, 0.4),
}


@dataclass(frozen=True)
class Setting:
    mixing: str = "geometric"
    end: str = "plain"
    shift: bool = True
    r_vdw: float = 1.0
    r_switch: float = 0.0
    coulomb: str = "reaction-field"
    r_coulomb: float = 1.0
    epsilon_rf: float = 0.0
    of_excluded: bool = True  # whether the field acts on excluded pairs, and charges on themselves
    beta: float = 0.0


def molecules(box: tuple[float, ...], count: int = 343) -> dict[str, NDArray]:
    """Three-site molecules at random places of a lattice, turned at random, some across faces."""
    random = np.random.default_rng(3)
    side = round(count ** (1 / 3))
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), -1).reshape(-1, 3)
    lx, ly, lz, xy, xz, yz = box
    vectors = np.array([[lx, 0, 0], [xy * ly, ly, 0], [xz * lz, yz * lz, lz]])
    fractions = (grid + 0.1 + random.uniform(-0.12, 0.12, grid.shape)) / side - 0.5
    oxygen = fractions @ vectors
    arms = random.normal(size=(2, count, 3))
    arms /= np.linalg.norm(arms, axis=-1, keepdims=True)
    position = np.stack([oxygen, oxygen + 0.1 * arms[0], oxygen + 0.1 * arms[1]], 1).reshape(-1, 3)
    n = len(position)
    charge = np.tile([-0.82, 0.41, 0.41], count)
    kind = np.tile([0, 1, 2], count) + 3 * (np.arange(n) % 2 == 0)
    partner = np.arange(n).reshape(-1, 3)[:, [1, 2, 0, 2, 0, 1]].reshape(n, 2)
    return {
        "position": position,
        "vectors": vectors,
        "charge": charge,
        "type": kind.astype(np.int32),
        "partner": partner.astype(np.int32),
    }


def parameters(mixing: str, n: int = 6) -> tuple[NDArray, NDArray]:
    """C6 and C12 of pairs of types; every third type neither attracts nor repels."""
    random = np.random.default_rng(5)
    sigma, epsilon = random.uniform(0.25, 0.33, n), random.uniform(0.3, 0.9, n)
    epsilon[2::3] = 0
    if mixing == "lorentz-berthelot":
        s6 = (0.5 * (sigma[:, None] + sigma)) ** 6
    else:
        s6 = np.sqrt(sigma[:, None] * sigma) ** 6
    c6 = 4 * np.sqrt(epsilon[:, None] * epsilon) * s6
    c12 = c6 * s6
    if mixing == "table":
        c6[0, 1] = c6[1, 0] = 0.7 * c6[0, 1]
    return c6, c12


def law(s: Setting, r: NDArray, c6: NDArray, c12: NDArray) -> tuple[NDArray, NDArray]:
    """Energy and −dU/dr of dispersion and repulsion, from the manual's equations."""
    energy = c12 * r**-12 - c6 * r**-6
    force = 12 * c12 * r**-13 - 6 * c6 * r**-7
    rc, rs = s.r_vdw, s.r_switch
    d = np.maximum(r - rs, 0)
    if s.end == "plain":
        if s.shift:
            energy = energy - (c12 * rc**-12 - c6 * rc**-6)
    elif s.end == "potential-switch":
        w = rc - rs
        switch = 1 - 10 * (d / w) ** 3 + 15 * (d / w) ** 4 - 6 * (d / w) ** 5
        slope = (-30 * (d / w) ** 2 + 60 * (d / w) ** 3 - 30 * (d / w) ** 4) / w
        energy, force = energy * switch, force * switch - energy * slope
    else:
        parts = []
        for a in (6, 12):
            big_a = -a * ((a + 4) * rc - (a + 1) * rs) / (rc ** (a + 2) * (rc - rs) ** 2)
            big_b = a * ((a + 3) * rc - (a + 1) * rs) / (rc ** (a + 2) * (rc - rs) ** 3)
            end = rc**-a - big_a / 3 * (rc - rs) ** 3 - big_b / 4 * (rc - rs) ** 4
            parts.append(
                (
                    r ** -float(a) - big_a / 3 * d**3 - big_b / 4 * d**4 - end,
                    a * r ** -(a + 1.0) + big_a * d**2 + big_b * d**3,
                )
            )
        energy = c12 * parts[1][0] - c6 * parts[0][0]
        force = c12 * parts[1][1] - c6 * parts[0][1]
    return np.where(r < rc, energy, 0), np.where(r < rc, force, 0)


def charges_law(s: Setting, r: NDArray, excluded: NDArray) -> tuple[NDArray, NDArray]:
    """Energy and −dU/dr of two unit charges."""
    bare, rc = np.where(excluded, 0.0, 1.0), s.r_coulomb
    if s.coulomb == "reaction-field":
        k = (
            0.5 / rc**3
            if s.epsilon_rf == 0
            else (s.epsilon_rf - 1) / (2 * s.epsilon_rf + 1) / rc**3
        )
        c = 1 / rc + k * rc**2
        energy, force = bare / r + k * r**2 - c, bare / r**2 - 2 * k * r
    else:
        b = s.beta
        smooth = erf(b * r) / r
        smooth_force = smooth / r - 2 * b / np.sqrt(np.pi) * np.exp(-((b * r) ** 2)) / r
        energy = bare * (1 / r - math.erfc(b * rc) / rc) - smooth
        force = bare / r**2 - smooth_force
    counts = r < rc
    if s.coulomb == "ewald":  # the mesh sees excluded pairs at any distance
        counts |= excluded
    elif not s.of_excluded:
        counts &= ~excluded
    return np.where(counts, energy, 0), np.where(counts, force, 0)


def nearest(d: NDArray, vectors: NDArray) -> NDArray:
    """The shortest of the images around separations."""
    best, square = d.copy(), (d**2).sum(-1)
    for turn in np.ndindex(3, 3, 3):
        other = d + (np.array(turn) - 1) @ vectors
        other_square = (other**2).sum(-1)
        nearer = other_square < square
        best[nearer], square[nearer] = other[nearer], other_square[nearer]
    return best


def turned_back(d: NDArray, vectors: NDArray) -> NDArray:
    """The image of each separation in the brick about the origin that is as long as the box along
    each axis; a lattice vector changes no axis after its own.
    """
    d = d.copy()
    for axis in (2, 1, 0):
        d -= np.round(d[:, axis, None] / vectors[axis, axis]) * vectors[axis]
    return d


def all_pairs(s: Setting, m: dict[str, NDArray], c6: NDArray, c12: NDArray) -> dict[str, NDArray]:
    x, n, q, kind = m["position"], len(m["position"]), m["charge"], m["type"]
    excludes = np.zeros((n, n), bool)
    np.put_along_axis(excludes, m["partner"].astype(np.int64), True, 1)
    i, j = np.triu_indices(n, 1)
    d, excluded = turned_back(x[i] - x[j], m["vectors"]), excludes[i, j]
    r_cut = max(s.r_vdw, s.r_coulomb)
    # Nothing acts on other pairs: with two cut-offs below the brick's edges, what is outside has no
    # image within a cut-off, and what is inside no other. So the 27 images are of few pairs.
    assert 2 * r_cut < np.diag(m["vectors"]).min()
    some = excluded | ((d**2).sum(-1) < r_cut**2)
    i, j, excluded = i[some], j[some], excluded[some]
    best = nearest(d[some], m["vectors"])
    r = np.sqrt((best**2).sum(-1))
    vdw, vdw_force = law(s, r, c6[kind[i], kind[j]], c12[kind[i], kind[j]])
    vdw, vdw_force = np.where(excluded, 0, vdw), np.where(excluded, 0, vdw_force)
    qq = COULOMB * q[i] * q[j]
    pair, pair_force = charges_law(s, r, excluded)
    # Of the charges with themselves; with Ewald's splitting the mesh counts it.
    near = charges_law(s, np.array([1e-9]), np.array([True]))[0][0]
    own = 0.0 if s.coulomb == "ewald" else -float(near)
    each = ((vdw_force + qq * pair_force) / r)[:, None] * best
    force = np.zeros((n, 3))
    np.add.at(force, i, each)
    np.subtract.at(force, j, each)
    own_energy = -0.5 * COULOMB * own * (q**2).sum()
    # The mesh's share of a pair's force is qq r times a factor between 0 and this.
    largest = 4 / 3 / np.sqrt(np.pi) * s.beta**3
    left_to_mesh = np.where(r < s.r_coulomb, np.abs(qq) * largest * r, 0)
    return {
        "vdw": vdw.sum(),
        "coulomb": (qq * pair).sum() + own_energy,
        "self": own_energy,
        "left to mesh": np.sqrt(2 * (left_to_mesh**2).sum() / (3 * n)),
        "magnitude": np.abs(vdw).sum() + np.abs(qq * pair).sum(),
        "force": force,
        "virial": np.einsum("pa,pb->ab", best, each),
    }


def simulation(
    s: Setting,
    m: dict[str, NDArray],
    box: tuple[float, ...],
    precision: str,
    threads: int = 1,
    device: str = "host",
) -> _core.Simulation:
    n = len(m["position"])
    c6, c12 = parameters(s.mixing)
    sim = _core.Simulation(
        box=box,
        position=m["position"],
        velocity=np.zeros((n, 3)),
        mass=np.ones(n),
        type=m["type"],
        image=np.zeros((n, 3), np.int32),
        type_names=list("abcdef"),
        device=device,
        precision=precision,
        threads=threads,
        charge=m["charge"],
    )
    settings = {
        "vdw_end": s.end,
        "shift_vdw": s.shift,
        "r_vdw": s.r_vdw,
        "r_vdw_switch": s.r_switch,
        "coulomb": s.coulomb,
        "r_coulomb": s.r_coulomb,
        "coulomb_constant": COULOMB,
        "epsilon_r": 1.0,
        "epsilon_rf": s.epsilon_rf,
        "field_of_excluded": s.of_excluded,
        "beta": s.beta,
        "shift_coulomb": True,
    }
    sim.set_nonbonded(c6, c12, settings)
    start = np.arange(n + 1, dtype=np.int64) * m["partner"].shape[1]
    sim.set_exclusions(start, np.sort(m["partner"], axis=1).reshape(-1))
    return sim


PLAIN = Setting()
CASES = {
    "geometric": PLAIN,
    "lorentz-berthelot": replace(PLAIN, mixing="lorentz-berthelot", epsilon_rf=61.0),
    "table": replace(PLAIN, mixing="table", shift=False),
    "not excluded": replace(PLAIN, mixing="lorentz-berthelot", epsilon_rf=61.0, of_excluded=False),
    "two cut-offs": replace(PLAIN, r_vdw=0.9, r_coulomb=1.05),
    "potential switch": replace(PLAIN, end="potential-switch", r_switch=0.8),
    "force switch": replace(
        PLAIN, mixing="lorentz-berthelot", end="force-switch", r_switch=0.7, r_vdw=1.05
    ),
    "ewald": replace(PLAIN, coulomb="ewald", beta=3.12),
    "ewald, small tolerance": replace(PLAIN, coulomb="ewald", beta=5.6),
    "ewald, force switch": replace(
        PLAIN, mixing="table", coulomb="ewald", beta=3.12, end="force-switch", r_switch=0.8
    ),
}


def check_all_pairs(
    s: Setting, m: dict[str, NDArray], sim: _core.Simulation, precision: str
) -> None:
    """Forces, energies and virial are those of the sum over all pairs."""
    got = sim.thermo()
    x = sim.get("position")  # inside the box
    if precision == "mixed":
        x = x.astype(np.float32).astype(float)  # as the kernel reads them
    wanted = all_pairs(s, m | {"position": x}, *parameters(s.mixing))
    terms = {term["name"]: term for term in got["per_force"]}
    energy, force = (2e-6, 2e-6) if precision == "mixed" else (1e-12, 1e-11)
    for name in ("vdw", "coulomb"):
        assert abs(terms[name]["energy"] - wanted[name]) < energy * wanted["magnitude"]
    error = sim.get("force") - wanted["force"]
    scale = np.sqrt((wanted["force"] ** 2).mean())
    # In single precision the factor of the mesh's share is right to half a unit of its largest
    # value (ewald_split.hpp), which shows where forces are small.
    rounding = 2.0**-24 * wanted["left to mesh"] if precision == "mixed" else 0.0
    assert np.sqrt((error**2).mean()) < math.hypot(force * scale, rounding)
    virial = terms["vdw"]["virial"] + terms["coulomb"]["virial"]
    scale = np.abs(wanted["virial"]).max() + 1e-2 * wanted["magnitude"]  # pairs cancel in it
    assert np.abs(virial - wanted["virial"]).max() < 10 * energy * scale
    # Shares of the particles: all but what the charges have with themselves.
    pairs = wanted["vdw"] + wanted["coulomb"] - wanted["self"]
    assert abs(sim.get("energy").sum() - pairs) < energy * wanted["magnitude"]


@pytest.mark.parametrize("shape", BOXES)
@pytest.mark.parametrize("precision", ["mixed", "double"])
@pytest.mark.parametrize("case", CASES)
def test_all_pairs(case: str, precision: str, shape: str) -> None:
    s, box = CASES[case], BOXES[shape]
    m = molecules(box)
    check_all_pairs(s, m, simulation(s, m, box, precision), precision)


def far_partners(m: dict[str, NDArray]) -> dict[str, NDArray]:
    """The same molecules, an even number; a excludes odd - a as well, wherever that is."""
    n = len(m["position"])
    odd = n // 3 // 2 // 2 * 2 + 1
    other = (odd - np.arange(n) // 3) % (n // 3)
    more = 3 * other[:, None] + np.arange(3)
    return m | {"partner": np.concatenate([m["partner"], more], 1).astype(np.int32)}


@pytest.mark.parametrize("device", ["host", "host-lanes"])
@pytest.mark.parametrize("shape", BOXES)
@pytest.mark.parametrize("precision", ["mixed", "double"])
@pytest.mark.parametrize("case", ["ewald", "lorentz-berthelot", "not excluded"])
def test_excluded_pairs_at_any_distance(case: str, precision: str, shape: str, device: str) -> None:
    """The mesh's share is taken off all excluded pairs; a reaction field ends at the cut-off."""
    s, box = CASES[case], BOXES[shape]
    m = far_partners(molecules(box, count=216))
    sim = simulation(s, m, box, precision, threads=2, device=device)
    check_all_pairs(s, m, sim, precision)
    sim.set_integrator("nve", {"dt": 2e-4})
    sim.run(25)
    check_all_pairs(s, m, sim, precision)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_and_lists(threads: int) -> None:
    """Excluded pairs stay excluded when lists are pruned, extended and made anew."""
    box = BOXES["triclinic"]
    m = molecules(box)
    sim = simulation(PLAIN, m, box, "double", threads)
    sim.set_integrator("nve", {"dt": 2e-4})
    for _ in range(4):
        sim.run(17)
        now = m | {"position": sim.get("position")}
        wanted = all_pairs(PLAIN, now, *parameters("geometric"))
        error = np.abs(sim.get("force") - wanted["force"]).max()
        assert error < 1e-9 * np.abs(wanted["force"]).max()
