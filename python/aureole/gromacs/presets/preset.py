# SPDX-License-Identifier: Apache-2.0
"""Run parameters of published studies with common force fields.

Each is an .mdp file of this folder; its first line describes it.
"""

from __future__ import annotations

from importlib import resources

from aureole.base.errors import bad_input, nearest

#: Names of the presets.
NAMES = ("amber", "charmm36m", "opls", "gromos", "martini", "stmv", "grappa", "grappa-rf")


def preset(name: str) -> str:
    """The text of an .mdp file with run parameters for a force field.

    Args:
        name: "amber", "charmm36m", "opls", "gromos", "martini", "stmv", "grappa" or "grappa-rf"

    Raises InputError for other names.
    """
    if name not in NAMES:
        raise bad_input(
            f"unknown preset {name!r}",
            "presets are named after force fields",
            nearest(name, NAMES),
        )
    return (resources.files(__package__) / f"{name}.mdp").read_text(encoding="utf-8")


def about(name: str) -> str:
    """The purpose of a preset, in one line."""
    return preset(name).split("\n", 1)[0].lstrip("; ")
