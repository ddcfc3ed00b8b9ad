# SPDX-License-Identifier: Apache-2.0
"""The spec of where and how precisely to compute."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from aureole.base.engine_schema import DEFAULTS
from aureole.base.errors import bad_input
from aureole.base.user_warnings import warn
from aureole.base.values import choice, integer, put

from .spec import Spec, checked, spec

MOST_THREADS = 4096
GPU = re.compile(r"(gpu|cuda|hip|emulated)(:[0-9]{1,3})?", re.ASCII)


@spec
class Device(Spec, family="device"):
    """Where to compute, and in which precision.

    Args:
        name: "auto", "host" (or "cpu"), "gpu" or "gpu:N"; "cuda" or "hip" in place of "gpu" insist
            on a build for GPUs of NVIDIA or AMD
        precision: "mixed" (forces in single, sums and positions in double) or "double"
        threads: host threads per rank; 0: the rank's share of the processors available
        pin: pin threads to cores if there are as many threads as cores
        hostile: test mode of the host backend: random delays, guarded memory between kernels
        algorithm: of pair lists: "clusters" (host only), "flat" (any device; slower on a host),
            "tiles" (each pair once, mixed precision, one rank; for GPUs, slower on a host), or
            "auto", which depends on the device
        ranks: processes for domain decomposition on this machine, each with `threads`; ranks
            that the box is too small for stay idle
        grid: domains along x, y and z, such as (2, 2, 1); None: the grid with the least
            communication
    """

    _named: ClassVar[bool] = False

    name: str = "auto"
    precision: str = checked(choice, "mixed", known=("mixed", "double"))
    threads: int = checked(integer, DEFAULTS["Device"]["threads"], low=0)
    pin: bool = DEFAULTS["Device"]["pin"]
    hostile: bool = DEFAULTS["Device"]["hostile"]
    algorithm: str = DEFAULTS["Device"]["algorithm"]
    ranks: int = checked(integer, 1, low=1)
    grid: tuple[int, int, int] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.algorithm == "lanes":
            warn('algorithm "lanes" is now "flat"', DeprecationWarning)
            put(self, "algorithm", "flat")
        choice(self.algorithm, "algorithm", ("auto", "clusters", "flat", "tiles"))
        if self.threads > MOST_THREADS:
            raise bad_input(
                f"threads is {self.threads}",
                f"at most {MOST_THREADS} are possible",
                "Give the number of cores, or 0 for all",
            )
        if self.grid is not None:
            self._take_grid(self.grid)
        name = self.name if isinstance(self.name, str) else ""
        name = "host" if name == "cpu" else name
        if name not in ("auto", "host") and not GPU.fullmatch(name):
            raise bad_input(
                f"device is {self.name!r}",
                'it must be "auto", "host", "gpu:N", "cuda:N" or "hip:N"',
                "`aureole doctor` lists the devices of this machine; au.Device(hostile=True) is a "
                "host with delays, for tests",
            )
        put(self, "name", name if ":" in name or not GPU.fullmatch(name) else f"{name}:0")

    def _take_grid(self, grid: object) -> None:
        if not isinstance(grid, Sequence) or isinstance(grid, str) or len(grid) != 3:
            raise bad_input(
                f"grid is {grid!r}", "each axis needs a number", "Give for example (2, 2, 1)"
            )
        put(self, "grid", tuple(integer(n, "grid", low=1) for n in grid))
        parts = math.prod(grid)
        if self.ranks == 1:
            put(self, "ranks", parts)
        elif self.ranks != parts:
            raise bad_input(
                f"grid {grid[0]} × {grid[1]} × {grid[2]} has {parts} domains",
                f"there are {self.ranks} ranks, and each has one domain",
                f"Use {parts} ranks, or a grid of {self.ranks} domains",
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
        return replace(
            base,
            precision=base.precision if precision is None else precision,
            threads=base.threads if threads is None else threads,
            ranks=base.ranks if ranks is None else ranks,
            grid=base.grid if ranks in (None, base.ranks) else None,
        )
