# SPDX-License-Identifier: Apache-2.0
"""Generated pages are those of this engine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_reference_pages_are_fresh():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "gen_docs.py", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_reference_says_how_methods_are_called():
    """Attributes without words of their own have none of the class that their value is of."""
    page = (ROOT / "docs" / "reference" / "python.md").read_text()
    for call in ("run(", "get(name: str, order: str = 'tag') -> NDArray[Any]", "minimize("):
        assert f"```python\n{call}" in page
    assert "Built-in immutable sequence" not in page
    assert "| `stages` | `tuple[Stage, ...]` | further operations in each step" in page


def test_table_of_molecules_names_what_exists():
    """A functor that was renamed would make the table say no for ever."""
    code = "import molecule_features as m; print(m.unknown_functors(), [r[2] for r in m.rows()])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT / "tools"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("[] ['yes', 'yes'")
