# SPDX-License-Identifier: Apache-2.0
"""`aureole bench`: another package, which this one knows by an entry point alone."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import entry_points

from aureole.base.errors import bad_input


def main(words: Sequence[str]) -> int:
    """Run a benchmark with these words; returns the exit code."""
    found = entry_points(group="aureole.commands", name="bench")
    if not found:
        raise bad_input(
            "the benchmarks are not installed",
            "no installed package has the entry point `bench` of `aureole.commands`",
            "Install aureole with pip, or run tools/setup.sh in its source tree",
        )
    return int(next(iter(found)).load()(list(words)) or 0)
