# SPDX-License-Identifier: Apache-2.0
"""The old name of `aureole.converters`, which keeps working with a warning."""

import sys

from . import converters
from .deprecated import warn

warn("aureole.gateways", "aureole.converters", level=2)
sys.modules[__name__] = converters
