# SPDX-License-Identifier: Apache-2.0
"""Specs of the forces between charges, of which a simulation has at most one."""

from __future__ import annotations

import math
from dataclasses import replace

from aureole.base.engine_schema import DEFAULTS
from aureole.base.errors import bad_input
from aureole.base.values import flag, integer, number

from .spec import Spec, checked, positive, spec

#: Spacing [nm] and tolerance of GROMACS, for molecules.
SPACING, TOLERANCE = 0.12, 1e-5


@spec
class Electrostatics(Spec):
    """Base of the forces between charges."""

    r_cut: float | None = positive(or_none=True, dimension="length")
    epsilon_r: float = checked(number, DEFAULTS["PME"]["epsilon_r"], low=0.0)


def _grid(value: object, name: str) -> tuple[int, int, int]:
    points = list(value) if isinstance(value, (list, tuple)) else []
    if len(points) != 3:
        raise bad_input(
            f"{name} is {value!r}", "a mesh has points along three axes", "Give three numbers"
        )
    x, y, z = (integer(k, name, low=0) for k in points)
    return x, y, z


@spec
class PME(Electrostatics, family="force"):
    """Electrostatics by smooth particle-mesh Ewald summation (PME).

    Args:
        r_cut: cut-off of the direct sum [length]
        accuracy: r.m.s. error of the force on a charge, over the force between two unit charges at
            a distance of 1 Å (in reduced units: of one unit of length), as in `kspace_style pppm`
            of LAMMPS. A simulation finds `grid`, `order` and `tolerance` from it, as far as they
            are None, by the errors that are expected for charges at random places: those of neutral
            molecules are about half as large, those of ions on a lattice up to twice. Mixed
            precision rounds by about 1e-6. It is 1e-5 in reduced units where neither it nor
            `spacing` nor `grid` is given.
        spacing: largest spacing of the mesh [length]; None: from `accuracy`, or else 0.12 nm
        grid: mesh points along the three axes; None or zeros: from `spacing`
        order: B-spline order, 4 (cubic) to 8; None: from `accuracy`, or else 4
        tolerance: relative strength of the direct potential at the cut-off, which sets the
            splitting parameter; None: from `accuracy`, or else 1e-5
        shifted: the direct potential is 0 at the cut-off
        both_signs: in tilted boxes, waves of half the mesh count with the mean of both signs, as in
            OpenMM, and not as in GROMACS
        epsilon_r: relative permittivity between charges; 0 for infinite

    Source: Essmann et al., J. Chem. Phys. 103, 8577 (1995).
    """

    r_cut: float = positive(or_none=True, dimension="length")
    accuracy: float | None = positive(None, high=1.0, or_none=True)
    spacing: float | None = checked(number, None, low=0.0, or_none=True, dimension="length")
    grid: tuple[int, int, int] | None = checked(_grid, None, or_none=True)
    order: int | None = checked(integer, None, low=3, or_none=True)
    tolerance: float | None = positive(None, high=1.0, or_none=True)
    shifted: bool = checked(flag, DEFAULTS["PME"]["shifted"])
    both_signs: bool = checked(flag, DEFAULTS["PME"]["both_signs"])

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.r_cut is None:
            raise bad_input("r_cut of PME is None", "it ends the direct sum", "Give one")
        if self.spacing == 0.0 and not all(self.grid or (0,)):
            raise bad_input("PME has neither spacing nor grid", "the mesh needs one", "Give one")

    @property
    def has_mesh(self) -> bool:
        """Whether it says what the mesh is in a box."""
        return self.spacing is not None or all(self.grid or (0,))

    @property
    def usual(self) -> PME:
        """This PME, with the numbers usual for molecules where none are given."""
        return replace(
            self,
            spacing=self.spacing if self.has_mesh else SPACING,
            order=self.order or DEFAULTS["PME"]["order"],
            tolerance=self.tolerance or TOLERANCE,
        )

    @property
    def beta(self) -> float:
        """Ewald's β [1/length] for which erfc(β r_cut) is the tolerance."""
        tolerance = self.tolerance or TOLERANCE
        low, high = 0.0, 30.0  # of β r_cut; erfc ends at the smallest double
        for _ in range(100):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if math.erfc(middle) > tolerance else (low, middle)
        return high / self.r_cut


@spec
class ReactionField(Electrostatics, family="force"):
    """Electrostatics up to a cut-off, with a dielectric continuum beyond it.

    Args:
        r_cut: cut-off [length]; None for no cut-off (non-periodic systems)
        epsilon_rf: relative permittivity beyond the cut-off; 0 for infinite
        epsilon_r: relative permittivity between charges; 0 for infinite
        excluded_pairs: whether the field also acts between excluded pairs, and of each charge on
            itself, as in GROMACS; OpenMM's does not

    Source: Tironi et al., J. Chem. Phys. 102, 5451 (1995).
    """

    epsilon_rf: float = checked(number, DEFAULTS["ReactionField"]["epsilon_rf"], low=0.0)
    excluded_pairs: bool = checked(flag, DEFAULTS["ReactionField"]["excluded_pairs"])


@spec
class Coulomb(Electrostatics, family="force"):
    """Coulomb interactions up to a plain cut-off.

    Args:
        r_cut: cut-off [length]; None for no cut-off (non-periodic systems)
        shifted: the potential is 0 at the cut-off
        epsilon_r: relative permittivity between charges; 0 for infinite
    """

    shifted: bool = checked(flag, DEFAULTS["Coulomb"]["shifted"])
