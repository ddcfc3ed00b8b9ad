# SPDX-License-Identifier: Apache-2.0
"""The package chemfiles, which reads .dcd files and rarer trajectories where it is installed."""

from __future__ import annotations

from typing import Any

from aureole.base.errors import bad_input


def library(path: object) -> Any:
    """The package, or an InputError that says how to get it and what is read without it."""
    try:
        import chemfiles
    except (ImportError, OSError) as error:
        raise bad_input(
            f"{path} cannot be read",
            f"the package chemfiles does not load: {error}",
            "Install it with `pip install aureole[trajectories]`, or give an .xtc or .trr file",
        ) from None
    return chemfiles
