# SPDX-License-Identifier: Apache-2.0
"""Energies as texts, composed of parts: an energy of a difference, and what the difference is."""

from __future__ import annotations

import re

from openmm_molecules import Drawn

#: Energies of u. Some are ours whatever u is, some for some, some for none.
_ENERGIES = ("k*{u}^2", "0.5*k*{u}^2", "k*{u}*{u}/2", "k*square({u})", "k*{u}^2+k", "k*{u}^2-0*k",
             "k*{u}^3", "k*abs({u})", "k*{u}", "k*(1-cos({u}))", "k*(1+cos(3*{u}))",
             "k*{u}^2*step({u})", "-k*{u}^2", "k*{u}^4/(1+{u}^2)")  # fmt: skip
#: Names of the difference. The first is that of CHARMM's files.
_NAMES = ("dtheta_torus", "u", "dtheta", "x1")
_FLOOR = "d-floor(d/(2*pi)+{half})*(2*pi); d=x-x0; "
_PI = ("3.14159265358979", "3.14159265358979", "3.1415926535897932", "3.141592654", "3.141593",
       "3.1416", "3.14", "acos(-1)", "4*atan(1)", "2*asin(1)")  # fmt: skip
_SIMPLE = ("x-x0", "x0-x", "x", "2*(x-x0)", "x+x0", "abs(x-x0)", "max(0, x-x0)", "x^2-x0^2",
           "x/x0-1", "exp(x0-x)-1", "min(x, 5)-x0")  # fmt: skip
_AROUND = (
    *("sin(x-x0)", "cos(x)-cos(x0)", "tan((x-x0)/4)", "acos(cos(x-x0))", "2*sin((x-x0)/2)"),
    "atan2(sin(x-x0), cos(x-x0))",
    _FLOOR.format(half="0.5"),
    _FLOOR.format(half="1/2"),
    _FLOOR.format(half="0"),
    _FLOOR.format(half="0.45"),
    "d-2*pi*floor(0.5+d/pi/2); d=x0-x; ",
    "d-ceil(d/(2*pi)-0.5)*(2*pi); d=x-x0; ",
    "min(d, 2*pi-d); d=abs(x-x0); ",
    "min(d, 2*pi-d); d=x-x0; ",
    "select(step(d-pi), 2*pi-d, d); d=abs(x-x0); ",
    "min(d, pi-d); d=abs(x-x0); ",
)
#: The variable, and what else the difference may be.
COMPOSED = {"Bond": ("r", ()), "Angle": ("theta", _AROUND[:4]), "Torsion": ("theta", _AROUND)}


def composed(drawn: Drawn, what: str) -> str:
    """An energy of the variable, k and the variable's value of rest."""
    variable, more = COMPOSED[what]
    name = drawn.choose(_NAMES)
    energy = drawn.choose(_ENERGIES[:4] if drawn.chance(0.6) else _ENERGIES).format(u=name)
    difference = drawn.choose(more) if more and drawn.chance(0.6) else drawn.choose(_SIMPLE)
    given = [part.strip() for part in difference.split(";") if part.strip()]
    if given[1:]:
        given.append(f"pi={drawn.choose(_PI)}")
    text = "; ".join([energy, f"{name}={given[0]}", *given[1:]])
    return re.sub(r"\bx(0?)\b", rf"{variable}\1", text)
