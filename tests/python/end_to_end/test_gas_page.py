# SPDX-License-Identifier: Apache-2.0
"""The page about gases: its code runs, and does what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from aureole import amr

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/howto/simulate-a-gas.md"


def blocks(page=PAGE):
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


def block(words):
    """The one that has some words."""
    (found,) = [code for code in blocks() if words in code]
    return found


def mean_error(name):
    """Of the density of Sod's tube on 128 cells at t = 0.25, by a run of its own."""
    tube = amr.sod(128)
    steps = "rk3" if name == "ppm" else "rk2"
    sim = amr.Simulation(tube.mesh(), tube.gas(), amr.Scheme(reconstruct=name, steps=steps))
    sim.set(tube).run(until=0.25)
    expected = amr.exact.riemann((1, 0, 1), (0.125, 0, 0.1), 1.4, 4 * (sim.mesh.centers("x") - 0.5))
    return np.abs(sim.get("density") - expected.density).mean()


@pytest.mark.filterwarnings("ignore:.*cannot show the figure")
def test_the_page_runs_as_printed(here, capsys, monkeypatch):
    image = pytest.importorskip("matplotlib.image", reason="matplotlib draws the picture")
    monkeypatch.setenv("MPLBACKEND", "agg")
    names: dict = {}
    for code in blocks():
        exec(compile(code, PAGE.name, "exec"), names)
    said = capsys.readouterr().out

    for name in ("sod.png", "blast.png"):
        shown, drawn = image.imread(ROOT / "docs/images" / name), image.imread(name)
        assert np.allclose(drawn.shape, shown.shape, rtol=0.02)  # fonts may differ a little
        ends = tuple(map(min, drawn.shape, shown.shape))
        pair = [one[: ends[0], : ends[1]] for one in (drawn, shown)]
        assert np.abs(pair[0] - pair[1]).mean() < 0.03
    assert sorted(file.name for file in here.glob("shock.*.phdf")) == [
        f"shock.{k:05d}.phdf" for k in range(5)
    ]
    for name, reconstruct in (("linear", "plm"), ("parabolic", "ppm")):
        (error,) = re.findall(rf"piecewise {name}: 175 steps, mean error of the density (.*)", said)
        assert float(error) == pytest.approx(mean_error(reconstruct), abs=1e-4)

    step, time, across, mass = np.loadtxt("history.txt").T
    assert list(step) == list(range(0, int(step[-1]) + 1, 10)) and time[-1] <= 1.0
    assert across[-1] > 4 * across[0]  # it grows
    np.testing.assert_allclose(mass, 1.5, rtol=1e-13)

    for k, at in enumerate([1.0, 1.05, 1.1, 1.15, 1.2]):
        with np.load(f"layers-{k}.npz") as saved:
            assert saved["time"] == pytest.approx(at, rel=1e-15)
            assert saved["density"].shape == (64, 64) and saved["velocity"].shape == (64, 64, 2)
    times = []
    for file in sorted(here.glob("layers-at-*.npz")):
        with np.load(file) as saved:
            times.append(float(saved["time"]))
    assert len(times) >= 5
    # The first step that ends at each multiple of 0.05 or later.
    np.testing.assert_array_less(
        abs(np.array(times) - 0.05 * np.floor(np.array(times) / 0.05 + 1e-9)), 0.003
    )
    logged = np.genfromtxt("layers.csv", delimiter=",", names=True)
    np.testing.assert_allclose(logged["mass"], 1.5, rtol=1e-11)
    assert logged["time"][0] >= 1.4 and 1.68 < logged["time"][-1] <= 1.7
    assert names["again"].time == 1.7
    fixed, adaptive = re.findall(r"Simulation\((.*) cells", said)
    assert f"print(sim)  # {fixed} cells; 128² would be 16,384" in block("middle = amr.Region")
    assert f"print(blast)  # {adaptive} cells; 128² would be 16,384" in block("blast.set(")
    assert names["picture"].shape == (128, 128)
    cloud = names["cloud"]
    assert cloud.time == 0.3 and cloud.get("density", level=1).max() > 10  # compressed

    (speed,) = re.findall(r"largest speed (.*), of sound 1\.18", said)
    assert 0.009 < float(speed) < 0.01 and np.sqrt(1.4) == pytest.approx(1.18, abs=0.005)


@pytest.mark.parametrize(
    ("page", "pictures"),
    [("run-a-blast", ["blast"]), ("from-athena", ["blast", "cloud", "kh"])],
)
def test_other_pages_run_as_printed(page, pictures, here):
    """On fewer cells and for a shorter time: they are long."""
    image = pytest.importorskip("matplotlib.image", reason="matplotlib draws the pictures")
    names: dict = {}
    for code in blocks(ROOT / f"docs/howto/{page}.md"):
        short = re.sub(r"until=([0-9.]+)", lambda found: f"until={float(found[1]) / 10}", code)
        short = short.replace("max_level=4", "max_level=2").replace(
            "roots=(32, 16)", "roots=(8, 4)"
        )
        exec(compile(short, page, "exec"), names)
    for name in pictures:
        assert np.ptp(image.imread(f"{name}.png")) > 0.5
    if page == "from-athena":
        cloud = names["sim"]
        (low, _), _ = cloud.mesh.faces
        # The shock of Mach 10 moves at 10: behind it is the state beyond the face.
        x = cloud.blocks.centers("x")
        front = x[abs(cloud.blocks.cells("pressure") / low.pressure - 0.5) < 0.45].max()
        assert front == pytest.approx(-2 + 10 * cloud.time, abs=0.2)
    else:
        assert list(here.glob("blast.*.phdf")) and list(here.glob("blast.*.xdmf"))
        assert names["again"].time > names["sim"].time


def test_gravity_of_the_page_errs_in_first_order(here):
    """Half as fast on twice as many cells; and free gas falls as it should."""
    names: dict = {"amr": amr, "np": np}
    exec("import aureole as au", names)
    code = block("def pull(sim)")
    speeds = []
    for roots in (8, 16):
        exec(code.replace("roots=(8,)", f"roots=({roots},)"), names)
        speeds.append(abs(names["sim"].get("velocity_x")).max())
    assert speeds[1] == pytest.approx(speeds[0] / 2, rel=0.1)
    free = amr.Simulation(amr.Mesh(box=[(0, 1)], roots=(1,)), observers=names["sim"].observers)
    free.set(density=1.0, pressure=1.0).run(until=0.7)
    np.testing.assert_allclose(free.get("velocity_x"), -0.7, rtol=1e-13)


def test_both_ways_to_set_the_layers_are_one(here):
    names: dict = {"amr": amr, "np": np}
    states = []
    for words in ("def layers(x, y)", "np.meshgrid(mesh.centers"):
        exec(block(words), names)
        states.append([names["sim"].get(name) for name in ("density", "pressure", "velocity")])
    for one, other in zip(*states, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_row_of_the_readme_runs_and_leads_to_the_page():
    (row,) = re.findall(
        r"^\| Athena\+\+, PyClaw \|.*$", (ROOT / "README.md").read_text(), re.MULTILINE
    )
    assert "(docs/howto/simulate-a-gas.md)" in row
    (code,) = re.findall(r"`(sim = .*?)`", row)
    names: dict = {"amr": amr}
    exec(code, names)
    assert names["sim"].run(2).step == 2


def test_names_of_the_last_column_are_there():
    table = PAGE.read_text().partition("## What you may know from other codes")[2]
    spans = [code for line in table.splitlines() for code in re.findall(r"`([^`]+)`", line)]
    names = {"amr": amr, "sim": amr.Simulation(amr.Mesh(box=[(0, 1)], roots=(1,)), threads=1)}
    names["sim"].set(density=1.0, pressure=1.0)
    run = [code for code in spans if re.match(r"(amr|sim)\.", code) and "..." not in code]
    assert len(run) >= 7
    for code in run:
        if "function" not in code and "until=t)" not in code:
            eval(code, names)
