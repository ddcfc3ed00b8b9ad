# SPDX-License-Identifier: Apache-2.0
"""The units that numbers may be given in."""

from __future__ import annotations

import math

BOLTZMANN = 0.00831446261815324  # kJ/mol/K, exact in the SI of 2019

#: Units by dimension, in the unit of the engine.
TABLE: dict[str, dict[str, float]] = {
    "length": {"pm": 1e-3, "Å": 0.1, "A": 0.1, "nm": 1.0},
    "time": {"fs": 1e-3, "ps": 1.0, "ns": 1e3, "us": 1e6, "µs": 1e6, "ms": 1e9},
    "temperature": {"K": 1.0},
    "pressure": {"Pa": 1e-5, "kPa": 1e-2, "MPa": 10.0, "GPa": 1e4, "bar": 1.0, "atm": 1.01325},
    "compressibility": {"1/bar": 1.0, "1/Pa": 1e5, "1/GPa": 1e-4},
    "energy": {"K": BOLTZMANN, "kJ/mol": 1.0, "kcal/mol": 4.184},  # K: of kT
    "force": {"kJ/mol/nm": 1.0},
    "field": {"V/nm": 1.0},
    "rate": {"1/ns": 1e-3, "1/fs": 1e3, "1/ps": 1.0},
    "radian": {"deg": math.pi / 180, "rad": 1.0},
}
