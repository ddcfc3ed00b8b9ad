# SPDX-License-Identifier: Apache-2.0
"""The MPIs and devices of a measurement, found by one short run of each, and lines about them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from aureole.base.errors import bad_input

from aureole_bench.engines import last_lines
from aureole_bench.mpi import worker
from aureole_bench.mpi.launchers import Mpi, at_hand

Row = dict[str, Any]
Say = Callable[[str], None]


def find(named: str, devices: str, say: Say) -> tuple[dict[str, Mpi], Row]:
    """MPIs that work, by the name that each gives itself, and what a result says about them.

    Raises InputError where none works.
    """
    worker.check_files()
    found: dict[str, Mpi] = {}
    about: Row = {"missing": [], "devices": "", "double": None, "libraries": {}}
    for mpi in at_hand(named):
        way = worker.Way(mpi, "host", "off", devices)
        told = worker.run(way, 2, ["tables=barrier"], 60)
        if not told.ended:
            about["missing"].append(f"{mpi.program} is left out ({_why_not(told).rstrip('.')}).")
            continue
        name = worker.name_of(told.head)
        if name in found:
            name += f" ({mpi.program})"
        found[name] = mpi
        about["libraries"][name] = told.head["abi"]
        about["devices"] = worker.kind_of_devices(told.head)
    if not found:
        raise bad_input(
            "no MPI works here",
            " ".join(about["missing"]) or "there is no mpirun on PATH",
            "Name the mpirun of an MPI by --mpirun",
        )
    if not about["devices"]:
        about["missing"].append("No driver of devices was found: buffers of the host alone.")
    if about["devices"] == "emulated devices":
        about["double"] = os.environ.get("AUREOLE_DOUBLE", "")
    return found, about


def _why_not(told: worker.Told) -> str:
    if told.refused or told.head or told.hung:
        return told.refused or told.verdict()
    return last_lines(told.said) or "it ends without starting our program"


def memories(chosen: list[str], about: Row) -> list[str]:
    """The kinds of memory that there are; raises InputError if none of those chosen is."""
    found = [memory for memory in chosen if memory == "host" or about["devices"]]
    if not found:
        raise bad_input(
            f"memory is {','.join(chosen)}",
            "no driver of devices was found, so that there is memory of the host alone",
            "Choose --memory host, or run it on a machine with devices",
        )
    return found


def head(result: Row) -> list[str]:
    """Lines on the machine, and on what stands in for devices."""
    lines = [f"{result['date']}   {result['cpu']}   load at start {result['load']:.1f}"]
    if result["devices"] == "emulated devices":
        cost = result["double"] or "copies cost what they cost this host"
        lines.append(f"Emulated devices ({cost}): these numbers are not those of a GPU.")
    elif result["devices"]:
        lines.append(f"{result['devices']}.")
    return [*lines, *result["missing"]]
