# SPDX-License-Identifier: Apache-2.0
"""Pictures of fluids: what is drawn, and what cannot be."""

from __future__ import annotations

import sys
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole import amr

image = pytest.importorskip("matplotlib.image", reason="matplotlib draws the picture")


def gas(dims: int) -> amr.Simulation:
    """Dense at high x, and denser in a corner, where cells are finer."""
    mesh = amr.Mesh(box=[(0, 1)] * dims, roots=(2,) * dims, boundary="outflow", max_level=1)
    sim = amr.Simulation(mesh, refine=[amr.Region([(0, 0.1)] * dims)], threads=1)
    return sim.set(
        lambda *x: {"density": 1 + (x[0] > 0.5) + 8.0 * (max_of(x) < 0.25), "pressure": 1.0}
    )


def max_of(x: tuple[np.ndarray, ...]) -> np.ndarray:
    return np.maximum.reduce(x)


def drawn(path: Path) -> np.ndarray:
    """The brightness of a picture from bottom to top."""
    return image.imread(path)[::-1, :, :3].mean(axis=2)


@pytest.mark.parametrize("dims", [2, 3])
def test_cells_are_where_they_belong(dims: int, tmp_path: Path):
    sim = gas(dims)
    for ending in ("png", "pdf", "svg"):
        amr.picture(sim, "density", tmp_path / f"a.{ending}", borders=False, at=0.1 if dims == 3
                    else None)  # fmt: skip
        assert (tmp_path / f"a.{ending}").stat().st_size > 1000
    light = drawn(tmp_path / "a.png")
    height, width = light.shape
    # Inside of the axes: the corner is the brightest, then the right half, then the left one.
    corner = light[int(0.15 * height), int(0.15 * width)]
    right = light[int(0.5 * height), int(0.6 * width)]
    left = light[int(0.6 * height), int(0.2 * width)]
    assert corner > right > left
    if dims == 3:  # above the corner
        amr.picture(sim, "density", tmp_path / "b.png", borders=False, at=0.9)
        assert drawn(tmp_path / "b.png")[int(0.15 * height), int(0.15 * width)] < corner
        amr.picture(sim, "density", tmp_path / "c.png", borders=False, axis="x", at=0.9)
        flat = drawn(tmp_path / "c.png")
        assert (
            np.ptp(flat[int(0.2 * height) : int(0.8 * height), int(0.15 * width) : width // 2]) == 0
        )


def test_a_line_and_its_logarithm(tmp_path: Path):
    for log in (False, True):
        amr.picture(gas(1), "density", tmp_path / f"{log}.png", log=log, width=400)
    assert np.abs(drawn(tmp_path / "False.png").mean() - 1) < 0.3
    assert (tmp_path / "False.png").read_bytes() != (tmp_path / "True.png").read_bytes()


@pytest.mark.parametrize("dims", [1, 2])
def test_borders_are_drawn(dims: int, tmp_path: Path):
    for borders in (False, True):
        amr.picture(gas(dims), path=tmp_path / f"{borders}.png", borders=borders)
    assert (tmp_path / "False.png").read_bytes() != (tmp_path / "True.png").read_bytes()


def test_what_cannot_be_is_one_clear_error(tmp_path: Path, monkeypatch):
    for wrong, told in (
        ({"field": "velocity"}, "velocity_x"),
        ({"field": "densty"}, "density"),
        ({"path": tmp_path / "a.tape"}, r"no format 'tape'"),
        ({"path": tmp_path / "a"}, "no ending"),
        ({"at": 2.0}, "from 0 to 1 along z"),
        ({"axis": "w"}, "axis of picture"),
        ({"width": 3}, "width of picture"),
    ):
        with pytest.raises(au.InputError, match=told):
            amr.picture(gas(3), **{"path": tmp_path / "a.png", **wrong})
    for wrong, told in (
        ({"at": 0.5}, "the mesh has 2 axes"),
        ({"axis": "x"}, "the mesh has 2 axes"),
        ({"field": "velocity_x", "log": True}, "no cell has a positive value"),
    ):
        with pytest.raises(au.InputError, match=told):
            amr.picture(gas(2), **{"path": tmp_path / "a.png", **wrong})
    with pytest.raises(au.Error, match="cannot be written"):
        amr.picture(gas(2), path=tmp_path / "none" / "a.png")
    assert not list(tmp_path.iterdir())
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(au.Error, match=r"pip install 'aureole\[fluids\]'"):
        amr.picture(gas(2), path=tmp_path / "a.png")
