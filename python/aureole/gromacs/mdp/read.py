# SPDX-License-Identifier: Apache-2.0
"""Run parameters from an .mdp file, and the file with every option written out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from aureole.base import text_files
from aureole.base.errors import bad_input
from aureole.gromacs.mdp.options.table import Option, options
from aureole.gromacs.notes import Note

from .adjust import adjust
from .parameters import Annealing, Frozen, RunParameters, Six, TemperatureGroup
from .read_lines import Settings, read_settings, settings_of
from .values import written

__all__ = ["Note", "RunParameters", "mdout", "parameters_of", "read_mdp", "write_mdout"]

_AXES = {"xyz": (True, True, True), "xy": (True, True, False), "no": (False, False, False)}
_NOWHERE: Mapping[str, str] = MappingProxyType({})
_ZERO: Six = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def read_mdp(path: str | os.PathLike[str]) -> RunParameters:
    """The run parameters of an .mdp file, consistent in themselves.

    What GROMACS would change is changed, with a note in `notes`; `checks.run_checks` checks the
    result. Raises FileError if the file cannot be read, and one InputError with a line
    "file:line: problem (why). suggestion" for each error in it.
    """
    return _parameters(read_settings(path))


def parameters_of(
    values: Mapping[str, Any], path: str = "options", places: Mapping[str, str] = _NOWHERE
) -> RunParameters:
    """The run parameters from .mdp options given by name.

    Args:
        values: numbers, words, yes and no as bools; several of them as sequences
        path: the source that errors and notes name
        places: of single options, such as "argument dt", by the same names
    """
    lines = [f"{name} = {_as_text(value)}" for name, value in values.items()]
    for line in lines:
        if not set(line).isdisjoint(";\r\n"):
            raise bad_input(
                f"{path}: the option {line!r} contains a ; or a line break",
                "an option is a single line without comments",
                "Remove it",
            )
    where = [places.get(name, path) for name in values]
    return _parameters(settings_of(path, "\n".join(lines), where))


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return " ".join(_as_text(item) for item in value)
    return repr(float(value)) if isinstance(value, float) else str(value)


def _parameters(settings: Settings) -> RunParameters:
    settings.raise_problems()
    adjust(settings)
    parameters = _build(settings)
    settings.raise_problems()
    return parameters


def _build(s: Settings) -> RunParameters:
    return RunParameters(
        path=s.path,
        integrator=s["integrator"],
        dt=s["dt"],
        n_steps=s["nsteps"],
        t_start=s["tinit"],
        first_step=s["init-step"],
        defines=_flags(s, "define", "-D"),
        includes=_flags(s, "include", "-I"),
        periodic=_AXES[s["pbc"]],
        temperature_groups=_temperature_groups(s),
        compressibility=_six(s, "compressibility"),
        pressure=_six(s, "ref-p"),
        frozen=_frozen(s),
        fields=tuple(_field(s, axis) for axis in "xyz"),
        values=MappingProxyType(dict(s.values)),
        lines=MappingProxyType(dict(s.lines)),
        notes=tuple(s.notes),
    )


def _flags(s: Settings, key: str, mark: str) -> tuple[str, ...]:
    """The names after -D or -I; a blank after the mark is allowed."""
    found = []
    words = iter(s[key])
    for word in words:
        name = word[2:] if word.startswith(mark) else ""
        if word == mark:
            name = next(words, "")
        if not name:
            s.wrong(
                key,
                f"{key} contains {word!r}",
                f"each word is {mark} followed by a name",
                f"Write {key} = {mark}{word.lstrip('-') or 'NAME'}",
            )
            break
        found.append(name)
    return tuple(found)


def _temperature_groups(s: Settings) -> tuple[TemperatureGroup, ...]:
    names, taus, temperatures = s["tc-grps"], s["tau-t"], s["ref-t"]
    if not len(names) == len(taus) == len(temperatures):
        s.wrong(
            "tc-grps",
            f"tc-grps has {len(names)} groups, tau-t {len(taus)} and ref-t "
            f"{len(temperatures)} values",
            "every group needs one value of each",
            "Give as many values as groups",
            ("tau-t", "ref-t"),
        )
        return ()
    if not names and (s["tcoupl"] != "No" or s["integrator"] == "sd"):
        s.wrong(
            "tcoupl" if s["tcoupl"] != "No" else "integrator",
            "tc-grps names no group",
            "temperature coupling needs a thermostat for every particle",
            "Write for example tc-grps = System, tau-t = 1 and ref-t = 300",
        )
    groups = zip(names, taus, temperatures, _annealing(s, len(names)), strict=True)
    return tuple(TemperatureGroup(*group) for group in groups)


def _annealing(s: Settings, n: int) -> list[Annealing | None]:
    """The temperature schedule of each of n groups."""
    kinds = [word[0].lower() for word in s["annealing"]]
    if not kinds or set(kinds) == {"n"}:
        return [None] * n
    counts, times, temperatures = (s[f"annealing-{part}"] for part in ("npoints", "time", "temp"))
    problem = ""
    if len(kinds) != n or not set(kinds) <= set("nsp"):
        problem = f"annealing needs no, single or periodic for each of {n} groups"
    elif len(counts) != n:
        problem = f"annealing-npoints has {len(counts)} values for {n} groups"
    elif any(k < 2 * (kind != "n") or k > 100_000 for k, kind in zip(counts, kinds, strict=True)):
        problem = "annealing-npoints is less than 2 (a start and an end) for a schedule"
    elif not len(times) == len(temperatures) == sum(counts):
        problem = (
            f"annealing-npoints requires {sum(counts)} points, but there are {len(times)} times "
            f"and {len(temperatures)} temperatures"
        )
    if problem:
        s.wrong("annealing", problem, "the lists must match", "Correct the lists")
        return [None] * n
    courses: list[Annealing | None] = []
    first = 0
    for kind, count in zip(kinds, counts, strict=True):
        last = first + count
        course = Annealing(kind == "p", times[first:last], temperatures[first:last])
        courses.append(None if kind == "n" else course)
        first = last
    return courses


def _six(s: Settings, key: str) -> Six:
    """Components xx yy zz xy xz yz from 1, 2 or 6 numbers, by pcoupltype."""
    if s["pcoupl"] == "No":
        return _ZERO
    given, shape = s[key], s["pcoupltype"]
    needed = {"isotropic": 1, "semiisotropic": 2, "anisotropic": 6}[shape]
    if len(given) < needed:
        s.wrong(
            key,
            f"{key} has {len(given)} values",
            f"pcoupltype = {shape} needs {needed}",
            f"Give {needed}",
            ("pcoupltype", "pcoupl"),
        )
        return _ZERO
    if needed == 6:
        a, b, c, d, e, f = given[:6]
        return (a, b, c, d, e, f)
    return (given[0], given[0], given[needed - 1], 0.0, 0.0, 0.0)


def _frozen(s: Settings) -> tuple[Frozen, ...]:
    names, axes = s["freezegrps"], s["freezedim"]
    if len(axes) != 3 * len(names):
        s.wrong(
            "freezegrps",
            f"freezegrps has {len(names)} groups and freezedim {len(axes)} letters",
            "every group needs three, for x, y and z",
            "Give Y or N for each",
            ("freezedim",),
        )
        return ()
    triples = (axes[3 * k : 3 * k + 3] for k in range(len(names)))
    return tuple(Frozen(name, (x, y, z)) for name, (x, y, z) in zip(names, triples, strict=True))


def _field(s: Settings, axis: str) -> tuple[float, ...]:
    """The field along an axis; zeros where its strength is 0."""
    key = f"electric-field-{axis}"
    given: tuple[float, ...] = s[key]
    if any(given) and len(given) != 4:
        s.wrong(
            key,
            f"{key} has {len(given)} numbers",
            "it needs four: strength, frequency, centre and width",
            f"Write {key} = {given[0]:g} 0 0 0 for a constant field",
        )
    return given if any(given[:1]) else (0.0,) * 4


def mdout(parameters: RunParameters) -> str:
    """Every option with the value in use, as an .mdp file."""
    lines = [f"; Run parameters in use, from {os.path.basename(parameters.path)}"]
    section = ""
    table = options()
    hidden = Counter(option.parent for option in table.values())
    for option in table.values():
        if option.name not in parameters.values:
            continue
        if option.section != section:
            section = option.section
            lines += ["", f"; {section}"]
        value = written(option, parameters.values[option.name])
        lines += _comment(option, hidden[option.name])
        lines.append(f"{option.name:<34}= {value}".rstrip())
    return "\n".join(lines) + "\n"


def _comment(option: Option, hidden: int) -> Iterable[str]:
    unit = f" [{option.unit}]" if option.unit else ""
    yield f"; {option.text}{unit}"
    if option.values:
        usable = [value.name for value in option.values if value.support == "honoured"]
        yield f"; one of {', '.join(usable)}"
    if hidden:
        yield f"; other values are refused, so the {hidden} options that depend on it are omitted"


def write_mdout(path: str | os.PathLike[str], parameters: RunParameters) -> None:
    """Write `mdout(parameters)` to a file."""
    text_files.replace(path, [mdout(parameters).encode()])
