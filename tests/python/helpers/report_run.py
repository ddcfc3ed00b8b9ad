# SPDX-License-Identifier: Apache-2.0
"""Files of a small molecular run, made up, for tests of its page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from aureole.formats.coordinates import Coordinates
from aureole.formats.gro import write_gro
from aureole.system.topology import Labels

EDGE = 2.4
FRAMES = 6
#: Words that would end a script or start a tag if they were not escaped.
HOSTILE = "a </script><b>note</b> & 'more' \"still\""


def waters(edge: float = EDGE, per_edge: int = 6, seed: int = 1) -> Coordinates:
    """Waters on a lattice, turned by chance and cut by the faces of the box, with one ethane."""
    rng = np.random.default_rng(seed)
    grid = np.indices((per_edge,) * 3).reshape(3, -1).T * (edge / per_edge)
    template = np.array([[0, 0, 0], [0.1, 0, 0], [-0.033, 0.094, 0]])
    turns = np.linalg.qr(rng.normal(size=(len(grid), 3, 3)))[0]
    position = (grid[:, None] + template @ turns).reshape(-1, 3)
    ethane = np.array([[0.2, 0.2, 0.2], [0.353, 0.2, 0.2]])
    position = np.concatenate([ethane, position[3:]]) % edge
    n = len(grid) - 1
    return Coordinates(
        "box of water t= 1.00000 step= 500",
        np.concatenate([[1, 1], np.repeat(np.arange(2, n + 2), 3)]).astype(np.int32),
        Labels(("ETH", "SOL"), np.array([0, 0] + [1] * 3 * n, dtype=np.int32)),
        Labels(
            ("C1", "C2", "OW", "HW1", "HW2"), np.array([0, 1, *([2, 3, 4] * n)], dtype=np.int32)
        ),
        position,
        box=np.eye(3) * edge,
    )


def energies(rows: int = 200, seed: int = 2) -> dict[str, np.ndarray]:
    """Columns of noise around plausible values."""
    rng = np.random.default_rng(seed)
    noise = lambda mean, width: mean + width * rng.normal(size=rows)  # noqa: E731
    columns = {"step": np.arange(rows) * 5.0, "time": np.arange(rows) * 0.01}
    columns["harmonic_bond"] = noise(700.0, 20.0)
    columns["potential"] = noise(-31234.5678, 60.0)
    columns["kinetic"] = noise(5400.0, 60.0)
    columns["total"] = columns["potential"] + columns["kinetic"]
    columns["conserved"] = -25834.0 + 1e-3 * np.sin(np.arange(rows) / 9)
    columns["temperature"] = noise(300.0, 5.0)
    columns["pressure"] = noise(1.0, 400.0)
    columns["density"] = noise(997.0, 2.0)
    for axis in "xyz":
        columns[f"box_{axis * 2}"] = np.full(rows, EDGE)
    return columns


def summary() -> dict[str, Any]:
    """What the run says about itself."""
    return {
        "version": "0.1.0",
        "inputs": {"coordinates": "conf.gro", "topology": "topol.top"},
        "system": {
            "particles": 647,
            "molecules": [{"name": "ETH", "count": 1}, {"name": "SOL", "count": 215}],
            "box": [EDGE] * 3,
            "density": 470.25,
        },
        "settings": {"integrator": "md", "dt": 0.002, "lincs": {"order": 4}},
        "notes": ["The cut-off is short.", HOSTILE],
        "speed": {
            "ns_per_day": 123.4,
            "steps_per_second": 714.0,
            "wall_seconds": 75.0,
            "threads": 2,
            "device": "two cores",
        },
        "profile": [
            {"part": "mesh", "seconds": 1.0, "calls": 100, "share": 0.25},
            {"part": "pair_forces", "seconds": 3.0, "calls": 100, "share": 0.75},
        ],
        "ranks": {
            "ranks": 8,
            "grid": [2, 2, 2],
            "collectives_per_step": 1.31,
            "collectives_per_step_between_renewals": 1.1205,
            "list_renewals": 12345,
            "renewals_ahead_of_plan": 17,
            "steps_taken_back": 3,
        },
        "averages": {"temperature": {"mean": 301.234, "error": 0.56, "drift": -1.5, "spread": 4.5}},
        "outputs": {"trajectory": "run.xtc", "energies": "run.csv", "last_frame": "run.gro"},
    }


def write(folder: Path, prefix: str = "run") -> Path:
    """Write all but the trajectory; returns the prefix with its folder."""
    columns = energies()
    lines = ["# energies of a test", ",".join(columns)]
    table = np.column_stack(list(columns.values()))
    lines += [",".join(f"{value:.10g}" for value in row) for row in table]
    (folder / f"{prefix}.csv").write_text("\n".join(lines) + "\n")
    (folder / f"{prefix}.json").write_text(json.dumps(summary()))
    write_gro(folder / f"{prefix}.gro", waters())
    return folder / prefix


def write_trajectory(path: Path, chemfiles: Any) -> None:
    """Write frames of the same waters, moved a little."""
    with chemfiles.Trajectory(str(path), "w") as file:
        for k in range(FRAMES):
            frame = chemfiles.Frame()
            position = waters(seed=k).position
            frame.resize(len(position))
            frame.positions[:] = 10 * position
            frame.cell = chemfiles.UnitCell([10 * EDGE] * 3)
            file.write(frame)
