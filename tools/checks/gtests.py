# SPDX-License-Identifier: Apache-2.0
"""Runs tests of GoogleTest programs in shards; each test that was asked for is reported."""

from __future__ import annotations

import os
import platform
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from .config import FIRST_FAILURE, PLACE, Config, Problem, Way, jobs
from .globs import name_matches
from .shards import Shard
from .tiers import Tiers, parse_choice

#: Shards a program and worker: so many that workers end together, so few that starts do not count.
SHARDS = 16
#: Lines of a failed test that are printed.
LAST_LINES = 60


@dataclass
class Result:
    test: str
    outcome: str  # passed, failed, skipped
    milliseconds: int = 0
    cpu: float = 0.0
    text: str = ""


@dataclass
class Run:
    """What a way of running has brought."""

    results: dict[str, Result] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def count(self, outcome: str) -> int:
        return sum(result.outcome == outcome for result in self.results.values())


def environment_of(way: Way) -> dict[str, str]:
    """GoogleTest's own variables of a caller would leave out tests."""
    base = {k: v for k, v in os.environ.items() if not k.startswith(("GTEST_", "TESTBRIDGE_"))}
    return base | dict(way.environment)


def fixed_addresses() -> list[str]:
    """Address-space randomisation beyond 28 bits is more than ThreadSanitizer bears."""
    words = ["setarch", platform.machine(), "-R"]
    try:
        works = subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        works = False
    return words if works else []


def list_tests(program: Path, way: Way) -> list[str]:
    """Names of a program's tests, in its order; `*` where this processor cannot run the program."""
    if lacked(program, way):
        return ["*"]
    before = fixed_addresses() if way.fixed_addresses else []
    try:
        done = subprocess.run(
            [*before, str(program), "--gtest_list_tests"],
            env=environment_of(way),
            capture_output=True,
            text=True,
            timeout=way.silence,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Problem(f"{program} does not list its tests ({error}). Build it anew.") from None
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:] or ["it says nothing"]
        raise Problem(f"{program} does not list its tests ({last[0]}). Run it by hand to see why.")
    names, suite = [], ""
    for line in done.stdout.splitlines():
        name = line.split("#", 1)[0].rstrip()
        if name.endswith(".") and not name.startswith(" "):
            suite = name
        elif name.startswith("  ") and suite:
            names.append(suite + name.strip())
    names = [n for n in names if ".DISABLED_" not in n and not n.startswith("DISABLED_")]
    if not names:
        raise Problem(f"{program} has no test (nothing would run). Build it anew.")
    return names


def programs_of(config: Config, way: Way, part: str = "") -> list[Path]:
    """The programs of a way, or those that a part runs; a pattern that has none is a Problem."""
    folder = config.root / way.build
    found: list[Path] = []
    for pattern in way.programs:
        if part and not any(_has(config, part, way, (t, pattern)) for t in ("slow", "fast")):
            continue
        some = [p for p in sorted(folder.glob(pattern)) if p.is_file() and os.access(p, os.X_OK)]
        if not some:
            raise Problem(
                f"{way.build}/{pattern} is missing (the way {way.name} runs it). Build it first."
            )
        found += [program for program in some if program not in found]
    names = [program.name for program in found]
    if twice := {name for name in names if names.count(name) > 1}:
        raise Problem(
            f"{way.name} has two programs {min(twice)} (results are kept by name). Rename one."
        )
    return found


def without_way(config: Config, build: str) -> list[str]:
    """Programs of tests that a build has made and that nothing runs."""
    folder = config.root / build
    made = {p for p in folder.glob("test_*") if p.is_file() and os.access(p, os.X_OK)}
    patterns = {
        pattern for way in config.ways.values() if way.build == build for pattern in way.programs
    }
    known = {program for pattern in patterns for program in folder.glob(pattern)}
    return sorted(program.name for program in made - known)


def processor_flags() -> set[str]:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith(("flags", "Features")):
            return set(line.split(":", 1)[1].split())
    return set()


def lacked(program: Path, way: Way) -> str:
    """What a program of one instruction set needs and this processor has not."""
    need = way.flags.get(program.name, "")
    return "" if need in {"", *processor_flags()} else need


def wanted(config: Config, part: str, way: Way) -> dict[Path, list[str]]:
    """The tests of a tier or lane in a way: program -> names."""
    tiers, found = Tiers(config), {}
    programs = programs_of(config, way, part)
    for choice in config.part(part).cpp:
        for pattern in parse_choice(choice)[2] if choice.split()[0] == way.name else ():
            if not any(name_matches(program.name, [pattern]) for program in programs):
                raise Problem(f"{part}: cpp = {choice!r} has {pattern} (no program of {way.name}).")
    for program in programs:
        asked = [t for t in ("slow", "fast") if _has(config, part, way, (t, program.name))]
        if not asked:
            continue
        names = [n for n in list_tests(program, way) if way.has(n)]
        slow = {n for n in names if tiers.cpp_is_slow(f"{program.name}:{n}")}
        chosen = [n for n in names if ("slow" if n in slow else "fast") in asked]
        if chosen:
            found[program] = chosen
    return found


def _has(config: Config, part: str, way: Way, tier_and_program: tuple[str, str]) -> bool:
    tier, program = tier_and_program
    return Tiers(config).has_cpp(config.part(part), way.name, tier, program)


class Runner:
    """Workers that share the shards of some programs."""

    def __init__(self, way: Way, say: Callable[[str], None], folder: Path) -> None:
        self.way, self.say, self.folder = way, say, folder
        self.run = Run()
        self._waiting: queue.Queue[tuple[Path, list[str]]] = queue.Queue()
        self._lock = threading.Lock()
        self._before = fixed_addresses() if way.fixed_addresses else []
        self._first_ends = bool(os.environ.get(FIRST_FAILURE))
        self._number = 0
        self._interrupted = False
        self._running: set[Shard] = set()

    def all(self, tests: dict[Path, list[str]]) -> Run:
        workers = jobs()
        for program, names in tests.items():
            size = max(1, -(-len(names) // (SHARDS * workers)))
            for first in range(0, len(names), size):
                self._waiting.put((program, names[first : first + size]))
        threads = [threading.Thread(target=self._work) for _ in range(workers)]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        except BaseException:  # Ctrl-C, SIGTERM: programs have sessions of their own
            self._interrupted = True
            while any(thread.is_alive() for thread in threads):
                for shard in list(self._running):
                    shard.interrupt()
                time.sleep(0.01)
            raise
        if not self._stopped:
            for program, names in tests.items():
                self._demand(program, names)
        return self.run

    @property
    def _stopped(self) -> bool:
        """Whether the first failure, or somebody, has ended it."""
        failed = self.run.count("failed") > 0 or bool(self.run.problems)
        return self._interrupted or (self._first_ends and failed)

    def _work(self) -> None:
        while not self._stopped:
            try:
                program, names = self._waiting.get_nowait()
            except queue.Empty:
                return
            try:
                self._shards(program, names)
            except Exception as error:  # what a worker dies of must not look like success
                with self._lock:
                    self.run.problems.append(f"{program.name}: the runner failed: {error!r}")

    def _shards(self, program: Path, names: list[str]) -> None:
        """A shard, and after a crash or a hang another one with the tests behind it."""
        left = names
        while left and not self._stopped:
            with self._lock:
                self._number += 1
                flags = self.folder / f"{self.way.name}-{os.getpid()}-{self._number}.flags"
            shard = Shard(program, left, self.way.silence)
            self._running.add(shard)
            try:
                shard.run([*self._before, str(program)], environment_of(self.way), flags)
            finally:
                self._running.discard(shard)
            self._take(program, shard)
            left = [name for name in left if name not in shard.reported]

    def _take(self, program: Path, shard: Shard) -> None:
        with self._lock:
            for report in shard.reported.values():
                name = f"{program.name}:{report.name}"
                cpu, text = report.cpu, "\n".join(report.lines)
                ms = report.milliseconds
                self.run.results[name] = Result(name, report.outcome, ms, cpu, text)
                if report.outcome == "failed":
                    self.say(f"[  FAILED  ] {report.name} ({program.name})")
            if shard.problem:
                self.run.problems.append(shard.problem)
                self.say(shard.problem.splitlines()[0])

    def _demand(self, program: Path, names: Iterable[str]) -> None:
        for name in names:
            if f"{program.name}:{name}" not in self.run.results:
                self.run.problems.append(f"{program.name}:{name} was asked for and not reported")


def reason_of_skip(text: str) -> str:
    """What a test said to GTEST_SKIP."""
    lines = [line.strip() for line in text.splitlines()]
    for at, line in enumerate(lines):
        if line.endswith("Skipped"):
            return " ".join(filter(None, lines[at + 1 : at + 3])) or "no reason given"
    return " ".join(lines[-2:]) or "no reason given"


def tell(run: Run, say: Callable[[str], None]) -> None:
    """Failed tests with what they printed, skipped ones with the reason."""
    for result in run.results.values():
        if result.outcome == "skipped":
            say(f"skipped {result.test}: {reason_of_skip(result.text)}")
    for result in run.results.values():
        if result.outcome == "failed":
            say(f"---- {result.test}")
            say("\n".join(result.text.splitlines()[-LAST_LINES:]))
    for problem in run.problems:
        say(f"---- {problem}")


def faults_of_skipping(config: Config, way: Way, run: Run) -> list[str]:
    """Tests that were skipped for another reason than those that are allowed."""
    allowed = (*config.skips, *way.skips)
    return [
        f"{result.test} was skipped ({reason}), which {PLACE} does not allow in {way.name}. "
        "Install what it needs, or add the reason there."
        for result in run.results.values()
        if result.outcome == "skipped"
        and not name_matches(reason := reason_of_skip(result.text), allowed)
    ]


def run_part(config: Config, part: str, way: Way, say: Callable[[str], None]) -> Run:
    """The tests of a tier or lane in one way."""
    run, tests = Run(), {}
    # Of other builds only what lanes name is wanted.
    if odd := without_way(config, way.build) if way.build == "build" else []:
        raise Problem(f"{way.build}/{odd[0]} is in no way (nothing runs it). Add it to {PLACE}.")
    for program, names in wanted(config, part, way).items():
        need = lacked(program, way)
        if not need:
            tests[program] = names
            continue
        why = f"Skipped\nno {need} here"
        run.results |= {(t := f"{program.name}:{n}"): Result(t, "skipped", text=why) for n in names}
    folder = config.records / "flags"
    folder.mkdir(parents=True, exist_ok=True)
    found = Runner(way, say, folder).all(tests)
    found.results = run.results | found.results
    found.problems += faults_of_skipping(config, way, found)
    tell(found, say)
    return found
