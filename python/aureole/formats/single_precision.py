# SPDX-License-Identifier: Apache-2.0
"""Numbers of particles in single precision, which holds no more than 3.4e38."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aureole.base.errors import FormatError

_MOST = float(np.finfo(np.float32).max)
#: Verb and unit of each column of particles, for errors.
SAID = {
    "position": ("is at", "nm"),
    "velocity": ("has the velocity", "nm/ps"),
    "force": ("has the force", "kJ/mol/nm"),
    "energy": ("has the energy", "kJ/mol"),
    "virial": ("has the virial", "kJ/mol"),
}


def singles(
    path: object,
    name: str,
    values: ArrayLike,
    kind: str,
    physical: bool = True,
    scale: float = 1.0,
) -> NDArray[np.float32]:
    """The numbers of a column in single precision; FormatError for one that becomes infinite.

    Args:
        path: the file, for errors
        name: of the column, as in `SAID`
        values: (n,) or (n, k) numbers
        kind: of NumPy, such as ">f4"
        physical: whether the numbers have units
        scale: factor of the numbers, such as 10 for ångström from nanometre
    """
    given = np.asarray(values)
    with np.errstate(over="ignore", invalid="ignore"):
        made = (given if scale == 1.0 else scale * given).astype(kind)
    lost = np.isinf(made) & np.isfinite(given)
    if lost.any():
        place = np.unravel_index(int(lost.argmax()), lost.shape)
        says, unit = SAID[name]
        unit = f" {unit}" * physical
        axis = f"{'xyz'[place[1]]} = " if given.shape[1:] == (3,) else ""
        raise FormatError(
            path,
            "cannot be written",
            f"particle {place[0] + 1} {says} {axis}{given[place]:.6g}{unit}; "
            f"single precision holds {_MOST / scale:.2g}{unit}",
            "Find out why it is so large",
        )
    return made
