# SPDX-License-Identifier: Apache-2.0
"""Small runs for the tests of what the machine around them does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import aureole as au


def liquid(n: int = 108, seed: int = 1, **options: Any) -> au.Simulation:
    """A small warm liquid; `options` are those of the simulation."""
    settings: dict[str, Any] = dict(
        forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=1.5)],
        integrator=au.NVE(dt=0.005),
        seed=seed,
        threads=1,
    )
    sim = au.Simulation(au.build.lattice("fcc", n=n, density=0.8), **(settings | options))
    sim.thermalize(kT=1.2)
    return sim


def python(text: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a script that may `from small_runs import liquid`."""
    script = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n{text}"
    settings: dict[str, Any] = dict(capture_output=True, text=True, timeout=60)
    return subprocess.run([sys.executable, "-c", script], **(settings | options))
