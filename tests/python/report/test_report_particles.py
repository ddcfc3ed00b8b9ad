# SPDX-License-Identifier: Apache-2.0
"""The page about a run of particles: .gsd found, reduced units, types, bonds, damaged files."""

from __future__ import annotations

import base64
import json
import os
import re
from pathlib import Path

import aureole as au
import gsd.hoomd
import numpy as np
import particle_runs
import pytest
from aureole.analysis.pair_distribution import pair_distribution
from aureole.base.errors import FileError, InputError
from aureole.cli.main import main
from aureole.report import files
from aureole.report.page import render
from aureole.report.write import collect, write

DATA = r'<script type="application/json" id="data">(.*?)</script>'
PHYSICAL = r"\d\s*(ps|ns|nm|K|bar|kJ/mol|kg/m³)\b"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The three runs, each made once."""
    folder, before = tmp_path_factory.mktemp("runs"), Path.cwd()
    os.chdir(folder)
    try:
        particle_runs.melt()
        particle_runs.mixture()
        particle_runs.chains()
    finally:
        os.chdir(before)
    return folder


def frames(path: Path) -> list[gsd.hoomd.Frame]:
    with gsd.hoomd.open(str(path), "r") as file:
        return list(file)


def numbers(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), kind)


def data_of(page: str) -> dict:
    return json.loads(re.search(DATA, page, re.S)[1])


def seen(page: str) -> str:
    words = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", words))


@pytest.mark.parametrize("summary", [True, False])
def test_a_trajectory_with_types_is_taken_beside_one_without(here, liquid, summary):
    """An .xtc is the first that a page looks for, and shows nothing without a .gro."""
    specs = [au.Log("o.csv", every=5), au.Frames("o.xtc", every=5), au.Trajectory("o.gsd", every=5)]
    specs += [au.RunLog("o.log")] if summary else []
    with liquid(n=108, observers=specs) as sim:
        sim.run(20)
    found = files.find("o")
    assert found.trajectory == Path("o.gsd") and found.units == "reduced"
    content = collect("o")
    assert content.beads is not None and content.distributions
    assert not {"last_frame", "distributions", "trajectory"} & content.missing.keys()
    Path("o.gro").touch()
    assert files.find("o").trajectory == Path("o.xtc")


@pytest.mark.parametrize("name", ["melt", "mixture", "chains"])
def test_all_is_shown_in_reduced_units(folder, name):
    page, missing = write(folder / name, folder / "page.html")
    text = page.read_text()
    assert set(missing) <= {"summary"}
    assert not re.search(PHYSICAL, seen(text))
    assert re.search(r"Simulated 1\.[25]00 τ", seen(text))
    data = data_of(text)
    assert data["small"]["temperature"]["unit"] == "ε/k"
    assert data["distributions"]["x"] == {"name": "distance", "unit": "σ"}
    assert {chart["unit"] for chart in data["large"]} <= {"ε", "ε/k", "ε/σ³", "σ"}
    assert "reduced: those of length σ" in seen(text)


def test_averages_and_energies_of_each_particle(folder):
    content = collect(folder / "melt")
    table = np.genfromtxt(folder / "melt.csv", delimiter=",", names=True)
    columns = content.energies.columns
    assert columns["potential_per_particle"] == pytest.approx(table["potential"] / 256)
    whole = (table["potential"] + table["kinetic"]) / 256
    assert columns["total_per_particle"] == pytest.approx(whole)
    assert content.means["potential_per_particle"].mean == pytest.approx(
        table["potential"].mean() / 256
    )
    titles = [chart["title"] for chart in content.large]
    assert titles[:2] == ["Potential energy per particle", "Total energy per particle"]
    assert "Potential energy per particle" in seen(render(content))


def test_averages_are_of_the_longer_series(folder):
    """RunLog has the start alone, Log 31 rows; columns that Log does not have are the run's."""
    table = np.genfromtxt(folder / "mixture.csv", delimiter=",", names=True)
    content = collect(folder / "mixture")
    assert content.run.summary["samples"] == 1 and len(table) == 31
    assert content.means["pressure"].mean == pytest.approx(table["pressure"].mean())
    assert content.means["pressure"].error > 0
    assert content.means["volume"].mean == content.run.summary["averages"]["volume"]["mean"]
    assert "from the means of 10 blocks" in seen(render(content))


def test_types_of_the_legend_and_places_are_those_of_the_file(folder):
    content = collect(folder / "mixture")
    last = frames(folder / "mixture.gsd")[-1]
    legend = content.scene["elements"]
    assert [(one["name"], one["count"]) for one in legend] == [("A", 400), ("B", 100)]
    assert len({one["colour"] for one in legend}) == 2
    # The file gives σ; radii have its ratio.
    assert legend[1]["radius"] / legend[0]["radius"] == pytest.approx(0.88)
    drawn = numbers(content.scene["position"], "<i2").reshape(-1, 3) * content.scene["extent"]
    scale = content.scene["box"][0] / last.configuration.box[0]
    assert np.abs(drawn / 32767 - scale * last.particles.position).max() < 1e-3 * scale
    assert (numbers(content.scene["element"], "u1") == last.particles.typeid).all()
    assert 2 * legend[0]["radius"] / scale == pytest.approx(1.0)


def radii_of(content) -> dict[str, float]:
    return {one["name"]: one["radius"] for one in content.scene["elements"]}


@pytest.mark.parametrize("pairs", [(), ("A-B",), ("B-B",)])
def test_radii_without_forces_are_those_of_contacts(folder, tmp_path, pairs):
    """B of Kob and Andersen's mixture is the smaller one: σ 0.88, and 0.6 if A-B were additive.

    Its own g(r) has its first peak at the second neighbours. What is drawn changes no radius.
    """
    (tmp_path / "mixture.gsd").write_bytes((folder / "mixture.gsd").read_bytes())
    content = collect(tmp_path / "mixture", pairs=pairs)
    assert content.radii == "Radii are from the first peaks of g(r)."
    radius = radii_of(content)
    assert 0.55 < radius["B"] / radius["A"] < 0.95


def test_radii_of_types_that_separate_are_their_own(here):
    """Two crystals far from each other, with neighbours at 1.0 and 0.8."""
    grid = np.indices((6, 6, 6)).reshape(3, -1).T - 2.5
    rng = np.random.default_rng(1)
    frame = gsd.hoomd.Frame()
    frame.configuration.box = (30, 10, 10, 0, 0, 0)
    frame.particles.N, frame.particles.types = 432, ["A", "B"]
    frame.particles.typeid = np.repeat([0, 1], 216)
    shake = 0.02 * rng.normal(size=(432, 3))
    frame.particles.position = np.concatenate([grid - [7, 0, 0], 0.8 * grid + [7, 0, 0]]) + shake
    with gsd.hoomd.open("apart.gsd", "w") as file:
        file.append(frame)
    radius = radii_of(collect("apart"))
    assert radius["B"] / radius["A"] == pytest.approx(0.8, rel=0.08)


def test_distribution_is_that_of_the_last_frames(folder):
    """Against the g(r) that the analysis package makes of the same frames."""
    content = collect(folder / "melt")
    chart = content.distributions
    r = numbers(chart["series"][0]["x"], "<f8")
    g = numbers(chart["series"][0]["y"], "<f4")
    n, total = len(r), 0.0
    used = frames(folder / "melt.gsd")[-4:]  # of 7
    assert content.frames == "Over the last 4 of 7 frames of melt.gsd."
    r_max = 0.499 * used[0].configuration.box[0]
    for frame in used:
        system = au.System(au.Box.of(frame.configuration.box.tolist()), frame.particles.position)
        expected, found = pair_distribution(system, r_max, n, centres=1000)
        total = total + found / len(used)
    assert r == pytest.approx(expected, rel=1e-4)
    assert np.abs(g - total).max() < 0.02 * total.max()
    assert 1.0 < r[g.argmax()] < 1.2


def test_pairs_of_types(folder, capsys):
    chart = collect(folder / "mixture").distributions
    assert [one["name"] for one in chart["series"]] == ["A–A", "A–B", "B–B"]
    chart = collect(folder / "mixture", pairs=["A-B"]).distributions
    assert [one["name"] for one in chart["series"]] == ["A–B"]
    assert main(["report", str(folder / "mixture"), "--pairs", "A-C"]) == 2
    assert "there are no atoms 'C'" in capsys.readouterr().err


def test_bonds_are_drawn_and_molecules_whole(folder):
    content = collect(folder / "chains")
    last = frames(folder / "chains.gsd")[-1]
    bonds = numbers(content.scene["bonds"], "<u4").reshape(-1, 2)
    assert {tuple(sorted(pair)) for pair in bonds.tolist()} == {
        tuple(sorted(pair)) for pair in last.bonds.group.tolist()
    }
    drawn = numbers(content.scene["position"], "<i2").reshape(-1, 3) * content.scene["extent"]
    scale = content.scene["box"][0] / last.configuration.box[0]
    apart = np.linalg.norm(np.diff(drawn[bonds] / 32767, axis=1)[:, 0], axis=1) / scale
    assert apart.max() < 1.5  # the largest length of the springs: none goes through the box
    assert apart.min() > 0.7
    assert "16 of 8 particles, 112 bonds" in seen(render(content))


def test_names_of_files_and_folders(here):
    particle_runs.melt("run")
    for given in (".", "run", "run.gsd", "run.csv"):
        found = files.find(given)
        assert (found.trajectory.name, found.energies.name) == ("run.gsd", "run.csv")
        assert (found.units, found.page.name) == ("reduced", "run.html")
    Path("other.csv").write_text("step\n0\n")
    assert files.find(".").name == "run"  # a table alone is no run
    au.write("other.gsd", au.read("run.gsd"))
    with pytest.raises(InputError, match="holds 2 runs"):
        files.find(".")


def test_default_names(here):
    sim = au.Simulation(
        au.build.lattice("fcc", n=108, density=0.8),
        [au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.0)],
        au.NVE(dt=0.005),
        [au.Trajectory(), au.Log(), au.RunLog()],
        threads=1,
    )
    with sim:
        sim.thermalize(kT=1.0).run(200)
    assert main(["report", "."]) == 0
    assert "Where the time went" in Path("run.html").read_text()


def made(name: str, n: int, box=(6, 6, 6, 0, 0, 0), dimensions=3, types=("A",)) -> Path:
    """A file as other programs write it."""
    rng = np.random.default_rng(1)
    with gsd.hoomd.open(f"{name}.gsd", "w") as file:
        for step in (0, 10):
            frame = gsd.hoomd.Frame()
            frame.configuration.step = step
            frame.configuration.box, frame.configuration.dimensions = box, dimensions
            frame.particles.N, frame.particles.types = n, list(types)
            frame.particles.typeid = np.arange(n) % len(types)
            frame.particles.position = (rng.random((n, 3)) - 0.5) * box[:3]
            file.append(frame)
    return Path(name)


def test_few_particles_and_odd_boxes(here):
    assert "has no particles" in collect(made("empty", 0)).missing["trajectory"]
    one = collect(made("one", 1))
    assert one.missing["distributions"] == "There is one particle, so there is no g(r)."
    assert one.scene["n"] == 1
    flat = collect(made("flat", 50, (6, 6, 0, 0, 0, 0), 2))
    assert "two-dimensional" in flat.missing["distributions"]
    assert flat.scene["n"] == 50
    slab = collect(made("slab", 200, (8, 8, 2, 0, 0, 0)))
    assert numbers(slab.distributions["series"][0]["x"], "<f8").max() < 1.0
    assert slab.scene["n"] == 200
    many = collect(made("many", 200, types=[f"t{k}" for k in range(40)]))
    assert sum(of["count"] for of in many.scene["elements"]) == 200
    assert many.scene["elements"][-1]["name"] == "27 further types"
    for content in (one, flat, slab, many):
        render(content)


@pytest.mark.parametrize("ending", ["xyz", "dcd"])
def test_other_trajectories(here, ending):
    """Lengths are those of the run, although other programs take them for angstroms."""
    pytest.importorskip("chemfiles")
    system = au.build.lattice("fcc", n=256, density=0.8, **au.build.mixture(256, {"A": 3, "B": 1}))
    lj = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)
    observers = [au.Trajectory(f"a.{ending}", every=50), au.Log("a.csv", every=10)]
    with au.Simulation(system, [lj], au.NVE(dt=0.005), observers, threads=1) as sim:
        sim.thermalize(kT=1.0).run(200)
    content = collect("a")
    assert content.frame.box.lengths == pytest.approx(system.box.lengths, rel=1e-5)
    r = numbers(content.distributions["series"][0]["x"], "<f8")
    g = numbers(content.distributions["series"][0]["y"], "<f4")
    assert 1.0 < r[g.argmax()] < 1.25
    names = {one["name"]: one["count"] for one in content.scene["elements"]}
    assert names == ({"A": 192, "B": 64} if ending == "xyz" else {"particle": 256})


def test_a_ring_through_the_box_has_no_bond_across_it(here):
    frame = gsd.hoomd.Frame()
    frame.configuration.box = (6, 6, 6, 0, 0, 0)
    frame.particles.N = 6
    frame.particles.position = np.column_stack([np.arange(6) - 2.5, np.zeros((6, 2))])
    frame.bonds.N, frame.bonds.types = 6, ["ring"]
    frame.bonds.group = [[k, (k + 1) % 6] for k in range(6)]
    with gsd.hoomd.open("ring.gsd", "w") as file:
        file.append(frame)
    content = collect("ring")
    assert len(numbers(content.scene["bonds"], "<u4")) == 2 * 5
    assert "1 of 6 particles, 6 bonds" in seen(render(content))


def test_a_file_that_is_cut_off(folder, tmp_path):
    """What was lost is named, and the rest is shown."""
    for name in ("melt.gsd", "melt.csv"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    size = os.path.getsize(tmp_path / "melt.gsd")
    os.truncate(tmp_path / "melt.gsd", 2 * size // 3)
    page, missing = write(tmp_path / "melt")
    assert "melt.gsd: damaged" in missing["trajectory"]
    assert "Temperature" in page.read_text()
    os.unlink(tmp_path / "melt.gsd")
    os.unlink(tmp_path / "melt.csv")
    with pytest.raises(FileError, match="is not a run"):
        write(tmp_path / "melt")


def test_molecular_units_are_told_by_the_file(here):
    """A .gsd of a run in nm and ps keeps these units, without any summary."""
    system = au.build.water(64, "spce").system()
    log = au.Log("wet.csv", every=5)
    with au.Simulation(
        system,
        [au.LennardJones(r_cut=0.6), au.PME(r_cut=0.6)],
        au.LeapFrog(dt=0.001),
        [au.Trajectory("wet.gsd", every=5), log],
        threads=1,
    ) as sim:
        sim.run(10)
    assert files.find("wet").units == "molecular"
    text = seen(render(collect("wet")))
    assert re.search(r"0\.0100\d* ps", text)
    assert " nm" in text and "σ" not in text


def test_without_words_about_units_numbers_stand_alone(here):
    Path("bare.csv").write_text("step,time,potential\n0,0,-1\n1,0.1,-2\n2,0.2,-1.5\n")
    text = seen(render(collect("bare")))
    assert "not given in the files" in text
    assert not re.search(PHYSICAL, text) and "ε" not in text


def test_summary_in_data_is_valid(folder):
    text = render(collect(folder / "mixture"))
    assert data_of(text)["scene"]["n"] == 500
    assert "Settings" in seen(text)


def spread(*displaced: float) -> None:
    """A file of one frame for each number, by which particle 3 is displaced along y."""
    places = np.random.default_rng(1).uniform(-5, 5, (50, 3))
    with gsd.hoomd.open("far.gsd", "w") as file:
        for step, far in enumerate(displaced):
            frame = gsd.hoomd.Frame()
            frame.configuration.step, frame.configuration.box = step, [10, 10, 10, 0, 0, 0]
            frame.particles.N, frame.particles.position = 50, places + 0.0
            frame.particles.position[3, 1] += far
            file.append(frame)


@pytest.mark.parametrize("displaced", [(0.0, 1e30), (0.0, 1e30, 0.0), (1e12,)])
def test_a_particle_far_away_is_a_note(here, displaced):
    spread(*displaced)
    page, missing = write("far")
    told = " ".join(missing.values())
    assert ("far.gsd: particle 3 is" in told) == (displaced[-1] > 0)
    assert "far.gsd" in page.read_text()


def test_positions_that_a_file_omits_are_0(here):
    """As GSD files omit what has the default value."""
    frame = gsd.hoomd.Frame()
    frame.configuration.box = [10, 10, 10, 0, 0, 0]
    frame.particles.N, frame.particles.position = 1, [(0, 0, 0)]
    with gsd.hoomd.open("origin.gsd", "w") as file:
        file.append(frame)
    assert (au.read("origin.gsd").position == 0).all()
    assert "trajectory" not in write("origin")[1]
    content = collect("origin")
    assert content.scene["n"] == 1
