# SPDX-License-Identifier: Apache-2.0
"""The pages of Python's public names: signatures and docstrings as the package has them."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from typing import Any

import aureole as au
from aureole import amr
from pages import fill, table

INTRO = (
    "What `import aureole as au` offers, with arguments, units and sources. Arguments that a "
    "class does not know are an error that names the nearest one. What classes have in common "
    "is at the [end](#what-classes-have-in-common)."
)
#: Lines of a docstring that describe arguments or attributes: "    name, other: words".
_NAMED = re.compile(r"^    (\w+(?:, \w+)*): (.*(?:\n        .*)*)", re.M)
_MODULES = ("build",)


INTRO_OF_FLUIDS = (
    "What `from aureole import amr` offers, with arguments, units and sources. All numbers are in "
    "code units: any units of length, mass and time. What classes have in common is at the "
    "[end](#what-classes-have-in-common). Devices and observers are those of "
    "[au](python.md): `au.Device`, `au.Progress`, `au.Callback`, `au.TimeLimit`."
)


def python_page(note: str) -> str:
    """Every public class and function of `au` with its methods."""
    names = {name: getattr(au, name) for name in au.__all__ if name != "amr"}
    for module in _MODULES:
        names |= {
            f"{module}.{name}": getattr(names[module], name) for name in names[module].__all__
        }
    return "\n".join([note, "# Python\n", fill(INTRO) + "\n", *_entries("au", names)])


def fluids_page(note: str) -> str:
    """Every public class and function of `amr` with its methods."""
    names = {name: getattr(amr, name) for name in amr.__all__}
    names |= {
        f"exact.{name}": thing
        for name, thing in vars(amr.exact).items()
        if inspect.isfunction(thing)
        and not name.startswith(("_", "check_"))
        and thing.__module__ in (amr.exact.__name__, "aureole.amr.formulas")
    }
    head = [note, "# Python: fluids\n", fill(INTRO_OF_FLUIDS) + "\n"]
    return "\n".join([*head, *_entries("amr", names)])


def _entries(module: str, names: dict[str, Any]) -> list[str]:
    parts = []
    classes = [thing for thing in names.values() if inspect.isclass(thing)]
    heirs = (base for cls in classes for base in cls.__mro__[1:])
    bases = Counter(base for base in heirs if not base.__name__.startswith("_"))
    shared = {base for base, n in bases.items() if n > 1 or base in classes}
    for name, thing in sorted(names.items(), key=lambda item: item[0].lower()):
        if inspect.isfunction(thing):
            parts.append(f"## {name}\n\n{_call(f'{module}.{name}', thing)}")
        elif inspect.isclass(thing):
            own = [cls for cls in thing.__mro__ if cls is thing or cls not in shared]
            parts.append(f"## {name}\n\n{_call(f'{module}.{name}', thing)}{_members(thing, own)}")
    parts.append("## What classes have in common\n")
    for base in sorted(shared - set(classes), key=lambda cls: cls.__name__):
        if members := _members(base, [base]):
            of_it = sorted(name for name, thing in names.items() if _is_heir(thing, base))
            words = fill(f"{inspect.getdoc(base)}\n\nClasses: {', '.join(of_it)}.")
            parts.append(f"### {base.__name__}\n\n```text\n{words}\n```\n{members}")
    return parts


def _is_heir(thing: Any, base: type) -> bool:
    return inspect.isclass(thing) and issubclass(thing, base) and thing is not base


def _call(name: str, thing: Any) -> str:
    """How something is called, and what its docstring says."""
    words = fill(_words_of(thing))
    parts = [_signature(name, thing), f"```text\n{words}\n```\n" if words else ""]
    return "\n".join(part for part in parts if part)


def _signature(name: str, thing: Any) -> str:
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):  # of an exception
        return ""
    rows = []
    kind = None
    for p in signature.parameters.values():
        if p.name == "self" and not rows:
            continue
        if p.kind is p.KEYWORD_ONLY and kind not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL):
            rows.append("*")
        kind = p.kind
        rows.append(_parameter(p))
    back = "" if inspect.isclass(thing) else _text(signature.return_annotation)
    end = f") -> {back}" if back else ")"
    line = f"{name}({', '.join(rows)}{end}"
    if len(line) > 100:
        line = "\n".join([f"{name}(", *(f"    {row}," for row in rows), end])
    return f"```python\n{line}\n```\n"


def _parameter(p: inspect.Parameter) -> str:
    stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
    kind = _text(p.annotation)
    text = stars + p.name + (f": {kind}" if kind else "")
    if p.default is p.empty:
        return text
    made = "dataclasses" in type(p.default).__module__ or "factory" in repr(p.default)
    return f"{text} = {'...' if made else repr(p.default)}"


def _text(annotation: Any) -> str:
    if annotation is inspect.Signature.empty:
        return ""
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")


def _words_of(thing: Any) -> str:
    """Its own docstring: not one that Python gives to objects of its class."""
    words = getattr(thing, "__doc__", None)
    ours = not isinstance(words, str) or words == type(thing).__doc__
    return "" if ours else inspect.cleandoc(words)


def _members(cls: type, own: list[type]) -> str:
    """What a class adds to its bases: a table of attributes, then each method."""
    if issubclass(cls, BaseException):
        return ""
    rows, methods = [], []
    described = _described(cls)
    fields = getattr(cls, "__dataclass_fields__", {})
    parts = [(vars(base), vars(base).get("__annotations__", {})) for base in own]
    names = {name for part in parts for known in part for name in known}
    for name in sorted(names):
        member = inspect.getattr_static(cls, name, None)
        if name.startswith("_") or name in fields or _is_of_outside(member):
            continue
        if isinstance(member, property):
            kind = _text(inspect.signature(member.fget).return_annotation) if member.fget else ""
            words = _words_of(member)
        elif inspect.isroutine(member) or isinstance(member, (classmethod, staticmethod)):
            method = getattr(cls, name)
            if _words_of(method) or not _is_told_of(cls, name):
                methods.append(f"### {cls.__name__}.{name}\n\n{_call(name, method)}")
            continue
        else:
            words, kind = described.get(name, ""), _annotation(own, name)
        if words or (kind and not kind.startswith("ClassVar")):
            kind = f"`{kind}`".replace("|", "\\|") if kind else ""
            rows.append([f"`{name}`", kind, " ".join(words.split())])
    head = "\n" + table(["attribute", "type", "meaning"], rows) if rows else ""
    return head + "".join(f"\n{text}" for text in methods)


def _is_of_outside(member: Any) -> bool:
    return isinstance(member, type) or inspect.ismodule(member)


def _is_told_of(cls: type, name: str) -> bool:
    """Whether a class that it overrides a method of has words for it."""
    return any(_words_of(vars(base).get(name)) for base in cls.__mro__[1:])


def _annotation(own: list[type], name: str) -> str:
    given = [vars(cls).get("__annotations__", {}) for cls in own]
    return str(next((kinds[name] for kinds in given if name in kinds), ""))


def _described(cls: type) -> dict[str, str]:
    """What the docstring of a class says of its arguments and attributes."""
    found = _NAMED.findall(inspect.getdoc(cls) or "")
    return {name: words for names, words in found for name in names.split(", ")}
