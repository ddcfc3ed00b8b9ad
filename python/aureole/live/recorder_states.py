# SPDX-License-Identifier: Apache-2.0
"""States of recorders from before: in a run that a checkpoint continues, or between two runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from aureole.base.errors import Error, bad_input, file_error

from .observer import Observer, Recorder


@contextmanager
def of_state(recorder: Recorder, state: dict[str, Any] | None) -> Iterator[None]:
    """Raise FileError for a `state` that does not fit its recorder: someone else wrote it."""
    try:
        yield
    except Error:
        raise
    except (TypeError, ValueError, LookupError, ArithmeticError) as error:
        if state is None:
            raise
        path = getattr(recorder.spec, "path", type(recorder.spec).__name__)
        raise file_error(
            path,
            "cannot be continued",
            f"its record in the checkpoint is invalid: {error}",
            "Use an earlier checkpoint, or start a new run",
        ) from None


def keep_output(
    new: Iterable[Observer], left: Iterable[tuple[Observer, Recorder, dict[str, Any] | None]]
) -> None:
    """Refuse new observers that would replace what others of the simulation have written."""
    grown = [old for old, _, state in left if state is not None and old.holds != "checkpoint"]
    written = {path: old for old in grown for path in old.files}
    for spec in new:
        for path in filter(written.__contains__, spec.files):
            raise bad_input(
                f"{spec!r} would replace {path}",
                f"{written[path]!r} of this simulation has written it",
                "Give another file name",
            )
