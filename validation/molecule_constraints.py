# SPDX-License-Identifier: Apache-2.0
"""How well rigid bonds keep their lengths in a long run at 2 fs, looked at from outside.

Lengths are taken from the positions that a user gets, after every step (or every `--every`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from boxes import Box, Results, Settings, arguments, thermostat
from numpy.typing import NDArray

#: Largest r.m.s. and single relative deviation, by solver and precision.
LIMITS = {
    ("lincs", "mixed"): (1e-5, 1e-4),
    ("settle", "mixed"): (1e-5, 1e-5),
    ("lincs", "double"): (1e-5, 1e-4),
    ("settle", "double"): (1e-11, 1e-11),
}
#: Name, molecules, precision, which bonds are rigid, steps.
RUNS: list[tuple[str, dict[str, int], str, str, int]] = [
    ("mixture h-bonds", {"ethanol": 57, "spce": 342}, "mixed", "h-bonds", 100_000),
    ("mixture all-bonds", {"ethanol": 57, "spce": 342}, "mixed", "all-bonds", 100_000),
    ("mixture h-bonds double", {"ethanol": 57, "spce": 342}, "double", "h-bonds", 20_000),
]

Pairs = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def pairs(terms: Any, kind: str) -> Pairs | None:
    """Both ends and lengths [nm] of all rigid bonds of a kind."""
    one = terms.get(kind)
    if one is None or not one.n:
        return None
    atoms, values = np.asarray(one.particles), np.asarray(one.parameters)[np.asarray(one.row)]
    if kind == "constraint":
        return atoms[:, 0], atoms[:, 1], values[:, 0]
    ends = ((0, 1, 0), (0, 2, 0), (1, 2, 1))
    first, second, length = zip(
        *((atoms[:, i], atoms[:, j], values[:, k]) for i, j, k in ends), strict=True
    )
    return np.concatenate(first), np.concatenate(second), np.concatenate(length)


def deviations(sim: Any, rigid: Pairs) -> NDArray[np.float64]:
    """Relative deviations of lengths from what they ought to be."""
    first, second, length = rigid
    x = sim.get("position")
    d = sim.box.minimum_image(x[first] - x[second])
    return np.sqrt(np.einsum("ij,ij->i", d, d)) / length - 1.0


def watch(
    results: Results, box: Box, run: tuple[str, Any, str, str, int], scale: float, every: int
):
    """One run, whose worst r.m.s. and single deviations are told for each solver."""
    name, _, precision, constraints, steps = run
    steps = round(steps * scale)
    settings: Settings = {"constraints": constraints, "ld-seed": 3}
    label = f"constraints-{name}".replace(" ", "-")
    with box.simulation(label, thermostat("v-rescale"), settings, precision=precision) as sim:
        terms = sim.topology.expand_terms()
        rigid = {"lincs": pairs(terms, "constraint"), "settle": pairs(terms, "settle")}
        worst = {key: [0.0, 0.0, 0.0] for key, value in rigid.items() if value is not None}
        sim.run(100)
        looks = 0
        for _ in range(steps // every):
            sim.run(every)
            looks += 1
            for key, most in worst.items():
                value = rigid[key]
                assert value is not None
                off = deviations(sim, value)
                rms = float(np.sqrt(np.mean(off**2)))
                most[0] = max(most[0], rms)
                most[1] = max(most[1], float(np.abs(off).max()))
                most[2] += rms
        hot = float(sim.temperature)
    for key, (rms, largest, total) in worst.items():
        most_rms, most_largest = LIMITS[key, precision]
        value = rigid[key]
        assert value is not None
        results.tell(
            f"{key} {name}",
            rms <= most_rms and largest <= most_largest,
            worst_rms=rms,
            largest=largest,
            mean_rms=total / max(1, looks),
            constraints=len(value[0]),
            steps=steps,
            looks=looks,
            dt=0.002,
            precision=precision,
            temperature=hot,
        )


def main() -> None:
    """Run them all, or those whose name contains `--only`."""
    parser = arguments(__doc__, "molecule-constraints")
    parser.add_argument("--every", type=int, default=1, help="steps between looks")
    args = parser.parse_args()
    results = Results(args.results)
    for run in RUNS:
        if args.only in run[0]:
            box = Box(Path(args.work) / "drift-mixture", run[1], threads=args.threads)
            watch(results, box, run, args.scale, args.every)
    results.end()


if __name__ == "__main__":
    main()
