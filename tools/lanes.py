#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The fast tier and the lanes of the checks: runs them, tells which are proven for this tree.

Without a command: the state of each lane. tests/lanes.toml says what each is.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - started by any python3
    raise SystemExit("lanes.py needs Python 3.11 (this is older). Use .venv/bin/python.")
sys.path.insert(0, str(Path(__file__).resolve().parent))

from checks import (
    builds,
    ci,
    config,
    files,
    gtests,
    listing,
    machine,
    measure,
    near,
    processes,
    pytests,
    records,
    table,
)
from checks.config import FIRST_FAILURE, NO_BUILD, Config, Problem
from checks.runner import closing_line, finish, run, run_fast, run_lane, say
from checks.states import State, States
from checks.tiers import parse_choice


def state(given: Config, _) -> int:
    states = States(given).all()
    say(table.of_lanes((s, "") for s in states))
    owed = [s for s in states if not s.proven]
    if owed:
        say(f"{len(owed)} of {len(states)} lanes are owed for this tree: {remedy(owed)}")
    else:
        say("all lanes proven for this tree")
    return 1 if owed else 0


def remedy(owed: list[State]) -> str:
    """The command that proves lanes, and how long it takes on a processor like that of factor 1."""
    minutes = sum(ci.expected(state, 1.0) for state in owed) / 60
    names = " ".join(state.lane.name for state in owed)
    return f'make check LANES="{names}" (about {minutes:.0f} minutes at factor 1)'


def fast(given: Config, options) -> int:
    choose(options)
    with processes.alone(given):
        outcomes = run_fast(given, options.names)
    say("")
    say(table.of_times(outcomes, machine.factor(given)))
    say(closing_line(outcomes))
    return 0 if all(o.ok for o in outcomes) else 1


def choose(options) -> None:
    """Hands what stages and lanes need to know to their commands; a caller's words do not count."""
    for variable, option in ((NO_BUILD, "no_build"), (FIRST_FAILURE, "first_failure")):
        os.environ.pop(variable, None)
        if getattr(options, option, False):
            os.environ[variable] = "1"


def run_named(given: Config, options) -> int:
    """Lanes without set-up and without receipts."""
    choose(options)
    if "fast" in options.names:
        raise Problem("fast is no lane (it has stages). Use `tools/lanes.py fast`.")
    parts = [given.part(name) for name in options.names]
    with processes.alone(given):
        outcomes = [run(given, part, part.name) for part in parts]
    for outcome in outcomes:
        finish(outcome)
    say(closing_line(outcomes))
    return 0 if all(o.ok for o in outcomes) else 1


def check(given: Config, options) -> int:
    choose(options)
    names = options.names or ["fast", *given.lanes]
    parts = [given.part(name) for name in names]
    outcomes = []
    with processes.alone(given):
        for part in parts:
            outcomes += run_fast(given, []) if part is given.fast else [run_lane(given, part)]
            if part is given.fast and not all(o.ok for o in outcomes):
                break  # lanes use what its stages build
    say("")
    say(table.of_times(outcomes, machine.factor(given)))
    code = state(given, options)
    say(closing_line(outcomes))
    return 0 if all(o.ok for o in outcomes) and (options.names or not code) else 1


def run_ci(given: Config, options) -> int:
    choose(options)
    with processes.alone(given):
        return ci.run(given)


def tests(given: Config, options) -> int:
    return listing.tell(given, cpp=options.only != "python", python=options.only != "cpp")


def print_near(given: Config, options) -> int:
    lines, problems = near.commands(given.root, options.files, Path.cwd())
    for line in lines:
        print(line)
    if problems:
        raise Problem("\n".join(problems))
    return 0


def write_slow(given: Config, _) -> int:
    return measure.write(given)


def watched(given: Config, _) -> int:
    found = files.Files(given.root)
    left, idle = files.without_lane(given, found), files.without_files(given, found)
    for name in left:
        print(f"{name} is in no lane (nothing would notice its change). Add it to {config.PLACE}.")
    for text in idle:
        print(f"{text} (nothing is watched by it). Mend it in {config.PLACE}.")
    lost = files.not_collected(given, found)
    for name in lost:
        print(f"{name} is in no folder of testpaths (its tests never run). See pyproject.toml.")
    print(f"files: {len(left)} in no lane, {len(idle)} patterns without a file")
    return 1 if left or idle or lost else 0


def build(given: Config, options) -> int:
    return builds.build(given, options.preset, options.targets)


def ours(given: Config, options) -> int:
    builds.demand_ours(given, given.root / options.folder)
    return 0


def gtest(given: Config, options) -> int:
    """The C++ tests of a tier or lane, in all its ways or in those named."""
    choices = list(dict.fromkeys(parse_choice(c)[0] for c in given.part(options.part).cpp))
    failed, total = False, 0
    for name in options.ways or choices:
        if name not in given.ways or name not in choices:
            raise Problem(f"{options.part} has no way {name} (it has {', '.join(choices)}).")
        way = given.ways[name]
        ended = gtests.run_part(given, options.part, way, say)
        results = ended.results.values()
        outcomes = {r.test: r.outcome for r in results}
        clock = {r.test: r.milliseconds for r in results}
        records.leave_tests(name, outcomes, {r.test: r.cpu for r in results}, milliseconds=clock)
        programs = {test.split(":", 1)[0] for test in outcomes}
        records.leave("programs", {"programs": [[way.build, program] for program in programs]})
        counts = [f"{ended.count(o)} {o}" for o in ("passed", "failed", "skipped")]
        say(f"[check] {name}: {', '.join(counts)}")
        failed = failed or bool(ended.problems) or ended.count("failed") > 0
        total += len(results)
    if not total:
        raise Problem(f"{options.part} has no C++ test (nothing would run). See {config.PLACE}.")
    return 1 if failed else 0


def pytest(given: Config, options) -> int:
    return pytests.run_part(given, options.part, options.words, say)


def packages(given: Config, options) -> int:
    """For tools/setup.sh: packages of a lane, of one kind; without a lane, the lanes."""
    if options.part is None:
        print(*given.lanes)
    else:
        print(*given.part(options.part).packages.get(options.kind, []))
    return 0


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(description=__doc__)
    top.add_argument("--root", type=Path, default=config.TREE, help=argparse.SUPPRESS)
    top.set_defaults(run=state)
    commands = top.add_subparsers(metavar="COMMAND")

    def add(name: str, run, what: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=what, description=what)
        command.set_defaults(run=run)
        return command

    quick = add("fast", fast, "the fast tier, or stages of it")
    named = add("run", run_named, "lanes without set-up and receipts")
    for command, what, number in ((quick, "STAGE", "*"), (named, "LANE", "+")):
        command.add_argument("names", nargs=number, metavar=what)
        command.add_argument("--no-build", action="store_true", help="use the builds as they are")
        command.add_argument("--first-failure", action="store_true", help="end with a failed test")
    what = "fast tier and all lanes, or the lanes named"
    add("check", check, what).add_argument("names", nargs="*", metavar="LANE")
    add("ci", run_ci, "owed lanes, as long as there is time")
    listed = add("tests", tests, "each test with its tier or lane")
    listed.add_argument("only", nargs="?", choices=["cpp", "python"])
    what = "the commands that run the tests nearest to files"
    add("near", print_near, what).add_argument("files", nargs="+", metavar="FILE")
    add("measure", write_slow, "rewrites tests/slow.txt from the times of the last runs")
    add("files", watched, "fails if a file is in no lane, or a pattern has no file")
    make = add("build", build, "a build of CMakePresets.json")
    make.add_argument("preset")
    make.add_argument("targets", nargs="*")
    add("ours", ours, "fails if a build is of another tree").add_argument("folder")
    block = add("gtest", gtest, "C++ tests of a tier or lane")
    block.add_argument("part")
    block.add_argument("ways", nargs="*")
    block = add("pytest", pytest, "Python tests of a tier or lane")
    block.add_argument("part")
    block.add_argument("words", nargs=argparse.REMAINDER)
    block = add("packages", packages, "packages of a lane")
    block.add_argument("part", nargs="?")
    block.add_argument("kind", nargs="?")
    return top


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        return options.run(config.read(options.root.resolve()), options)
    except (Problem, OSError) as problem:  # the latter of a full disk, a file that may not be read
        print(f"lanes: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("lanes: interrupted, nothing is proven by this run", file=sys.stderr)
        return 128 + signal.SIGINT


def alone_in_process() -> int:
    """As a program: any text can be printed, and the end of this process ends what it started."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    processes.Program.whole = True
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    return main()


if __name__ == "__main__":
    raise SystemExit(alone_in_process())
