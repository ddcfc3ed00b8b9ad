# SPDX-License-Identifier: Apache-2.0
"""Every format of trajectories that chemfiles reads: cells, positions and names as they were."""

from __future__ import annotations

import chemfiles
import numpy as np
import pytest
from aureole.formats import Frame, Names, Start
from aureole.formats.read_trajectory import frames_of
from aureole.formats.registry import endings_with, format_of
from aureole.system.topology import Labels

N = 12
#: Three edges and three angles that all differ, by rows [nm].
BOX = np.array([[3.1, 0.0, 0.0], [0.7, 2.6, 0.0], [-0.5, 0.9, 2.2]])
#: Digits that a format keeps: of positions [Å] and of edges [Å], of angles [degree].
KEPT = {".gro": (6e-3, 1e-4, 2e-3), ".pdb": (6e-4, 6e-4, 6e-3), ".xtc": (6e-3, 1e-5, 1e-4)}
FULL = 1e-5, 1e-5, 1e-4
EVERY, DT = 20, 0.002


def frames():
    random = np.random.default_rng(6)
    for k in range(3):
        place = random.uniform(-0.4, 3.0, (N, 3))
        speed, force = random.normal(size=(2, N, 3))
        yield Frame(EVERY * k, DT * EVERY * k, BOX * (1 + 0.1 * k), place, speed, force, k)


def start(path):
    words = ("OW", "HW1", "NA")
    names = Names(
        "box",
        np.arange(1, N + 1, dtype=np.int32),
        Labels(("SOL",), np.zeros(N, np.int32)),
        Labels(words, (np.arange(N) % 3).astype(np.int32)),
    )
    return Start(path, N, EVERY, DT, 0, 1000.0, True, lambda: names)


def write(path):
    """The bytes of a file as a run makes them."""
    made = format_of(path).writer(start(path))
    data = made.head()
    for frame in frames():
        data += made.frame(frame)
    if (mark := made.count(3)) is not None:
        place, count = mark
        data = data[:place] + count + data[place + len(count) :]
    with open(path, "wb") as file:
        file.write(data)


def edges_and_angles(rows):
    """Å and degrees: the second and third vector make alpha, the first and third beta."""
    a, b, c = 10 * rows

    def angle(u, v):
        return np.degrees(np.arctan2(np.linalg.norm(np.cross(u, v)), u @ v))

    edges = [np.linalg.norm(v) for v in (a, b, c)]
    return edges, [angle(b, c), angle(a, c), angle(a, b)]


def written():
    """Endings of all formats that frames of a run are written in."""
    return endings_with("writer")


def test_all_formats_are_here():
    assert set(written()) >= {".xtc", ".trr", ".dcd", ".gro", ".pdb", ".xyz"}


@pytest.mark.parametrize("ending", written())
def test_cells_positions_and_velocities(here, ending):
    path = f"a{ending}"
    write(path)
    of_place, of_edge, of_angle = KEPT.get(ending, FULL)
    angles = edges_and_angles(BOX)[1]
    assert min(abs(a - b) for a, b in zip(angles, [*angles[1:], 90.0], strict=True)) > 2.0
    assert abs(angles[0] - angles[2]) > 2.0
    with chemfiles.Trajectory(path) as file:
        assert file.nsteps == 3
        for wanted in frames():
            found = file.read()
            edges, angles = edges_and_angles(wanted.box)
            assert found.cell.lengths == pytest.approx(edges, abs=of_edge)
            assert found.cell.angles == pytest.approx(angles, abs=of_angle)
            # Chemfiles has the vectors of a cell as columns.
            rows = found.cell.matrix.T
            assert np.abs(rows - 10 * wanted.box).max() < of_edge + np.radians(of_angle) * 40
            places = found.positions.copy()
            assert np.abs(places - 10 * wanted.position).max() <= of_place
            holds = format_of(path).holds
            assert found.has_velocities() == ("velocity" in holds)
            if "velocity" in holds:
                assert np.abs(found.velocities - 10 * wanted.velocity).max() < 1e-3
            if ending in (".gro", ".pdb", ".xyz"):
                assert [atom.name for atom in found.atoms] == ["OW", "HW1", "NA"] * 4
            if ending in (".xtc", ".trr"):
                assert found.step == wanted.step
            if ending in (".xtc", ".trr", ".dcd"):
                time = found["time"] * format_of(path).time_unit
                assert time == pytest.approx(wanted.time, rel=1e-6)


@pytest.mark.parametrize("ending", written())
def test_cells_that_chemfiles_writes(here, ending):
    """The other way: what it writes of a tilted cell is read as it was."""
    path, wanted = f"a{ending}", next(frames())
    frame = chemfiles.Frame()
    for k in range(N):
        frame.add_atom(chemfiles.Atom("CA", "C"), 10 * wanted.position[k])
    frame.cell = chemfiles.UnitCell(np.asfortranarray(10 * wanted.box.T))
    with chemfiles.Trajectory(path, "w") as file:
        file.write(frame)
    [found] = frames_of(path)
    of_place, of_edge, of_angle = KEPT.get(ending, FULL)
    assert np.abs(found.box - wanted.box).max() < of_edge + np.radians(of_angle) * 4
    assert np.abs(found.position - wanted.position).max() < of_place
