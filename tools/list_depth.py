# SPDX-License-Identifier: Apache-2.0
"""Lists in lists that a reader of the site would not see as such.

GitHub takes two or three spaces for a level. Python-Markdown, which makes the site, takes four:
with fewer an item belongs to the outer list, or stays in its text.
"""

import re
from pathlib import Path

from prose_width import outside_fences

LEVEL = 4
_ITEM = re.compile(r"( +)(?:[-*+]|\d+\.) ")


def problems_of(path: Path, text: str) -> list[str]:
    """Printable offences of one page of Markdown."""
    if path.suffix != ".md":
        return []
    return [
        f"{path}:{number}: a list in a list stands {len(found[1])} columns in (a level has {LEVEL})"
        for number, line in enumerate(outside_fences(text), 1)
        if (found := _ITEM.match(line)) and len(found[1]) % LEVEL
    ]
