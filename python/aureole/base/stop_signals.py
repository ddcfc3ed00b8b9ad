# SPDX-License-Identifier: Apache-2.0
"""The signals that end a run between two steps, with a checkpoint."""

from __future__ import annotations

import signal

#: The usual senders of signals. Batch systems send the last two ahead of time if a job asks for it.
SENDERS = {
    "SIGINT": "Ctrl-C",
    "SIGTERM": "kill, scancel, preemption, or the end of --time",
    "SIGHUP": "the terminal was closed",
    "SIGUSR1": "kill -USR1, or --signal of sbatch",
    "SIGXCPU": "the limit on processor time",
}
#: Stop signals that this system has.
CAUGHT = tuple(getattr(signal, name) for name in SENDERS if hasattr(signal, name))
#: Stop signals that other handlers of Python keep.
YIELDING = tuple(n for n in CAUGHT if signal.Signals(n).name in ("SIGUSR1", "SIGXCPU"))


def words_of(number: int | None) -> str:
    """The name of a signal and its usual sender; -maxh if there was no signal."""
    if number is None:
        return "the time limit (-maxh)"
    name = signal.Signals(number).name
    return f"{name} ({SENDERS[name]})"
