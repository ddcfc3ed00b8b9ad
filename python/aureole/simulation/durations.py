# SPDX-License-Identifier: Apache-2.0
"""Durations given as times, such as "20 ps", as numbers of steps."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from aureole.base.errors import bad_input
from aureole.base.quantities import is_quantity, quantity_text
from aureole.base.unit_advice import written
from aureole.base.units import Measured, check
from aureole.base.values import integer
from aureole.engine.observed import Observed
from aureole.live.observer import Observer

#: A number of steps, a time such as "20 ps", or a quantity of openmm.unit and the like.
Duration = int | str | Any


def steps_of(sim: Observed, duration: Duration) -> int:
    """Steps in a number of steps, or in a time such as "20 ps" or a quantity of another package."""
    if is_quantity(duration):
        duration = quantity_text(duration, "time", "the duration")
    if isinstance(duration, float) and not math.isfinite(duration):
        hint = 'Give steps, or a time such as "20 ps"' if sim.units.physical else "Give steps"
        raise bad_input(f"{duration!r} is not a duration", "it must be finite", hint)
    if isinstance(duration, float) and sim.units.physical:
        raise bad_input(
            f"{duration!r} is not a duration",
            "a number of steps has no fraction, and a time has a unit",
            _without_a_unit(duration),
        )
    if not isinstance(duration, str):
        return duration
    if not sim.units.physical:
        raise bad_input(
            f"{duration!r} is not a duration",
            "the system has reduced units",
            "Give a number of steps",
        )
    time = float(Measured(duration, "time", "the duration"))
    if time < 0:
        raise bad_input(f"{duration!r} is not a duration", "it is negative", "Give another time")
    sim._check_can_run()
    steps = round(time / sim.dt)
    if steps == 0 and time > 0:
        raise bad_input(
            f"{duration!r} is shorter than one step",
            f"the time step is {sim.dt:g} ps",
            "Give a longer time",
        )
    if abs(steps * sim.dt - time) > 1e-3 * time:
        raise bad_input(
            f"{duration!r} is not a whole number of steps",
            f"the time step is {sim.dt:g} ps",
            f'Write "{written(steps * sim.dt)} ps", or a number of steps',
        )
    return steps


def _without_a_unit(duration: float) -> str:
    """Advice for a float that is neither steps nor a time."""
    time = f'"{written(duration, "ps")}"'
    if not duration.is_integer():
        return f"Write {time}, or a whole number of steps"
    return f"Write {duration:.0f} for steps, or {time}"


def target(sim: Observed, steps: Duration | None, until: Duration | None) -> int:
    """The step that `Simulation.run` is to reach."""
    if steps is not None and until is not None:
        raise bad_input("both steps and until are given", "only one can apply", "Give one of them")
    if steps is not None:
        return sim.step + integer(steps_of(sim, steps), "steps", low=0)
    if until is not None:
        wanted = steps_of(sim, until)
        if isinstance(until, str) or is_quantity(until):
            wanted -= round(sim.start / sim.dt)
        return max(sim.step, integer(wanted, "until", low=0))
    if sim.target is not None:
        return max(sim.step, sim.target)
    if sim.origin is not None and (sim.origin.record or "nsteps" in sim.origin.lines):
        return max(sim.step, sim.origin.end)
    hint = 'Give steps, or a time such as "20 ps"' if sim.units.physical else "Give steps"
    raise bad_input("run needs a number of steps", "there is no interrupted run to finish", hint)


def steps_before(sim: Observed, time: float) -> int:
    """Steps until the first one that ends at or after a time, at least 1."""
    return max(1, math.ceil((time - sim.time) / sim.dt))


def in_steps(sim: Observed, spec: Observer) -> Observer:
    """An observer whose interval is a number of steps, whatever it was given as."""
    every = getattr(spec, "every", None)
    if not isinstance(every, Measured):
        return spec
    check(spec, sim.units)
    if not sim.dt:
        raise bad_input(
            f"every of {type(spec).__name__} is {every.text!r}",
            "without an integrator the time step is unknown",
            "Give the simulation an integrator, or give every as a number of steps",
        )
    steps = round(every / sim.dt)
    if steps < 1 or abs(steps * sim.dt - every) > 1e-6 * every:
        raise bad_input(
            f"every of {type(spec).__name__} is {every.text!r}",
            f"that is not a multiple of the time step, {sim.dt:g} ps",
            "Give a multiple, or a number of steps",
        )
    return dataclasses.replace(spec, every=steps)  # type: ignore[type-var]
