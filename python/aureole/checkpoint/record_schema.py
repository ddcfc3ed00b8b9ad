# SPDX-License-Identifier: Apache-2.0
"""What the specs and states in a checkpoint may look like.

Checksums tell that nothing was altered by accident. Who writes a checkpoint by hand can sign it as
well as we do, so that the kind of everything is checked before it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any], bool]


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _count(value: Any) -> bool:
    return _whole(value) and value >= 0


def _number(value: Any) -> bool:
    return isinstance(value, float) or _whole(value)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _or_none(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _list(check: Check, size: int | None = None) -> Check:
    return lambda value: (
        isinstance(value, list) and size in (None, len(value)) and all(map(check, value))
    )


def _table(check: Check, *needed: str) -> Check:
    return lambda value: (
        isinstance(value, dict) and set(needed) <= value.keys() and all(map(check, value.values()))
    )


def _of(keys: Mapping[str, Check]) -> Check:
    return lambda value: (
        isinstance(value, dict)
        and all(key in value and check(value[key]) for key, check in keys.items())
    )


def _spec(value: Any) -> bool:
    return isinstance(value, dict) and _text(value.get("kind"))


def _observer(value: Any) -> bool:
    return _spec(value) and _text(value.get("path", "")) and _text(value.get("function", ""))


def _averages(value: Any) -> bool:
    """Of `statistics.Averages`; all rows are of one width."""
    if not _of({"levels": _list(lambda level: True), "line": _list(lambda item: True, 5)})(value):
        return False
    time, times, cross, begin, end = value["line"]
    row = _list(_number, len(cross)) if isinstance(cross, list) else None
    return (
        row is not None
        and row(cross)
        and all(map(_number, (time, times, begin, end)))
        and all(
            _list(lambda item: True, 4)(level)
            and _count(level[0])
            and row(level[1])
            and row(level[2])
            and not any(item < 0 for item in level[2])
            and (level[3] is None or row(level[3]))
            for level in value["levels"]
        )
    )


def _effort(value: Any) -> bool:
    """Seconds, steps and profile of a `RunLog`."""
    part = _list(lambda item: True, 2)
    return _of(
        {
            "seconds": _number,
            "steps": _count,
            "profile": _table(
                lambda item: part(item) and _number(item[0]) and _or_none(_count)(item[1])
            ),
        }
    )(value)


_STATE: dict[str, Check] = {
    "last": _whole,
    "bytes": _count,
    "pieces": _count,
    "waiting": _list(_text),
    "rows": _or_none(_count),
    "frames": _count,
    "first": _whole,
    "molecular": _flag,
    "terms": _list(_text),
    "groups": _list(_text),
    "conserved": _flag,
    "written": _count,
    "tail": lambda value: (
        isinstance(value, list) and len(value) == 2 and _count(value[0]) and _text(value[1])
    ),
    "mark": _list(_count, 2),
    "digest": _or_none(_text),
    "size": _count,
    "averages": _averages,
    "effort": _effort,
}
_TOGETHER = {
    "bytes": ("pieces",),
    "first": ("frames", "bytes"),
    "terms": ("groups", "conserved", "last"),
    "averages": ("terms", "bytes"),
}


def _state(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and all(_STATE[key](item) for key, item in value.items() if key in _STATE)
        and all(set(_TOGETHER[key]) <= value.keys() for key in value if key in _TOGETHER)
    )


_RECORD: dict[str, Check] = {
    "box": _list(_number, 6),
    "periodic": _list(_flag, 3),
    "type_names": _list(_text),
    "forces": _list(_spec),
    "integrator": _or_none(_spec),
    "observers": _list(_observer),
    "states": _list(_state),
    "device": _spec,
    "neighbors": _spec,
    "threads": _count,
    "seed": _count,
    "target": _or_none(_count),
    "step": _count,
}
#: Keys that older records lack.
_LATER: dict[str, Check] = {
    "constraints": _list(_spec),
    "stages": _list(_spec),
    "system": _text,
    "corner": _list(_number, 3),
}
_JOB: dict[str, Check] = {
    "job": _of(
        {
            "files": _table(_text, "conf", "top", "mdp"),
            "sha256": _table(_text),
            "topology": _text,
            "options": _table(_text),
        }
    ),
    "part": _whole,
    "continue": _text,
}


def wrong_key(data: dict[str, Any]) -> str | None:
    """The first part of the record that no run writes; None if all is well."""
    for key, check in (_RECORD | (_JOB if "job" in data else {})).items():
        if key not in data or not check(data[key]):
            return key
    for key, check in _LATER.items():
        if key in data and not check(data[key]):
            return key
    return None if len(data["observers"]) == len(data["states"]) else "states"
