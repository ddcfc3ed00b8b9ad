# SPDX-License-Identifier: Apache-2.0
"""Runs the Python tests of a tier or lane; a session that ends before its end is a failure."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from . import fresh_view
from .config import FIRST_FAILURE, Config, jobs
from .files import Files
from .globs import name_matches
from .shards import how_ended
from .tiers import Tiers

#: Seconds after which a test counts as hung; its process shows its stacks and ends.
HANGS_AFTER = 600.0


def test_files(config: Config, part: str) -> list[str]:
    """Files of a lane's Python tests, so that no other need be read; none: they may be anywhere."""
    lane = config.part(part)
    if part == "fast" or lane.rest or any(g.startswith(("fixture:", "*")) for g in lane.whole):
        return []
    globs = [g.split("::", 1)[0] for g in (*lane.python, *lane.whole)]
    names = [n for n in Files(config.root).names if is_test_file(n)]
    tiers = Tiers(config)
    return [n for n in names if name_matches(n, globs) and not tiers.elsewhere(n, part)]


def is_test_file(name: str) -> bool:
    """As pytest has it."""
    base = Path(name).name
    return base.endswith("_test.py") or (base.startswith("test_") and base.endswith(".py"))


def run_part(config: Config, part: str, words: list[str], say: Callable[[str], None]) -> int:
    """The exit code of pytest, in several processes that share the tests file by file."""
    with fresh_view.of_part(config, part) as view:
        return run_in_view(config, part, words, say, view)


def run_in_view(
    config: Config, part: str, words: list[str], say: Callable[[str], None], view: fresh_view.View
) -> int:
    command = [view.python, "-m", "pytest", "-q", f"--lane={part}", "--durations=5"]
    if (config.root / "pyproject.toml").exists():  # no pytest.ini that lies about
        command += ["-c", "pyproject.toml"]
    command += ["-x"] if os.environ.get(FIRST_FAILURE) else []
    command += ["-o", f"faulthandler_timeout={HANGS_AFTER}"]
    command += ["-o", "faulthandler_exit_on_timeout=true"]
    probe = [view.python, "-c", "import xdist"]
    found = subprocess.run(probe, env=view.environment, capture_output=True, check=False)
    if found.returncode == 0 and jobs() > 1:
        # One more than processors, as many tests wait for other processes.
        command += ["-n", str(min(jobs() + 1, 4)), "--dist", "loadfile"]
    with tempfile.NamedTemporaryFile("w+", prefix="aureole-pytest-") as now:
        now.write("the start")
        now.flush()
        command += [f"--now={now.name}", *test_files(config, part), *words]
        done = subprocess.run(command, cwd=config.root, env=view.environment, check=False)
        code = done.returncode
        now.seek(0)
        test = now.read()
    if (test and code in (0, 1)) or code < 0:
        say(f"[check] FAILED {test or 'after the tests'}: pytest ended there ({how_ended(code)})")
        return code or 1
    return code
