# SPDX-License-Identifier: Apache-2.0
"""Exact solutions that a formula gives: parts of `amr.exact`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from aureole.base.errors import bad_input

from .flow import Flow


def check_gamma(gamma: float) -> None:
    if not gamma > 1:
        raise bad_input(f"gamma is {gamma}", "it must be above 1", "Give a ratio such as 1.4")


def check_positive(**values: float) -> None:
    for name, value in values.items():
        if not value > 0:
            raise bad_input(f"{name} is {value}", "it must be positive", f"Give a positive {name}")


def noh(
    r: npt.ArrayLike,
    t: float,
    pressure: float = 0.0,
    gamma: float = 5 / 3,
    *,
    dims: int = 2,
) -> Flow:
    """Gas of density 1 that falls to the centre at speed 1, at time t.

    A shock runs outwards at speed (γ − 1)/2; behind it the gas is at rest, with density
    ((γ + 1)/(γ − 1))^dims, before it the density is (1 + t/r)^(dims − 1). Exact for no pressure
    before the shock; others follow the density there, as p ρ^γ. Source: Noh, J. Comput. Phys. 72,
    78 (1987).

    Args:
        r: distances from the centre, any shape
        t: time
        pressure: of the gas at time 0
        gamma: ratio of specific heats
        dims: 1, 2 or 3

    Returns a `Flow` with the velocity along the radius.
    """
    check_gamma(gamma)
    r = np.asarray(r, float)
    inside = r < (gamma - 1) / 2 * t
    before = (1 + t / np.where(r > 0, r, 1.0)) ** (dims - 1)
    behind = ((gamma + 1) / (gamma - 1)) ** dims
    return Flow(
        np.where(inside, behind, before),
        np.where(inside | (r == 0), 0.0, -1.0),
        np.where(inside, behind * (gamma - 1) / 2, pressure * before**gamma),
    )


def vortex(
    x: npt.ArrayLike, y: npt.ArrayLike, t: float, strength: float = 5.0, gamma: float = 1.4
) -> Flow:
    """A vortex of radius 1 that the gas carries along the diagonal of a periodic box from -5 to 5.

    Its temperature balances its rotation, so that it moves with the gas, at velocity (1, 1), and
    nothing else changes. Source: Yee, Sandham and Djomehri, J. Comput. Phys. 150, 199 (1999).

    Args:
        x: coordinates, any shape
        y: likewise
        t: time; at 10 it is back
        strength: β; the gas turns at most at β/2π
        gamma: ratio of specific heats

    Returns a `Flow` whose velocity has a last axis of two components.
    """
    check_gamma(gamma)
    x, y = ((np.asarray(one, float) - t + 5) % 10 - 5 for one in (x, y))
    bell = np.exp(1 - x**2 - y**2)
    cooler = (gamma - 1) * strength**2 / (8 * gamma * np.pi**2) * bell
    turn = strength / (2 * np.pi) * np.sqrt(bell)
    density = (1 - cooler) ** (1 / (gamma - 1))
    return Flow(density, np.stack([1 - turn * y, 1 + turn * x], axis=-1), density**gamma)


def sound_wave(
    x: npt.ArrayLike,
    t: float,
    amplitude: float = 1e-6,
    density: float = 1.0,
    pressure: float = 0.6,
    gamma: float = 5 / 3,
    *,
    wavelength: float = 1.0,
    velocity: float = 0.0,
) -> Flow:
    """A sound wave that runs to larger x, to first order in its amplitude.

    With s = amplitude sin(2 pi (x - (velocity + c) t) / wavelength) and c² = gamma p / rho:
    rho (1 + s), velocity + c s, p (1 + gamma s). A negative wavelength is a wave to smaller x.

    Args:
        x: positions, any shape
        t: time
        amplitude: relative change of the density
        density: mean
        pressure: mean
        gamma: ratio of specific heats
        wavelength: its sign is the direction
        velocity: of the gas that carries the wave

    Raises:
        InputError: if density or pressure is not positive, gamma not above 1, or wavelength 0
    """
    check_positive(density=density, pressure=pressure, wavelength=abs(wavelength))
    check_gamma(gamma)
    c = np.copysign(np.sqrt(gamma * pressure / density), wavelength)
    phase = 2 * np.pi * (np.asarray(x, float) - (velocity + c) * t) / abs(wavelength)
    s = amplitude * np.sin(phase)
    return Flow(density * (1 + s), velocity + c * s, pressure * (1 + gamma * s))
