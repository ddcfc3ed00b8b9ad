# SPDX-License-Identifier: Apache-2.0
"""`aureole mpi`: runs an MPI program by the launcher `aureole-mpi`, which reads the options.

The launcher takes the place of this process, so that a rank has nothing of Python but what its
program brings. Nothing is imported here that takes long: every rank waits for it.

`aureole mpi --tune` runs no program; the benchmarks measure, and write the file that the library
reads.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

from aureole.base.errors import file_error

#: Where the build, or pip, puts the launcher and the library that it preloads.
FOLDER = Path(__file__).parents[1] / "preload"
_INSTALL = "Install Aureole again, or run make build in its source tree"
#: Signals that Python ignores for itself, and that a program it becomes would ignore too.
_IGNORED = (signal.SIGPIPE, signal.SIGXFSZ)


def main(words: Sequence[str]) -> int:
    """Become the launcher with these words, which returns only if that fails, by an exception; or
    find thresholds, and return the exit code.
    """
    if words[:1] == ["--tune"]:
        from .bench import main as bench

        return bench(["tune", *words[1:]])
    for name in ("libaureole_mpi.so", "aureole-mpi"):
        if not (FOLDER / name).exists():
            raise file_error(FOLDER / name, "is missing", "no such file", _INSTALL)
    launcher = FOLDER / "aureole-mpi"
    if list(words) == ["-h"]:  # of `aureole help mpi`, and as other commands have it
        words = ["--help"]
    for number in _IGNORED:
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execv(launcher, [os.fspath(launcher), *words])
    except OSError as error:
        raise file_error(launcher, "cannot be run", error, _INSTALL) from None
