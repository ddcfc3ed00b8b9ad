# SPDX-License-Identifier: Apache-2.0
"""The options of `aureole mdrun`: one table, from which reading, help and documentation follow.

They are those of gmx mdrun, with one dash, and those of grompp that name its input.
"""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from aureole.base.errors import bad_input
from aureole.base.parse import real, whole


@dataclass(frozen=True)
class Option:
    """One option.

    Args:
        name: without its dash
        kind: "file", "word", "int", "real", "switch" (with a twin -noNAME), or "none" (no value)
        about: what it does, or why it does nothing, or what to do instead
        default: when it is not given; "" for none
        bare: what a file option means that is given without a name; "" where it needs one
        effect: "yes", "no" (accepted with a note) or "refused"
        harmless: values that are as good as not given
    """

    name: str
    kind: str
    about: str
    default: Any = None
    bare: str = ""
    effect: str = "yes"
    harmless: tuple[str, ...] = ()


def _no(name: str, kind: str, why: str, *harmless: str) -> Option:
    return Option(name, kind, why, effect="no", harmless=harmless)


def _refused(name: str, kind: str, why: str, *harmless: str) -> Option:
    return Option(name, kind, why, effect="refused", harmless=harmless)


ALIKE = "all ranks share the work of the mesh"
HALO = "how far ranks communicate follows from the pair lists"
EQUAL = "the parts of the box are equal"
ONE_PLACE = "all forces are computed on one device, chosen with -device"
TUNED = "this is tuned during the run"
GROUPS: dict[str, tuple[Option, ...]] = {
    "Input": (
        Option("c", "file", "coordinates, .gro or .pdb (the final frame is -co)", "conf.gro"),
        Option("p", "file", "topology, .top", "topol.top"),
        Option("f", "file", "run parameters, .mdp", "grompp.mdp"),
        Option("n", "file", "groups, .ndx; else the default groups", bare="index.ndx"),
        Option("r", "file", "reference positions of restraints; else those of -c", bare="conf.gro"),
        Option("cpi", "file", "continue from this checkpoint; start a new run if it does not exist",
               bare="state.cpt"),
        Option("rerun", "file", "compute energies and forces of the frames of a trajectory",
               bare="rerun.xtc"),
        Option("maxwarn", "int", "number of warnings about the input to tolerate", 0),
    ),
    "Output": (
        Option("deffnm", "word", "first part of the names of all output, and of -cpi and -cpo"),
        Option("o", "file", "positions, velocities and forces at nstxout, nstvout and nstfout; "
                            ".trr, or .gsd, whose frames hold all three", "traj.trr"),
        Option("x", "file", "compressed positions at nstxout-compressed; .xtc, .dcd or .gsd",
               "traj_comp.xtc"),
        Option("e", "file", "energies; .csv or .parquet", "ener.csv"),
        Option("g", "file", "log; the same data are written as .json", "md.log"),
        Option("co", "file", "final frame (-c of gmx mdrun); .gro or .pdb", "confout.gro"),
        Option("confout", "switch", "write the final frame", True),
        Option("cpo", "file", "checkpoint", "state.cpt"),
        Option("po", "file", "write every run parameter with its value there", bare="mdout.mdp"),
        Option("append", "switch", "with -cpi, append to the previous files; otherwise the parts "
                                   "of a run get names such as md.part0002.log", True),
        Option("backup", "switch", "files that would be overwritten become #name.1# and so on",
               True),
        Option("v", "switch", "report progress more often", False),
    ),
    "Length and speed": (
        Option("nsteps", "int", "number of steps, instead of that in the .mdp; -1: no limit, -2: "
                                "as in the .mdp", -2),
        Option("maxh", "real", "stop after 0.99 times this many hours, with a checkpoint", -1.0),
        Option("cpt", "real", "minutes between checkpoints; -1: only at the end", 15.0),
        Option("nt", "int", "number of threads of all ranks together, 0 for all", 0),
        Option("ntomp", "int", "number of threads of each rank, 0 for its share of all", 0),
        Option("ntmpi", "int", "number of ranks: processes of this machine, without any MPI, that "
                               "divide the box among them; 0: one, or as many as before when "
                               "continuing",
               0),
        Option("dd", "three", "into how many parts ranks divide the box along x, y and z, such as "
                              "2 2 1; by default the grid with the least communication"),
        Option("pin", "word", "bind threads to cores, where there is one for each: auto, on or off",
               "auto"),
        Option("device", "word", "auto, host, or cuda:N", "auto"),
        Option("precision", "word", "mixed or double", "mixed"),
    ),
    "Without effect here": (
        _no("ntomp_pme", "int", ALIKE, "0"),
        _no("npme", "int", ALIKE, "-1", "0"),
        _no("ddorder", "word", ALIKE, "interleave", "pp_pme", "cartesian"),
        _no("ddcheck", "switch", HALO, "yes"),
        _no("rdd", "real", HALO, "0"),
        _no("rcon", "real", HALO, "0"),
        _no("dlb", "word", EQUAL, "auto"),
        _no("dds", "real", EQUAL, "0.8"),
        _no("pinoffset", "int", "threads are bound to the cores that the process may use", "0"),
        _no("pinstride", "int", "threads are bound to the cores that the process may use", "0"),
        _no("nstlist", "int", TUNED, "0"),
        _no("tunepme", "switch", "the grid is that of the .mdp", "yes"),
        _no("reprod", "switch", "runs repeat to the bit; on ranks, with checkpoints at the same "
            "steps"),
        _no("cpnum", "switch", "the last two checkpoints are kept", "no"),
        _no("xvg", "word", "tables are written as CSV or Parquet"),
        _no("resethway", "switch", "ns/day is the speed of the whole run"),
        _no("resetstep", "int", "ns/day is the speed of the whole run", "-1"),
        _no("quiet", "switch", "no greeting is printed"),
        Option("nb", "word", ONE_PLACE, "auto"),
        Option("pme", "word", ONE_PLACE, "auto"),
        Option("pmefft", "word", ONE_PLACE, "auto"),
        Option("bonded", "word", ONE_PLACE, "auto"),
        Option("update", "word", ONE_PLACE, "auto"),
    ),
    "Refused": (
        _refused("s", "file", "the three files that a .tpr was made from are given instead: "
                 "-c conf.gro -p topol.top -f grompp.mdp"),
        _refused("t", "file", "checkpoints of GROMACS are not read, and need not be: -c nvt.gro, "
                 "the final frame of the run before, carries positions, velocities and box; runs "
                 "of aureole mdrun go on with -cpi"),
        _refused("gpu_id", "word", "the device is chosen with -device cuda:N"),
        _refused("gputasks", "word", "the device is chosen with -device cuda:N"),
        _refused("multidir", "files", "one call runs one simulation; start one in each folder"),
        _refused("replex", "int", "replica exchange is not implemented", "0"),
        _refused("nex", "int", "replica exchange is not implemented", "0"),
        _refused("reseed", "int", "replica exchange is not implemented", "-1"),
        _refused("table", "file", "tabulated potentials are not implemented"),
        _refused("tablep", "file", "tabulated potentials are not implemented"),
        _refused("tableb", "files", "tabulated potentials are not implemented"),
        _refused("awh", "file", "AWH is not implemented"),
        _refused("ei", "file", "essential dynamics is not implemented"),
        _refused("eo", "file", "essential dynamics is not implemented"),
        _refused("membed", "file", "embedding into membranes is not implemented"),
        _refused("mp", "file", "embedding into membranes is not implemented"),
        _refused("mn", "file", "embedding into membranes is not implemented"),
        _refused("dhdl", "file", "free-energy calculations are not implemented"),
        _refused("field", "file", "the electric field over time is not written"),
        _refused("tpi", "file", "insertion of test particles is not implemented"),
        _refused("tpid", "file", "insertion of test particles is not implemented"),
        _refused("px", "file", "pulling is not implemented"),
        _refused("pf", "file", "pulling is not implemented"),
        _refused("ro", "file", "enforced rotation is not implemented"),
        _refused("ra", "file", "enforced rotation is not implemented"),
        _refused("rs", "file", "enforced rotation is not implemented"),
        _refused("rt", "file", "enforced rotation is not implemented"),
        _refused("mtx", "file", "normal modes are not computed"),
        _refused("if", "file", "interactive simulation is not implemented"),
        _refused("imdport", "int", "interactive simulation is not implemented"),
        _refused("imdterm", "switch", "interactive simulation is not implemented", "no"),
        _refused("imdwait", "switch", "interactive simulation is not implemented", "no"),
        _refused("imdpull", "switch", "interactive simulation is not implemented", "no"),
        _refused("swap", "file", "position swapping is not implemented"),
        _refused("pforce", "real", "large forces are not printed; a run that blows up names them",
                 "-1"),
    ),
}  # fmt: skip
OPTIONS = {option.name: option for group in GROUPS.values() for option in group}
_KINDS = {"int": whole, "real": real}
_WORDS = {
    "pin": ("auto", "on", "off"),
    "precision": ("mixed", "double"),
    **dict.fromkeys(("nb", "pme", "pmefft", "bonded", "update"), ("auto", "cpu", "gpu")),
}


@dataclass
class Given:
    """The options of one call.

    Args:
        values: by name, with the defaults
        named: those that stood on the command line
        valued: those of them that had a value
        notes: about options without effect
    """

    values: dict[str, Any]
    named: set[str] = field(default_factory=set)
    valued: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def file(self, name: str) -> str:
        """The name of a file that is written; -deffnm counts where it was not given itself."""
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
            if os.path.splitext(name)[1] or (os.path.isfile(name) and not _is_saved(ended)):
                return name
            return ended
        first = self.values["deffnm"]
        return OPTIONS["cpi"].bare if first is None else f"{first}.cpt"

    @property
    def ranks(self) -> int:
        """How many ranks, 0 where it is not said."""
        return int(self.values["ntmpi"]) or math.prod(self.grid or (0,))

    @property
    def grid(self) -> tuple[int, ...] | None:
        """How ranks divide the box; None where it is not said."""
        words = self.values["dd"]
        if not words:
            return None
        try:
            grid = tuple(whole(word) for word in words)
        except ValueError:
            grid = ()
        if len(grid) != 3 or (min(grid) < 1 and grid != (0, 0, 0)):
            raise bad_input(
                f"-dd is {' '.join(words)}", "it takes three whole numbers", "Say -dd 2 2 1"
            )
        return None if grid == (0, 0, 0) else grid

    @property
    def threads(self) -> int:
        """How many threads of each rank, 0 for its share of all."""
        total, each = (int(self.values[name]) for name in ("nt", "ntomp"))
        ranks = max(1, self.ranks)
        if total > 0 and (total % ranks or (each > 0 and each * ranks != total)):
            raise bad_input(
                f"-nt {total} does not fit {ranks} ranks"
                + (f" of {each} threads" if each > 0 else ""),
                "it is the number of threads of all ranks together",
                "Give -ntmpi and -ntomp alone",
            )
        return each or total // ranks


def read(words: Sequence[str]) -> Given:
    """The options in the words of a command line.

    Raises InputError that names the nearest option for an unknown one, and for those refused.
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
            "every file is named by an option",
            "See `aureole mdrun -h`",
        )
    name = word.lstrip("-")
    if name in OPTIONS:
        return OPTIONS[name], True
    twin = OPTIONS.get(name.removeprefix("no"))
    if name.startswith("no") and twin is not None and twin.kind == "switch":
        return twin, False
    raise bad_input(f"unknown option {word}", "mdrun has none of this name", _nearest(name))


def _nearest(name: str) -> str:
    """The option that was meant; one with an effect before the others."""
    working = [o for o in OPTIONS.values() if o.effect == "yes"]
    for options in (working, list(OPTIONS.values())):
        known = [
            *(o.name for o in options),
            *(f"no{o.name}" for o in options if o.kind == "switch"),
        ]
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
        if close:
            return f"Did you mean -{close[0]}?"
    return "`aureole mdrun -h` lists all options"


def _is_value(word: str) -> bool:
    """Whether a word is no option: a minus sign may begin a number."""
    return not word.startswith("-") or word[1:2].isdigit() or word[1:2] == "."


def _value(option: Option, on: bool, left: list[str]) -> Any:
    if option.kind == "switch":
        if on and left and left[0] in ("yes", "no"):
            return left.pop(0) == "yes"
        return on
    if option.kind == "three":
        return [left.pop(0) for _ in range(3) if left and _is_value(left[0])]
    if option.kind == "files":
        found = []
        while left and _is_value(left[0]):
            found.append(left.pop(0))
        return found
    if not left or not _is_value(left[0]):
        if option.kind == "file":  # the default name is meant, or that of -deffnm
            return option.bare if option.bare and option.name != "cpi" else None
        raise bad_input(f"-{option.name} has no value", f"it sets {option.about}", "Give one")
    word = left.pop(0)
    if option.kind not in _KINDS:
        known = _WORDS.get(option.name)
        if known is not None and word not in known:
            raise bad_input(
                f"-{option.name} is {word!r}", f"it sets {option.about}",
                f"Choose {', '.join(known)}",
            )  # fmt: skip
        return word
    try:
        return _KINDS[option.kind](word)
    except ValueError:
        kind = "a whole number" if option.kind == "int" else "a number"
        raise bad_input(f"-{option.name} is {word!r}", f"{kind} is needed", "Correct it") from None


def _judge(option: Option, value: Any, given: Given) -> None:
    """Note an option without effect; refuse one that would have an effect elsewhere."""
    text = ("yes" if value else "no") if isinstance(value, bool) else str(value or 0)
    if option.effect == "yes":
        if option.about == ONE_PLACE and value == "gpu":
            raise bad_input(f"-{option.name} gpu is not understood", ONE_PLACE, "Say -device cuda")
        if option.about == ONE_PLACE and value == "cpu":
            given.notes.append(f"-{option.name} cpu has no effect: {ONE_PLACE}")
        return
    if text in option.harmless:
        return
    if option.effect == "refused":
        if option.name == "s" and value:
            from aureole.formats.read_coordinates import read_coordinates

            if os.path.splitext(str(value))[1].lower() == ".tpr":
                read_coordinates(str(value))  # it knows what to say
        raise bad_input(f"-{option.name} cannot be used", option.about, "Leave it out")
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


def _is_saved(path: str) -> bool:
    """Whether there is such a checkpoint, or the one before it."""
    return os.path.exists(path) or os.path.exists(f"{path}.prev")
