# SPDX-License-Identifier: Apache-2.0
"""The page about molecules of beads: the bonds of the topology, and no elements."""

from __future__ import annotations

import base64
import json
import re

import aureole as au
import bead_runs
import numpy as np
import pytest
import report_run
from aureole.cli.main import main
from aureole.formats.coordinates import Coordinates
from aureole.formats.gro import write_gro
from aureole.report import coarse
from aureole.report.frames import frame_of, last_frame
from aureole.report.page import render
from aureole.report.view import scene_of
from aureole.report.write import collect
from aureole.system.coarse_grained import is_coarse_grained
from aureole.system.topology import Labels

EM = ("-f", "em.mdp", "-c", "conf.gro", "-p", "topol.top", "-deffnm", "em")
SIZE = len(bead_runs.NAMES)
FIRST = 54  # waters before the lipids


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a minimised system."""
    folder = tmp_path_factory.mktemp("beads")
    bead_runs.write(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["mdrun", *EM, "-ntomp", "1"]) == 0
    return folder


def numbers(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), kind)


def bonds_of(scene: dict) -> set[tuple[int, int]]:
    pairs = numbers(scene["bonds"], "<u4").reshape(-1, 2)
    return {tuple(sorted(map(int, pair))) for pair in pairs}


def bonds_by_hand() -> set[tuple[int, int]]:
    starts = FIRST + SIZE * np.arange(bead_runs.LIPIDS)
    return {(int(s) + a, int(s) + b) for s in starts for a, b in bead_runs.BONDS}


def legend_of(scene: dict) -> dict[str, int]:
    return {one["name"]: one["count"] for one in scene["elements"]}


COUNTS = {"W": 108, "NA": 3} | dict.fromkeys(bead_runs.NAMES, 9)


def test_they_have_their_names_bonds_and_sizes(run):
    scene = collect(run / "em").scene
    assert legend_of(scene) == COUNTS
    assert bonds_of(scene) == bonds_by_hand()
    radius = {one["name"]: one["radius"] for one in scene["elements"]}
    assert radius["NA"] / radius["W"] == pytest.approx(bead_runs.OF_IONS / bead_runs.SIGMA)
    same = [radius[name] for name in ("W", *bead_runs.NAMES)]
    assert same == pytest.approx([radius["W"]] * len(same))
    place = numbers(scene["position"], "<i2").reshape(-1, 3) * scene["extent"] / 32767
    scale = scene["box"][0] / bead_runs.BOX[0]
    pairs = np.array(sorted(bonds_by_hand()))
    length = np.linalg.norm(place[pairs[:, 0]] - place[pairs[:, 1]], axis=1) / scale
    assert (length > 0.25).all() and (length < 0.6).all()  # whole, though the box cuts them
    assert numbers(scene["water"], "u1").sum() == bead_runs.WATERS


def test_words_of_the_page(run):
    content = collect(run / "em")
    page = re.sub(r"<script.*?</script>|<style.*?</style>", "", render(content), flags=re.S)
    for said in (
        *("colours show the names of beads", "Bonds are those of the topology."),
        *("Radii are σ/2 of the pair potential", "108 W, 9 C1A", "9 of 8 particles, 63 bonds"),
    ):
        assert said in page, said
    for word in ("nitrogen", "phosphorus", "Elements are guessed"):
        assert word not in page and word not in json.dumps(content.scene)
    assert {one["name"] for one in content.distributions["series"]} >= {"W–W"}


def test_without_a_summary_no_bond_is_guessed(run, tmp_path):
    (tmp_path / "em.gro").write_bytes((run / "em.gro").read_bytes())
    content = collect(tmp_path / "em")
    assert legend_of(content.scene) == COUNTS and bonds_of(content.scene) == set()
    assert "No file of the run tells their bonds." in render(content)
    assert "Residues" in render(content)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("count", 10**18),
        ("count", -9),
        ("particles", 0),
        ("particles", "8"),
        ("bonds", [[0, 8]]),
        ("bonds", [[0, 1], [2]]),
        ("diameters", [0.47]),
        ("diameters", None),
    ],
)
def test_what_a_summary_tells_wrongly_is_not_believed(run, tmp_path, key, value):
    told = json.loads((run / "em.json").read_text())
    told["system"]["beads"][1][key] = value
    (tmp_path / "em.json").write_text(json.dumps(told))
    (tmp_path / "em.gro").write_bytes((run / "em.gro").read_bytes())
    content = collect(tmp_path / "em")
    assert legend_of(content.scene) == COUNTS and bonds_of(content.scene) == set()


def test_the_view_of_a_notebook_shows_the_same(run):
    files = (run / "em.gro", run / "topol.top", run / "em.mdp")
    with au.from_gromacs(*files, threads=1) as sim:
        scene = scene_of(sim)
    assert legend_of(scene) == COUNTS and bonds_of(scene) == bonds_by_hand()
    radius = {one["name"]: one["radius"] for one in scene["elements"]}
    assert radius["NA"] / radius["W"] == pytest.approx(bead_runs.OF_IONS / bead_runs.SIGMA)


def test_a_summary_tells_no_bonds_of_atoms(run):
    """Distances do, and a protein has many."""
    told = json.loads((run / "em.json").read_text())["system"]["beads"]
    assert [(one["count"], one["particles"]) for one in told] == [(54, 1), (9, 8), (54, 1), (3, 1)]
    assert told[1]["bonds"] == [list(pair) for pair in sorted(bead_runs.BONDS)]
    assert not is_coarse_grained(au.build.water(8).system().topology)


def crystal(name: str, residue: str, spacing: float) -> bool:
    """Whether particles on a lattice, each in a residue of its own, are taken for beads."""
    grid = np.indices((4, 4, 4)).reshape(3, -1).T * spacing
    same = np.zeros(64, dtype=np.int32)
    each = np.arange(1, 65, dtype=np.int32)
    words = Labels((residue,), same), Labels((name,), same)
    made = Coordinates("", each, *words, grid, box=np.eye(3) * 4 * spacing)
    return coarse.are_beads(made, frame_of(made.box, made.position, None))


def test_atoms_are_no_beads(tmp_path):
    write_gro(tmp_path / "w.gro", report_run.waters())
    names, frame = last_frame(tmp_path / "w.gro")
    assert not coarse.are_beads(names, frame)
    for metal in (("NA", "NA", 0.37), ("FE", "FE", 0.25), ("AU", "AU", 0.288)):
        assert not crystal(*metal), metal
    assert not crystal("AR", "AR", 0.38) and not crystal("SI", "SI", 0.235)
    assert crystal("W", "W", 0.47) and crystal("C", "CH4", 0.4)
