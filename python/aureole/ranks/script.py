# SPDX-License-Identifier: Apache-2.0
"""The beginning and the end of a script that mpirun runs on every rank; see `script_protocol`."""

from __future__ import annotations

import atexit
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from types import TracebackType
from typing import Any

from aureole.base.errors import Error, exit_code
from aureole.base.text import printable

from . import find_launcher, rendezvous, script_protocol
from .launched_team import LaunchedTeam, connected, ignore_signals, let_go
from .script_protocol import Leader, Server, over
from .team import keep_for_ever, launched_team, stand_as

#: Called before the ranks part.
BEFORE_LEAVING: list[Callable[[], None]] = []
_link: Any = None  # keeps MPI until the end
_hook: Any = None  # what showed errors before
_told = False  # an error was printed


def begin(call: str) -> None:
    """Have all ranks that a launcher started meet; see `launched_team.connected`."""
    global _hook, _link
    _hook, sys.excepthook = sys.excepthook, _show
    begun = connected(f"au.{call}")
    stand_as(*find_launcher.launched())
    find_launcher.work_alone()  # what this process starts is no rank
    if isinstance(begun, LaunchedTeam):
        script_protocol.begin(Leader(begun))
    else:
        world, _link = begun
        ignore_signals()
        warnings.showwarning = _silent  # rank 0 shows the same ones
        script_protocol.begin(Server(world))
    atexit.register(_leave)
    os.register_at_fork(after_in_child=_forget)


def _forget() -> None:
    """Forget, in a forked child, the ranks that its parent has met."""
    atexit.unregister(_leave)
    for kept in (_link, script_protocol.here()):
        keep_for_ever(kept)
    sys.excepthook = _hook
    script_protocol.begin(None)


def _silent(*_: Any, **__: Any) -> None:
    pass


def _show(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
    """Show an error that ends the script: rank 0 prints it, in one line if it is Aureole's."""
    global _told
    here = script_protocol.here()
    code = exit_code(error)
    if here is not None:
        here.failed = error
    if not isinstance(here, Server):
        _told = True
        if here is None and find_launcher.launched()[0] > 0:
            pass  # the ranks have not met, and rank 0 says why
        elif _is_told_in_a_line(error):
            sys.stderr.write(f"error: {_line_of(where)}{printable(error)}\n")
        else:
            _hook(kind, error, where)
    sys.stderr.flush()
    raise SystemExit(code)


def _is_told_in_a_line(error: BaseException | None) -> bool:
    """Whether an error and all its causes are Aureole's."""
    while isinstance(error, Error):
        hidden = error.__suppress_context__
        error = error.__cause__ or (None if hidden else error.__context__)
    return error is None


def _line_of(where: TracebackType | None) -> str:
    """ "SCRIPT:LINE: " from which an error came."""
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    lines = [f.lineno for f in traceback.extract_tb(where) if f.filename == script]
    return f"{script}:{lines[-1]}: " if lines else ""


def _leave() -> None:
    """Leave the other ranks at the end of the script."""
    here = script_protocol.here()
    script_protocol.begin(None)
    if isinstance(here, Leader):
        _leave_first(here)
    elif here is not None:
        _leave_after(here)


def _leave_first(here: Leader) -> None:
    for close in BEFORE_LEAVING:  # MPI may end this process
        close()
    team = here.team
    assert isinstance(team, LaunchedTeam)
    code = 0 if here.failed is None else exit_code(here.failed)
    try:
        if not team.ended:
            team.call(over, here.failed is not None)
            team.part()
            return
    except Error as error:
        code = exit_code(error)
        if not _told:
            sys.stderr.write(f"error: {printable(error)}\n")
    team.leave(code)


def _leave_after(here: Server) -> None:
    global _link
    try:
        if not here.dead:
            failed = here.leave()
            if here.failed is not None and not failed:
                traceback.print_exception(here.failed)
            let_go(here.world)
            _link = None  # which finalises MPI
            return
    except BaseException:
        pass  # rank 0 prints it
    if here.failed is not None and not isinstance(here.failed, Error):
        traceback.print_exception(here.failed)
    let_go(here.world)
    sys.stdout.flush()
    sys.stderr.flush()
    rendezvous.wait_for_rank_0()
    os._exit(1 if here.failed is None else exit_code(here.failed))


def assemble(call: str) -> None:
    """Make the ranks that a launcher started one team, of a script that runs on all of them.

    Args:
        call: call for which the ranks assemble

    Raises `InputError`, on rank 0, if the MPI library cannot be used, the ranks are not on one
    machine, or have other scripts or versions.
    """
    has_begun = _hook is not None
    if launched_team() is None and not has_begun and find_launcher.launched()[1] > 1:
        begin(call)
