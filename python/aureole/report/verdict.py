# SPDX-License-Identifier: Apache-2.0
"""Whether the conserved quantity drifts no more than was tolerated."""

from __future__ import annotations

import math
from typing import Any

from aureole.analysis.statistics import slope

from .energies import Energies
from .files import number_of, section
from .numerals import with_error

#: Number of standard errors by which a slope may be off.
SURE = 3.0
_RATES = {"ps": " kJ/mol/ps", "τ": " ε/τ"}
_SETTING = "verlet-buffer-tolerance"


def of_conserved(summary: dict[str, Any], energies: Energies | None, particles: int | None) -> str:
    """A sentence about the drift of the conserved quantity; "" where nothing is known of it."""
    if energies is None or not particles or not energies.timed:
        return ""
    values = energies.columns.get("conserved")
    if values is None:
        return ""
    found, error = (x / particles for x in slope(energies.time, values))
    if not math.isfinite(found):
        return "The run is too short to tell how the conserved quantity drifts."
    scale, power = (1.0, "") if abs(found) >= 1e-4 else (1e6, " · 10⁻⁶")
    value, off = with_error(scale * found, scale * error)
    rate = _RATES.get(energies.unit_of_time, "")
    span = f"{energies.time[-1] - energies.time[0]:.4g} {energies.unit_of_time}".rstrip()
    said = (
        f"The conserved quantity drifts by {value} ± {off or '0'}{power}{rate} per particle "
        f"({span})"
    )
    tolerance = number_of(section(summary, "settings").get(_SETTING))
    if tolerance is None or tolerance < 0:
        return f"{said}; no tolerance was set."
    asked = f"{tolerance:.6g} kJ/mol/ps ({_SETTING})"
    if abs(found) + SURE * error <= tolerance:
        return f"{said}: within the tolerated {asked}."
    if abs(found) - SURE * error > tolerance:
        return (
            f"{said}: more than the tolerated {asked}. Pair lists are built for that "
            "tolerance; too long a time step, constraints or a barostat may add to the drift."
        )
    return f"{said}; the run is too short to tell whether that is within {asked}."
