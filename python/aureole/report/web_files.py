# SPDX-License-Identifier: Apache-2.0
"""Scripts and styles of pages and widgets."""

from __future__ import annotations

from importlib import resources


def web(name: str) -> str:
    """The text of a file of the folder `web`, without the line of its licence."""
    text = (resources.files(__package__) / "web" / name).read_text(encoding="utf-8")
    return text.partition("\n")[2].strip()
