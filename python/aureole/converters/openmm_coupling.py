# SPDX-License-Identifier: Apache-2.0
"""Thermostats and barostats of OpenMM as options of an .mdp file, by the ensembles they sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aureole.base.errors import bad_input
from aureole.gromacs.mdp.options.table import normal

from .units import plain

_COMPRESSIBILITY = 4.5e-5  # [1/bar], water's: how fast the box follows, not where it ends
_BAROSTATS = (
    "MonteCarloBarostat",
    "MonteCarloAnisotropicBarostat",
    "MonteCarloMembraneBarostat",
    "MonteCarloFlexibleBarostat",
)
NAMES = ("AndersenThermostat", *_BAROSTATS)
#: Options of which the user must give one where OpenMM's force has no counterpart.
_OWN = {"AndersenThermostat": ("tcoupl", "integrator")} | dict.fromkeys(_BAROSTATS, ("pcoupl",))
_OFF = ("no", "false")


class Coupling:
    """Temperature and pressure coupling that the forces of a system ask for.

    Args:
        options: of the user, by names of .mdp options
        notes: where to tell what the user should know
    """

    def __init__(self, options: Mapping[str, Any], notes: list[str]) -> None:
        self._given = options
        self._options: dict[str, Any] = {}
        self._of_heat = ""  # the note about it
        self.notes = notes

    def take(self, force: Any) -> None:
        """Take a force over. Raises InputError for a force without a counterpart."""
        name = type(force).__name__
        if any(option in self._given for option in _OWN[name]):
            self.notes.append(f"{name} is overridden by the given options")
            kept = name in _BAROSTATS and normal(str(self._given["pcoupl"])) not in _OFF
            if kept and force.getFrequency() and "tcoupl" not in self._options:
                self._heat(name, float(plain(force.getDefaultTemperature())), 1.0)
            return
        if name == "AndersenThermostat":
            rate = float(plain(force.getDefaultCollisionFrequency()))
            if rate == 0.0:
                self.notes.append(f"{name} is off (its frequency is 0)")
                return
            self._heat(name, float(plain(force.getDefaultTemperature())), 1 / rate)
            return
        if force.getFrequency() == 0:
            self.notes.append(f"{name} is off (its frequency is 0)")
            return
        kind, pressure, compressibility = _shape(name, force)
        self._options |= {
            "pcoupl": "C-rescale",
            "pcoupltype": kind,
            "tau-p": 2.0,
            "ref-p": pressure,
            "compressibility": compressibility,
        }
        self.notes.append(f"{name} is replaced by C-rescale, which samples the same ensemble")
        if "tcoupl" not in self._options:
            self._heat(name, float(plain(force.getDefaultTemperature())), 1.0)

    def _heat(self, name: str, temperature: float, tau: float) -> None:
        if "tcoupl" in self._given or "integrator" in self._given:
            return
        self._options |= {
            "tcoupl": "v-rescale",
            "tc-grps": "System",
            "ref-t": f"{temperature:g}",
            "tau-t": f"{min(max(tau, 0.1), 5.0):g}",
        }
        if self._of_heat:  # that of a barostat, which a thermostat overrides
            self.notes.remove(self._of_heat)
        self._of_heat = (
            f"{name} at {temperature:g} K is replaced by v-rescale, which samples the same ensemble"
        )
        self.notes.append(self._of_heat)

    @property
    def settings(self) -> dict[str, Any]:
        """Options of an .mdp file that say the same."""
        return self._options


def _bars(pressure: Any) -> float:
    """A pressure [bar]; OpenMM's numbers without a unit are in bar."""
    from openmm import unit

    return float(pressure.value_in_unit(unit.bar) if unit.is_quantity(pressure) else pressure)


def _shape(name: str, force: Any) -> tuple[str, str, str]:
    """pcoupltype, ref-p and compressibility."""
    soft = f"{_COMPRESSIBILITY:g}"
    if name == "MonteCarloBarostat":
        return "isotropic", f"{_bars(force.getDefaultPressure()):.8g}", soft
    if name == "MonteCarloAnisotropicBarostat":
        pressures = [_bars(p) for p in force.getDefaultPressure()]
        scaled = [force.getScaleX(), force.getScaleY(), force.getScaleZ()]
        along = " ".join(f"{p:.8g}" for p in pressures)
        softs = " ".join(soft if on else "0" for on in scaled)
        return "anisotropic", f"{along} 0 0 0", f"{softs} 0 0 0"
    if name == "MonteCarloMembraneBarostat":
        tension = float(plain(force.getDefaultSurfaceTension()))
        flat = force.getXYMode() == force.XYIsotropic
        modes = {force.ZFree: soft, force.ZFixed: "0"}
        if tension == 0.0 and flat and force.getZMode() in modes:
            pressure = f"{_bars(force.getDefaultPressure()):.8g}"
            return "semiisotropic", f"{pressure} {pressure}", f"{soft} {modes[force.getZMode()]}"
        raise bad_input(
            f"{name} cannot be converted",
            "its surface tension or its coupling of box lengths is not supported",
            'Give pcoupl="C-rescale" and pcoupltype="semiisotropic", or pcoupl="no"',
        )
    raise bad_input(
        f"{name} cannot be converted",
        "Aureole has no barostat that scales all box angles in this way",
        'Give pcoupl, such as "Parrinello-Rahman" with pcoupltype="anisotropic", or pcoupl="no"',
    )
