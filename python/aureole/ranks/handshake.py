# SPDX-License-Identifier: Apache-2.0
"""Messages by MPI between the ranks that a launcher started, at their start."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aureole import _core
from aureole.base.digests import sha256
from aureole.base.errors import RankError
from aureole.base.text import one_line

_BYTES = 1 << 16  # of a letter
_MOST_WORDS = 200  # characters of a command
#: Keys that a letter must hold, and the types of their values.
_OF_FOLLOWER = {"machine": str, "processors": list, "version": str, "command": str, "digest": str}
_OF_LEADER = {"problem": str | None, "leader": int, "descriptors": list, "processors": list}
_ANSWER = {"problem": str | None}
_MAY_HOLD = {"own", "apart"}


def about() -> dict[str, Any]:
    """Machine, processors and program of this rank."""
    command, digest = _program()
    return {
        "machine": _core.machine_name(),
        "processors": sorted(os.sched_getaffinity(0)),
        "version": version(),
        "command": command,
        "digest": digest,
    }


def version() -> str:
    """The version of Aureole."""
    return str(_core.build_info()["version"])


def _program() -> tuple[str, str]:
    """The command of this process, and a digest of it with the script that it runs."""
    words = sys.orig_argv[1:]
    digest = sha256("\0".join(words).encode(errors="replace"))
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    if script is not None:
        try:
            digest.update(Path(script).read_bytes())
        except OSError:
            digest.update(b"unreadable")
    return one_line(shlex.join(words))[:_MOST_WORDS], digest.hexdigest()


def difference(letters: Sequence[dict[str, Any]]) -> str | None:
    """The difference between the programs of the ranks, as an error; None if there is none."""
    first = letters[0]
    for rank, letter in enumerate(letters):
        if letter["version"] != first["version"]:
            return (
                f"rank {rank} has version {letter['version']} of aureole, rank 0 has version "
                f"{first['version']} (all ranks must run the same program). Give all ranks the "
                "same environment."
            )
        if letter["command"] != first["command"]:
            return (
                f"rank {rank} runs {letter['command']!r}, rank 0 runs {first['command']!r} (all "
                "ranks must run the same program). Start all ranks with one command; "
                "AUREOLE_MPI=none starts one simulation in each."
            )
        if letter["digest"] != first["digest"]:
            return (
                f"rank {rank} has another script or other arguments than rank 0 (all ranks must "
                "run the same program). Give all ranks the same script and arguments."
            )
    return None


def give(link: _core.MpiLibrary, to: int, **words: Any) -> None:
    """Send a letter."""
    link.send(to, json.dumps(words).encode().ljust(_BYTES))


def take(link: _core.MpiLibrary, source: int) -> dict[str, Any]:
    """Receive a letter."""
    return read(link.receive(source, _BYTES), source)


def read(text: bytes, source: int) -> dict[str, Any]:
    """The words of a letter. Raises `RankError` for a letter that no rank writes."""
    try:
        words = json.loads(text)
    except (ValueError, RecursionError):
        words = None
    for wanted in (_OF_FOLLOWER, _OF_LEADER, _ANSWER):
        if isinstance(words, dict) and _fits(words, wanted):
            return words
    raise RankError(
        f"the start-up message of rank {source} cannot be read (it may have another version of "
        "aureole). Give all ranks the same environment."
    )


def _fits(words: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return all(
        name in words and isinstance(words[name], kind) and _is_integer(words[name])
        for name, kind in wanted.items()
    ) and not (words.keys() - wanted.keys() - _MAY_HOLD)


def _is_integer(value: Any) -> bool:
    """Whether a list, of processors or descriptors, holds small numbers alone."""
    numbers = value if isinstance(value, list) else [value] if isinstance(value, int) else []
    return all(type(one) is int and 0 <= one < 1 << 32 for one in numbers)
