#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Feature × back end, read from the sources.

A feature rests on functors. The host has a functor that a header defines; GPUs have it if a .cu
unit (or the template of the units that CMake generates per potential) instantiates it, in both
precisions where it has one. So the table cannot promise what nobody compiles. Features that are
Python, such as files, rest on a definition there, and have a dash for GPUs. The same units are
compiled for CUDA and for HIP, where they have not run yet.

python tools/feature_table.py      prints the table in Markdown
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Feature -> what must be there; a name with "<" is looked for with that first template argument.
FEATURES = {
    "sorting of particles in space": ["CellKeys", "CellStarts", "Gather"],
    "neighbour search": ["FlatSearch", "CellKeysOfSites"],
    "pair potentials (all leaf files), modes none and shift": ["FlatForce<P, M::none>"],
    "pair potentials, mode xplor": ["FlatForce<P, M::xplor>"],
    "pair potentials, mode force-shift": ["FlatForce<P, M::force_shift>"],
    "watch over exact lists": ["Move<NoThermostat>", "StoreAll", "StoreInLayout"],
    "constant energy (velocity Verlet)": ["Move<NoThermostat>", "HalfKick"],
    "Langevin thermostat": ["Move<LangevinThermostat>", "HalfKick"],
    "Bussi thermostat": ["SumMotion", "TakeTwiceKinetic", "FindFactors", "ScaleGroups"],
    "removal of centre-of-mass drift": ["SumMotion", "FindDrift", "RemoveDrift"],
    "FIRE minimiser": ["SumFire", "MixFire"],
    "kinetic energy, temperature, momentum": ["SumMotion"],
    "potential energy and virial": ["ReadPairSums", "FlatForce<P, M::none>"],
    "energy, force and virial per particle": ["ReadForces", "FlatForce<P, M::none>"],
    "wrapping into the box": ["Wrap"],
    "fluids: steps": ["StageByLanes", "TickClock"],
    "fluids: tasks of sub-grids": ["GatherLines", "GatherFromFields", "LinesToPrimitive",
                                   "ReconstructLines", "LineFluxes", "UpdateCells"],
    "fluids: levels": ["HalosOfStage", "CorrectOfStage", "FillPatches", "PutHalos"],
    "fluids: meshes that follow the state": ["FlagSubgrids", "MoveSubgrids", "SplitSubgrids"],
    "fluids: repairs of steps": ["FlagBadCells", "FlagsBeyondJumps", "FloorCells"],
}  # fmt: skip
# Feature -> file and definition in Python; devices compute nothing for it.
IN_PYTHON = {
    "fluids: logs of sums over the box": ("amr/log_columns.py", "class Chosen"),
    "fluids: snapshots for yt, ParaView and VisIt": ("amr/snapshot.py", "class Snapshot"),
    "fluids: checkpoints, exact restarts": ("amr/simulation.py", "def from_checkpoint"),
    "fluids: pictures with the borders of sub-grids": ("amr/pictures.py", "def picture"),
}
FOLDERS = [ROOT / "src" / "md", ROOT / "src" / "amr"]
WORDS = """\
*compiled*: the kernels are compiled for GPUs of AMD, and tested in waves of 32 and of 64 lanes on
an emulated GPU; none has run on such a GPU yet. A dash: nothing is computed on a device."""
# Copies a column, whatever it holds.
ONE_PRECISION = {"SumGroup", "Gather"}


def host_functors() -> set[str]:
    """Names of all structs that headers of both applications define."""
    text = "\n".join(p.read_text() for folder in FOLDERS for p in folder.rglob("*.hpp"))
    return set(re.findall(r"^struct (\w+)", text, re.MULTILINE))


def gpu_instances() -> list[str]:
    """Texts of all instantiations for GPUs, white space removed."""
    units = [p for folder in FOLDERS for p in folder.rglob("*.cu")]
    files = [*units, *(ROOT / "cmake").glob("*.cu.in")]
    text = "\n".join(p.read_text() for p in files if "tests" not in p.parts)
    calls = re.findall(
        r"AUREOLE_DEVICE_(?:BATCH|FOR|TEAM|REDUCE)\((.*?)\)\n", text + "\n", re.DOTALL
    )
    return [re.sub(r"\s", "", call) for call in calls]


def gpu_has(name: str, instances: list[str]) -> bool:
    """Whether a functor is instantiated, in both precisions if it is in any."""
    head, _, argument = name.rstrip(">").partition("<")
    words = [re.escape(word.strip()) for word in argument.split(",") if word]
    pattern = rf"\b{head}\b" + "".join(rf".*\b{word}\b" for word in words)
    found = [text for text in instances if re.search(pattern, text)]
    precisions = {word for text in found for word in re.findall(r"\b(float|double)\b", text)}
    return bool(found) and (len(precisions) != 1 or head in ONE_PRECISION)


def rows() -> list[tuple[str, bool, bool]]:
    """(feature, host has it, GPUs have it)"""
    on_host, on_gpus = host_functors(), gpu_instances()
    table = []
    for feature, needed in FEATURES.items():
        unknown = [name for name in needed if name.split("<")[0] not in on_host]
        if unknown:
            raise LookupError(f"{feature} rests on {unknown}, which no header of md defines")
        table.append((feature, True, all(gpu_has(name, on_gpus) for name in needed)))
    return table


def rows_in_python() -> list[str]:
    """Features that rest on a definition in Python."""
    for feature, (name, definition) in IN_PYTHON.items():
        if definition not in (ROOT / "python" / "aureole" / name).read_text():
            raise LookupError(f"{feature} rests on {definition!r}, which {name} does not have")
    return list(IN_PYTHON)


def markdown() -> str:
    """The table."""
    lines = ["| feature | host | cuda | hip |", "|---|---|---|---|"]
    for feature, on_host, on_gpus in rows():
        told = ["yes" if on_host else "no", *on_vendors("yes" if on_gpus else "no")]
        lines.append(f"| {feature} | " + " | ".join(told) + " |")
    lines += [f"| {feature} | yes | – | – |" for feature in rows_in_python()]
    return "\n".join([*lines, "", WORDS]) + "\n"


def on_vendors(word: str) -> tuple[str, str]:
    """What the columns of CUDA and HIP say of a feature: the latter has only been compiled."""
    return word, "compiled" if word == "yes" else word


if __name__ == "__main__":
    print(markdown(), end="")
