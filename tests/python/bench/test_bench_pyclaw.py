# SPDX-License-Identifier: Apache-2.0
"""Both engines solve one problem; needs PyClaw (AUREOLE_PYCLAW names a Python that has it)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from aureole_bench.blast import measure as blast
from aureole_bench.blast import physics as blast_physics
from aureole_bench.blast.engines import STYLES, Blast, Ours, PyClawRun, find_pyclaw
from aureole_bench.engines import PeerFailed

NAMED = os.environ.get("AUREOLE_PYCLAW")


@pytest.mark.parametrize("style", STYLES)
def test_one_blast_in_both_engines(style: str, tmp_path: Path) -> None:
    try:
        peer = find_pyclaw(NAMED)
    except PeerFailed as error:
        pytest.skip(str(error))
    case = Blast(32, tmp_path, blast.OUTSIDE)
    want = blast_physics.expected(case.problem)
    ours, theirs = (
        blast_physics.errors(engine.state(1), want, case.problem)
        for engine in (Ours(case, "pack", blast.SECOND), PyClawRun(case, style, peer))
    )
    # Outflow faces are far from the blast: both keep what they began with, up to rounding.
    assert theirs["total_energy"] == pytest.approx(ours["total_energy"], rel=1e-12)
    # Methods of second order, of which no limiter is like another.
    for field in ("density", "energy"):
        assert theirs[field]["mean"] == pytest.approx(ours[field]["mean"], rel=0.5)
    assert PyClawRun(case, style, peer).seconds(1, 1) > 0
