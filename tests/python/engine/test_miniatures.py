# SPDX-License-Identifier: Apache-2.0
"""Miniature systems, one for each function, rule, modifier and special case, as GROMACS has them.

The numbers were made by GROMACS in double precision; tests/data/miniatures.json says which version
and with which options.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from aureole import Device
from aureole.gromacs.job import read_job
from miniatures import all_miniatures

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "validation"))

from gromacs_peer import Point  # noqa: E402 - needs the path
from single_point import compare  # noqa: E402

STORED = json.loads((ROOT / "tests" / "data" / "miniatures.json").read_text())["systems"]
SYSTEMS = all_miniatures()


def test_every_system_has_its_numbers():
    assert STORED.keys() == SYSTEMS.keys()


@pytest.mark.parametrize(
    "device",
    [
        Device(name="host"),
        Device(name="host", algorithm="flat"),
        Device(name="host", algorithm="tiles"),
        pytest.param(Device(name="cuda:0"), marks=pytest.mark.gpu),
    ],
    ids=["clusters", "flat", "tiles", "gpu"],
)
@pytest.mark.parametrize("name", SYSTEMS)
def test_as_gromacs(name, device, tmp_path):
    one, stored = SYSTEMS[name], STORED[name]
    conf, top, mdp, points = one.write(tmp_path)
    job = read_job(conf, top, mdp, references=points)
    assert not job.count("error"), [str(note) for note in job.notes]
    here = one.position
    point = Point(
        stored["energy"],
        np.array(stored.get("at_energy", here)),
        np.array(stored["force"]),
        np.array(stored.get("at_force", here)),
    )
    for precision in ("mixed",) if device.algorithm == "tiles" else ("double", "mixed"):
        found = compare(job, point, precision, device)
        assert found.good, (precision, found.energy, found.differences(), found.force)
