# SPDX-License-Identifier: Apache-2.0
"""Arguments of the command line, and its exit codes.

0 all well, 1 the run failed or a file cannot be read, 2 the input is wrong, 3 the format of an
output file has no room for a number, 130 ended by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP. What
cannot be printed any more, as the reader has gone, changes neither run nor code.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from aureole.base.engine_schema import VERSION
from aureole.base.errors import Error, Terminated, bad_input, exit_code
from aureole.base.terminal import talking
from aureole.base.text import one_line, printable
from aureole.ranks import find_launcher

from .commands import COMMANDS, fill
from .gmx_words import advice
from .run_summary import Paint

_ABOUT = "Run molecules, particles and gases from input files and checkpoints, and inspect files."


def parser(given: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser of the command line; of all commands it knows the arguments of the given one."""
    top = argparse.ArgumentParser(
        prog="aureole",
        description=_ABOUT,
        epilog=Path(__file__).with_name("examples.txt").read_text("utf-8"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", "-version", action="version", version=f"aureole {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    chosen = next((word for word in given if word in COMMANDS), None)
    for name, about in COMMANDS.items():
        command = commands.add_parser(name, help=about)
        if name == chosen and name not in _OWN:
            fill(command, name)
            command.set_defaults(act=importlib.import_module(f".{name}", __package__).act)
    return top


def _bench(arguments: argparse.Namespace) -> int:
    from .bench import main as bench

    return bench(arguments.arguments)


def _mdrun(arguments: argparse.Namespace) -> int:
    from .mdrun import main as mdrun

    return mdrun.main(arguments.arguments)


def _mpi(arguments: argparse.Namespace) -> int:
    from .mpi import main as mpi

    return mpi(arguments.arguments)


def _import_additions() -> None:
    """Import what a user has added: modules with observers and formats of his own."""
    for name in os.environ.get("AUREOLE_IMPORT", "").replace(",", " ").split():
        try:
            importlib.import_module(name)
        except (Exception, SystemExit) as error:
            missing = isinstance(error, ModuleNotFoundError) and error.name == name.split(".")[0]
            raise bad_input(
                f"AUREOLE_IMPORT names {name}, which cannot be imported",
                f"{type(error).__name__}: {one_line(error)}",
                "Add its folder to PYTHONPATH" if missing else "Correct that module",
            ) from None


#: Packages that Aureole needs besides NumPy, each for some commands.
_NEEDED = ("gsd", "jinja2", "msgspec")
_INSTALL = "Install it, or Aureole again, with pip."
_OWN = {"bench": _bench, "mdrun": _mdrun, "mpi": _mpi}


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    _tell("note:", message, "yellow")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["help"]:
        given = [*given[1:2], "-h"]

    def act() -> Any:
        if given[:1] != ["mpi"]:
            _import_additions()
        if given and given[0] not in COMMANDS and (error := advice(given)) is not None:
            raise error
        # These read their own options, which argparse would take for its own.
        chosen = (
            argparse.Namespace(act=_OWN[given[0]], arguments=given[1:])
            if given[:1] and given[0] in _OWN
            else parser(given).parse_args(given)
        )
        return chosen.act(chosen)

    if given[:1] not in (["mdrun"], ["run"]):
        return answer(act, only_words=True)

    def act_on_all_ranks() -> Any:
        if find_launcher.launched()[1] > 1:
            from aureole.ranks.launched_team import join

            join()
        return act()

    code = answer(act_on_all_ranks)
    if (launched := sys.modules.get("aureole.ranks.launched_team")) is not None:
        launched.leave(code)
    return code


def answer(act: Callable[[], Any], only_words: bool = False) -> int:
    """Run a command, print errors in one line, and return the exit code.

    Args:
        act: does it
        only_words: what it prints is all that it does, so that a failure to print is one
    """
    warnings.showwarning = _show_warning  # type: ignore[assignment]
    with talking() as said:
        code = _outcome(act)
        said.flush()
        # A reader may have had enough, as in `aureole info x | head`; a full disk has not.
        lost = said.failure and not isinstance(said.failure, BrokenPipeError)
        if only_words and code == 0 and lost:
            _tell("error:", f"standard output cannot be written ({said.failure}).", "red", "bold")
            code = 1
    return code


def _outcome(act: Callable[[], Any]) -> int:
    try:
        return int(act() or 0)
    except Error as error:
        _tell("error:", error, "red", "bold")
        return exit_code(error)
    except ModuleNotFoundError as error:
        if error.name not in _NEEDED:
            raise
        _tell("error:", f"the package {error.name} is not installed. {_INSTALL}", "red", "bold")
        return 1
    except Terminated as ended:
        _tell("ended:", ended, "yellow")
        return int(ended.code or 0)
    except KeyboardInterrupt as stopped:
        _tell("ended:", str(stopped) or "by Ctrl-C", "yellow")
        return 130


def _tell(head: str, text: object, *styles: str) -> None:
    """Each line of several is an error of its own."""
    begin = Paint(sys.stderr)(head, *styles)
    lines = printable(text).split("\n") if head == "error:" else [printable(text)]
    sys.stderr.write("".join(f"{begin} {line}\n" for line in lines))
