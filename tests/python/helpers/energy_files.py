# SPDX-License-Identifier: Apache-2.0
"""Columns of energy files of GROMACS, and which of its terms are one of ours."""

from __future__ import annotations

import numpy as np
from aureole.formats import edr

SUMS = {"pair": ("LJ-14", "Coulomb-14"), "Ryckaert-Bell.": ("Ryckaert-Bell.", "Fourier Dih.")}


def table(path):
    """Step, time and all terms by name."""
    reader = edr.Reader(path)
    read = list(reader)
    names = [name for name, _ in reader.terms]
    columns = np.array([row.values for row in read]).T
    assert reader.rest == 0
    steps = {"step": [row.step for row in read], "time": [row.time for row in read]}
    return {name: np.array(values) for name, values in steps.items()} | dict(
        zip(names, columns, strict=True)
    )
