# SPDX-License-Identifier: Apache-2.0
"""A job of GROMACS as a Python script, with its system in a file beside it."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import Any

from aureole.base.errors import bad_input
from aureole.base.text_files import replace
from aureole.gromacs.job import Job
from aureole.gromacs.provenance import minimizer_of
from aureole.gromacs.translate import Translation, translated
from aureole.live.live import WITHOUT_END
from aureole.recorders.progress import Progress
from aureole.specs.device import Device
from aureole.specs.spec import Spec, is_default

from .output_files import Names, observers_of

WIDTH = 100
_HEAD = '''"""{title}

Written by `aureole convert` from {files}.
Numbers are in nm, ps, kJ/mol, K, bar and e. {data} holds the particles and their
topology; au.System.load reads it. Output files of the run replace older ones.
"""

from pathlib import Path

import aureole as au

system = au.System.load(Path(__file__).with_name("{data}"))
'''


def write_script(path: str, job: Job, device: Device | None = None) -> str:
    """Write the script of a job and its system, and return the name of the latter.

    Args:
        path: of the script, which ends in .py; the system goes beside it, with the extension .npz
        job: what was read and accepted
        device: device that the script asks for; None for the usual one

    The script's trajectory is bitwise identical to that of `aureole mdrun` if both use the same
    number of threads. Raises FileError if the files cannot be written.
    """
    stem, ending = os.path.splitext(path)
    if ending != ".py":
        raise bad_input(f"{path} does not end in .py", "it is a Python script", "Change its name")
    data = f"{stem}.npz"
    given = translated(job)
    text = text_of(job, given, os.path.basename(data), device or Device())
    given.system.save(data)
    replace(path, [text.encode()])
    return data


def text_of(job: Job, given: Translation, data: str, device: Device) -> str:
    """The script.

    Args:
        job: what was read
        given: the translation of the job
        data: name of the file of the system
        device: that the script asks for
    """
    names = [os.path.basename(name) for name in job.files.values()]
    title = " ".join(job.topology.title.split()) or "Molecules"
    head = _HEAD.format(
        title=title.replace("\\", "").replace('"', "'") + ".",
        files=", ".join(name.replace("\\", "").replace('"', "'") for name in names),
        data=data,
    )
    return "\n".join([head + _simulation(job, given, device), *_steps(job, given), ""])


def _simulation(job: Job, given: Translation, device: Device) -> str:
    names = Names()
    observers: list[Any] = []
    if job.parameters.dynamics:
        observers = [*observers_of(job, names, 15.0), Progress()]
    values = {**given.specs, "observers": observers, "device": device}
    order = ("forces", "integrator", "constraints", "neighbors")
    optional = {"step": 0, "device": Device()}
    lines = ["sim = au.Simulation(", "    system,"]
    for name in (*order, "observers", "seed", "step", "device"):
        value = values[name]
        if value is None or value == [] or (name in optional and value == optional[name]):
            continue
        lines.append(f"    {name}={laid_out(value, 4, len(name) + 2)},")
    return "\n".join([*lines, ")"])


def _steps(job: Job, given: Translation) -> list[str]:
    """Lines of the script for what the simulation does."""
    final = Names().final
    p = job.parameters
    lines = []
    if not p.dynamics:
        lines.append(f"found = sim.minimize({minimizer_of(p)!r})")
        lines.append("print(found)")
    if given.temperature is not None:
        T = f"{given.temperature!r}".removesuffix(".0")
        lines.append(f'sim.thermalize("{T} K", seed={given.velocity_seed})')
    if p.dynamics:
        lines.append(f"sim.run({p.n_steps})" if p.n_steps >= 0 else f"sim.run({WITHOUT_END})")
    lines.append(f"au.write_frame({final!r}, sim)")
    lines.append("print(sim.energy, sim.temperature, sim.pressure)")
    return [*lines, "sim.close()"]


def laid_out(value: Any, indent: int, before: int = 0) -> str:
    """The Python of a value, broken into lines where it is long.

    Args:
        value: a spec, a list of them, or a plain value
        indent: columns before its last line
        before: columns of the first line that are taken, besides the indent
    """
    short = repr(value)
    if indent + before + len(short) < WIDTH or not isinstance(value, (Spec, list, dict)):
        return short
    inner = " " * (indent + 4)
    if isinstance(value, list):
        items = [f"{inner}{laid_out(item, indent + 4)},\n" for item in value]
        return f"[\n{''.join(items)}{' ' * indent}]"
    if isinstance(value, dict):
        items = [f"{inner}{key!r}: {item!r},\n" for key, item in value.items()]
        return f"{{\n{''.join(items)}{' ' * indent}}}"
    items = [
        f"{inner}{name}={laid_out(item, indent + 4, len(name) + 2)},\n"
        for name, item in _given_fields(value)
    ]
    return f"au.{type(value).__name__}(\n{''.join(items)}{' ' * indent})"


def _given_fields(spec: Any) -> Sequence[tuple[str, Any]]:
    """Fields that are not left to their defaults."""
    return [
        (field.name, getattr(spec, field.name))
        for field in dataclasses.fields(spec)
        if not is_default(field, getattr(spec, field.name))
    ]
