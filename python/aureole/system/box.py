# SPDX-License-Identifier: Apache-2.0
"""The simulation box: lengths, tilt factors, and which axes are periodic."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.attributes import unchangeable
from aureole.base.errors import bad_input
from aureole.base.quantities import is_quantity
from aureole.base.values import number, put

Vectors = NDArray[np.float64]


@unchangeable
@dataclass(frozen=True)
class Box:
    """A box centred on the origin, spanned by (lx, 0, 0), (xy ly, ly, 0), (xz lz, yz lz, lz).

    Args:
        lx, ly, lz: edge lengths [length]
        xy, xz, yz: tilt factors, without unit
        periodic: which of the three axes are periodic; one flag is that of all. "ppf" is
            (True, True, False)
        corner: lower corner of the box in coordinate files along non-periodic axes; 0 along the
            others [length]
    """

    lx: float
    ly: float
    lz: float
    xy: float = 0.0
    xz: float = 0.0
    yz: float = 0.0
    periodic: tuple[bool, bool, bool] = (True, True, True)
    corner: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        for name in ("lx", "ly", "lz"):
            put(self, name, number(getattr(self, name), f"box length {name}", low=0, open_low=True))
        for name in ("xy", "xz", "yz"):
            put(self, name, number(getattr(self, name), f"box tilt {name}"))
        put(self, "periodic", _flags(self.periodic))
        self._check_corner()
        if not math.isfinite(self.volume):
            raise bad_input(
                "the volume of the box overflows", "its edges are too long", "Shorten them"
            )

    def _check_corner(self) -> None:
        corner = tuple(number(x, "corner of the box") for x in self.corner)
        if len(corner) != 3:
            raise bad_input(
                f"corner has {len(corner)} entries", "a box has three axes", "Give three of them"
            )
        put(self, "corner", corner)
        for axis, (place, repeats) in enumerate(zip(corner, self.periodic, strict=True)):
            if repeats and place != 0.0:
                raise bad_input(
                    f"the corner of the box lies at {place:g} along {'xyz'[axis]}",
                    "that axis is periodic, so files start at 0 there",
                    "Set it to 0",
                )

    @classmethod
    def of(cls, value: Any) -> Box:
        """A box from a Box, one length, three lengths, or three lengths and three tilts."""
        if isinstance(value, Box):
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return cls(value, value, value)
        plain = isinstance(value, Iterable) and not (isinstance(value, str) or is_quantity(value))
        numbers = list(value) if plain else []
        if len(numbers) not in (3, 6):
            raise bad_input(
                f"box is {value!r}",
                "a box is one length, three, or three and three tilt factors",
                "Give for example au.Box(10, 10, 10)",
            )
        return cls(*numbers)

    @property
    def lengths(self) -> Vectors:
        """(3,) edge lengths [length]."""
        return np.array([self.lx, self.ly, self.lz])

    @property
    def matrix(self) -> Vectors:
        """(3, 3) the three edge vectors as columns [length]."""
        return np.array(
            [
                [self.lx, self.xy * self.ly, self.xz * self.lz],
                [0.0, self.ly, self.yz * self.lz],
                [0.0, 0.0, self.lz],
            ]
        )

    @property
    def volume(self) -> float:
        """Volume [length^3]."""
        return self.lx * self.ly * self.lz

    @property
    def six(self) -> tuple[float, float, float, float, float, float]:
        """(lx, ly, lz, xy, xz, yz)."""
        return (self.lx, self.ly, self.lz, self.xy, self.xz, self.yz)

    def resized(self, six: Iterable[float]) -> Box:
        """This box with other (lx, ly, lz, xy, xz, yz)."""
        lx, ly, lz, xy, xz, yz = six
        return replace(self, lx=lx, ly=ly, lz=lz, xy=xy, xz=xz, yz=yz)

    @property
    def origin(self) -> Vectors:
        """(3,) the centre of the box in files; positions are relative to it [length]."""
        return np.array(self.corner) + 0.5 * self.matrix.sum(axis=1)

    @property
    def widths(self) -> Vectors:
        """(3,) distances between opposite faces [length]."""
        inverse = np.linalg.inv(self.matrix)
        return 1.0 / np.linalg.norm(inverse, axis=1)

    def fractions(self, positions: Vectors) -> Vectors:
        """(n, 3) positions as fractions of the edges; inside the box they lie in [0, 1)."""
        return positions @ np.linalg.inv(self.matrix).T + 0.5

    def positions(self, fractions: Vectors) -> Vectors:
        """(n, 3) positions [length] of `fractions` of the edges."""
        return (fractions - 0.5) @ self.matrix.T

    def wrap(self, positions: Vectors) -> tuple[Vectors, NDArray[np.int32]]:
        """Positions wrapped into the box along periodic axes, and their image counts.

        Raises InputError if a position is so far out that its image count does not fit in 32 bits.
        """
        turns = np.floor(self.fractions(positions))
        turns[:, ~np.array(self.periodic)] = 0.0
        if turns.size and np.abs(turns).max() > 2**30:
            tag = int(np.abs(turns).max(axis=1).argmax())
            raise bad_input(
                f"particle {tag} is {np.abs(turns[tag]).max():.3g} boxes away",
                "its image count does not fit in 32 bits",
                "Check its position",
            )
        moved = turns.any(axis=1)
        wrapped = positions.copy()
        wrapped[moved] -= turns[moved] @ self.matrix.T
        return wrapped, turns.astype(np.int32)

    def minimum_image(self, difference: Vectors) -> Vectors:
        """(n, 3) the minimum image of `difference`, for distances below half a width."""
        result = np.array(difference, dtype=float, copy=True)
        matrix = self.matrix
        for axis in (2, 1, 0):
            if self.periodic[axis]:
                turns = np.rint(result[:, axis] / self.lengths[axis])
                result -= turns[:, None] * matrix[:, axis]
        return result


#: True and False as users may write them; the letters are those of LAMMPS.
_FLAGS = {True: True, False: False, "p": True, "f": False}


def _flags(value: Any) -> tuple[bool, ...]:
    """Three flags from one, three, or letters."""
    if isinstance(value, (bool, np.bool_)):
        return (bool(value),) * 3
    given = list(value) if isinstance(value, Iterable) else [value]
    for axis, item in enumerate(given[:3]):
        if not isinstance(item, (int, np.bool_, str)) or item not in _FLAGS:
            raise bad_input(
                f"periodic[{axis}] is {item!r}",
                "True or False is needed",
                "Write for example periodic=(True, True, False)",
            )
    if len(given) != 3:
        raise bad_input(
            f"periodic has {len(given)} entries", "a box has three axes", "Give three of them"
        )
    return tuple(_FLAGS[item] for item in given)
