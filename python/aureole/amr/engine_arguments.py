# SPDX-License-Identifier: Apache-2.0
"""What the parts of a simulation are for the engine, and whether they fit together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from aureole.base.errors import bad_input
from aureole.specs.device import Device

from .criterion import Criterion
from .fixed import Fixed
from .gas import IdealGas
from .mesh import Mesh
from .region import Region
from .schedules import Schedule
from .scheme import Scheme


def arguments_of(
    device: Device,
    mesh: Mesh,
    gas: IdealGas,
    scheme: Scheme,
    schedule: Schedule,
    refine: Sequence[Region | Criterion],
) -> dict[str, Any]:
    """Arguments of the engine; absent axes have one cell."""
    absent = 3 - mesh.dims
    return {
        **{name: getattr(device, name) for name in ("name", "threads", "pin", "hostile")},
        **{field.name: getattr(scheme, field.name) for field in fields(scheme)},
        "roots": (*mesh.roots, *(1,) * absent),
        "dims": mesh.dims,
        "lower": (*(low for low, _ in mesh.box), *(0.0,) * absent),
        "upper": (*(high for _, high in mesh.box), *(1.0,) * absent),
        **_faces(mesh),
        "refine": [_region(one, absent) for one in refine if isinstance(one, Region)],
        "criteria": [one._for_engine() for one in refine if isinstance(one, Criterion)],
        "most_level": mesh.max_level,
        "gamma": gas.gamma,
        **schedule._arguments(),
    }


def _region(region: Region, absent: int) -> tuple[tuple[float, ...], tuple[float, ...], int]:
    low, high = zip(*region.box, *((0.0, 1.0),) * absent, strict=True)
    return low, high, region.level


def _faces(mesh: Mesh) -> dict[str, Any]:
    """Names of the boundaries for the engine, and states beyond those that are fixed."""
    absent = ["periodic"] * (2 * (3 - mesh.dims))
    faces: list[Any] = [face for pair in mesh.faces for face in pair] + absent
    at_rest = Fixed(density=1.0, pressure=1.0)
    return {
        "boundary": ["fixed" if isinstance(face, Fixed) else face for face in faces],
        "beyond": [(face if isinstance(face, Fixed) else at_rest).primitive() for face in faces],
    }


def refining_of(given: Any, mesh: Mesh) -> tuple[Region | Criterion, ...]:
    """What says where the mesh is refined, if it fits the mesh."""
    example = 'Write for example refine=[amr.SecondDerivative("pressure")]'
    if isinstance(given, Region | Criterion | str) or not isinstance(given, Sequence):
        raise bad_input(f"refine is {given!r}", "it must be a list", example)
    for one in given:
        if not isinstance(one, Region | Criterion):
            raise bad_input(
                f"refine holds {one!r}", "it must be an amr.Region or a criterion", example
            )
        one.check(mesh)
    if mesh.max_level > 0 and not given:
        raise bad_input(
            f"max_level of the mesh is {mesh.max_level}", "nothing says what is refined", example
        )
    return tuple(given)


def check_part(name: str, part: Any, kind: type) -> None:
    """Raise InputError for a mesh, gas or scheme that is none."""
    if not isinstance(part, kind):
        example = {
            "mesh": "Use for example amr.Mesh(box=[(0, 1)], roots=(16,))",
            "gas": "Use for example amr.IdealGas(gamma=1.4)",
            "scheme": 'Use for example amr.Scheme(reconstruct="ppm")',
        }[name]
        raise bad_input(f"{name} is {part!r}", f"it must be an amr.{kind.__name__}", example)
