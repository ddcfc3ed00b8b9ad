# SPDX-License-Identifier: Apache-2.0
"""One line in the output of a notebook's cell, which is shown anew in its place."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any


class NotebookLine:
    """Takes the lines that a terminal would get.

    Args:
        shell: of IPython, whose kernel shows them
    """

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._cell = -1
        self._shown: Any = None

    def say(self, text: str) -> None:
        """Replace the line of this cell, or show a new one in another cell."""
        from IPython.display import display  # the kernel that runs this has it

        data = {"text/plain": text}
        with suppress(Exception):  # a front end that has gone is no reason to end a run
            if self._shown is None or self._cell != self._shell.execution_count:
                self._cell = self._shell.execution_count
                self._shown = display(data, raw=True, display_id=True)
            else:
                self._shown.update(data, raw=True)


def notebook_line() -> NotebookLine | None:
    """The line of the current cell; None outside a notebook kernel."""
    if "ipykernel" not in sys.modules or "IPython" not in sys.modules:
        return None
    shell = sys.modules["IPython"].get_ipython()
    return NotebookLine(shell) if getattr(shell, "kernel", None) is not None else None
