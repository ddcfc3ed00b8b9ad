# SPDX-License-Identifier: Apache-2.0
"""Constants in the units of GROMACS: nm, ps, amu, kJ/mol, K, bar, e."""

from ..units import BAR, BOLTZMANN, FARADAY

__all__ = ["BAR", "BOLTZMANN", "FARADAY"]
