# SPDX-License-Identifier: Apache-2.0
"""Old location of the class that converters made; they make a `System` now."""

from typing import Any

from ..deprecated import warn
from ..system import System


def __getattr__(name: str) -> Any:
    if name != "MolecularSystem":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn(f"{__name__}.{name}", "au.System")
    return System
