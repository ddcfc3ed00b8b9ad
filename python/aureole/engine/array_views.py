# SPDX-License-Identifier: Apache-2.0
"""Arrays of a live simulation without a copy, for as long as a `with` block lasts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from aureole.base.attributes import Guarded
from aureole.base.errors import bad_input, nearest


class DeviceArray:
    """A column in a GPU's memory, not copied: ``cupy.asarray(a.position)``, ``torch.from_dlpack``.

    Offers DLPack and version 3 of the CUDA array interface. It is for reading: the engine does
    not notice writes before the next pair search. All work on it must end with its block.
    """

    def __init__(self, exporter: Any, pointer: int, kind: str, shape: tuple[int, ...]) -> None:
        self._exporter = exporter
        self.dtype = np.dtype(kind)
        self.shape = shape
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": kind,
            "data": (pointer, False),
            "strides": None,
            "version": 3,
        }

    def __dlpack__(self, **options: Any) -> Any:
        return self._exporter.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._exporter.__dlpack_device__()  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype})"


class Arrays(Guarded):
    """The columns of the engine in local order (sorted in space), read-only, not copied: NumPy
    arrays on a host, `DeviceArray` on a GPU.

    Attributes: position, velocity, force (n, 3); mass (n,); type (n,); image (n, 3); tag (n,),
    which identifies particles: ``a.position[k]`` belongs to particle ``a.tag[k]``; charge if there
    are any, and user columns.

    Outside its `with` block, and after particles have moved, an access raises InputError.
    `Simulation.get` gives copies in tag order that remain valid.
    """

    _advice = "Columns are read-only here: sim.set(name, values) replaces one."

    def __init__(self, sim: Any) -> None:
        self._sim = sim
        self._generation: int | None = None

    def __enter__(self) -> Arrays:
        self._generation = self._sim._core.generation
        self._sim._views += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._generation = None
        self._sim._views -= 1

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        columns = self._columns()
        if name not in columns:
            hint = _hint(name, columns)
            raise AttributeError(f"no column {name!r} (not kept by the engine). {hint}")
        if self._generation is None:
            raise bad_input(
                f"array {name!r} was accessed outside the with block",
                "the engine's memory may move afterwards",
                "Use it inside `with sim.arrays as a:`, or take a copy by sim.get",
            )
        if self._generation != self._sim._core.generation:
            raise bad_input(
                f"array {name!r} is out of date",
                "the particles were re-sorted since the with block began",
                "Start a new one",
            )
        view = self._sim._core.view(name)
        self._sim._keep_views_open()
        if isinstance(view, tuple):
            return DeviceArray(*view, *columns[name])
        if isinstance(view, np.ndarray):
            view = view.view()
            view.flags.writeable = False
        return view

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._columns()]

    def _columns(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The number type and the shape of each column."""
        found = [(name, dtype, width) for name, _, dtype, width, _ in self._sim._core.columns()]
        n = self._sim.n
        return {
            name: (dtype, (n, width) if width else (n,))
            for name, dtype, width in [*found, ("force", "<f8", 3)]
        }


def _hint(name: str, columns: Iterable[str]) -> str:
    if name in ("energy", "virial"):
        return f"sim.get({name!r}) computes it."
    return nearest(name, columns)
