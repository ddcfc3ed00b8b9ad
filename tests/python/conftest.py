# SPDX-License-Identifier: Apache-2.0
"""Set-up of the Python tests."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "helpers"))
pytest.register_assert_rewrite(
    *("effects", "effects_engine", "effects_molecules", "effects_output", "effects_systems")
)

import aureole as au  # noqa: E402 - after pytest knows which helpers to rewrite
from mpirun_jobs import launchers  # noqa: E402


def pytest_collection_modifyitems(config, items):
    """Tests of a GPU are skipped where there is none, unless `-m gpu` asks for them by name."""
    if "gpu" in config.option.markexpr or has_gpu():
        return
    why = pytest.mark.skip(reason="needs a CUDA device (make gpu-check)")
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(why)


def has_gpu() -> bool:
    return any(d["available"] and d["name"].startswith("cuda") for d in au._core.devices())


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder as working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def lj():
    return au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)


@pytest.fixture
def liquid():
    """A factory of small warm liquids."""

    def make(n=500, **options):
        settings = dict(
            forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)],
            integrator=au.NVE(dt=0.005),
            seed=1,
            threads=1,
        )
        sim = au.Simulation(au.build.lattice("fcc", n=n, density=0.8), **(settings | options))
        sim.thermalize(kT=1.2)
        return sim

    return make


@pytest.fixture(params=launchers() or [None])
def mpirun(request):
    """The launcher of each MPI that is here."""
    if request.param is None:
        pytest.skip("no mpirun was found. Install: pip install mpich, or apt install mpich")
    return str(request.param)


@pytest.fixture
def interruptible():
    """SIGINT interrupts, though shells start background jobs with it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
