# SPDX-License-Identifier: Apache-2.0
"""Files of all cells: HDF5 with the names of Parthenon, which yt reads, and XDMF for ParaView.

The layout is that of Parthenon's outputs, version 4 (Grete et al. 2022, Int. J. High Perform.
Comput. Appl. 37, 465; https://parthenon-hpc-lab.github.io/parthenon, Outputs).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import Error

from .cells import CellsOfLeaves
from .mesh import AXES, CELLS

VERSION = 4
#: Components of the data set of primitive fields, as yt knows them.
COMPONENTS = ("prim_density", *(f"prim_velocity_{k}" for k in (1, 2, 3)), "prim_pressure")
#: Their names in XDMF, for people.
NAMES = ("density", *(f"velocity_{axis}" for axis in AXES), "pressure")


@dataclass(frozen=True, eq=False)
class Frame:
    """A state of a gas, to be written.

    Args:
        where: the sub-grids
        primitive: (n, 5, bz, by, bx) density, velocity and pressure of their cells
        gamma: ratio of specific heats
        step: the number of the step
        time: the simulated time
        dt: the length of the last step
        specs: plain data that tell how the simulation was made
    """

    where: CellsOfLeaves
    primitive: NDArray[np.float64]
    gamma: float
    step: int
    time: float
    dt: float
    specs: dict[str, Any]


def library() -> Any:
    """h5py. Raises Error with what to do where it is missing."""
    try:
        import h5py
    except ImportError as error:
        raise Error(
            f"Snapshot needs h5py ({error}). Install it: pip install 'aureole[fluids]'"
        ) from None
    return h5py


def step_of(path: str) -> int | None:
    """The step of a file; None if it is none of these."""
    try:
        with library().File(path) as file:
            return int(file["Info"].attrs["NCycle"])
    except (OSError, KeyError, TypeError, ValueError):
        return None


def hdf5(frame: Frame) -> memoryview:
    """The bytes of a .phdf file."""
    where, mesh = frame.where, frame.where.mesh
    absent = 3 - mesh.dims
    levels = where.leaves[:, 0]
    edges = _edges(where)
    # In memory, by the library alone: a fork meanwhile inherits no file that needs Python at exit.
    with library().File("snapshot", "w", driver="core", backing_store=False) as file:
        info = file.create_group("Info").attrs
        info["OutputFormatVersion"] = VERSION
        info["NumMeshBlocks"] = len(levels)
        info["MeshBlockSize"] = np.array(_block_size(mesh.dims))
        info["RootGridSize"] = np.array([*mesh.cells, *(1,) * absent])
        ends = [*mesh.box, *((0.0, 1.0),) * absent]
        info["RootGridDomain"] = np.array([value for low, high in ends for value in (low, high, 1)])
        info["Coordinates"] = "UniformCartesian"
        info["OutputDatasetNames"] = ["prim"]
        info["NumComponents"] = np.array([len(COMPONENTS)], np.uint64)
        info["ComponentNames"] = list(COMPONENTS)
        info["MaxLevel"], info["NumDims"] = int(levels.max()), mesh.dims
        info["NCycle"], info["Time"], info["dt"] = frame.step, frame.time, frame.dt
        info["IncludesGhost"], info["NGhost"] = 0, 0
        info["BoundaryConditions"] = _boundaries(mesh)
        parameters = file.create_group("Params").attrs
        parameters["Hydro/AdiabaticIndex"] = frame.gamma
        for name, value in frame.specs.items():
            parameters[f"Aureole/{name}"] = json.dumps(value)
        file["Levels"] = levels.astype(np.int32)
        file["LogicalLocations"] = where.leaves[:, 1:].astype(np.int64)
        for axis, line in zip(AXES, edges, strict=True):
            file[f"Locations/{axis}"] = line
            file[f"VolumeLocations/{axis}"] = 0.5 * (line[:, 1:] + line[:, :-1])
        file["prim"] = frame.primitive
        file.flush()
        return memoryview(file.id.get_file_image())


def xdmf(frame: Frame, name: str) -> Iterator[str]:
    """The parts of an XDMF file about a .phdf file of some name, which lies beside it."""
    n, size = len(frame.where.leaves), _block_size(frame.where.mesh.dims)
    nodes = " ".join(str(k + 1) for k in size[::-1])
    cells = " ".join(map(str, size[::-1]))
    yield '<?xml version="1.0"?>\n<Xdmf Version="2.0"><Domain>\n'
    yield '<Grid Name="mesh" GridType="Collection" CollectionType="Spatial">\n'
    yield f'<Time Value="{frame.time!r}"/>\n'
    for k in range(n):
        yield f'<Grid Name="{k}" GridType="Uniform">\n'
        yield f'<Topology TopologyType="3DRectMesh" Dimensions="{nodes}"/>\n'
        yield '<Geometry GeometryType="VXVYVZ">\n'
        for axis, extent in zip(AXES, size, strict=True):
            slab = f"{k} 0 1 1 1 {extent + 1}"
            yield _slab(f"{extent + 1}", slab, f"{n} {extent + 1}", f"{name}:/Locations/{axis}")
        yield "</Geometry>\n"
        for field, label in enumerate(NAMES):
            slab = f"{k} {field} 0 0 0 1 1 1 1 1 1 1 {cells}"
            whole = f"{n} {len(NAMES)} {cells}"
            yield f'<Attribute Name="{label}" Center="Cell">\n'
            yield _slab(cells, slab, whole, f"{name}:/prim")
            yield "</Attribute>\n"
        yield "</Grid>\n"
    yield "</Grid>\n</Domain></Xdmf>\n"


def _slab(extent: str, slab: str, whole: str, place: str) -> str:
    """A part of a data set of numbers: begin, stride and count along each of its axes."""
    axes = len(slab.split()) // 3
    return (
        f'<DataItem ItemType="HyperSlab" Dimensions="{extent}">'
        f'<DataItem Dimensions="3 {axes}" Format="XML">{slab}</DataItem>'
        f'<DataItem Dimensions="{whole}" NumberType="Float" Precision="8" Format="HDF">'
        f"{place}</DataItem></DataItem>\n"
    )


def _block_size(dims: int) -> tuple[int, ...]:
    return (CELLS,) * dims + (1,) * (3 - dims)


def _edges(where: CellsOfLeaves) -> list[NDArray[np.float64]]:
    """(n, 9) edges of the cells along each axis, the same numbers on both sides of a face."""
    lines = []
    for axis in range(3):
        if axis >= where.dims:
            lines.append(np.tile([0.0, 1.0], (len(where.leaves), 1)))
            continue
        (low, high), n = where.mesh.box[axis], where.mesh.cells[axis] << _levels(where)
        k = CELLS * where.leaves[:, 1 + axis].astype(np.int64)[:, None] + np.arange(CELLS + 1)
        lines.append((low * (n - k) + high * k) / n)
    return lines


def _levels(where: CellsOfLeaves) -> NDArray[np.int64]:
    return where.leaves[:, 0].astype(np.int64)[:, None]


def _boundaries(mesh: Any) -> list[str]:
    """Names of the boundaries of all six faces."""
    faces = [face if isinstance(face, str) else "fixed" for pair in mesh.faces for face in pair]
    return faces + ["outflow"] * (2 * (3 - mesh.dims))
