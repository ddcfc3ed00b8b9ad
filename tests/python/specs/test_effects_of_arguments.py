# SPDX-License-Identifier: Apache-2.0
"""Every argument of every public spec, builder and method does what it is documented to do.

The signatures are asked which arguments there are: a new one without evidence fails.
"""

from __future__ import annotations

import inspect

import aureole as au
import effects_amr  # noqa: F401 - these fill the table
import effects_bonded  # noqa: F401
import effects_columns  # noqa: F401
import effects_dynamics  # noqa: F401
import effects_engine  # noqa: F401
import effects_leaves  # noqa: F401
import effects_molecules  # noqa: F401
import effects_output  # noqa: F401
import effects_systems  # noqa: F401
import pytest
from aureole import amr
from aureole.base.errors import Error
from aureole.specs import pair
from effects import EVIDENCE

#: What users do not make, and what is tested as a whole elsewhere.
RESULTS = {"Energy", "Minimum", "Terminated", "Filter", "amr.Blocks", "amr.Flow", "amr.Problem"}
# test_from_openmm.py, test_from_parmed.py
CONVERTERS = {"from_openmm", "from_parmed", "system_from_openmm", "system_from_parmed"}
METHODS = {cls.__name__: cls for cls in (au.Simulation, au.System, au.References)} | {
    "Molecules": au.build.Molecules,
    "amr.Blocks": amr.Blocks,
    "amr.Mesh": amr.Mesh,
    "amr.Simulation": amr.Simulation,
}
BUILDERS = ("lattice", "random", "mixture", "water", "solution")


def arguments(function):
    names = inspect.signature(function).parameters
    return [name for name in names if name not in ("self", "cls") and not name.startswith("_")]


def documented():
    """All arguments, by "Owner.argument"."""
    found = set()
    owners = {name: getattr(au, name) for name in au.__all__}
    owners |= {name: getattr(au.build, name) for name in BUILDERS}
    owners |= {f"amr.{name}": getattr(amr, name) for name in amr.__all__}
    for name, owner in owners.items():
        made = inspect.isclass(owner) and not issubclass(owner, (Error, BaseException))
        if name not in RESULTS | CONVERTERS and (made or inspect.isfunction(owner)):
            found |= {f"{name}.{argument}" for argument in arguments(owner)}
    for of, cls in METHODS.items():
        for name, method in inspect.getmembers(cls, inspect.isroutine):
            owner = f"{of}.{name}"
            if not name.startswith("_"):
                found |= {f"{owner}.{argument}" for argument in arguments(method)}
    return found


def test_every_argument_has_evidence():
    assert {"LennardJones", "SoftSpheres", "WCA"} == set(pair.CLASSES)
    assert documented() - EVIDENCE.keys() == set(), "arguments without evidence of an effect"
    assert EVIDENCE.keys() - documented() == set(), "evidence of arguments that are gone"


CASES = sorted({(name.rpartition(".")[0], show.__name__): show for name, show in EVIDENCE.items()})


@pytest.mark.parametrize("owner, function", CASES)
def test_effect(owner, function, here):
    shows = {show for name, show in EVIDENCE.items() if name.rpartition(".")[0] == owner}
    next(show for show in shows if show.__name__ == function)(owner)
