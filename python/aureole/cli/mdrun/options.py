# SPDX-License-Identifier: Apache-2.0
"""The options of `aureole mdrun`: one table, from which reading, help and documentation follow.

They are those of gmx mdrun, with one dash, and those of grompp that name its input. They stand in
`options.table`, one record an option:

    name: kind = default [bare] {words} | effect unless harmless values
        about
"""

from __future__ import annotations

import difflib
import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

from aureole.base.data_table import Record, damaged, records
from aureole.base.errors import bad_input
from aureole.base.files import is_saved
from aureole.base.parse import integer, real


@dataclass(frozen=True)
class Option:
    """One option.

    Args:
        name: without its dash
        kind: "file", "word", "int", "real", "switch" (with a twin -noNAME), "files" or "three"
        about: what it does, why it has no effect, or what to do instead
        default: value if it is not given; None for none
        bare: file name if the option is given without one; "" if it needs one
        words: allowed values; empty for any
        effect: "yes", "noted" (no effect, with a note) or "refused"
        harmless: values that are treated as not given
    """

    name: str
    kind: str
    about: str
    default: Any = None
    bare: str = ""
    words: tuple[str, ...] = ()
    effect: str = "yes"
    harmless: tuple[str, ...] = ()


_TABLE = Path(__file__).with_suffix(".table")
_HEAD = re.compile(
    r"(\w+): (file|files|word|int|real|switch|three)"
    r"(?: = (\S+))?(?: \[(.+)\])?(?: \{(.+)\})?(?: \| (noted|refused)(?: unless (.+))?)?"
)
_KINDS = {"int": integer, "real": real}


def read_table(path: Path) -> dict[str, tuple[Option, ...]]:
    """The options of a table by its sections."""
    found: dict[str, tuple[Option, ...]] = {}
    for record in records(path):
        found[record.section] = (*found.get(record.section, ()), _option_of(path, record))
    return found


def _option_of(path: Path, record: Record) -> Option:
    match = _HEAD.fullmatch(record.head)
    if match is None:
        raise damaged(path, record.line, f"{record.head!r} is no option")
    name, kind, default, bare, words, effect, harmless = match.groups()
    return Option(
        *(name, kind, " ".join(text for _, text in record.body)),
        _default(kind, default),
        bare or "",
        tuple((words or "").split()),
        effect or "yes",
        tuple((harmless or "").split()),
    )


def _default(kind: str, text: str | None) -> Any:
    if text is None or kind not in ("int", "real", "switch"):
        return text
    return text == "yes" if kind == "switch" else _KINDS[kind](text)


GROUPS = read_table(_TABLE)
OPTIONS = {option.name: option for group in GROUPS.values() for option in group}


#: Options of grompp that mdrun here has not: why, and what to do.
_OF_GROMPP = {
    "time": (
        "-t takes the last frame with positions and velocities",
        "Give -t the frames up to that time, as `gmx trjconv -f all.trr -o start.trr -e TIME` "
        "writes them",
    ),
    "rb": ("free-energy calculations are not implemented", "Use gmx for this run"),
    "ref": ("enforced rotation is not implemented", "Use gmx for this run"),
    "imd": ("interactive simulation is not implemented", "Remove it"),
    "pp": (
        "the topology is not written after preprocessing",
        "Remove it; `gmx grompp -pp` writes it",
    ),
    "zero": ("every bonded term needs parameters", "Give the parameters in the topology"),
    "renum": ("it has no effect on results", "Remove it"),
    "rmvsbds": ("it has no effect on results", "Remove it"),
}


@dataclass
class Given:
    """The options of one call.

    Args:
        values: by name, with the defaults
        named: options on the command line
        valued: those of them with a value
        notes: about options without effect
    """

    values: dict[str, Any]
    named: set[str] = field(default_factory=set)
    valued: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def file(self, name: str) -> str:
        """The name of an output file; from -deffnm if its own option was not given."""
        ending = os.path.splitext(OPTIONS[name].default)[1]
        given, first = str(self.values[name]), self.values["deffnm"]
        if name not in self.valued and first is not None:
            return f"{first}{ending}"
        return given if os.path.splitext(given)[1] else given + ending

    @property
    def checkpoint(self) -> str | None:
        """The checkpoint to continue from; None for a new run."""
        if "cpi" not in self.named:
            return None
        if self.values["cpi"] is not None:
            name = self.values["cpi"]
            ended = f"{name}.cpt"
            if os.path.splitext(name)[1] or (os.path.isfile(name) and not is_saved(ended)):
                return name
            return ended
        first = self.values["deffnm"]
        return OPTIONS["cpi"].bare if first is None else f"{first}.cpt"

    @property
    def ranks(self) -> int:
        """Number of ranks, 0 if not given."""
        return int(self.values["ntmpi"]) or math.prod(self.grid or (0,))

    @property
    def grid(self) -> tuple[int, ...] | None:
        """The decomposition grid of the ranks; None if not given."""
        words = self.values["dd"]
        if not words:
            return None
        try:
            grid = tuple(integer(word) for word in words)
        except ValueError:
            grid = ()
        if len(grid) != 3 or (min(grid) < 1 and grid != (0, 0, 0)):
            raise bad_input(
                f"-dd is {' '.join(words)}", "it takes three whole numbers", "Use -dd 2 2 1"
            )
        return None if grid == (0, 0, 0) else grid

    @property
    def omp_threads(self) -> int:
        """OMP_NUM_THREADS where neither -nt nor -ntomp is given, as of gmx mdrun; otherwise 0."""
        number, each = omp_num_threads() or 0, int(self.values["ntomp"])
        if number > 0 and each not in (0, number):
            raise bad_input(
                f"-ntomp is {each}, OMP_NUM_THREADS is {number}",
                "both set the number of threads per rank",
                "Give both the same value, or unset OMP_NUM_THREADS",
            )
        return number if self._asks_environment else 0

    @property
    def omp_ignored(self) -> bool:
        """Whether OMP_NUM_THREADS would count, and is no number of threads."""
        return self._asks_environment and omp_num_threads() == 0

    @property
    def _asks_environment(self) -> bool:
        return not int(self.values["ntomp"]) and not int(self.values["nt"])

    @property
    def threads(self) -> int:
        """Number of threads per rank, 0 for an equal share of all."""
        if number := self.omp_threads:
            return number
        total, each = (int(self.values[name]) for name in ("nt", "ntomp"))
        ranks = max(1, self.ranks)
        if total > 0 and (total % ranks or (each > 0 and each * ranks != total)):
            raise bad_input(
                f"-nt {total} does not match {ranks} ranks"
                + (f" of {each} threads" if each > 0 else ""),
                "it is the number of threads of all ranks together",
                "Give only -ntmpi and -ntomp",
            )
        return each or total // ranks


def omp_num_threads() -> int | None:
    """The first number of OMP_NUM_THREADS; None if it is not set, 0 if it is no number."""
    given = os.environ.get("OMP_NUM_THREADS", "").strip()
    if not given:
        return None
    first = given.split(",")[0].strip()
    return int(first) if first.isascii() and first.isdigit() and len(first) < 6 else 0


def read(words: Sequence[str]) -> Given:
    """The options in the words of a command line.

    Raises InputError for refused options, and for unknown ones with the most similar name.
    """
    given = Given({option.name: option.default for option in OPTIONS.values()})
    left = list(words)
    while left:
        word = left.pop(0)
        option, on = _option(word)
        value = _value(option, on, left)
        _judge(option, value, given)
        given.values[option.name] = option.default if value is None else value
        given.named.add(option.name)
        if value is not None:
            given.valued.add(option.name)
    return given


def _option(word: str) -> tuple[Option, bool]:
    """The option that a word names, and whether it is switched on."""
    if not word.startswith("-") or word == "-":
        raise bad_input(
            f"{word!r} is not an option",
            "every file needs an option, such as -c",
            "See `aureole mdrun -h`",
        )
    name = word.lstrip("-")
    if name in OPTIONS:
        return OPTIONS[name], True
    twin = OPTIONS.get(name.removeprefix("no"))
    if name.startswith("no") and twin is not None and twin.kind == "switch":
        return twin, False
    of_grompp = _OF_GROMPP.get(name) or _OF_GROMPP.get(name.removeprefix("no"))
    if of_grompp:
        raise bad_input(f"{word}, an option of grompp, is not supported", *of_grompp)
    raise bad_input(f"unknown option {word}", "mdrun has no such option", _nearest(name))


def _nearest(name: str) -> str:
    """The option that was meant; one with an effect before the others."""
    working = [o for o in OPTIONS.values() if o.effect == "yes"]
    for options in (working, list(OPTIONS.values())):
        known = [
            *(o.name for o in options),
            *(f"no{o.name}" for o in options if o.kind == "switch"),
        ]
        if close := difflib.get_close_matches(name, known, cutoff=0.6):
            like = [difflib.SequenceMatcher(None, word, name).ratio() for word in close]
            best = [word for word, ratio in zip(close, like, strict=True) if ratio == like[0]]
            return f"Did you mean -{' or -'.join(sorted(best))}?"
    return "`aureole mdrun -h` lists all options"


def is_value(word: str) -> bool:
    """Whether a word is no option: a minus sign may begin a number."""
    return not word.startswith("-") or word[1:2].isdigit() or word[1:2] == "."


def _value(option: Option, on: bool, left: list[str]) -> Any:
    if option.kind == "switch":
        if on and left and left[0] in ("yes", "no"):
            return left.pop(0) == "yes"
        return on
    if option.kind in ("three", "files"):
        most = 3 if option.kind == "three" else len(left)
        found = list(takewhile(is_value, left[:most]))
        del left[: len(found)]
        return found
    if left and not left[0]:  # a variable of the shell that is not set
        raise bad_input(f"-{option.name} has no value", "it is an empty word", "Give one")
    if not left or not is_value(left[0]):
        if option.kind == "file" and option.name != "t":  # the default, or that of -deffnm
            return option.bare if option.bare and option.name != "cpi" else None
        why = "it names a file" if option.kind == "file" else f"it sets {option.about}"
        raise bad_input(f"-{option.name} has no value", why, "Give one")
    word = left.pop(0)
    if option.kind not in _KINDS:
        if option.words and word not in option.words:
            choice = " or ".join(", ".join(option.words).rsplit(", ", 1))
            raise bad_input(f"-{option.name} is {word!r}", "no such choice", f"Choose {choice}")
        return word
    try:
        return _KINDS[option.kind](word)
    except ValueError:
        kind = "a whole number" if option.kind == "int" else "a number"
        why = f"it must be {kind}: {option.about}"
        raise bad_input(f"-{option.name} is {word!r}", why, "Correct it") from None


def _judge(option: Option, value: Any, given: Given) -> None:
    """Note an option without effect; refuse one that would have an effect elsewhere."""
    text = ("yes" if value else "no") if isinstance(value, bool) else str(value or 0)
    if option.effect == "yes":
        if "gpu" in option.words and value == "gpu":
            problem = f"-{option.name} gpu is not supported"
            use = "Use -device gpu:0; `aureole doctor` lists the devices that can be used"
            raise bad_input(problem, option.about, use)
        if "gpu" in option.words and value == "cpu":
            given.notes.append(f"-{option.name} cpu has no effect: {option.about}")
        return
    if text in option.harmless:
        return
    if option.effect == "refused":
        if option.name == "s":
            return  # find_input refuses it, and names the files
        changes = option.about.endswith("not implemented")  # what the run computes
        leave = "Use gmx for this run" if changes else "Remove it"
        raise bad_input(f"-{option.name} is not supported", option.about, leave)
    shown = f"-no{option.name}" if value is False else f"-{option.name}"
    given.notes.append(f"{shown} has no effect: {option.about}")


_FORMS = {
    "file": "FILE",
    "files": "FILE ...",
    "int": "N",
    "real": "X",
    "word": "WORD",
    "three": "X Y Z",
}


def written(option: Option) -> str:
    """An option as the help shows it."""
    if option.kind == "switch":
        return f"-[no]{option.name}"
    form = _FORMS.get(option.kind, "")
    return f"-{option.name} [{form}]" if option.bare else f"-{option.name} {form}".rstrip()


def default_of(option: Option) -> str:
    """The default as words; empty where there is none."""
    if isinstance(option.default, bool):
        return "yes" if option.default else "no"
    if option.default is None:
        return ""
    return f"{option.default:g}" if isinstance(option.default, float) else str(option.default)
