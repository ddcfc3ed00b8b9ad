# SPDX-License-Identifier: Apache-2.0
"""Constants in the units of GROMACS: nm, ps, amu, kJ/mol, K, bar, e."""

BOLTZMANN = 0.00831446261815324  # kJ/mol/K, exact in the SI of 2019
BAR = 16.6053906717384  # bar in one kJ/mol/nm^3
FARADAY = 96.48533212331  # kJ/mol in e V
