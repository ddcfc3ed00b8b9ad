# SPDX-License-Identifier: Apache-2.0
"""One run of PyClaw: a job as JSON on stdin, the answer on stdout.

It imports nothing of ours, as the Python that has PyClaw may be another.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np

Job = dict[str, Any]
#: Ours is 0.4 of the sum over the axes, PyClaw's the largest of them. Methods of lines are bound by
#: the sum; the others are not.
CFL = {"split": 0.4, "unsplit": 0.4, "sharpclaw": 0.4 / 3}


def solver_of(style: str) -> Any:
    """One of the second-order solvers, with van Leer's limiter.

    split: one dimension after the other; unsplit: all at once, with transverse waves; sharpclaw: a
    method of lines with the two stages of our RK2.
    """
    from clawpack import pyclaw, riemann

    if style == "sharpclaw":
        solver = pyclaw.SharpClawSolver3D(riemann.euler_3D)
        # Slopes by waves: those by components divide by zero in a uniform gas.
        solver.lim_type, solver.char_decomp, solver.num_ghost = 1, 1, 2
        solver.time_integrator = "RK"
        solver.a, solver.b = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([0.5, 0.5])
        solver.c = np.array([0.0, 1.0])
    else:
        solver = pyclaw.ClawSolver3D(riemann.euler_3D)
        solver.dimensional_split = style == "split"
    solver.limiters = pyclaw.limiters.tvd.vanleer
    solver.cfl_desired, solver.cfl_max = CFL[style], 1.25 * CFL[style]
    solver.all_bcs = pyclaw.BC.extrap
    return solver


def solution_of(job: Job) -> Any:
    """The gas at rest with the density and energy, [z][y][x], of the file `start`."""
    from clawpack import pyclaw

    start = np.load(job["start"])
    cells = job["cells"]
    domain = pyclaw.Domain([pyclaw.Dimension(-1.0, 1.0, cells, name=name) for name in "xyz"])
    state = pyclaw.State(domain, 5)
    state.problem_data["gamma"] = job["gamma"]
    state.q[...] = 0.0
    state.q[0], state.q[4] = start["density"].T, start["energy"].T
    return pyclaw.Solution(state, domain)


def make_steps(solver: Any, solution: Any, steps: int) -> None:
    """So many that are accepted."""
    last = solver.status["numsteps"] + steps
    while solver.status["numsteps"] < last:
        solver.evolve_to_time(solution)


def timed(job: Job) -> Job:
    """Seconds of some steps after others."""
    solver, solution = begun(job)
    make_steps(solver, solution, job["warm"])
    began = time.perf_counter()
    make_steps(solver, solution, job["steps"])
    return {"seconds": time.perf_counter() - began}


def solved(job: Job) -> Job:
    """The state at a time; density and energy go into the file `out`."""
    solver, solution = begun(job)
    solver.evolve_to_time(solution, job["until"])
    q = solution.state.q
    np.savez(job["out"], density=q[0].T, energy=q[4].T)
    return {"steps": solver.status["numsteps"]}


def begun(job: Job) -> tuple[Any, Any]:
    """Solver and solution at time 0."""
    solver, solution = solver_of(job["style"]), solution_of(job)
    solver.dt = 1e-2 / job["cells"]
    return solver, solution


TASKS = {"time": timed, "solve": solved}


def main() -> None:
    """Read the job, do it, print the answer as the last line."""
    job = json.loads(sys.stdin.read())
    print(json.dumps(TASKS[job["task"]](job)))


if __name__ == "__main__":
    main()
