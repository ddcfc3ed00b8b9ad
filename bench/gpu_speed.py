#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Steps per second and the time of each kernel on one GPU; OpenMM on the same files.

    bench/gpu_speed.py ceilings | lj melt liquid | water 12k 48k | protein | openmm [--device host]

Starts are made on the device: Lennard-Jones fluids melt there; boxes of water and ethanol, and
dihydrofolate reductase (AUREOLE_PACK or ../shared/data), go downhill and are warmed up there.
OpenMM takes those that are there. Each result is one line `RESULT {json}`. Times of kernels come
from CUPTI through PyTorch's profiler; where that is missing, a line says so.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))

import aureole as au  # noqa: E402 - needs the path
from aureole.jobs.from_gromacs import from_gromacs  # noqa: E402
from aureole.observers.last_frame import write_frame  # noqa: E402
from aureole_bench.cases import liquid, melt  # noqa: E402
from aureole_bench.gmx import mdp_text  # noqa: E402
from aureole_bench.molecules.cases import composition, count_of  # noqa: E402
from aureole_bench.snapshot import equilibrated  # noqa: E402

ROUNDS = 3
SECONDS = float(os.environ.get("AUREOLE_SECONDS", "0.5"))  # of each round
HOME = Path(tempfile.gettempdir()) / "aureole-gpu-speed"
LJ = {"melt": melt, "liquid": liquid}
RUN = {
    **{"integrator": "md", "dt": 0.002, "nsteps": -1, "constraints": "h-bonds"},
    **{"coulombtype": "PME", "fourierspacing": 0.12, "pme-order": 4},
    **{"tcoupl": "v-rescale", "tc-grps": "system", "tau-t": 0.1, "ref-t": 300},
}
RADII = {"water": 1.0, "protein": 0.9}  # nm

Files = tuple[Path, Path, Path]


def result(**row: Any) -> None:
    print("RESULT " + json.dumps(row), flush=True)


def rate(run: Callable[[int], Any], first: int = 200) -> tuple[float, list[float]]:
    """Median steps per second, and those of each round."""
    run(first)
    began = time.perf_counter()
    run(first)
    steps = max(first, int(first * SECONDS / (time.perf_counter() - began)))
    found = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        run(steps)
        found.append(round(steps / (time.perf_counter() - began), 1))
    return statistics.median(found), found


def short(name: str) -> str:
    """A kernel's functor, without what all names share."""
    name = name.replace("aureole::", "").replace("(anonymous namespace)::", "")
    inside = re.search(r"(?:for|team|reduce|block)_kernel<(.*)>\(", name)
    return (inside[1] if inside else name)[:110]


def kernels(run: Callable[[int], Any], steps: int) -> list[dict[str, Any]]:
    """Microseconds and launches a step of each kernel, copies among them."""
    try:
        import torch
        from torch.profiler import ProfilerActivity, profile
    except ImportError:
        print("PyTorch is missing: no times of kernels")
        return []
    if not torch.cuda.is_available():
        print("PyTorch sees no device: no times of kernels")
        return []
    torch.zeros(1, device="cuda")
    with profile(activities=[ProfilerActivity.CUDA]) as seen:
        run(steps)
        torch.cuda.synchronize()
    total: dict[str, list[float]] = {}
    for event in seen.events():
        row = total.setdefault(short(event.name), [0.0, 0.0])
        row[0] += event.device_time_total
        row[1] += 1
    rows = [
        {"kernel": name, "us": round(t / steps, 3), "launches": round(n / steps, 3)}
        for name, (t, n) in total.items()
        if t > 0
    ]
    return sorted(rows, key=lambda row: -row["us"])


def report(name: str, sim: au.Simulation, n: int, device: str, **more: Any) -> None:
    """Times a simulation, and prints what was found."""
    steps_per_s, rounds = rate(sim.run)
    rows = kernels(sim.run, 500) if device != "host" else []
    result(
        case=name,
        n=n,
        device=device,
        steps_per_s=steps_per_s,
        rounds=rounds,
        us_per_step=round(1e6 / steps_per_s, 2),
        kernel_us_per_step=round(sum(row["us"] for row in rows), 2),
        launches_per_step=round(sum(row["launches"] for row in rows), 2),
        temperature=round(float(sim.temperature), 4),
        described={key: str(value) for key, value in sim.describe().items()},
        profile={key: round(value, 4) for key, value in sim.profile().items() if value > 0},
        kernels=rows,
        **more,
    )
    for row in rows[:14]:
        print(f"    {row['us']:9.2f} us {row['launches']:7.2f}  {row['kernel']}")


def lj(names: list[str], device: str, n: int) -> None:
    """Lennard-Jones fluids with both lists, alone and with a thermostat."""
    for name in names:
        case = LJ[name](n)
        position, velocity = equilibrated(case, device, (2000, 500, 200))
        system = au.System((case.edge,) * 3, position, velocity=velocity)
        force = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=case.r_cut)
        integrators = {
            "NVE": au.NVE(dt=case.dt),
            "Bussi": au.Bussi(dt=case.dt, kT=case.kT, tau=case.tau, every=10),
        }
        lists = {
            "exact": au.NeighborList(),
            "tolerance 0.005": au.NeighborList(mode="tolerance", tolerance=0.005),
        }
        for style, neighbors in lists.items():
            for kind, integrator in integrators.items():
                sim = au.Simulation(
                    system, [force], integrator, neighbors=neighbors, seed=1, device=device
                )
                energy = sim.energy.total
                report(f"lj-{name}-{n}", sim, n, device, list=style, ensemble=kind)
                print(f"    energy a particle {energy / n:.6f} -> {sim.energy.total / n:.6f}")
                sim.close()


def water(size: str, device: str) -> None:
    system = au.build.solution(composition(count_of(size)), seed=1)
    folder = HOME / size
    system.write_gromacs(folder, mdp_text(settings("water")))
    files = downhill(folder, folder / "conf.gro", folder / "topol.top", device)
    molecules(f"water-{size}", system.n, files, device)


def dhfr() -> Path | None:
    """The folder of dhfr.gro and dhfr.top."""
    pack = os.environ.get("AUREOLE_PACK")
    for folder in (Path(pack) / "dhfr" if pack else None, ROOT.parent / "shared" / "data" / "dhfr"):
        if folder is not None and (folder / "dhfr.gro").exists():
            return folder
    print("dhfr.gro is not here: left out")
    return None


def protein(device: str) -> None:
    folder = dhfr()
    if folder is None:
        raise SystemExit(77)  # which gpu_check takes for left out
    conf, home = folder / "dhfr.gro", HOME / "dhfr"
    home.mkdir(parents=True, exist_ok=True)
    n = int(conf.read_text().splitlines()[1])
    molecules("dhfr", n, downhill(home, conf, folder / "dhfr.top", device), device)


def settings(kind: str) -> dict[str, Any]:
    return {**RUN, "rcoulomb": RADII[kind], "rvdw": RADII[kind]}


def downhill(folder: Path, conf: Path, top: Path, device: str) -> Files:
    """Files of a warm start: minimised, then 2 ps from 300 K."""
    base = settings("protein" if folder.name == "dhfr" else "water")
    mdp, start, first = folder / "run.mdp", folder / "start.gro", folder / "first.mdp"
    if start.exists():
        return start, top, mdp
    # PME warns of the charge of DHFR, which OpenMM takes as it is too.
    first.write_text(
        mdp_text({**base, "integrator": "steep", "emtol": 500, "emstep": 0.01, "nsteps": 300})
    )
    with from_gromacs(conf, top, first, device=device, maxwarn=1) as sim:
        sim.minimize()
        write_frame(folder / "down.gro", sim)
    hot = {"gen-vel": "yes", "gen-temp": 300, "gen-seed": 1}
    first.write_text(mdp_text({**base, **hot, "dt": 0.001}))
    with from_gromacs(folder / "down.gro", top, first, device=device, maxwarn=1) as sim:
        sim.run(2000)
        write_frame(start, sim)
    mdp.write_text(mdp_text({**base, **hot}))
    return start, top, mdp


def molecules(name: str, n: int, files: Files, device: str) -> None:
    with from_gromacs(*files, device=device, maxwarn=1) as sim:
        sim.run(500)
        report(name, sim, n, device, style="PME", dt_fs=2.0)


def torch_is_of_amd() -> bool:
    """Whether this machine's PyTorch is ROCm's, where `cuda` means GPUs of AMD."""
    try:
        import torch
    except ImportError:
        return shutil.which("rocm-smi") is not None
    return torch.version.hip is not None


def openmm(device: str) -> None:
    """OpenMM on the starts that the other parts have left."""
    from aureole_bench.molecules import openmm_worker

    platform = "CPU" if device == "host" else "HIP" if torch_is_of_amd() else "CUDA"
    for folder in sorted(HOME.glob("*")):
        home = dhfr() if folder.name == "dhfr" else None
        job = {
            "conf": str(folder / "start.gro"),
            "top": str(home / "dhfr.top" if home else folder / "topol.top"),
            "mdp": str(folder / "run.mdp"),
            "platform": platform,
            "threads": os.cpu_count(),
        }
        if not Path(job["conf"]).exists():
            continue
        context, integrator = openmm_worker.context(job)

        def run(steps: int, context: Any = context, integrator: Any = integrator) -> None:
            integrator.step(steps)
            context.getState(getEnergy=True)  # waits

        steps_per_s, rounds = rate(run)
        result(
            case=folder.name,
            n=context.getSystem().getNumParticles(),
            engine=f"OpenMM {platform}",
            steps_per_s=steps_per_s,
            rounds=rounds,
            us_per_step=round(1e6 / steps_per_s, 2),
        )
        del context, integrator


def ceilings() -> None:
    """Bytes per second of a copy, read and written, by PyTorch."""
    import torch

    a = torch.rand(1 << 28, device="cuda")
    b = torch.empty_like(a)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    found = []
    for _ in range(10):
        begin.record()
        b.copy_(a)
        end.record()
        torch.cuda.synchronize()
        found.append(2 * a.numel() * 4 / begin.elapsed_time(end) * 1e-9)
    result(
        device=torch.cuda.get_device_name(),
        copy_TB_per_s=round(statistics.median(found), 3),
        torch=torch.__version__,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("ceilings", "lj", "water", "protein", "openmm"))
    parser.add_argument("names", nargs="*", help="fluids, or sizes of water")
    parser.add_argument("--device", default="gpu:0")
    parser.add_argument("-n", type=int, default=64_000, help="particles of a Lennard-Jones fluid")
    chosen = parser.parse_args()
    if chosen.what == "ceilings":
        ceilings()
    elif chosen.what == "lj":
        lj(chosen.names or list(LJ), chosen.device, chosen.n)
    elif chosen.what == "water":
        for size in chosen.names or ["12k"]:
            water(size, chosen.device)
    elif chosen.what == "protein":
        protein(chosen.device)
    else:
        openmm(chosen.device)


if __name__ == "__main__":
    main()
