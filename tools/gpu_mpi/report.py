# SPDX-License-Identifier: Apache-2.0
"""Aims and tables of a result of the check of messages on a GPU, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Row = dict[str, Any]
Found = dict[str, Any]  # seconds, version, and `steps` by name

LARGE, MB = 64 << 20, 1 << 20
#: In the order of the columns of tables.
WAYS = ("host", "staged", "straight", "UCX")
NOT_MAPPED = (
    "the processor has no way to memory of this device (GDRCopy, or dma-bufs from driver 13.3 on)"
)


def figures(found: Found) -> list[Row]:
    """All figures of all steps."""
    return [row for step in found["steps"].values() for row in step.get("figures", [])]


def cost(found: Found, figure: str, size: int) -> float | None:
    """Seconds of a call of the driver."""
    for row in figures(found):
        if row.get("figure") == figure and row["bytes"] == size:
            return row.get("seconds")
    return None


def latency(found: Found, way: str, size: int, mpi: str = "openmpi") -> float | None:
    """Seconds of a message, one way."""
    return _value(found, mpi, way, "latency", size)


def aims(found: Found) -> list[Row]:
    """What was aimed at, what was found, and whether that is met: None if it was not measured."""
    staged, straight = latency(found, "staged", 8), latency(found, "straight", MB)
    large, copy = latency(found, "straight", LARGE), cost(found, "device to device", LARGE)
    is_mapped = cost(found, "a load through a mapping", 8) is not None
    small = latency(found, "straight", 8) if is_mapped else None
    of_copy = copy / large if copy and large else None
    rows = [
        _aim("8 B staged", "at most 14 µs", staged, 14e-6),
        {**_aim("8 B mapped", "at most 3 µs", small, 3e-6), "why": NOT_MAPPED},
        _aim("1 MB straight", "at most 14 µs", straight, 14e-6),
        {"aim": "64 MB straight, as part of a device copy's speed", "wanted": "at least 0.8",
         "found": of_copy, "met": None if of_copy is None else of_copy >= 0.8},
    ]  # fmt: skip
    for size in (8, MB, LARGE):
        by_ucx = latency(found, "UCX", size)
        ours = [t for way in ("staged", "straight") if (t := latency(found, way, size))]
        ratio = min(ours) / by_ucx if by_ucx and ours else None
        met = None if ratio is None else ratio <= 1.1
        what = f"{_bytes(size)}, time beside UCX"
        rows.append({"aim": what, "wanted": "at most 1.1", "found": ratio, "met": met})
    return rows


def left_out(found: Found) -> list[Row]:
    """All that was not measured, with the reason."""
    out = []
    for name, step in found["steps"].items():
        if step["state"] == "not measured":
            out.append({"what": name, "why": step["why"]})
        if "left out" in step:
            out.append({"what": name, "why": step["left out"]})
        for row in step.get("figures", []):
            if "failed" in row:
                out.append(
                    {"what": f"{row['figure']}, {_bytes(row['bytes'])}", "why": row["failed"]}
                )
            if row.get("mappings are counted") is False:
                why = "a real driver does not tell how many mappings there are"
                out.append({"what": f"{name}: number of mappings", "why": why})
    out += [
        {"what": f"aim: {row['aim']}", "why": row.get("why", "its figures are missing")}
        for row in aims(found)
        if row["met"] is None
    ]
    out += [{"what": name, "why": why} for name, why in found.get("lacking", {}).items()]
    return out


def markdown(found: Found) -> str:
    device = found["steps"].get("costs", {}).get("device", {})
    lines = ["# Messages between two processes on one device", ""]
    lines.append(
        f"{device.get('device', 'unknown device')}, driver {device.get('driver', '?')}; "
        f"{found['seconds']:.0f} s."
    )
    if device.get("emulated"):
        lines.append("Emulated devices: these numbers are not those of a GPU.")
    versions = {name: step.get("version") for name, step in found["steps"].items()}
    lines += [f"{name.split()[0]} is {version}." for name, version in versions.items() if version]
    lines += ["", *_aims(found), *_costs(found), *_tables(found), *_tests(found)]
    lines += ["## Not measured", ""]
    named = [f"* {row['what']}: {row['why']}" for row in left_out(found)]
    lines += named or ["Nothing is missing."]
    return "\n".join(lines) + "\n"


def _aim(what: str, wanted: str, seconds: float | None, most: float) -> Row:
    met = None if seconds is None else seconds <= most
    return {"aim": what, "wanted": wanted, "found": seconds, "met": met}


def _value(found: Found, mpi: str, way: str, table: str, size: int) -> float | None:
    for row in figures(found):
        key = (row.get("mpi"), row.get("way"), row.get("table"), row.get("bytes"))
        if key == (mpi, way, table, size):
            return row.get("seconds") or row.get("bytes_per_second")
    return None


def _aims(found: Found) -> Iterator[str]:
    yield from ("## Aims", "", "| aim | wanted | found | |", "|---|---|---|---|")
    for row in aims(found):
        met = {None: "not measured", True: "met", False: "missed"}[row["met"]]
        value = row["found"]
        is_time = "µs" in row["wanted"]
        shown = "" if value is None else _time(value) if is_time else f"{value:.3f}"
        yield f"| {row['aim']} | {row['wanted']} | {shown} | {met} |"
    yield ""


def _costs(found: Found) -> Iterator[str]:
    rows = [row for row in figures(found) if "figure" in row]
    if not rows:
        return
    yield from ("## Calls of the driver", "", "| what | bytes | time | GB/s |", "|---|---|---|---|")
    for row in rows:
        size, took = row["bytes"], row.get("seconds")
        moves = took and size >= 64000 and "allocate" not in row["figure"] and (
            " to " in row["figure"] or "copy" in row["figure"]
        )  # fmt: skip
        rate = f"{size / took / 1e9:.1f}" if moves else ""
        shown = _time(took) if took else row.get("failed", "")
        yield f"| {row['figure']} | {_bytes(size) if size else ''} | {shown} | {rate} |"
    yield ""


def _tables(found: Found) -> Iterator[str]:
    rows = [row for row in figures(found) if "table" in row]
    for mpi in dict.fromkeys(row["mpi"] for row in rows):
        yield from (f"## Tables of {mpi}", "")
        yield f"| table | bytes | {' | '.join(WAYS)} |"
        yield "|---" * (2 + len(WAYS)) + "|"
        keys = dict.fromkeys((row["table"], row["bytes"]) for row in rows if row["mpi"] == mpi)
        for table, size in keys:
            values = [_value(found, mpi, way, table, size) for way in WAYS]
            is_rate = table in ("bandwidth", "bidirectional")
            shown = [
                "" if value is None else _rate(value) if is_rate else _time(value)
                for value in values
            ]
            yield f"| {table} | {_bytes(size)} | {' | '.join(shown)} |"
        yield ""


def _tests(found: Found) -> Iterator[str]:
    yield from ("## Steps", "", "| step | state | s | |", "|---|---|---|---|")
    for name, step in found["steps"].items():
        told = [
            f"{row['cycles']:,} cycles, {_grown(row)}"
            for row in step.get("figures", [])
            if "cycles" in row
        ]
        what = step.get("why", "; ".join(told)).replace("|", "/")
        yield f"| {name} | {step['state']} | {step.get('s', '')} | {what} |"
    yield ""


def _grown(row: Row) -> str:
    if row["grown"] is None:
        return "too few to compare the memory in use"
    return f"memory grew by {row['grown']:,} bytes"


def _bytes(size: int) -> str:
    for unit, name in ((1 << 20, "MB"), (1 << 10, "kB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size:,} B"


def _rate(of: float) -> str:
    return f"{of / 1e9:.3g} GB/s" if of >= 1e9 else f"{of / 1e6:.3g} MB/s"


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:.3g} µs" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"
