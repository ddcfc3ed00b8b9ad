# SPDX-License-Identifier: Apache-2.0
"""Memory of each rank of a Lennard-Jones melt: a script that prints it in MB.

Words: particles, ranks. What a rank had before it got the simulation, its largest and what it has
after steps; the share of a page that several have is counted once, by parts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import aureole as au


def taken(world: Any = None) -> dict[str, float]:
    """Own and proportional memory of this process now, and the most that it had [MB]."""
    found = {}
    for file in ("smaps_rollup", "status"):
        for line in Path(f"/proc/self/{file}").read_text().splitlines():
            name, _, value = line.partition(":")
            if name in ("Pss", "VmHWM", "VmRSS"):
                found[name] = int(value.split()[0]) / 1024
    if world is not None:
        world.send(0, json.dumps(found).encode().ljust(256))
    return found


def tell(world: Any) -> Any:
    """On every rank: the first gets the numbers of all."""
    if world.rank != 0:
        return taken(world)
    return [taken(), *(json.loads(world.receive(r, 256)) for r in range(1, world.size))]


def main() -> None:
    import memory  # this file, as the others know it

    n, ranks = int(sys.argv[1]), int(sys.argv[2])
    device = au.Device(ranks=ranks, threads=1)
    force = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)
    system = au.build.lattice("fcc", n=n, density=0.8)
    sim = au.Simulation(system, [force], au.NVE(dt=0.004), device=device, seed=1)
    del system
    sim.thermalize(1.2)
    sim.run(int(sys.argv[3]))
    found = [taken()] if ranks == 1 else sim._core._team.call(memory.tell)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
