#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plant faults of one line and see which checks find them.

tools/planted/faults.toml has the faults. A copy of this tree in another folder gets all of them,
each as a choice at run time (AUREOLE_PLANTED=7, or 7,9 for both), so that one build serves all; or
one of them as it stands. Then a command runs once without a fault, which must pass, and once with
each.

    tools/plant_faults.py plant ../planted && (cd ../planted && make build)
    tools/plant_faults.py run ../planted
    tools/plant_faults.py run ../planted --label '{lane}' --command 'tools/lanes.py run {lane}'
    tools/plant_faults.py table ../planted
    tools/plant_faults.py --faults mine.toml plant ../planted    # others, in the same form
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from planted import copies, runs

ROOT = Path(__file__).resolve().parent.parent
FAULTS = ROOT / "tools" / "planted" / "faults.toml"
#: How many there have to be: in all, in each layer, of each kind.
IN_ALL, IN_A_LAYER = 40, 3
OF_A_KIND = {"kernel-energy": 4, "rank-wait": 4, "python": 4}
LAYERS = ("core", "device", "comm", "halo", "io", "fft", "md", "python", "package")


@dataclass(frozen=True)
class Fault:
    """One line that is wrong.

    Args:
        id: its number, from 1 on
        title: what goes wrong
        file: below the root of the tree
        old, new: text within one line of it, and what stands there instead
        lane: the lane whose own files hold it
        finder: a test that should find it
        kinds: what it is an example of, beside its layer
        switched: both texts as one, with PLANTED for the question which; "" for the usual form
    """

    id: int
    title: str
    file: str
    old: str
    new: str
    lane: str
    finder: str
    kinds: tuple[str, ...] = ()
    switched: str = ""

    @property
    def layer(self) -> str:
        """Of src/layers.txt; `python` is the extension, `package` what is in Python."""
        parts = Path(self.file).parts
        return "package" if parts[0] == "python" else parts[1]

    @property
    def in_python(self) -> bool:
        return self.file.endswith(".py")

    def choice(self) -> str:
        """What stands in the place of `old` where the fault is chosen at run time."""
        question = f"planted({self.id})" if self.in_python else f"AUREOLE_PLANTED({self.id})"
        if self.switched:
            return self.switched.replace("PLANTED", question)
        if self.in_python:
            return f"(({self.new}) if {question} else ({self.old}))"
        if self.old.endswith(";"):
            return f"if ({question}) {{ {self.new} }} else {{ {self.old} }}"
        return f"({question} ? ({self.new}) : ({self.old}))"


def read(path: Path = FAULTS) -> list[Fault]:
    """All faults, by number."""
    with path.open("rb") as file:
        given = tomllib.load(file)["fault"]
    return [Fault(**(fault | {"kinds": tuple(fault.get("kinds", ()))})) for fault in given]


def problems_of(faults: list[Fault], root: Path = ROOT) -> list[str]:
    """Faults that cannot be planted in a tree."""
    found = []
    if [fault.id for fault in faults] != list(range(1, len(faults) + 1)):
        found.append("faults are numbered from 1 on, in their order")
    for fault in faults:
        where, path = f"fault {fault.id} in {fault.file}", root / fault.file
        if fault.old == fault.new:
            found.append(f"{where} changes nothing")
        if "\n" in fault.old + fault.new + fault.switched:
            found.append(f"{where} is not one line")
        if fault.switched and "PLANTED" not in fault.switched:
            found.append(f"{where} is always there in `switched`")
        times = path.read_text(encoding="utf-8").count(fault.old) if path.is_file() else 0
        if times != 1:
            found.append(f"{where}: {fault.old!r} is there {times} times")
    for name, count in Counter((fault.file, fault.old) for fault in faults).items():
        if count > 1:
            found.append(f"{name[0]}: {name[1]!r} is changed by {count} faults")
    return found


def shortages(faults: list[Fault]) -> list[str]:
    """What the list lacks of the numbers that are asked for."""
    layers = Counter(fault.layer for fault in faults)
    kinds = Counter(kind for fault in faults for kind in fault.kinds)
    kinds["python"] = layers["package"]
    wanted = [("in all", len(faults), IN_ALL)]
    wanted += [(f"in {layer}", layers[layer], IN_A_LAYER) for layer in LAYERS]
    wanted += [(f"of {kind}", kinds[kind], least) for kind, least in OF_A_KIND.items()]
    return [
        f"{have} faults {what}, at least {least}" for what, have, least in wanted if have < least
    ]


def check(faults: list[Fault], of_the_project: bool = True) -> int:
    problems = problems_of(faults) + (shortages(faults) if of_the_project else [])
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"planted faults: {len(faults)}, {len(problems)} problems")
    return 1 if problems else 0


def show(faults: list[Fault]) -> int:
    for fault in faults:
        kinds = "".join(f", {kind}" for kind in fault.kinds)
        print(f"{fault.id:2d} {fault.file} ({fault.layer}{kinds}; lane {fault.lane})")
        print(f"   {fault.title}; should be found by {fault.finder}")
    return 0


def plant(faults: list[Fault], given: argparse.Namespace) -> int:
    folder, only = given.folder.resolve(), given.only
    if check(faults, given.faults == FAULTS):
        return 1
    chosen = faults if only is None else [fault for fault in faults if fault.id == only]
    if not chosen:
        print(f"there is no fault {only}", file=sys.stderr)
        return 2
    changed = copies.make(ROOT, folder, chosen, switched=only is None)
    print(f"{folder}: {len(chosen)} faults, {changed} files written")
    return 0


def arguments(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--faults",
        type=Path,
        default=FAULTS,
        metavar="FILE",
        help="of other faults, for all commands",
    )
    commands = parser.add_subparsers(dest="do", required=True)
    commands.add_parser("list", help="the faults")
    commands.add_parser("check", help="whether each can be planted in this tree")
    one = commands.add_parser(
        "plant", help="a copy of this tree with all of them, or brings it up to date"
    )
    one.add_argument("folder", type=Path)
    one.add_argument("--only", type=int, metavar="ID", help="this one alone, without a choice")
    one = commands.add_parser(
        "run", help="a command without a fault and with each; goes on where it stopped"
    )
    one.add_argument("folder", type=Path)
    one.add_argument("ids", nargs="*", type=int, help="these only; otherwise all not found so far")
    one.add_argument(
        "--command", default=runs.COMMAND, help="in the copy; {lane} is that of the fault"
    )
    one.add_argument(
        "--label", default="fast", help="of what is run, in the table; {lane} as above"
    )
    one.add_argument(
        "--timeout", type=float, default=1800, help="seconds after which a fault counts as found"
    )
    one.add_argument("--again", action="store_true", help="those that this label has run, too")
    one = commands.add_parser("table", help="which were found, by what")
    one.add_argument("folder", type=Path)
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    given = arguments(words)
    faults = read(given.faults)
    if given.do == "list":
        return show(faults)
    if given.do == "check":
        return check(faults, given.faults == FAULTS)
    if given.do == "plant":
        return plant(faults, given)
    folder = given.folder.resolve()
    if given.do == "table":
        return runs.show_table(folder, faults)
    unknown = set(given.ids) - {fault.id for fault in faults}
    if unknown:
        print(f"there is no fault {min(unknown)}", file=sys.stderr)
        return 2
    how = runs.How(given.command, given.label, given.timeout, given.again)
    return runs.run(folder, faults, how, given.ids)


if __name__ == "__main__":
    raise SystemExit(main())
