# SPDX-License-Identifier: Apache-2.0
"""Small analyses of particles: the pair distribution function, means with errors."""

from .pair_distribution import pair_distribution
from .statistics import mean_and_error

__all__ = ["mean_and_error", "pair_distribution"]
