# SPDX-License-Identifier: Apache-2.0
"""Calls that rank 0 makes for all ranks of a script."""

from __future__ import annotations

import functools
from collections.abc import Callable

from .script import assemble
from .script_protocol import P, R, here


def of_rank_0(
    method: Callable[P, R], *, assembles: bool = False, name: str | None = None
) -> Callable[P, R]:
    """A call that rank 0 makes for all ranks; each rank returns or raises what rank 0 does.

    Args:
        method: of `Simulation`, or a function
        assembles: whether ranks that a launcher started assemble for it
        name: name in errors; None for that of the method
    """
    method.__name__ = name or method.__name__

    @functools.wraps(method)
    def called(*arguments: P.args, **named: P.kwargs) -> R:
        if assembles:
            assemble(method.__name__)
        part = here()
        if part is None:
            return method(*arguments, **named)
        return part.make(method, arguments, named)

    return called
