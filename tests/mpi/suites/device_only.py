# SPDX-License-Identifier: Apache-2.0
"""Runs files of mpi4py's tests with device arrays alone: `device_only.py FOLDER FILE...`.

The last line of each rank counts what ran; the exit status is 1 if any test failed. Nothing that
the suite passes over for device arrays is passed over here: the preload is to do what an MPI
cannot.
"""

from __future__ import annotations

import sys
import unittest
import warnings

DEVICE_BACKENDS = {"cupy", "dlpack-cupy"}


def keep_device_arrays() -> None:
    import arrayimpl
    import mpiunittest

    kept = [b for b in arrayimpl.ArrayBackends if b.backend in DEVICE_BACKENDS]
    assert {b.backend for b in kept} == DEVICE_BACKENDS, "the stand-in for CuPy is not found"
    arrayimpl.ArrayBackends[:] = kept
    mpiunittest.is_mpi_gpu = lambda _predicate, _array: False


def main(folder: str, names: list[str]) -> int:
    sys.path.insert(0, folder)
    warnings.simplefilter("ignore")
    keep_device_arrays()
    from mpi4py import MPI

    rank = MPI.COMM_WORLD.Get_rank()
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(stream=sys.stderr, verbosity=0).run(suite)
    for test, reason in result.skipped:
        print(f"skipped: {test.id()}: {reason}", flush=True)
    failed = len(result.failures) + len(result.errors)
    ran = result.testsRun
    print(f"rank {rank}: {ran} ran, {failed} failed, {len(result.skipped)} skipped", flush=True)
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1], sys.argv[2:]))
