# SPDX-License-Identifier: Apache-2.0
"""Specs of how rigid parts of a system are kept, and of particles that stay where they are.

The system says which distances are rigid. Rigid waters are always solved exactly (SETTLE).
"""

from __future__ import annotations

from typing import ClassVar

from aureole.base.engine_schema import DEFAULTS
from aureole.base.errors import bad_input
from aureole.base.values import flag, integer, number

from .spec import Spec, checked, positive, spec


@spec
class Constraints(Spec):
    """Base of the solvers of rigid distances."""

    continuation: bool = checked(flag, False)
    warn_angle: float = checked(number, 30.0, low=0.0)


@spec
class LINCS(Constraints, family="constraint"):
    """Constraints by LINCS, the linear constraint solver.

    Args:
        order: highest order in the matrix expansion
        iterations: corrections for rotational lengthening
        continuation: do not constrain the start; it satisfies the constraints already
        warn_angle: warn if a bond rotates by more than this in one step [degrees]

    Source: Hess et al., J. Comput. Chem. 18, 1463 (1997).
    """

    order: int = checked(integer, DEFAULTS["LINCS"]["order"], low=1)
    iterations: int = checked(integer, DEFAULTS["LINCS"]["iterations"], low=0)

    @property
    def solver(self) -> tuple[int, int, float]:
        """Order, iterations and tolerance; with tolerance 0 the solver does not repeat."""
        return self.order, self.iterations, 0.0


@spec
class SHAKE(Constraints, family="constraint"):
    """Constraints by SHAKE, to a relative tolerance.

    The result is that of SHAKE, which moves particles only along the old directions of their
    constraints. It is computed by iterating LINCS until the tolerance is met.

    Args:
        tolerance: relative error of the constraint lengths
        continuation: do not constrain the start; it satisfies the constraints already
        warn_angle: warn if a bond rotates by more than this in one step [degrees]

    Source: Ryckaert, Ciccotti, Berendsen, J. Comput. Phys. 23, 327 (1977).
    """

    tolerance: float = positive(1e-4)

    @property
    def solver(self) -> tuple[int, int, float]:
        """Order, iterations and tolerance."""
        return 8, 2, self.tolerance


@spec
class Freeze(Spec, family="constraint"):
    """Keeps the particles of a group fixed.

    If a barostat changes the box, their positions, unwrapped by `image`, keep their distance from
    the lower corner of the box, which is the origin in files.

    Args:
        group: name of the group of the system
        axes: frozen directions: any of "x", "y" and "z"
    """

    _of_others: ClassVar = {
        "filter": "Name a group of System(..., groups=...), or let the others move alone, by the "
        "filter of NVE, Langevin or Bussi"
    }
    group: str
    axes: str = "xyz"

    def __post_init__(self) -> None:
        if not isinstance(self.group, str) or not self.group:
            raise bad_input(
                f"group of Freeze is {self.group!r}",
                "it must be the name of a group",
                'Give for example "wall", of System(..., groups={"wall": tags})',
            )
        if not isinstance(self.axes, str) or not self.axes or set(self.axes) - set("xyz"):
            raise bad_input(
                f"axes of Freeze is {self.axes!r}", "axes are x, y and z", 'Give for example "xy"'
            )
