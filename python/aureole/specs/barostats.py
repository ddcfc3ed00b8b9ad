# SPDX-License-Identifier: Apache-2.0
"""Specs of barostats, which integrators take."""

from __future__ import annotations

from typing import Any, ClassVar

from aureole.base.engine_schema import DEFAULTS
from aureole.base.errors import bad_input
from aureole.base.units import Units
from aureole.base.values import choice, integer, number, put

from .spec import Spec, checked, positive, spec
from .thermostats import OF_WATER

Six = tuple[float, float, float, float, float, float]
#: Number of components of a pressure for each shape.
_NUMBERS = {"isotropic": 1, "semiisotropic": 2, "anisotropic": 6}


@spec
class Barostat(Spec):
    """Base of the barostats."""

    key: ClassVar[str] = "no"

    P: float | tuple[float, ...]
    tau: float = positive(dimension="time")
    compressibility: float | tuple[float, ...] | None = None
    shape: str = checked(choice, "isotropic", known=tuple(_NUMBERS))
    every: int = checked(integer, DEFAULTS["CRescale"]["every"], low=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        for field, unit in (("P", "pressure"), ("compressibility", "compressibility")):
            value, name = getattr(self, field), f"{field} of {type(self).__name__}"
            if value is not None or field == "P":
                put(self, field, _numbers(value, name, self.shape, unit))

    def settings(self, units: Units) -> dict[str, Any]:
        """Settings of the engine. Raises InputError if reduced units lack a compressibility."""
        compressibility = self.compressibility
        if compressibility is None and not units.physical:
            raise bad_input(
                f"{type(self).__name__} has no compressibility",
                "the default, that of water, has no meaning in reduced units",
                "Give it in length^3/energy; a Lennard-Jones liquid has 0.01 to 0.1",
            )
        if compressibility is None:
            compressibility = OF_WATER
        return {
            "barostat": self.key,
            "shape": self.shape,
            "press_every": self.every,
            "press_tau": float(self.tau),
            "compressibility": [c * units.pressure for c in _six(compressibility)],
            "pressure": [p / units.pressure for p in _six(self.P)],
        }


def _numbers(value: Any, name: str, shape: str, dimension: str) -> float | tuple[float, ...]:
    count = _NUMBERS[shape]
    if count == 1 or not isinstance(value, (list, tuple)):
        return number(value, name, dimension=dimension)
    if len(value) != count:
        raise bad_input(
            f"{name} has {len(value)} numbers",
            f"shape {shape!r} needs {count}",
            "Give x = y and z, or xx, yy, zz, xy, xz, yz; or one number",
        )
    return tuple(number(item, name, dimension=dimension) for item in value)


def _six(value: Any) -> Six:
    """Components xx yy zz xy xz yz from 1, 2 or 6 numbers."""
    given = value if isinstance(value, tuple) else (value,)
    if len(given) == 6:
        a, b, c, d, e, f = map(float, given)
        return a, b, c, d, e, f
    return (float(given[0]), float(given[0]), float(given[-1]), 0.0, 0.0, 0.0)


_BEGIN = """    Args:
        P: target pressure: one number, (x = y, z) for semiisotropic shapes, or (xx, yy, zz, xy,
            xz, yz) for anisotropic ones"""
_END = """
        compressibility: isothermal, in the same form [1/pressure]; 0 keeps a component fixed. None
            means that of water, 4.5e-5 1/bar; required in reduced units
        shape: "isotropic", "semiisotropic" or "anisotropic"
        every: steps between box updates

    The units of pressure are bar, or energy/length^3 in reduced units."""


@spec
class CRescale(Barostat, family="barostat"):
    __doc__ = f"""Stochastic cell rescaling.

{_BEGIN}
        tau: relaxation time [time]{_END}
    Source: Bernetti and Bussi, J. Chem. Phys. 153, 114107 (2020).
    """

    key: ClassVar[str] = "c-rescale"


@spec
class ParrinelloRahman(Barostat, family="barostat"):
    __doc__ = f"""Extended-system barostat: the box has a mass.

{_BEGIN}
        tau: period of the oscillations [time]{_END}
    Source: Parrinello and Rahman, J. Appl. Phys. 52, 7182 (1981).
    """

    key: ClassVar[str] = "parrinello-rahman"


@spec
class BerendsenBarostat(Barostat, family="barostat"):
    __doc__ = f"""Weak coupling, for equilibration only: it samples no well-defined ensemble.

{_BEGIN}
        tau: time constant [time]{_END}
    Source: Berendsen et al., J. Chem. Phys. 81, 3684 (1984).
    """

    key: ClassVar[str] = "berendsen"
