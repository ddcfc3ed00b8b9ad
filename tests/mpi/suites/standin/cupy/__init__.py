# SPDX-License-Identifier: Apache-2.0
"""Stands in for CuPy: arrays in the memory of an emulated device, as mpi4py's tests use them.

Values live on the device alone; each access is a copy by the runtime library, CUDA's or, with
AUREOLE_STANDIN=hip, HIP's. Classes have CuPy's names.
"""

from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Iterator

import numpy as np

#: New enough for all types that mpi4py's tests have arrays of.
__version__ = "14.0.0"

IS_HIP = os.environ.get("AUREOLE_STANDIN") == "hip"
PREFIX, LIBRARY = ("hip", "libamdhip64.so.6") if IS_HIP else ("cuda", "libcudart.so.13")
TO_DEVICE, TO_HOST = 1, 2

_runtime = ctypes.CDLL(LIBRARY)


def _call(name: str, *arguments) -> None:
    code = getattr(_runtime, PREFIX + name)(*arguments)
    if code:
        raise RuntimeError(f"{PREFIX}{name} failed with {code}")


class _Memory:
    """An allocation, given back with the last array that uses it."""

    def __init__(self, size: int) -> None:
        pointer = ctypes.c_void_p()
        _call("Malloc", ctypes.byref(pointer), ctypes.c_size_t(max(size, 1)))
        self.address = pointer.value

    def __del__(self) -> None:
        _runtime[PREFIX + "Free"](ctypes.c_void_p(self.address))


class ndarray:
    """A contiguous array; what is taken out of it is a NumPy value."""

    def __init__(self, shape, dtype, memory: _Memory | None = None) -> None:
        self.dtype = np.dtype(dtype)
        if self.dtype.char in "gG":
            raise ValueError("devices have no long double")
        self.shape = (int(shape),) if np.ndim(shape) == 0 else tuple(map(int, shape))
        self.size = math.prod(self.shape)
        self.itemsize = self.dtype.itemsize
        self.nbytes = self.size * self.itemsize
        self._memory = memory or _Memory(self.nbytes)

    def get(self) -> np.ndarray:
        host = np.empty(self.shape, self.dtype)
        if self.nbytes:
            source, size = ctypes.c_void_p(self._memory.address), ctypes.c_size_t(self.nbytes)
            _call("Memcpy", ctypes.c_void_p(host.ctypes.data), source, size, TO_HOST)
        return host

    def set(self, values: np.ndarray) -> None:
        host = np.ascontiguousarray(values, self.dtype)
        assert host.nbytes == self.nbytes, "a device array keeps its size"
        if self.nbytes:
            target, size = ctypes.c_void_p(self._memory.address), ctypes.c_size_t(self.nbytes)
            _call("Memcpy", target, ctypes.c_void_p(host.ctypes.data), size, TO_DEVICE)

    @property
    def __cuda_array_interface__(self) -> dict:
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": self.dtype.str,
            "descr": self.dtype.descr,
            "strides": None,
            "data": (self._memory.address, False),
        }

    def fill(self, value) -> None:
        self.set(np.full(self.shape, np.asarray(value).astype(self.dtype)))

    def ravel(self) -> ndarray:
        """The same memory in one dimension."""
        return ndarray(self.size, self.dtype, self._memory)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator:
        return iter(self.get())

    def __getitem__(self, index):
        return self.get()[index]

    def __setitem__(self, index, value) -> None:
        host = self.get()
        host[index] = value.get() if isinstance(value, ndarray) else value
        self.set(host)

    class device:
        id = 0

    def toDlpack(self):
        """A capsule, by the helper of mpi4py's own tests."""
        import dlpackimpl

        host = np.zeros(self.shape, self.dtype)
        managed = dlpackimpl.make_dl_managed_tensor(host)
        managed.dl_tensor.data = self._memory.address
        kinds = dlpackimpl.DLDeviceType
        managed.dl_tensor.device.device_type = kinds.kDLROCM if IS_HIP else kinds.kDLCUDA
        return dlpackimpl.make_py_capsule(managed, owned=True)


def zeros(shape, dtype=float) -> ndarray:
    made = ndarray(shape, dtype)
    made.set(np.zeros(made.shape, made.dtype))
    return made


def asarray(values, dtype=None) -> ndarray:
    host = np.asarray(values).astype(dtype) if dtype else np.asarray(values)
    made = ndarray(host.shape, host.dtype)
    made.set(host)
    return made


array = asarray


class _Stream:
    def synchronize(self) -> None:
        _call("DeviceSynchronize")


class cuda:
    class runtime:
        is_hip = IS_HIP

    @staticmethod
    def get_current_stream() -> _Stream:
        return _Stream()
