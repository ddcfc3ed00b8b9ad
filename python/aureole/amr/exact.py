# SPDX-License-Identifier: Apache-2.0
"""Exact solutions of the Euler equations for an ideal gas, and norms of the difference to them.

`riemann` is two states side by side, `sedov` a strong blast, `noh` a collapse, `vortex` one that
moves, `sound_wave` a linear wave. Units are those of the arguments; shapes follow NumPy's
broadcasting. They return a `Flow`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aureole.base.errors import bad_input

from .flow import Array, Flow
from .formulas import check_gamma, check_positive, noh, sound_wave, vortex  # noqa: F401


class Star(NamedTuple):
    """The state between the two outer waves of a Riemann problem.

    The contact moves at `velocity`; `left_density` and `right_density` are the densities beside it.
    """

    pressure: float
    velocity: float
    left_density: float
    right_density: float


class Norms(NamedTuple):
    """Mean of the absolute error and root mean square of the error, over all cells alike."""

    mean: float
    rms: float


def error_norms(values: npt.ArrayLike, expected: npt.ArrayLike) -> Norms:
    """The mean absolute and the root-mean-square difference of two fields.

    On a uniform mesh these are the L1 and L2 norms divided by the volume and by its square root.

    Raises:
        InputError: if the shapes differ
    """
    values, expected = np.asarray(values, float), np.asarray(expected, float)
    if values.shape != expected.shape:
        raise bad_input(
            f"the fields have shapes {values.shape} and {expected.shape}",
            "they are compared cell by cell",
            "Give two fields of the same cells",
        )
    difference = np.abs(values - expected)
    return Norms(float(difference.mean()), float(np.sqrt(np.mean(difference**2))))


# Riemann problem


def star_state(
    left: tuple[float, float, float], right: tuple[float, float, float], gamma: float
) -> Star | None:
    """The state between the waves of a Riemann problem; None where a vacuum opens.

    Newton's method for the pressure function of Toro (2009), sections 4.2 and 4.3.

    Args:
        left: density, velocity and pressure at x < 0
        right: the same at x > 0
        gamma: ratio of specific heats

    Raises:
        InputError: if a density or pressure is not positive, or gamma is not above 1
    """
    for state in (left, right):
        _check_state(state)
    check_gamma(gamma)
    sound = [float(np.sqrt(gamma * p / rho)) for rho, _, p in (left, right)]
    if 2 / (gamma - 1) * (sound[0] + sound[1]) <= right[1] - left[1]:  # equation 4.40
        return None

    # The two-rarefaction pressure (equation 4.46) is a lower bound, positive without a vacuum.
    z = (gamma - 1) / (2 * gamma)
    rise = sound[0] + sound[1] - (gamma - 1) / 2 * (right[1] - left[1])
    p = (rise / (sound[0] / left[2] ** z + sound[1] / right[2] ** z)) ** (1 / z)
    for _ in range(100):
        (f_left, slope_left), (f_right, slope_right) = (
            _velocity_change(p, state, gamma) for state in (left, right)
        )
        step = (f_left + f_right + right[1] - left[1]) / (slope_left + slope_right)
        p = max(p - step, 1e-3 * p)
        if abs(step) <= 4e-16 * p:
            break
    f_left, f_right = (_velocity_change(p, state, gamma)[0] for state in (left, right))
    u = (left[1] + right[1]) / 2 + (f_right - f_left) / 2
    return Star(p, u, _star_density(p, left, gamma), _star_density(p, right, gamma))


def riemann(
    left: tuple[float, float, float],
    right: tuple[float, float, float],
    gamma: float,
    xi: npt.ArrayLike,
) -> Flow:
    """The exact solution of a Riemann problem (Toro 2009, chapter 4).

    Args:
        left: density, velocity and pressure at x < 0; density 0 is a vacuum
        right: the same at x > 0
        gamma: ratio of specific heats
        xi: x / t, any shape

    Returns:
        density, velocity and pressure at `xi`. In a vacuum density and pressure are 0, and the
        velocity is `xi`, that of gas that would come from the origin.

    Raises:
        InputError: if a density or pressure is not positive, except for one vacuum, or gamma is
            not above 1
    """
    xi = np.asarray(xi, float)
    check_gamma(gamma)
    if left[0] == 0 or right[0] == 0:
        star = None
        if left[0] == right[0]:
            return Flow(np.zeros(xi.shape), xi.copy(), np.zeros(xi.shape))
    else:
        star = star_state(left, right, gamma)
    # The right side is the left side of the mirrored problem.
    mirrored = (right[0], -right[1], right[2])
    if star is None:
        here, there = (
            _side(state, gamma, sign * xi, None) for state, sign in ((left, 1.0), (mirrored, -1.0))
        )
        gas = [flow.density > 0 for flow in (here, there)]
        velocity = np.where(gas[0], here.velocity, np.where(gas[1], -there.velocity, xi))
        return Flow(here.density + there.density, velocity, here.pressure + there.pressure)
    on_left = xi < star.velocity
    turned = Star(star.pressure, -star.velocity, star.right_density, star.left_density)
    here, there = _side(left, gamma, xi, star), _side(mirrored, gamma, -xi, turned)
    return Flow(
        np.where(on_left, here.density, there.density),
        np.where(on_left, here.velocity, -there.velocity),
        np.where(on_left, here.pressure, there.pressure),
    )


def _check_state(state: tuple[float, float, float]) -> None:
    check_positive(density=state[0], pressure=state[2])


def _velocity_change(
    p: float, state: tuple[float, float, float], gamma: float
) -> tuple[float, float]:
    """f(p) of Toro's equations 4.6 and 4.7 and its derivative: shock above, rarefaction below."""
    rho, _, p0 = state
    if p > p0:
        a, b = 2 / ((gamma + 1) * rho), (gamma - 1) / (gamma + 1) * p0
        root = float(np.sqrt(a / (p + b)))
        return (p - p0) * root, root * (1 - (p - p0) / (2 * (p + b)))
    sound = float(np.sqrt(gamma * p0 / rho))
    ratio = (p / p0) ** ((gamma - 1) / (2 * gamma))
    return 2 * sound / (gamma - 1) * (ratio - 1), ratio * p0 / p / (rho * sound)


def _star_density(p: float, state: tuple[float, float, float], gamma: float) -> float:
    rho, _, p0 = state
    if p > p0:  # equation 4.50
        k = (gamma - 1) / (gamma + 1)
        return rho * (p / p0 + k) / (k * p / p0 + 1)
    return rho * float((p / p0) ** (1 / gamma))  # equation 4.53


def _side(state: tuple[float, float, float], gamma: float, xi: Array, star: Star | None) -> Flow:
    """The solution left of the contact, for star None up to the vacuum (density 0 beyond it)."""
    rho, u, p = state
    if rho == 0:
        return Flow(np.zeros(xi.shape), np.zeros(xi.shape), np.zeros(xi.shape))
    sound = np.sqrt(gamma * p / rho)
    if star is not None and star.pressure > p:  # equation 4.52
        ratio = star.pressure / p
        speed = u - sound * np.sqrt((gamma + 1) / (2 * gamma) * ratio + (gamma - 1) / (2 * gamma))
        before = xi < speed
        inside = (star.left_density, star.velocity, star.pressure)
        return Flow(*(np.where(before, a, b) for a, b in zip(state, inside, strict=True)))
    # Inside the fan (equation 4.56) c is the local speed of sound; it ends where the star state or,
    # with c = 0, the vacuum begins.
    c = 2 / (gamma + 1) * (sound + (gamma - 1) / 2 * (u - xi))
    end = 0.0 if star is None else np.sqrt(gamma * star.pressure / star.left_density)
    c = np.clip(c, end, sound)
    power = 2 / (gamma - 1)
    ratio = c / sound
    return Flow(rho * ratio**power, u + power * (sound - c), p * ratio ** (gamma * power))


# Blast wave


class _Similarity(NamedTuple):
    """Constants of the blast for one gamma and dimension: see `_similarity`."""

    q: float
    k3: float
    a1: float
    radius: float


def sedov_radius(
    t: float, energy: float = 1.0, density: float = 1.0, gamma: float = 1.4, dims: int = 3
) -> float:
    """Radius of the shock of a strong explosion at time t: xi (E t² / rho)^(1 / (dims + 2)).

    Arguments and errors are those of `sedov`. In three dimensions xi is 1.03278 for gamma = 7/5
    and 1.15167 for gamma = 5/3.
    """
    _check_blast(t, energy, density, gamma, dims)
    return float(_similarity(gamma, dims).radius * (energy * t**2 / density) ** (1 / (dims + 2)))


def sedov(
    r: npt.ArrayLike,
    t: float,
    energy: float = 1.0,
    density: float = 1.0,
    gamma: float = 1.4,
    *,
    pressure: float = 0.0,
    dims: int = 3,
) -> Flow:
    """The self-similar blast of energy released at a point, on a line or on a plane.

    The closed form of Sedov (1959) as written by Kamm & Timmes (2007, LA-UR-07-2849), sections 2
    and 3, for a uniform density (their standard case). The shock is strong: the pressure before it
    counts for nothing.

    Args:
        r: distance from the centre, any shape
        t: time since the explosion
        energy: released in all, in three dimensions; per length in two, per area in one (to
            both sides)
        density: before the shock
        gamma: ratio of specific heats; below 7 in three dimensions, where a hole opens at 7
        pressure: what is returned before the shock
        dims: 3 (sphere), 2 (cylinder) or 1 (plane)

    Returns:
        density, radial velocity and pressure at `r`

    Raises:
        InputError: if an argument is outside its range
    """
    _check_blast(t, energy, density, gamma, dims)
    shock = sedov_radius(t, energy, density, gamma, dims)
    speed = 2 / (dims + 2) * shock / t
    scaled = np.abs(np.asarray(r, float)) / shock
    inside = scaled < 1
    flow = Flow(*(np.full(scaled.shape, value) for value in (density, 0.0, pressure)))
    f, g, h = _profiles(scaled[inside], gamma, dims)
    flow.density[inside] = (gamma + 1) / (gamma - 1) * density * g
    flow.velocity[inside] = 2 / (gamma + 1) * speed * f
    flow.pressure[inside] = 2 / (gamma + 1) * density * speed**2 * h
    return flow


def _check_blast(t: float, energy: float, density: float, gamma: float, dims: int) -> None:
    check_positive(t=t, energy=energy, density=density)
    if dims not in (1, 2, 3):
        raise bad_input(f"dims is {dims}", "space has 1, 2 or 3", "Give 1, 2 or 3")
    check_gamma(gamma)
    if dims == 3 and gamma >= 7:
        raise bad_input(
            f"gamma is {gamma}", "from 7 on the blast is hollow", "Give a gamma below 7"
        )


@cache
def _similarity(gamma: float, dims: int) -> _Similarity:
    """Exponents and the scaled radius xi of the shock.

    With V of Kamm & Timmes, equation 22, from V2 at the shock to 2 / ((j + 2) gamma) at the centre,
    w = 1 - V / V2: their x1 to x4 are 1 - w, 1 - w 2 gamma / (gamma - 1), 1 + k3 w, 1 + k4 w with
    k4 = 2 / (gamma - 1), all 1 at the shock; x2 is 0 at the centre. q is their -alpha2, a1 their
    alpha1.
    """
    j = dims
    q = (gamma - 1) / (2 * (gamma - 1) + j)
    e = 2 + j * (gamma - 1)
    k3 = 2 * e / (gamma * (2 - j) + 3 * j - 2)
    a1 = (j + 2) * gamma / e * (2 * j * (2 - gamma) / (gamma * (j + 2) ** 2) + q)

    # Energy: Gauss's rule on 20 parts of y = x2^q, in which lambda and all profiles are smooth.
    nodes, weights = np.polynomial.legendre.leggauss(20)
    y = ((nodes + 1) / 2 + np.arange(20)[:, None]).ravel() / 20
    weights = np.tile(weights, 20) / 40
    constants = _Similarity(q, k3, a1, 1.0)
    scaled, slope, (f, g, h) = _curve(y, gamma, j, constants)
    # d lambda = lambda (d ln lambda / d ln y) d ln y
    integral = np.sum(weights * (g * f**2 + h) * scaled**j * slope / y)
    surface = {1: 2.0, 2: 2 * np.pi, 3: 4 * np.pi}[j]
    radius = ((gamma**2 - 1) * (j + 2) ** 2 / (8 * surface * integral)) ** (1 / (j + 2))
    return _Similarity(q, k3, a1, float(radius))


def _profiles(scaled: Array, gamma: float, dims: int) -> tuple[Array, Array, Array]:
    """Velocity, density and pressure at r / R <= 1 over their values behind the shock.

    Newton's method in the logarithm of y, kept between the bounds that lambda / y has.
    """
    constants = _similarity(gamma, dims)
    y = np.maximum(scaled, 1e-300)
    goal = np.log(y)
    low, high = goal - 20.0, np.zeros_like(goal)
    at = goal.copy()
    for _ in range(100):
        found, slope, _ = _curve(np.exp(at), gamma, dims, constants)
        excess = np.log(found) - goal
        low, high = np.where(excess < 0, at, low), np.where(excess > 0, at, high)
        step = at - excess / slope
        step = np.where((step < low) | (step > high), (low + high) / 2, step)
        if np.all(np.abs(step - at) <= 1e-15 * np.maximum(1.0, np.abs(at))):
            break
        at = step
    f, g, h = _curve(np.exp(at), gamma, dims, constants)[2]
    return np.where(scaled > 0, f, 0.0), np.where(scaled > 0, g, 0.0), h


def _curve(
    y: Array, gamma: float, j: int, constants: _Similarity
) -> tuple[Array, Array, tuple[Array, Array, Array]]:
    """At the parameter y: lambda = r / R, d ln lambda / d ln y, and f, g, h of `_profiles`.

    Kamm & Timmes, equations 38 to 41 for omega = 0.
    """
    q, k3, a1, _ = constants
    k4 = 2 / (gamma - 1)
    x2 = y ** (1 / q)
    w = (1 - x2) * (gamma - 1) / (2 * gamma)
    x1, x3, x4 = 1 - w, 1 + k3 * w, 1 + k4 * w
    scaled = x1 ** (-2 / (j + 2)) * x3**-a1 * y
    dw = -x2 / q * (gamma - 1) / (2 * gamma)  # d w / d ln y
    slope = 1 + dw * (2 / (j + 2) / x1 - a1 * k3 / x3)

    # x3^alpha4 x4^alpha5 with alpha5 = -2 / (2 - gamma) and alpha4 = a1 (j + 2) / (2 - gamma). The
    # poles at gamma = 2 cancel: alpha4 + alpha5 = A, k3 - k4 = -m (2 - gamma).
    rest = 2 - gamma
    a = (2 * j - ((j * j + 4) * gamma - (j - 2) ** 2) / (2 * gamma - 2 + j)) / (2 + j * (gamma - 1))
    m = 2 * j * (gamma + 1) / ((gamma - 1) * (gamma * (2 - j) + 3 * j - 2))
    change = m * w / x4
    log_ratio = -change if rest == 0 else np.log1p(-rest * change) / rest
    product = x3**a * np.exp(2 * log_ratio)

    f = x1 * scaled
    g = y ** (j / (gamma - 1)) * product  # x2^alpha3
    h = x1 ** (2 * j / (j + 2)) * x3 ** (-2 * a1) * x4 * product
    return scaled, slope, (f, g, h)


# Sound wave
