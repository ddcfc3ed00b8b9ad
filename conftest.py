# SPDX-License-Identifier: Apache-2.0
"""All Python tests: how many were skipped, and in CI not more than a few."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parent / "tools"
if (TOOLS / "checks").is_dir():  # of this tree, not of a test that has this file alone
    sys.path.insert(0, str(TOOLS))
    pytest_plugins = ["checks.pytest_plugin"]

#: Skipped tests that CI lets pass: those for which no package can be installed.
MOST_SKIPPED = 10


def skipped(config) -> int:
    """Number of tests, and of files of tests, that were skipped in this session."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return len(reporter.stats.get("skipped", ())) if reporter else 0


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """Fail a session of CI with more skipped tests than may be."""
    too_many = os.environ.get("CI") == "true" and skipped(session.config) > MOST_SKIPPED
    if too_many and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    """Tell the number, whose reasons -ra lists."""
    number = skipped(config)
    if number > MOST_SKIPPED:
        terminalreporter.write_line(
            f"{number} tests were skipped and at most {MOST_SKIPPED} may be, which fails in CI "
            "(reasons below). Install what they need: make setup-lanes",
            red=True,
        )
    elif number:
        terminalreporter.write_line(f"{number} tests were skipped (reasons below).")
