# SPDX-License-Identifier: Apache-2.0
"""The number of a step, which other programs have as a function that makes steps."""

from __future__ import annotations

from typing import NoReturn

from aureole.base.errors import ArgumentError


class StepNumber(int):
    """A number of a step; called as a function, it says what to write."""

    def __call__(self, steps: object = 1000, *_: object, **__: object) -> NoReturn:
        """Raises ArgumentError."""
        raise ArgumentError(
            f"sim.step is the number of the current step, {int(self):,} (a number makes no steps). "
            f"Use sim.run({steps!r})."
        )
