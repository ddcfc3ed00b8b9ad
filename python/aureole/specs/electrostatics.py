# SPDX-License-Identifier: Apache-2.0
"""Specs of the forces between charges, of which a simulation has at most one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from aureole.base.engine_schema import DEFAULTS
from aureole.base.errors import bad_input
from aureole.base.values import flag, integer, number, put

from .spec import Spec


@dataclass(frozen=True, kw_only=True)
class Electrostatics(Spec):
    """Base of the forces between charges."""

    r_cut: float | None
    epsilon_r: float = DEFAULTS["PME"]["epsilon_r"]

    def __post_init__(self) -> None:
        name = type(self).__name__
        if self.r_cut is not None:
            r_cut = number(
                self.r_cut, f"r_cut of {name}", low=0.0, open_low=True, dimension="length"
            )
            put(self, "r_cut", r_cut)
        put(self, "epsilon_r", number(self.epsilon_r, f"epsilon_r of {name}", low=0.0))


@dataclass(frozen=True, kw_only=True)
class PME(Electrostatics, family="force"):
    """Charges with all their images, by smooth particle-mesh Ewald summation.

    Args:
        r_cut: cut-off of the direct sum [length]
        spacing: largest spacing of the mesh [length]
        grid: mesh points along the three axes; None or zeros for those that spacing gives
        order: of the B-splines, 4 for cubic ones
        tolerance: relative strength of the direct potential at the cut-off, which gives the
            splitting parameter
        shifted: the direct potential is 0 at the cut-off
        epsilon_r: relative permittivity between charges; 0 for infinite

    Source: Essmann et al., J. Chem. Phys. 103, 8577 (1995).
    """

    r_cut: float
    spacing: float = 0.12
    grid: tuple[int, int, int] | None = None
    order: int = DEFAULTS["PME"]["order"]
    tolerance: float = 1e-5
    shifted: bool = DEFAULTS["PME"]["shifted"]

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.r_cut is None:
            raise bad_input("r_cut of PME is None", "the direct sum ends somewhere", "Give it")
        spacing = number(self.spacing, "spacing of PME", low=0.0, dimension="length")
        put(self, "spacing", spacing)
        if self.grid is not None:
            put(self, "grid", _grid(self.grid))
        if self.spacing == 0.0 and not all(self.grid or (0,)):
            raise bad_input("PME has neither spacing nor grid", "the mesh is unknown", "Give one")
        put(self, "order", integer(self.order, "order of PME", low=3))
        tolerance = number(self.tolerance, "tolerance of PME", low=0.0, open_low=True, high=1.0)
        put(self, "tolerance", tolerance)
        flag(self.shifted, "shifted of PME")

    @property
    def beta(self) -> float:
        """Ewald's β [1/length] for which erfc(β r_cut) is the tolerance."""
        low, high = 0.0, 30.0  # of β r_cut; erfc ends at the smallest double
        for _ in range(100):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if math.erfc(middle) > self.tolerance else (low, middle)
        return high / self.r_cut


def _grid(value: object) -> tuple[int, int, int]:
    points = list(value) if isinstance(value, (list, tuple)) else []
    if len(points) != 3:
        raise bad_input(
            f"grid of PME is {value!r}", "a mesh has points along three axes", "Give three numbers"
        )
    x, y, z = (integer(k, "grid of PME", low=0) for k in points)
    return x, y, z


@dataclass(frozen=True, kw_only=True)
class ReactionField(Electrostatics, family="force"):
    """Charges up to a cut-off, in a dielectric that begins there.

    Args:
        r_cut: cut-off [length]; None for no cut-off (non-periodic systems)
        epsilon_rf: relative permittivity beyond the cut-off; 0 for infinite
        epsilon_r: relative permittivity between charges; 0 for infinite

    Source: Tironi et al., J. Chem. Phys. 102, 5451 (1995).
    """

    epsilon_rf: float = DEFAULTS["ReactionField"]["epsilon_rf"]

    def __post_init__(self) -> None:
        super().__post_init__()
        put(self, "epsilon_rf", number(self.epsilon_rf, "epsilon_rf of ReactionField", low=0.0))


@dataclass(frozen=True, kw_only=True)
class Coulomb(Electrostatics, family="force"):
    """Charges up to a plain cut-off.

    Args:
        r_cut: cut-off [length]; None for no cut-off (non-periodic systems)
        shifted: the potential is 0 at the cut-off
        epsilon_r: relative permittivity between charges; 0 for infinite
    """

    shifted: bool = DEFAULTS["Coulomb"]["shifted"]

    def __post_init__(self) -> None:
        super().__post_init__()
        flag(self.shifted, "shifted of Coulomb")
