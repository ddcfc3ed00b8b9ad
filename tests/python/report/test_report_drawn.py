# SPDX-License-Identifier: Apache-2.0
"""What the page draws: elements, bonds and box of the picture, axes of charts, pairs of g(r).

And the counts of a run that its summary has, from two tallies made by hand.
"""

from __future__ import annotations

import base64
import itertools
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import aureole.report
import numpy as np
import pytest
from aureole.formats.coordinates import Coordinates
from aureole.observers.run_log_facts import Tally, added, ranks_of, shares, speed_of, spent
from aureole.report import bonds, charts, pair_distribution
from aureole.report.elements import ELEMENTS
from aureole.report.energies import Energies
from aureole.report.frames import Frame, frame_of
from aureole.report.scene import scene
from aureole.system.box import Box
from aureole.system.topology import Labels

BOX = np.array([[2.3, 0, 0], [0.4, 2.6, 0], [-0.5, 0.3, 2.9]])
TABLE = Path(aureole.report.__file__).parent / "elements.table"
#: Residue, then atoms: name, symbol ("" for none), place [nm]; bonds by rows within it.
MOLECULES = [
    ("SOL", [("OW", "O", (0, 0, 0)), ("HW1", "H", (0.1, 0, 0)), ("HW2", "H", (-0.03, 0.09, 0)),
             ("MW", "", (0.01, 0.01, 0))], [(0, 1), (0, 2)], 3),
    ("LIG", [("C1", "C", (0, 0, 0)), ("CL2", "Cl", (0.177, 0, 0)), ("S3", "S", (-0.18, 0, 0))],
     [(0, 1), (0, 2)], 2),
    ("NA", [("NA", "Na", (0, 0, 0))], [], 4),
]  # fmt: skip


def numbers(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), kind).astype(float)


def solution() -> tuple[Coordinates, list[str], list[tuple[int, int]]]:
    """Molecules far apart, some of them cut by the box; symbols, and bonds of what is drawn."""
    grid = np.indices((3, 3, 1)).reshape(3, -1).T / [3, 3, 1]
    symbols, joined, words, residues, places, of, drawn = [], [], [], [], [], [], 0
    for residue, atoms, pairs, count in MOLECULES:
        for _ in range(count):
            at = grid[len(set(of))] @ BOX
            joined += [(drawn + a, drawn + b) for a, b in pairs]
            for name, symbol, place in atoms:
                words.append(name), residues.append(residue), places.append(at + place)
                of.append(len(set(of)) + 1 if place == (0, 0, 0) else of[-1])
                symbols.append(symbol)
                drawn += bool(symbol)
    parts = np.array(places) @ np.linalg.inv(BOX)
    labels = [
        Labels(
            tuple(dict.fromkeys(w)),
            np.array([list(dict.fromkeys(w)).index(k) for k in w], np.int32),
        )
        for w in (residues, words)
    ]
    position = (parts - np.floor(parts)) @ BOX
    return Coordinates("", np.array(of, np.int32), *labels, position, box=BOX), symbols, joined


def test_the_picture_of_atoms():
    names, symbols, joined = solution()
    found = scene(names, frame_of(names.box, names.position, None))
    shown = [k for k, symbol in enumerate(symbols) if symbol]
    assert (found["n"], found["hidden"]) == (len(shown), 3)
    assert np.reshape(found["box"], (3, 3)).tolist() == BOX.tolist()
    place = numbers(found["position"], "<i2").reshape(-1, 3) * found["extent"] / 32767
    moved = (place - names.position[shown] + BOX.sum(axis=0) / 2) @ np.linalg.inv(BOX)
    assert np.abs(moved - np.rint(moved)).max() < 1e-4
    pairs = numbers(found["bonds"], "<u4").reshape(-1, 2).astype(int)
    assert sorted(map(tuple, pairs.tolist())) == sorted(joined)
    assert np.linalg.norm(place[pairs[:, 0]] - place[pairs[:, 1]], axis=1).max() < 0.19
    legend = found["elements"]
    kinds = [legend[int(k)]["symbol"] for k in numbers(found["element"], "u1")]
    assert kinds == [symbols[k] for k in shown]
    lines = [line.split() for line in TABLE.read_text().splitlines() if "#" in line[3:]]
    table = {line[0]: (line[1], line[2], float(line[3])) for line in lines}
    for one in legend:
        assert (one["name"], one["colour"], one["radius"]) == table[one["symbol"]]
        assert one["count"] == kinds.count(one["symbol"])
    water = [residue == "SOL" for residue in names.residue_name.array()[shown]]
    assert numbers(found["water"], "u1").tolist() == water


def contacts(
    vectors: np.ndarray, position: np.ndarray, symbol: np.ndarray, residue: np.ndarray
) -> dict[tuple[int, int], str]:
    """Pairs as near as bonds, from all pairs and images, and what the rules say; "no" in front."""
    images = (np.indices((3, 3, 3)).reshape(3, -1).T - 1) @ vectors
    radius = np.array([ELEMENTS[one].covalent if one else 0.0 for one in symbol])
    pairs = np.array(list(itertools.combinations(np.flatnonzero(radius), 2)))
    between = position[pairs[:, 0]] - position[pairs[:, 1]]
    distance = np.min([np.linalg.norm(between + image, axis=1) for image in images], axis=0)
    near = distance < radius[pairs].sum(axis=1) + 0.04
    found: dict[tuple[int, int], str] = {}
    nearest: dict[int, tuple[float, tuple[int, int]]] = {}
    for (i, j), r in zip(pairs[near].tolist(), distance[near].tolist(), strict=True):
        apart = int(residue[j] - residue[i])
        light = [k for k in (i, j) if symbol[k] == "H"]
        if apart > 1 and not symbol[i] == symbol[j] == "S":
            found[i, j] = "no: other residues"
        elif len(light) == 2:
            found[i, j] = "no: two hydrogens"
        elif r <= 0.04:
            found[i, j] = "no: too near"
        elif light:
            found[i, j] = "no: hydrogen has a nearer one"
            nearest[light[0]] = min(nearest.get(light[0], (np.inf, (0, 0))), (r, (i, j)))
        else:
            found[i, j] = ("one residue", "two in a row")[apart] if apart < 2 else "sulfur"
    return found | {pair: "hydrogen" for _, pair in nearest.values()}


def test_bonds_follow_the_rules():
    """Within a residue and with the next one, between sulfurs; hydrogen once, to its nearest."""
    random, n, vectors = np.random.default_rng(5), 320, 0.42 * BOX
    position = random.uniform(0, 1, (n, 3)) @ vectors
    symbol = random.choice([*"CNOSSHHHHH", "Cl", "Na", ""], n)
    residue = np.sort(random.integers(0, 6, n))
    known = contacts(vectors, position, symbol, residue)
    counts = Counter(known.values())
    assert len(counts) == 8 and min(counts.values()) > 1, counts
    frame = frame_of(vectors, position, None)
    found = bonds.find(frame.box, frame.position, symbol, residue)
    expected = sorted(pair for pair, why in known.items() if not why.startswith("no"))
    assert list(map(tuple, found.tolist())) == expected


def test_pairs_are_counted():
    """g(r), its error and numbers of neighbours from all distances; boxes differ."""
    random = np.random.default_rng(6)
    n, bins, r_max = 90, 11, 0.9
    frames = [Frame(Box.of(2.2 + 0.1 * k), random.uniform(-1, 1, (n, 3))) for k in range(7)]
    first, molecule = np.arange(n) % 3 == 0, np.arange(n) // 2
    of = pair_distribution.distribution(
        frames, first, ~first, molecule, "A–B", r_max=r_max, bins=bins
    )
    edges = np.linspace(0, r_max, bins + 1)
    a, b = np.flatnonzero(first), np.flatnonzero(~first)
    apart = molecule[a][:, None] != molecule[b]
    each = []
    for frame in frames:
        d = frame.position[a][:, None] - frame.position[b]
        edge = frame.box.lengths[0]
        r = np.linalg.norm(d - edge * np.rint(d / edge), axis=-1)[apart]
        each.append(np.histogram(r, edges)[0])
    counts, volumes = np.array(each), np.array([frame.box.volume for frame in frames])
    g = counts * volumes[:, None] / apart.sum() / (4 / 3 * np.pi * np.diff(edges**3))
    blocks = np.array([block.mean(axis=0) for block in np.array_split(g, 5)])
    assert of.r == pytest.approx((edges[1:] + edges[:-1]) / 2)
    assert of.g == pytest.approx(g.mean(axis=0))
    assert of.error == pytest.approx(blocks.std(axis=0, ddof=1) / np.sqrt(5))
    assert of.near == pytest.approx(np.cumsum(counts.mean(axis=0)) / len(a))
    drawn = charts.distributions([of], "nm")["series"][0]
    for name, kind, wanted in (
        *(("x", "<f8", of.r), ("y", "<f4", of.g)),
        *(("near", "<f4", of.near), ("error", "<f4", of.error)),
    ):
        assert numbers(drawn[name], kind) == pytest.approx(wanted, rel=1e-6), name


def table(**columns: np.ndarray) -> Energies:
    n = len(next(iter(columns.values())))
    return Energies(
        {"time": 5.0 + np.arange(n)} | columns, {"time": "ps"} | {k: f"u {k}" for k in columns}
    )


def test_charts_and_their_axes():
    """Which there are, in which order, with which columns; a total only without its better one."""
    random = np.random.default_rng(2)
    wave = lambda k: random.normal(size=50) + 3 * k  # noqa: E731
    names = ("density", "pressure", "temperature", "total", "potential", "max_force")
    columns = {name: wave(k) for k, name in enumerate(names)}
    edges = {f"box_{axis * 2}": wave(k) for k, axis in enumerate("xyz")}
    of = table(**columns, **edges, flat=np.full(50, 3.0))
    made = charts.large(of, {})
    assert [(one["title"], one["unit"]) for one in made] == [
        ("Potential energy", "u potential"),
        ("Total energy", "u total"),
        ("Temperature", "u temperature"),
        ("Pressure", "u pressure"),
        ("Density", "u density"),
        ("Box lengths", "u box_xx"),
        ("Largest force", "u max_force"),
    ]
    assert {(one["x"]["name"], one["x"]["unit"]) for one in made} == {("time", "ps")}
    assert [one["column"] for one in made[5]["series"]] == list(edges)
    alike = table(**columns, conserved=wave(9), **dict.fromkeys(edges, wave(1)))
    titles = [one["title"] for one in charts.large(alike, {})]
    assert titles[1:3] == ["Conserved quantity", "Temperature"]
    assert titles[5] == "Box length (all edges equal)"
    each = charts.large(alike.per_particle(10), {})
    of_each = alike.per_particle(10)
    for name in ("potential", "total", "conserved"):
        assert of_each.columns[f"{name}_per_particle"] == pytest.approx(alike.columns[name] / 10)
        assert of_each.units[f"{name}_per_particle"] == f"u {name}"
    assert [one["title"] for one in each[:2]] == [
        *("Potential energy per particle", "Conserved quantity per particle"),
    ]
    assert set(charts.small(of, {})) == {*columns, *edges}
    steps = Energies({"step": np.arange(9.0), "potential": wave(1)[:9]}, {"potential": "u"})
    [one] = charts.large(steps, {})
    assert one["x"] == {"name": "", "unit": "steps"}


def tally(k: float, loads: list[float]) -> Tally:
    names = ("steps_made", "steps_taken_back", "renewals", "early_renewals")
    names += ("collectives", "collectives_of_renewals", "lists_outrun")
    counts = [1000 * k, 3 * k, 170 * k, 11 * k, 2600 * k, 700 * k, 5 * k]
    return Tally({}, loads, dict(zip(names, map(int, counts), strict=True)))


def test_how_ranks_worked_together():
    """Between two tallies, so that what was before does not count."""
    sim = SimpleNamespace(describe=lambda: {"ranks": 3, "grid": (3, 1, 1)})
    before, now = tally(2, [9.0, 1.0, 4.0]), tally(5, [11.0, 4.0, 9.5])
    assert ranks_of(sim, now, before) == {
        "ranks": 3,
        "grid": [3, 1, 1],
        "load_imbalance": pytest.approx(5.5 / 3.5 - 1),
        "collectives_per_step": pytest.approx(2.6),
        "collectives_per_step_between_renewals": pytest.approx(1.9),
        "list_renewals": 510,
        "renewals_ahead_of_plan": 33,
        "steps_taken_back": 9,
    }
    assert ranks_of(SimpleNamespace(describe=lambda: {"ranks": 1}), now, before) is None


def test_tallies_of_ranks_and_parts():
    """Means of what each rank spent; waiting is no load."""
    names = ("search", "prune", "force", "bonded", "sums")
    ranks = [dict(zip(names, row, strict=True)) for row in ([1, 2, 3, 4, 50.0], [2, 4, 7, 9, 80.0])]
    sim = SimpleNamespace(describe=dict, profiles=lambda: ranks, profile=dict)
    made = Tally.of(sim)
    assert made.loads == [10, 22]
    assert {name: seconds for name, (seconds, _) in made.profile.items()} == dict(
        zip(names, (1.5, 3, 5, 6.5, 65), strict=True)
    )
    one, two = {"a": (1.5, 10), "b": (2.0, 4)}, {"a": (4.0, 35), "b": (2.0, 4), "c": (0.5, None)}
    assert spent(two, one) == {"a": (2.5, 25), "c": (0.5, None)}
    assert added(one, two) == {"a": (5.5, 45), "b": (4.0, 8), "c": (0.5, None)}
    rows = shares({"a": (1.0, 7), "b": (2.5, 9)}, 5.0)
    assert [(row["part"], row["seconds"], row["calls"], row["share"]) for row in rows] == [
        ("b", 2.5, 9, 0.5),
        ("a", 1.0, 7, 0.2),
        ("rest", 1.5, None, pytest.approx(0.3)),
    ]
    about = {"threads": 6, "description": "cores"}
    sim = SimpleNamespace(describe=lambda: about, dt=0.002)
    assert speed_of(sim, 1000, 4.0, True) == {
        "ns_per_day": pytest.approx(250 * 0.002 * 1e-3 * 86_400),
        **{"steps_per_second": 250.0, "wall_seconds": 4.0, "threads": 6, "device": "cores"},
    }
    assert speed_of(sim, 1000, 4.0, False)["ns_per_day"] is None
