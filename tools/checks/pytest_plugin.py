# SPDX-License-Identifier: Apache-2.0
"""pytest: `--lane NAME` chooses the tests of a tier or lane; times and files used are recorded."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import sys
from pathlib import Path

import pytest

from . import config as configuration
from . import machine, records
from .globs import name_matches
from .tiers import BY_MARK, Tiers

#: Names that pytest gives to what is recorded with a report.
SECONDS = "aureole_cpu_seconds"
#: The files that a worker of xdist has used, in what it hands over at its end.
FILES = "aureole_files"


def pytest_addoption(parser):
    group = parser.getgroup("aureole")
    group.addoption("--lane", help="only the tests of this lane of tests/lanes.toml, or of `fast`")
    group.addoption("--places", help="file that gets each collected test with its tiers and lanes")

    group.addoption(
        "--now", help="file that has the name of the test that runs, and at the end none"
    )


def pytest_configure(config):
    if now := config.getoption("now"):
        config.pluginmanager.register(Now(Path(now)), "aureole-now")
    if os.environ.get(records.VARIABLE):
        config.pluginmanager.register(Watch(Path(config.rootpath)), "aureole-watch")
    name = config.getoption("lane")
    if not name and not config.getoption("places"):
        return
    try:
        read = configuration.read(Path(config.rootpath))
        if name:
            read.part(name)
    except configuration.Problem as problem:
        raise pytest.UsageError(str(problem)) from None
    config.pluginmanager.register(Chooser(Tiers(read), config), "aureole-chooser")


def marks_of(item) -> set[str]:
    """What may send a test somewhere: marks, and `fixture:NAME`."""
    fixtures = {f"fixture:{name}" for name in getattr(item, "fixturenames", ())}
    return fixtures | {mark for mark in BY_MARK if item.get_closest_marker(mark)}


class Now:
    """Tells who has started pytest how far it came, in case that it does not come to its end."""

    def __init__(self, place: Path) -> None:
        self.place, self.process = place, os.getpid()

    def _tell(self, what: str) -> None:
        if os.getpid() == self.process:  # not in a child that a test has forked
            self.place.write_text(what, encoding="utf-8")

    def pytest_collectstart(self, collector):
        self._tell(collector.nodeid or "the start")

    def pytest_runtest_logstart(self, nodeid):
        self._tell(nodeid)

    @pytest.hookimpl(wrapper=True, tryfirst=True)  # after all others have ended well
    def pytest_sessionfinish(self):
        result = yield
        self._tell("")
        return result


class Chooser:
    """Leaves out what belongs elsewhere, and lets nothing be skipped for want of a program."""

    def __init__(self, tiers: Tiers, config) -> None:
        self.tiers, self.name = tiers, config.getoption("lane")
        self.places = config.getoption("places")
        self.reasons: list[str] = []
        self.files: dict[str, list[str]] = {}  # that are skipped as a whole

    def pytest_ignore_collect(self, collection_path, config):
        if self.name and collection_path.is_relative_to(config.rootpath):
            path = collection_path.relative_to(config.rootpath).as_posix()
            if self.tiers.elsewhere(path, self.name):
                return True
        return None

    @pytest.hookimpl(trylast=True)  # after marks were added
    def pytest_collection_modifyitems(self, config, items):
        places = {i.nodeid: self.tiers.python_places(i.nodeid, marks_of(i)) for i in items}
        if self.places and not hasattr(config, "workerinput"):
            Path(self.places).write_text(json.dumps(self.files | places), encoding="utf-8")
        if not self.name:
            return
        left = [item for item in items if self.name not in places[item.nodeid]]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if self.name in places[item.nodeid]]

    def _look(self, report):
        if self.name and report.skipped and not hasattr(report, "wasxfail"):
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
            reason = reason.removeprefix("Skipped: ")
            if not name_matches(reason, self.tiers.config.skips):
                self.reasons.append(f"{report.nodeid}: {reason}")

    def pytest_runtest_logreport(self, report):
        self._look(report)

    def pytest_collectreport(self, report):
        self._look(report)
        if report.skipped:
            self.files[report.nodeid] = self.tiers.python_places(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        if self.reasons and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter):
        for line in self.reasons:
            terminalreporter.write_line(f"may not be skipped in lane {self.name}: {line}", red=True)
        if self.reasons:
            terminalreporter.write_line(
                f"Install what they need (tools/setup.sh lane {self.name}), or give the tests to a "
                f"lane that has it ({configuration.PLACE})."
            )


class Watch:
    """Times of tests (with those of their children) and files that were opened under the root."""

    def __init__(self, root: Path) -> None:
        self.root = f"{root.resolve()}{os.sep}"
        self.files: set[str] = set()
        self.outcomes: dict[str, str] = {}
        self.seconds: dict[str, float] = {}
        self.workers = 0  # that have not told their files
        self._shared = 0.0  # of fixtures that several tests share
        sys.addaudithook(self._audit)

    def _audit(self, event, arguments):
        if event == "open" and isinstance(arguments[0], str | bytes):
            name = os.fsdecode(arguments[0])
            if not name.startswith(os.sep):
                name = os.path.join(os.getcwd(), name)  # a test may go elsewhere
            self.files.add(name)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef):
        if fixturedef.scope == "function":
            return (yield)
        before, shared = machine.own_seconds(), self._shared
        try:
            return (yield)
        finally:  # what it asked for itself is in it already
            self._shared = shared + machine.own_seconds() - before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self._shared, self._began = 0.0, machine.own_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if call.when == "call" or report.outcome != "passed":
            used = machine.own_seconds() - self._began - self._shared
            report.user_properties.append((SECONDS, max(0.0, used)))
        return report

    def pytest_runtest_logreport(self, report):  # in the process that sees all
        worst = {"passed": 0, "skipped": 1, "failed": 2}
        old = self.outcomes.get(report.nodeid, report.outcome)
        self.outcomes[report.nodeid] = max(old, report.outcome, key=worst.__getitem__)
        for name, seconds in report.user_properties:
            if name == SECONDS:
                self.seconds[report.nodeid] = seconds

    def used(self) -> list[str]:
        """Files under the root that this process has opened or imported, links too."""
        modules = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
        names = {source_of(name) for name in self.files | modules if name}
        names |= {os.path.normpath(name) for name in names} | {os.path.realpath(n) for n in names}
        inside = {name.removeprefix(self.root) for name in names if name.startswith(self.root)}
        return sorted(name for name in inside if not name.startswith((".venv/", ".pytest_cache/")))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodeready(self, node):
        self.workers += 1

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error):
        if (names := getattr(node, "workeroutput", {}).get(FILES)) is not None:
            self.workers -= 1
            self.files |= {self.root + name for name in names}

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[FILES] = self.used()
            return
        records.leave("files", {"files": self.used()})
        records.leave_tests("pytest", self.outcomes, self.seconds)
        if self.workers and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter):
        if self.workers:
            text = f"{self.workers} processes of pytest ended without a word on the files they used"
            terminalreporter.write_line(text, red=True)


def source_of(name: str) -> str:
    """The file that a compiled one was made from, for modules that are in use no longer."""
    if not name.endswith(".pyc"):
        return name
    with contextlib.suppress(ValueError):
        return importlib.util.source_from_cache(name)
    return name
