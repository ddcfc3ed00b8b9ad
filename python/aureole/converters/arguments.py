# SPDX-License-Identifier: Apache-2.0
"""Arguments of converters that are run parameters: checked in Python's words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from aureole.base.errors import ArgumentError, bad_input, nearest
from aureole.base.parse import real
from aureole.base.quantities import is_quantity
from aureole.base.unit_advice import dimension_of
from aureole.base.values import integer, number
from aureole.gromacs.mdp.options.table import Option, find, normal, obsolete, options, renamed

#: Counterparts of names in other programs.
_MEANT = {
    **dict.fromkeys(("timestep", "stepsize"), "dt"),
    **dict.fromkeys(("cutoff", "nonbondedcutoff", "rcut"), "rcoulomb and rvdw"),
    **dict.fromkeys(("friction", "collisionrate"), 'integrator="sd", and tau_t, one over it'),
    **dict.fromkeys(("seed", "randomseed"), "ld_seed"),
    **dict.fromkeys(("temp", "t"), "temperature"),
    **dict.fromkeys(("press", "p"), "pressure"),
    "reporters": "observers",
    "ewalderrortolerance": "createSystem(..., ewaldErrorTolerance=...), whose PME is taken over",
    **dict.fromkeys(("platform", "properties"), "device, precision and threads"),
    "define": 'a CustomExternalForce of OpenMM, or system.replace(terms={"position_restraint": '
    "(tags[:, None], (1000.0,) * 3)})",
    "steps": "sim.run(steps)",
    "thermostat": 'tcoupl="v-rescale" and temperature=300',
    "barostat": 'pcoupl="C-rescale" and pressure=1',
}
_OWN = ("temperature", "pressure")
_LANGEVIN = ("langevin", "langevinmiddle", "langevinintegrator", "langevinmiddleintegrator")
#: Options in texts: with a number or a word as the value, and names alone.
_SETTING = re.compile(r"\b([a-z][\w-]*) = (?:([-\d](?:[\w.+-]*\w)?)|([A-Za-z][\w-]*))")
_NAME = re.compile(r"\b[a-z]+(?:-[a-z0-9]+)+\b")
#: Barostat constants where only a pressure is given [ps, 1/bar]: compressibility of water.
_TAU_P, _COMPRESSIBILITY = 2.0, 4.5e-5


class Arguments(dict[str, Any]):
    """Values of run parameters by the names of .mdp options.

    Attributes:
        places: the name of each value in errors and notes, such as "argument dt"
    """

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, str] = {}

    def put(self, name: str, value: Any, argument: str) -> None:
        """Set an option, as that argument asks."""
        self[name], self.places[name] = value, f"argument {argument}"


def arguments_of(function: str, given: Mapping[str, Any]) -> Arguments:
    """The run parameters among the arguments of a function.

    Args:
        function: its name, for errors
        given: by names of .mdp options with _ for -; `temperature` and `pressure` stand for a
            thermostat and a barostat. Numbers may be text with a unit, "2 fs", or quantities.

    Raises ArgumentError for unknown ones, InputError for values of a wrong kind.
    """
    found = Arguments()
    for name, value in given.items():
        if name in _OWN:
            if value is None:
                off = f'write {"tc" if name == _OWN[0] else "pc"}oupl="no" to switch it off'
                why = "a converted system may bring one of its own"
                raise bad_input(f"{name} is None", why, f"Leave it out, or {off}")
            continue
        option = find(name)
        known = option is not None or normal(name) in renamed() or normal(name) in obsolete()
        if not known or normal(name) in _MEANT:
            raise ArgumentError(str(_unknown(function, name)))
        if option is None:
            option = find(renamed().get(normal(name), ""))
        key = name.replace("_", "-") if option is None or "#" in option.name else option.name
        if key in found:
            first = found.places[key]
            raise bad_input(f"{name} is given twice", f"also as {first}", "Leave one out")
        found.put(key, value if option is None else _checked(option, value, name), name)
    draws = normal(str(found.get("gen-vel", "no"))) in ("yes", "true")
    if draws and "continuation" not in found:
        raise bad_input(
            f"gen_vel is {found['gen-vel']!r}",
            "a converted simulation starts with the velocities that are given, or at rest",
            "Leave it out, and call sim.thermalize()",
        )
    _keep_temperature(found, given)
    _keep_pressure(found, given)
    return found


def in_python(text: str) -> str:
    """The text of a check, with its options as the arguments of converters."""

    def argument(found: re.Match[str]) -> str:
        name, number_, word = found.groups()
        if find(name) is None:
            return found[0]
        return f"{name.replace('-', '_')}=" + (number_ or f'"{word}"')

    def underscored(found: re.Match[str]) -> str:
        return found[0].replace("-", "_") if find(found[0]) is not None else found[0]

    return _NAME.sub(underscored, _SETTING.sub(argument, text))


def _unknown(function: str, name: str) -> Exception:
    meant = _MEANT.get(normal(name))
    known = [*_OWN, *(key.replace("-", "_") for key in options())]
    close = nearest(name, known)
    more = close if not close.startswith("Known:") else "docs/gromacs-mdp.md lists the options."
    return bad_input(
        f"{function} has no argument {name!r}",
        "it would have no effect",
        f"Use {meant}" if meant else more,
    )


def _checked(option: Option, value: Any, name: str) -> Any:
    """A value as an .mdp file could have it."""
    dimension = dimension_of(option.unit)
    if option.name == "integrator" and normal(str(value)) in _LANGEVIN:
        hint = 'Write integrator="sd", temperature=300 and tau_t, one over the friction'
        raise bad_input(f"integrator is {value!r}", "it has another name here", hint)
    if option.kind == "real":
        return _real(value, name, dimension)
    if option.kind == "reals":
        several = isinstance(value, Sequence) and not isinstance(value, str)
        if several and not is_quantity(value):
            return [_real(item, name, dimension) for item in value]
        if isinstance(value, str) and all(map(_is_real, value.split())):
            return value
        return _real(value, name, dimension)
    if option.kind == "int" and not (isinstance(value, str) and _is_real(value)):
        return integer(value, name)
    if is_quantity(value):
        raise bad_input(f"{name} is {value}", "it has no unit", "Give it without one")
    if not isinstance(value, (str, bool, int, float, list, tuple)):
        hint = "docs/gromacs-mdp.md lists its values"
        if name == "integrator":
            hint = 'Write integrator="sd", temperature=300, tau_t=1, dt="2 fs", or set '
            hint += "sim.integrator to one of Aureole later"
        raise bad_input(f"{name} is a {type(value).__name__}", "it must be a word or number", hint)
    return value


def _real(value: Any, name: str, dimension: str | None) -> Any:
    if isinstance(value, str) and _is_real(value):
        return value
    return float(number(value, name, dimension=dimension))


def _is_real(word: str) -> bool:
    try:
        real(word.strip())
    except ValueError:
        return False
    return True


def _keep_temperature(found: Arguments, given: Mapping[str, Any]) -> None:
    """Complete what is said of a temperature, by which a thermostat acts on all particles."""
    heat = normal(str(found.get("integrator", ""))) == "sd"
    heat = heat or normal(str(found.get("tcoupl", "no"))) not in ("no", "false")
    argument = "integrator" if "tcoupl" not in found else "tcoupl"
    if "temperature" in given:
        argument = "temperature"
        if "ref-t" in found:
            raise bad_input(
                "both temperature and ref_t are given", "they mean the same", "Leave one out"
            )
        if "tcoupl" in found and not heat:
            raise bad_input(
                f"temperature is {given['temperature']!r} and tcoupl {found['tcoupl']!r}",
                "only a thermostat keeps a temperature",
                'Leave tcoupl out, or choose "v-rescale"',
            )
        groups = _words(found.get("tc-grps", "System"))
        T = float(number(given["temperature"], "temperature", low=0.0, dimension="temperature"))
        found.put("ref-t", [T] * len(groups), argument)
        if not heat:
            found.put("tcoupl", "v-rescale", argument)
    elif not heat or "tc-grps" in found:
        return
    elif "ref-t" not in found:
        raise bad_input(
            f"{argument} is {found[argument]!r}",
            "it keeps a temperature, and none is given",
            "Give temperature=300",
        )
    if "tc-grps" not in found:
        found.put("tc-grps", "System", argument)
    if "tau-t" not in found:
        found.put("tau-t", [1.0] * len(_words(found["tc-grps"])), argument)


def _keep_pressure(found: Arguments, given: Mapping[str, Any]) -> None:
    """Complete what is said of a pressure, which a barostat keeps in all directions alike."""
    if "pressure" not in given:
        return
    if "ref-p" in found:
        raise bad_input("both pressure and ref_p are given", "they mean the same", "Leave one out")
    P = float(number(given["pressure"], "pressure", dimension="pressure"))
    wanted = {"pcoupl": "C-rescale", "pcoupltype": "isotropic", "tau-p": _TAU_P}
    for name, value in {**wanted, "ref-p": P, "compressibility": _COMPRESSIBILITY}.items():
        if name not in found:
            found.put(name, value, "pressure")


def _words(value: Any) -> list[str]:
    return value.split() if isinstance(value, str) else list(value)
