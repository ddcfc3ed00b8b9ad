# SPDX-License-Identifier: Apache-2.0
"""`aureole run`: an input file, a script, or a checkpoint."""

from __future__ import annotations

import argparse
import os
import runpy
import sys
import time
import traceback
from collections.abc import Sequence
from typing import Any

from aureole import _core
from aureole.base.engine_schema import VERSION
from aureole.base.errors import Error, bad_input, file_error
from aureole.base.files import is_saved
from aureole.base.text import printable
from aureole.checkpoint.provenance_record import command_of
from aureole.checkpoint.record import read_extra
from aureole.engine import core_on_ranks
from aureole.formats import gsd
from aureole.jobs import input_file
from aureole.live import run_loop
from aureole.recorders.progress import Progress
from aureole.records import write_permission
from aureole.records.record import FLUIDS, application_in
from aureole.records.restart import existing
from aureole.simulation.simulation import Simulation
from aureole.specs.device import Device

from . import run_summary


def act(arguments: argparse.Namespace) -> int:
    """Choose by what the file is."""
    path = arguments.file
    if not is_saved(path):
        raise file_error(path, "cannot be read", "no such file", "Check its name")
    if path.endswith(".py"):
        return _script(arguments)
    if path.endswith(".toml"):
        return _input(arguments)
    if gsd.looks_like_gsd(path):
        raise bad_input(
            f"{path} is a GSD file",
            "it holds particles, but no forces and no integrator",
            'Write an input file with system = {kind = "read", path = ...}',
        )
    if arguments.arguments:
        raise bad_input("a checkpoint takes no arguments", "only scripts do", "Omit them")
    return _checkpoint(arguments, path)


def _device(arguments: argparse.Namespace, base: Device) -> Device:
    name = base if arguments.device is None else Device(name=arguments.device, pin=base.pin)
    threads = base.threads if arguments.threads is None else arguments.threads
    return Device.of(name, arguments.precision or base.precision, threads, arguments.ranks)


def _input(arguments: argparse.Namespace) -> int:
    _refuse_until(arguments, arguments.file)
    plan = input_file.load(arguments.file)
    steps = plan.steps if arguments.steps is None else arguments.steps
    saved = plan.checkpoint
    if saved and not arguments.fresh and is_saved(saved):
        if arguments.resume:
            named = [path for spec in plan.observers for path in write_permission.files_of(spec)]
            return _checkpoint(arguments, saved, named)
        _refuse_unfinished(saved, arguments.file)
    if not arguments.quiet and not any(isinstance(o, Progress) for o in plan.observers):
        plan.observers.append(Progress(lines=False))
    with plan.simulation(_device(arguments, plan.settings["device"])) as sim:
        _go(sim, arguments, until=sim.step + steps)
    return 0


def _refuse_unfinished(saved: str, name: str) -> None:
    try:
        data = read_extra(saved, _core.read_extra(saved))
    except Error:
        return
    if data["target"] is not None and data["step"] < data["target"]:
        raise bad_input(
            f"{saved} holds step {data['step']} of an unfinished run to step {data['target']}",
            "starting again would overwrite its output",
            f"Continue with `aureole run {name} --resume`, or start again with --fresh",
        )


def _checkpoint(arguments: argparse.Namespace, path: str, named: Sequence[str] = ()) -> int:
    if arguments.precision is not None:
        raise bad_input(
            "--precision cannot be changed at a restart",
            "a restart continues the same trajectory exactly",
            "Omit it",
        )
    path = existing(path)  # warns where it is the previous one, once
    if application_in(path) == FLUIDS:
        from . import run_fluid

        return run_fluid.act(arguments, path, named)
    _refuse_until(arguments, path)
    device = None
    if arguments.device is not None:
        device = Device(name=arguments.device, threads=arguments.threads or 0)
    if arguments.ranks is not None:
        device = Device.of(device or "auto", None, arguments.threads, arguments.ranks)
    _refuse_job(path)
    allowed = [*named, *arguments.allow_write]
    with Simulation.from_checkpoint(
        path, device=device, threads=arguments.threads, allow_write=allowed
    ) as sim:
        if arguments.steps is not None:
            target = sim.step + arguments.steps
        else:
            target = sim.target if sim.target is not None else sim.step
        if target <= sim.step:
            ended = f"run ended at step {sim.step:,}; continue with --steps N"
            sys.stdout.write(f"{printable(path)}: {ended}\n")
            return 0
        _go(sim, arguments, until=target)
    return 0


def _refuse_until(arguments: argparse.Namespace, name: str) -> None:
    if arguments.until is not None:
        raise bad_input(
            f"--until is given with {name}",
            "it is for checkpoints of fluids",
            "Use --steps; a script controls its own run",
        )


def _refuse_job(path: str) -> None:
    """Runs of GROMACS input are continued with the command that started them, and its options."""
    data = read_extra(path, _core.read_extra(path))
    if "job" in data:
        raise bad_input(
            f"{path} is a checkpoint of a GROMACS job",
            "its topology and run parameters are in separate files",
            f"Continue with `{command_of(data['continue'], path)}`",
        )


def _go(sim: Simulation, arguments: argparse.Namespace, until: int) -> None:
    if not arguments.quiet:
        _announce(sim)
    first, began = sim.step, time.perf_counter()
    sim.run(until=until)
    if not arguments.quiet:
        seconds = time.perf_counter() - began
        paint = run_summary.Paint(sys.stdout)
        sys.stdout.write(run_summary.summary(sim, sim.step - first, seconds, paint) + "\n")


def _script(arguments: argparse.Namespace) -> int:
    """Run a script as Python would, but print our errors in one line."""
    _refuse_until(arguments, arguments.file)
    if arguments.steps is not None or arguments.resume or arguments.fresh:
        raise bad_input(
            "--steps, --resume and --fresh have no effect on scripts",
            "a script controls its own run",
            "Change the script, or give it arguments after --",
        )
    if not arguments.quiet:
        run_loop.STARTING.append(_announce)
    if arguments.ranks is not None:
        core_on_ranks.ranks_of_scripts = Device(ranks=arguments.ranks).ranks
        if arguments.ranks > 1:
            run_loop.STARTING.append(_refuse_ranks)
    old, old_path = sys.argv, sys.path[:]
    sys.argv = [arguments.file, *arguments.arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(arguments.file)))
    try:
        runpy.run_path(arguments.file, run_name="__main__")
    except Error as error:
        line = _line_of(error, arguments.file)
        raise type(error)(f"{arguments.file}{line}: {error}") from None
    except ModuleNotFoundError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.filename == arguments.file:
            raise file_error(arguments.file, "cannot be read", error, "Check permissions") from None
        _show(error, arguments.file)
        return 1
    finally:
        sys.argv, sys.path = old, old_path
        core_on_ranks.ranks_of_scripts = 1
        for hook in (_announce, _refuse_ranks):
            if hook in run_loop.STARTING:
                run_loop.STARTING.remove(hook)
    return 0


def _refuse_ranks(sim: Any) -> None:
    if not isinstance(sim, Simulation):
        raise bad_input(
            "--ranks has no effect on amr.Simulation", "it runs on one rank", "Leave --ranks out"
        )


def _announce(sim: Any) -> None:
    sys.stdout.write(run_summary.header(sim, VERSION, run_summary.Paint(sys.stdout)) + "\n")
    sys.stdout.flush()


def _show(error: Exception, path: str) -> None:
    """Print an error of a script as Python would: from the line of the script on."""
    began = error.__traceback__
    while began is not None and began.tb_frame.f_code.co_filename != path:
        began = began.tb_next
    traceback.print_exception(type(error), error, began)


def _line_of(error: BaseException, path: str) -> str:
    """ ":LINE" of the script from which the error came."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == path
    ]
    return f":{lines[-1]}" if lines else ""
