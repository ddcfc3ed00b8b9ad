# SPDX-License-Identifier: Apache-2.0
"""Specs of the equations of motion, of the minimiser, of the pair list and of the device."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from .defaults import DEFAULTS
from .errors import bad_input
from .filters import Filter
from .spec import Spec, choice, integer, number, put

MOST_THREADS = 4096


@dataclass(frozen=True, kw_only=True)
class Integrator(Spec):
    """Base of the integrators: time step and removal of drift."""

    dt: float
    remove_com_every: int = 0
    start: float = 0.0

    def __post_init__(self) -> None:
        put(self, "dt", number(self.dt, "dt", low=0.0, open_low=True, dimension="time"))
        put(self, "remove_com_every", integer(self.remove_com_every, "remove_com_every", low=0))
        put(self, "start", number(self.start, "start", dimension="time"))

    def parameters(self) -> dict[str, float]:
        """The numbers that the engine needs, by name."""
        return {"dt": self.dt, "remove_com_every": self.remove_com_every}


@dataclass(frozen=True, kw_only=True)
class FreeIntegrator(Integrator):
    """Base of the integrators of free particles, of which some may be chosen."""

    filter: Filter | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.filter is not None and not isinstance(self.filter, Filter):
            raise bad_input(
                f"filter is {self.filter!r}",
                "it must be a filter or None",
                'Use for example au.Type("A")',
            )


@dataclass(frozen=True, kw_only=True)
class NVE(FreeIntegrator, family="integrator"):
    """Constant energy: velocity Verlet.

    Args:
        dt: time step [time]
        filter: the particles that move; None means all
        remove_com_every: remove centre-of-mass motion every so many steps; 0: never
        start: time of step 0 [time]; 0, or that of the integrator before: the time goes on

    Source: Swope et al., J. Chem. Phys. 76, 637 (1982).
    """


@dataclass(frozen=True, kw_only=True)
class Langevin(FreeIntegrator, family="integrator"):
    """Constant temperature: Langevin dynamics by the BAOAB splitting.

    Args:
        dt: time step [time]
        kT: temperature [energy]
        gamma: friction rate [1/time]; velocities decorrelate over a time 1/gamma
        filter: the particles that move; None means all
        remove_com_every: remove centre-of-mass motion every so many steps; 0: never
        start: time of step 0 [time]; 0, or that of the integrator before: the time goes on

    Source: Leimkuhler and Matthews, J. Chem. Phys. 138, 174102 (2013).
    """

    kT: float
    gamma: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        put(self, "kT", number(self.kT, "kT", low=0.0, dimension="energy"))
        put(self, "gamma", number(self.gamma, "gamma", low=0.0))

    def parameters(self) -> dict[str, float]:
        return super().parameters() | {"kT": self.kT, "gamma": self.gamma}


@dataclass(frozen=True, kw_only=True)
class Bussi(FreeIntegrator, family="integrator"):
    """Constant temperature: stochastic velocity rescaling.

    Args:
        dt: time step [time]
        kT: temperature [energy]
        tau: relaxation time of the kinetic energy [time]
        every: steps between two rescalings; every dt should be well below tau
        filter: the particles that move; None means all
        remove_com_every: remove centre-of-mass motion every so many steps; 0: never
        start: time of step 0 [time]; 0, or that of the integrator before: the time goes on

    Source: Bussi, Donadio and Parrinello, J. Chem. Phys. 126, 014101 (2007).
    """

    kT: float
    tau: float = 0.5
    every: int = DEFAULTS["Bussi"]["every"]

    def __post_init__(self) -> None:
        super().__post_init__()
        put(self, "kT", number(self.kT, "kT", low=0.0, open_low=True, dimension="energy"))
        put(self, "tau", number(self.tau, "tau", low=0.0, open_low=True, dimension="time"))
        put(self, "every", integer(self.every, "every", low=1))

    def parameters(self) -> dict[str, float]:
        return super().parameters() | {"kT": self.kT, "tau": self.tau, "every": self.every}


@dataclass(frozen=True, kw_only=True)
class FIRE(Spec, family="minimizer"):
    """Energy minimiser: fast inertial relaxation engine.

    Args:
        force_tolerance: stop when the force on no particle is larger [energy/length]
        max_steps: maximum number of steps
        dt_start: first time step [time]; adapted automatically

    Source: Bitzek et al., Phys. Rev. Lett. 97, 170201 (2006).
    """

    force_tolerance: float = DEFAULTS["FIRE"]["force_tolerance"]
    max_steps: int = DEFAULTS["FIRE"]["max_steps"]
    dt_start: float = DEFAULTS["FIRE"]["dt_start"]

    def __post_init__(self) -> None:
        tolerance = number(
            self.force_tolerance, "force_tolerance", low=0.0, open_low=True, dimension="force"
        )
        put(self, "force_tolerance", tolerance)
        put(self, "max_steps", integer(self.max_steps, "max_steps", low=0))
        start = number(self.dt_start, "dt_start", low=0.0, open_low=True, dimension="time")
        put(self, "dt_start", start)


@dataclass(frozen=True, kw_only=True)
class SteepestDescent(Spec, family="minimizer"):
    """Energy minimiser: steepest descent, with constraints and virtual sites.

    Args:
        force_tolerance: stop when the force on no particle is larger [energy/length]
        step: largest displacement of the first step [length]; adapted automatically
        max_steps: maximum number of steps; None for no limit
    """

    force_tolerance: float = DEFAULTS["SteepestDescent"]["force_tolerance"]
    step: float = DEFAULTS["SteepestDescent"]["step"]
    max_steps: int | None = 10_000

    def __post_init__(self) -> None:
        tolerance = number(self.force_tolerance, "force_tolerance", low=0.0, dimension="force")
        put(self, "force_tolerance", tolerance)
        put(self, "step", number(self.step, "step", low=0.0, open_low=True, dimension="length"))
        if self.max_steps is not None:
            put(self, "max_steps", integer(self.max_steps, "max_steps", low=0))


@dataclass(frozen=True, kw_only=True)
class NeighborList(Spec, family="list"):
    """How pair lists are built and renewed.

    Args:
        mode: "exact" (no pair within the cut-off is ever missed) or "tolerance"
        tolerance: mode "tolerance": allowed energy drift [energy/time per particle]
        buffer: mode "tolerance": distance added to the cut-off [length]; None: from the tolerance
        every: steps after which a list with such a buffer is made anew; None: by the tolerance
    """

    mode: str = "exact"
    tolerance: float = DEFAULTS["NeighborList"]["tolerance"]
    buffer: float | None = None
    every: int | None = None

    def __post_init__(self) -> None:
        choice(self.mode, "mode of the list", ("exact", "tolerance"))
        put(self, "tolerance", number(self.tolerance, "tolerance", low=0.0, open_low=True))
        if self.mode == "exact" and self.tolerance != DEFAULTS["NeighborList"]["tolerance"]:
            raise bad_input(
                "tolerance is given for an exact list",
                "such a list misses no pair, whatever the tolerance",
                'Use mode="tolerance", or leave tolerance out',
            )
        if self.buffer is not None:
            width = number(self.buffer, "buffer", low=0.0, open_low=True, dimension="length")
            put(self, "buffer", width)
            if self.mode == "exact":
                raise bad_input(
                    "buffer is given for an exact list",
                    "such a list follows the particles and has no width of its own",
                    'Use mode="tolerance", or leave buffer out',
                )
        if self.every is not None:
            put(self, "every", integer(self.every, "every", low=1))
            if self.buffer is None:
                raise bad_input(
                    "every is given for a list without a buffer",
                    "the list follows the particles and is made anew when it must be",
                    "Give buffer too, or leave every out",
                )

    def settings(self) -> tuple[str, float, float, int, int]:
        """Mode, tolerance, buffer, and how many steps the inner and the outer list last."""
        inner, outer = (0, 0) if self.every is None else (min(self.every, 5), self.every)
        return self.mode, self.tolerance, self.buffer or 0.0, inner, outer


@dataclass(frozen=True, kw_only=True)
class Device(Spec, family="device"):
    """Where and how precisely to compute.

    Args:
        name: "auto", "host" (or "cpu"), "cuda" or "cuda:N"
        precision: "mixed" (forces in single, sums and positions in double) or "double"
        threads: host threads of each rank; 0 takes all that the process may use, or its share
        pin: bind threads to cores, where there are as many as cores
        hostile: test mode of the host backend: random delays, memory guarded between kernels
        algorithm: pair lists: "clusters" (host only), "flat" (any device; slower on a host), or
            "auto" for what suits the device
        ranks: processes of this machine that divide the box among them, each with `threads`;
            more than the box has room for stay idle
        grid: into how many parts the ranks divide the box along each axis, such as (2, 2, 1);
            None for the one with the least to send
    """

    name: str = "auto"
    precision: str = "mixed"
    threads: int = DEFAULTS["Device"]["threads"]
    pin: bool = DEFAULTS["Device"]["pin"]
    hostile: bool = DEFAULTS["Device"]["hostile"]
    algorithm: str = DEFAULTS["Device"]["algorithm"]
    ranks: int = 1
    grid: tuple[int, int, int] | None = None

    def __post_init__(self) -> None:
        choice(self.precision, "precision", ("mixed", "double"))
        if self.algorithm == "lanes":
            warnings.warn('algorithm "lanes" is now "flat"', DeprecationWarning, stacklevel=3)
            put(self, "algorithm", "flat")
        choice(self.algorithm, "algorithm", ("auto", "clusters", "flat"))
        put(self, "threads", integer(self.threads, "threads", low=0))
        if self.threads > MOST_THREADS:
            raise bad_input(
                f"threads is {self.threads}",
                f"at most {MOST_THREADS} can be used",
                "Give the number of cores, or 0 for all",
            )
        put(self, "ranks", integer(self.ranks, "ranks", low=1))
        if self.grid is not None:
            self._take_grid(self.grid)
        other = {"cpu": "host", "cuda": "cuda:0", "gpu": "cuda:0"}
        name = other.get(self.name, self.name) if isinstance(self.name, str) else None
        number = name[5:] if name is not None and name.startswith("cuda:") else ""
        cuda = number.isascii() and number.isdigit()
        if name not in ("auto", "host") and not cuda:
            raise bad_input(
                f"device is {self.name!r}",
                'it must be "auto", "host" or "cuda:N"',
                "`aureole doctor` lists the devices of this machine",
            )
        put(self, "name", name)

    def _take_grid(self, grid: object) -> None:
        if not isinstance(grid, Sequence) or isinstance(grid, str) or len(grid) != 3:
            raise bad_input(
                f"grid is {grid!r}", "it has a number for each axis", "Give for example (2, 2, 1)"
            )
        put(self, "grid", tuple(integer(n, "grid", low=1) for n in grid))
        parts = math.prod(grid)
        if self.ranks == 1:
            put(self, "ranks", parts)
        elif self.ranks != parts:
            raise bad_input(
                f"a grid of {grid[0]} × {grid[1]} × {grid[2]} parts was asked for",
                f"there are {self.ranks} ranks, and each has one part",
                f"Give {parts} ranks, or a grid of {self.ranks} parts",
            )

    @classmethod
    def of(
        cls,
        value: str | Device,
        precision: str | None,
        threads: int | None,
        ranks: int | None = None,
    ) -> Device:
        """One spec from a name or a spec; what else is not None replaces what that says."""
        base = value if isinstance(value, Device) else cls(name=value)
        return cls(
            name=base.name,
            precision=base.precision if precision is None else precision,
            threads=base.threads if threads is None else threads,
            pin=base.pin,
            hostile=base.hostile,
            algorithm=base.algorithm,
            ranks=base.ranks if ranks is None else ranks,
            grid=base.grid if ranks in (None, base.ranks) else None,
        )
