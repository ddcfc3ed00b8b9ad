#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two builds of Aureole side by side: the same systems, run in turn, and the ratio of their times.

    bench/compare_builds.py /old/python /new/python --isa avx2 --threads 1 2 --rounds 9

A build is a folder with the package `aureole` in it. Each system is one process a build, in which
pieces of a run alternate with those of the other build; so both see the same state of the machine.
Prints the median of old/new over the rounds (above 1: the new one is faster), and whether the
positions at the end are the same to the bit. With --beside, a system is compared with that one of
the new build instead of the old build.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: Seconds that one piece takes, about.
PIECE = 1.0


def fluid(density: float, kT: float, r_cut: float, types: int = 1) -> Callable[[int], Any]:
    """A Lennard-Jones fluid of so many types that are all alike."""

    def make(threads: int) -> Any:
        import aureole as au
        import numpy as np

        kinds = np.random.default_rng(1).integers(0, types, 32_000)
        kinds[:types] = np.arange(types)
        sim = au.Simulation(
            au.build.lattice("fcc", n=32_000, density=density, type=kinds),
            forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=r_cut)],
            integrator=au.Bussi(dt=0.005, kT=kT, tau=0.5, every=10, remove_com_every=100),
            seed=1,
            threads=threads,
        )
        sim.thermalize(kT=kT)
        return sim

    return make


def water(molecules: int, charges: str, lists: str = "exact") -> Callable[[int], Any]:
    def make(threads: int) -> Any:
        import aureole as au

        sim = au.Simulation(
            au.build.water(molecules, "spce").system(),
            forces=[
                au.LennardJones(r_cut="1.0 nm", mode="shift"),
                getattr(au, charges)(r_cut="1.0 nm"),
            ],
            integrator=au.LeapFrog(dt="2 fs", thermostat=au.VRescale(T="300 K", tau="0.5 ps")),
            neighbors=au.NeighborList(mode=lists),
            seed=1,
            threads=threads,
        )
        sim.minimize(au.SteepestDescent(max_steps=100))
        sim.thermalize("2.494 kJ/mol")
        return sim

    return make


def protein(threads: int) -> Any:
    """Dihydrofolate reductase in water, from the files that AUREOLE_DHFR names (gro, top, mdp).

    Without gen-seed and ld-seed in the mdp, each process has other velocities.
    """
    import aureole as au

    return au.from_gromacs(*os.environ["AUREOLE_DHFR"].split(","), maxwarn=9, threads=threads)


SYSTEMS = {
    "melt": fluid(0.8442, 1.44, 2.5),
    **{f"melt-{n}": fluid(0.8442, 1.44, 2.5, n) for n in (2, 4, 6, 12)},
    "liquid": fluid(0.3820, 1.2, 3.0),
    "rf-12k": water(4_000, "ReactionField"),
    "pme-12k": water(4_000, "PME"),
    "pme-48k": water(16_000, "PME"),
    "rf-12k-tolerance": water(4_000, "ReactionField", "tolerance"),
    "pme-12k-tolerance": water(4_000, "PME", "tolerance"),
    "pme-48k-tolerance": water(16_000, "PME", "tolerance"),
    "dhfr": protein,
}


def work(name: str, threads: int) -> None:
    """Answer requests on stdin: a number of steps, or 0 for the positions' digest."""
    import hashlib
    import time

    import numpy as np

    sim = SYSTEMS[name](threads)
    print("ready", flush=True)
    for line in sys.stdin:
        if steps := int(line):
            began = time.perf_counter()
            sim.run(steps)
            print(time.perf_counter() - began, flush=True)
        else:
            with sim.arrays as arrays:
                position = np.ascontiguousarray(arrays.position)
            print(hashlib.sha256(position.tobytes()).hexdigest(), flush=True)


class Worker:
    """A system in a process of one build."""

    def __init__(self, package: Path, name: str, threads: int, isa: str) -> None:
        more = {"PYTHONPATH": str(package)} | ({"AUREOLE_ISA": isa} if isa else {})
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--work", name, str(threads)],
            env=os.environ | more,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def read(self) -> str:
        if not (line := self.process.stdout.readline()):
            raise SystemExit("a build's process ended (its error is above).")
        return line.strip()

    def ask(self, steps: int) -> str:
        self.process.stdin.write(f"{steps}\n")
        self.process.stdin.flush()
        return self.read()

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def compare(name: str, threads: int, given: argparse.Namespace) -> dict[str, Any]:
    both = []
    first = (given.new, given.beside) if given.beside else (given.old, name)
    for package, system in (first, (given.new, name)):
        both.append(Worker(package, system, threads, given.isa))
        both[-1].read()
    for worker in both:
        worker.ask(50)
    steps = max(20, round(50 * PIECE / float(both[0].ask(50)) / 10) * 10)
    both[1].ask(50)
    times: tuple[list[float], list[float]] = ([], [])
    for round_ in range(given.rounds):
        for k in (0, 1) if round_ % 2 == 0 else (1, 0):
            times[k].append(float(both[k].ask(steps)) / steps)
    digests = {worker.ask(0) for worker in both}
    for worker in both:
        worker.end()
    ratios = [old / new for old, new in zip(*times, strict=True)]
    return {
        "system": name,
        "threads": threads,
        "isa": given.isa,
        "ratio": statistics.median(ratios),
        "ratios": ratios,
        "ms": [1e3 * statistics.median(t) for t in times],
        "same_bits": len(digests) == 1,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old", type=Path, help="folder of the package that is compared with")
    parser.add_argument("new", type=Path)
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--beside", choices=SYSTEMS, help="a system to compare with")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--isa", default="", help="instruction set; that of the processor if none")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", type=Path, help="file that gets a line for each system")
    given = parser.parse_args()
    for threads in given.threads:
        for name in given.systems:
            if name == "dhfr" and "AUREOLE_DHFR" not in os.environ:
                print("dhfr left out: AUREOLE_DHFR does not name its files", flush=True)
                continue
            found = compare(name, threads, given)
            if given.json:
                with given.json.open("a") as file:
                    file.write(json.dumps(found) + "\n")
            bits = "same bits" if found["same_bits"] else "OTHER BITS"
            print(
                f"{name:8s} {given.isa or 'native':7s} {threads} threads: "
                f"{(given.beside + '/' + name) if given.beside else 'old/new'} "
                f"{found['ratio']:.3f} ({min(found['ratios']):.3f} to {max(found['ratios']):.3f}), "
                f"{found['ms'][0]:.3f} and {found['ms'][1]:.3f} ms a step, {bits}",
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], int(sys.argv[3]))
    else:
        main()
