# SPDX-License-Identifier: Apache-2.0
"""Custom non-bonded forces of OpenMM that are Lennard-Jones forces, as a table of types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.system.flat_topology import names_of_types
from aureole.system.topology import Labels, Nonbonded

from . import openmm_fits as fits
from .openmm_custom import expression_of, globals_of, other_energy
from .openmm_terms import title

_DISTANCES = fits.numbers(0.2, 0.45, 0.9, 0.13, 0.3, 0.6)
_WHY = "only Lennard-Jones forces between all particles are supported"


def table_of(force: Any, names: Labels) -> tuple[Nonbonded, NDArray[np.int32]]:
    """Lennard-Jones parameters of pairs of types, and the type of each particle.

    Particles alike are of one type. Coefficients are those of the energy for each pair of types,
    whatever its text: of tables, or of parameters and a combination rule.
    """
    count = force.getNumPerParticleParameters()
    given = [force.getParticleParameters(i) for i in range(force.getNumParticles())]
    rows = np.array(given, dtype=np.float64).reshape(len(given), count)
    used, first, type_ = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    c6, c12 = _coefficients(force, used)
    if not np.allclose([c6, c12], [c6.T, c12.T], rtol=1e-9, atol=0.0):
        raise other_energy(force, "it is not that of the pair the other way round", "Correct it")
    called = names_of_types(names[int(i)] for i in first)
    upper = np.triu(np.ones((len(used), len(used)), dtype=np.bool_))
    table = Nonbonded(called, *(np.where(upper, c, c.T) for c in (c6, c12)), "none")
    return table, type_.reshape(-1).astype(np.int32)


def _coefficients(force: Any, used: NDArray[np.float64]) -> tuple[Any, Any]:
    """c6 and c12 (t, t) of t rows of parameters of particles."""
    tables = _tables(force)
    expression = expression_of(force, dict.fromkeys(tables, 2))
    names = [
        force.getPerParticleParameterName(k) for k in range(force.getNumPerParticleParameters())
    ]
    values = globals_of(force) | dict.fromkeys(f"{name}{k}" for name in names for k in (1, 2))
    if expression.names - {"r", *values} or force.getNumInteractionGroups():
        raise other_energy(force, _WHY)
    c6, c12 = np.zeros((2, len(used), len(used)))
    values |= {f"{name}2": column for name, column in zip(names, used.T, strict=True)}
    for k, row in enumerate(used):
        own = dict(values) | {f"{name}1": one for name, one in zip(names, row, strict=True)}

        def energies(distances: Any, own: Any = own) -> Any:
            found = expression(own | {"r": distances[:, None]}, tables)
            return np.broadcast_to(found, (len(distances), len(used)))

        fit = fits.lennard_jones(energies, _DISTANCES)
        if (fit.off > 1e-10).any() or fit.values[:, 2].any():
            raise other_energy(force, _WHY)
        c6[k], c12[k] = fit.values[:, 0], fit.values[:, 1]
    return c6, c12


def _tables(force: Any) -> dict[str, Callable[[Any, Any], Any]]:
    """Functions of two whole numbers, as tables give them."""
    found = {}
    for k in range(force.getNumTabulatedFunctions()):
        table, name = force.getTabulatedFunction(k), force.getTabulatedFunctionName(k)
        if type(table).__name__ != "Discrete2DFunction":
            raise other_energy(force, f"{name} is a {type(table).__name__}, no table of two types")
        wide, high, values = table.getFunctionParameters()
        found[name] = _looked_up(force, np.array(values, dtype=np.longdouble).reshape(high, wide))
    return found


def _looked_up(force: Any, table: Any) -> Callable[[Any, Any], Any]:
    def value(first: Any, second: Any) -> Any:
        i, j = (np.floor(one + 0.5).astype(np.int64) for one in (first, second))
        for one, size in ((i, table.shape[1]), (j, table.shape[0])):
            if ((one < 0) | (one >= size)).any():
                raise bad_input(
                    f"a particle of {title(force)} has the type {int(one.max())}",
                    f"a table in it is for the types 0 to {size - 1}",
                    "Correct its parameters; OpenMM refuses it as well",
                )
        return table[j, i]

    return value
