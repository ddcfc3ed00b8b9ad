# SPDX-License-Identifier: Apache-2.0
"""Errors, warnings and notes about the run of an input file, before it is run."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from aureole.analysis.neighbours import pairs
from aureole.base.errors import Error
from aureole.base.text import size
from aureole.simulation.durations import in_steps
from aureole.simulation.simulation import Simulation
from aureole.simulation.start_temperature import kT_of
from aureole.specs.coupled_integrators import Dynamics
from aureole.specs.device import Device
from aureole.specs.integrators import Bussi, Langevin
from aureole.specs.thermostats import annealings
from aureole.system.system import System

from .input_file import Plan, load
from .size_of_output import bytes_of, memory_of
from .stiffness import Stiff, bonds_of, contacts_of

#: Steps in the period of the fastest motion, below which a time step is large. Usual time steps
#: have more: at kT = 1, 0.005 for Lennard-Jones particles 24, 0.012 for bead-spring chains 10.
FEWEST_STEPS = 8
#: Energy of a pair that overlaps, in kT or in the depth of the potential, whichever is larger.
OVERLAP = 100.0
#: Relaxation times of thermostats in intervals between their actions, below which they are short.
SHORTEST = 10.0


@dataclass(frozen=True)
class Remark:
    """A remark; its severity is "error", "warning" or "note"."""

    severity: str
    text: str


@dataclass
class Checked:
    """A summary as names and values, and all remarks."""

    rows: list[tuple[str, str]] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    def count(self, severity: str) -> int:
        """Number of remarks of a severity."""
        return sum(one.severity == severity for one in self.remarks)

    def say(self, severity: str, text: str) -> None:
        """Add a remark."""
        self.remarks.append(Remark(severity, text))


def check(path: str | os.PathLike[str]) -> Checked:
    """Look at an input file, its particles and its forces; nothing is run or written.

    Raises FileError or InputError for a file that cannot be read, has unknown keys, or whose
    system cannot be made. What the simulation itself refuses is among the remarks.
    """
    plan = load(path)
    system = plan.system.make()  # type: ignore[attr-defined]
    found = Checked()
    _describe(found, system)
    try:
        sim = Simulation(system, **(plan.settings | {"device": Device(name="host")}))
    except Error as error:
        found.say("error", str(error))
        return found
    with sim:
        try:
            kT = _kT(plan, sim)
            observers = [in_steps(sim, one) for one in plan.observers]
        except Error as error:
            found.say("error", str(error))
            return found
        _look_at_forces(found, plan, sim, system, kT)
        _look_at_motion(found, plan, sim, system, kT)
        _look_at_output(found, plan, sim, observers)
    return found


def _describe(found: Checked, system: System) -> None:
    counts = np.bincount(system.type, minlength=len(system.type_names))
    kinds = ", ".join(f"{n:,} {name}" for n, name in zip(counts, system.type_names, strict=True))
    found.rows += [
        ("particles", f"{system.n:,}: {kinds}"),
        ("box", " × ".join(f"{edge:.5g}" for edge in system.box.lengths)),
        ("density", f"{system.n / system.box.volume:.5g} particles per volume"),
    ]
    if 0 in counts:
        empty = [name for n, name in zip(counts, system.type_names, strict=True) if n == 0]
        found.say("note", f"No particle has the type {' or '.join(empty)}.")


def _kT(plan: Plan, sim: Simulation) -> float:
    """Temperature of the start or of the thermostat [energy], the higher one; 0 for none."""
    given = [] if plan.thermalize is None else [kT_of(sim, plan.thermalize)]
    with contextlib.suppress(Error):  # no thermostat, or several temperatures
        given.append(kT_of(sim, None))
    if not given and sim.temperature > 0:
        given.append(sim.temperature * sim.units.boltzmann)
    return max(given, default=0.0)


def _look_at_forces(found: Checked, plan: Plan, sim: Simulation, system: System, kT: float) -> None:
    energy, force = sim.energy.potential, sim.get("force")
    names = ", ".join(type(one).__name__ for one in sim.forces) or "none"
    found.rows.append(("forces", names))
    largest = float(np.linalg.norm(force, axis=1).max(initial=0.0))
    each = f"potential energy {energy / system.n:.6g} per particle"
    found.rows.append(("start", f"{each}, largest force {largest:.4g}"))
    if not sim.forces:
        found.say("note", "There are no forces: the particles are an ideal gas.")
    later = "The minimisation comes first." if plan.minimize else "Minimise first: add [minimize]."
    if not np.isfinite(energy) or not np.isfinite(force).all():
        severity = "note" if plan.minimize else "error"
        found.say(severity, f"The energy of the start is not finite: particles overlap. {later}")
    distance = _nearest(system)
    if distance is None:
        return
    r, a, b = distance
    first, second = sorted(system.type_names[system.type[k]] for k in (a, b))
    sigma = _sigma(sim, first, second)
    in_sigma = f" = {r / sigma:.3g} σ" if sigma else ""
    words = f"{r:.4g}{in_sigma} apart: {first} and {second}, particles {a} and {b}"
    found.rows.append(("nearest pair", words))
    for one in contacts_of(sim.forces, system):
        radius = one.radius_at(OVERLAP * max(kT, one.depth))
        near = _closer_than(sim, system, one.types, radius)
        if near:
            kinds = one.name.removeprefix("contact ")
            scale = "kT" if kT >= one.depth else "the depth of the potential"
            text = (
                f"{near:,} pairs {kinds} are closer than {radius:.3g}, where their energy is "
                f"{OVERLAP:g} times {scale}: the particles overlap. {later}"
            )
            found.say("note" if plan.minimize else "warning", text)


def _sigma(sim: Simulation, first: str, second: str) -> float:
    """Sigma of two types in the first force that has one; 0 for none."""
    for one in sim.forces:
        sigma = getattr(one, "sigma", None)
        value = sigma.get((first, second), 0.0) if isinstance(sigma, Mapping) else sigma
        if value:
            return float(value)
    return 0.0


def _nearest(system: System) -> tuple[float, int, int] | None:
    """Distance and tags of the two particles that are nearest to each other, bonded or not."""
    if system.n < 2:
        return None
    extent = 1.2 * (system.box.volume / system.n) ** (1 / 3)
    best: tuple[float, int, int] | None = None
    for i, j, r in pairs(system.box, system.position, system.position, _fitting(system, extent)):
        apart = np.flatnonzero(i < j)
        if len(apart):
            k = apart[np.argmin(r[apart])]
            one = (float(r[k]), int(i[k]), int(j[k]))
            best = one if best is None or one < best else best
    return best


def _fitting(system: System, extent: float) -> float:
    return min(extent, 0.499 * float(system.box.widths.min()))


def _closer_than(sim: Simulation, system: System, types: tuple[int, int], radius: float) -> int:
    """Number of pairs of two types that interact and are nearer than `radius`."""
    if radius <= 0:
        return 0
    n, excluded = system.n, np.empty(0, int)
    a, b = (np.flatnonzero(system.type == kind) for kind in types)
    if sim.topology is not None:
        left = sim.topology.expand_exclusions()
        excluded = np.repeat(np.arange(n), np.diff(left.start)) * n + left.partner
    count = 0
    place = system.position
    for i, j, _ in pairs(system.box, place[a], place[b], _fitting(system, radius)):
        found = a[i] * n + b[j]  # twice, and each particle with itself, where a is b
        once = found[i < j] if types[0] == types[1] else found
        count += int((~np.isin(once, excluded)).sum())
    return count


def _look_at_motion(found: Checked, plan: Plan, sim: Simulation, system: System, kT: float) -> None:
    dt, tau = sim.dt, " ps" if sim.units.physical else " τ"
    length = f"{plan.steps:,} steps of {dt:g}: {plan.steps * dt:g}{tau}"
    found.rows.append(("integrator", f"{type(sim.integrator).__name__}, {length}"))
    found.rows.append(("degrees of freedom", f"{sim.dof:,.0f}"))
    fastest = sorted(_fastest(sim, system, kT), key=lambda one: one[1])
    if fastest and dt > 0:
        one, period = fastest[0]
        found.rows.append(
            ("fastest motion", f"{one.name}, period {period:.3g}{tau}: {period / dt:.1f} steps")
        )
        if period / dt < FEWEST_STEPS:
            found.say(
                "warning",
                f"The time step {dt:g} is large: {one.name} oscillates in {period:.3g}, "
                f"{period / dt:.1f} steps. Reduce dt to {period / (2 * FEWEST_STEPS):.2g} or less.",
            )
    for severity, text in _of_thermostat(sim, plan):
        found.say(severity, text)
    if plan.thermalize is None and not system.velocity.any() and not _heats(sim):
        found.say("note", "The particles start at rest. Add thermalize to draw velocities.")


def _fastest(sim: Simulation, system: System, kT: float) -> Iterator[tuple[Stiff, float]]:
    """Bonds at their minima, and pairs that collide with 4 kT, with their periods [time]."""
    for one in (*contacts_of(sim.forces, system), *bonds_of(sim.forces, system)):
        period = one.period(4.0 * kT if one.collides else 0.0)
        if np.isfinite(period):
            yield one, period


def _heats(sim: Simulation) -> bool:
    spec = sim.integrator
    return isinstance(spec, (Langevin, Bussi)) or (
        isinstance(spec, Dynamics) and spec.thermal is not None
    )


def _of_thermostat(sim: Simulation, plan: Plan) -> Iterator[tuple[str, str]]:
    """Remarks about the time constants of the thermostat."""
    spec, dt = sim.integrator, sim.dt
    if isinstance(spec, Langevin):
        if spec.gamma == 0:
            yield "warning", "gamma of Langevin is 0, so nothing keeps the temperature. Give gamma."
        elif spec.gamma * dt * SHORTEST > 1:
            yield "warning", _short("1/gamma", 1 / spec.gamma, 1, dt)
        return
    thermal = spec if isinstance(spec, Bussi) else getattr(spec, "thermal", None)
    end = spec.start + plan.steps * dt
    for course in annealings(thermal):
        if not course.periodic and float(course.times[-1]) > end * (1 + 1e-9):
            yield (
                "warning",
                f"Annealing lasts until time {course.times[-1]:g}, but the run ends at {end:g}, so "
                "its end is not reached. Its times are times, not steps.",
            )
    taus, every = getattr(thermal, "tau", None), int(getattr(thermal, "every", 1))
    for tau in taus.values() if hasattr(taus, "values") else [taus]:
        if tau is not None and tau < 0:
            yield "warning", "tau of the thermostat is below 0, so it has no effect. Give tau."
        elif tau is not None and tau < SHORTEST * every * dt:
            yield "warning", _short("tau", tau, every, dt)
    if isinstance(spec, Bussi) and "tau" not in plan.given.get("integrator", {}):
        yield "note", f"tau of Bussi is not given; it is {spec.tau:g}, {spec.tau / dt:.0f} steps."


def _short(name: str, value: float, every: int, dt: float) -> str:
    least = SHORTEST * every * dt
    return (
        f"{name} of the thermostat is {value:g}, but the thermostat acts every {every * dt:g} "
        f"({every} steps): too seldom for that. Make {name} {least:g} or longer."
    )


def _look_at_output(found: Checked, plan: Plan, sim: Simulation, observers: list) -> None:  # type: ignore[type-arg]
    sizes: dict[str, float] = {}
    if plan.steps == 0:
        found.say("warning", "steps is 0, so nothing moves.")
    for one in observers:
        every, path = getattr(one, "every", None), getattr(one, "path", None)
        if path is None:
            continue
        # The last checkpoint is of the end, whatever the interval.
        if every and every > plan.steps > 0 and one.holds != "checkpoint":
            found.say(
                "warning",
                f"{type(one).__name__} writes {path} every {every:,} steps, but the run has only "
                f"{plan.steps:,}: the file will hold only the start. Reduce `every`.",
            )
        sizes[path] = bytes_of(one, sim, plan.steps)
    if not sizes:
        found.say("warning", "No observer writes a file, so nothing of the run is kept.")
    elif plan.checkpoint is None and plan.steps >= 1_000_000:
        found.say("note", "Without a Checkpoint among the observers a run cannot be continued.")
    need = memory_of(sim)
    found.rows.append(("memory", f"about {size(need)}"))
    if need > (free := os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")):
        found.say("warning", f"The machine has {size(free)} of memory; the run needs more.")
    files = ", ".join(f"{path} {size(each)}" for path, each in sizes.items())
    found.rows.append(("disk", f"about {size(sum(sizes.values()))}: {files}" if files else "none"))
    for path in sizes:
        folder = Path(path).resolve().parent
        if not folder.is_dir():
            found.say("error", f"The folder of {path} does not exist. Make it: {folder}.")
        elif sum(sizes.values()) > shutil.disk_usage(folder).free:
            room = size(shutil.disk_usage(folder).free)
            found.say("warning", f"{folder} has {room} of room, less than the files need.")
            return
