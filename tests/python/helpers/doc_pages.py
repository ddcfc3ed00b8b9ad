# SPDX-License-Identifier: Apache-2.0
"""Pages of the documentation and the code that stands in them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def blocks(page: Path, language: str) -> list[str]:
    """The code of a page between fences of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
