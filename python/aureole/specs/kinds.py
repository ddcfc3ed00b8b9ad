# SPDX-License-Identifier: Apache-2.0
"""All kinds of specs of forces and motion: importing this makes their classes, and `from_dict`
finds them. Observers are added by `observers`, starting systems by `jobs.input_file`.
"""

from . import (
    bonded,
    constraints,  # noqa: F401
    coupled_integrators,  # noqa: F401
    device,  # noqa: F401
    electric_field,  # noqa: F401
    electrostatics,  # noqa: F401
    external,
    filters,  # noqa: F401
    integrators,  # noqa: F401
    minimizers,  # noqa: F401
    neighbor_list,  # noqa: F401
    pair,
)
from .spec import KINDS, from_dict

for module in (bonded, external, pair):
    tuple(module.CLASSES.values())

__all__ = ["KINDS", "from_dict"]
