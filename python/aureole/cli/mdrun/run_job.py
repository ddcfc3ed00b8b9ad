# SPDX-License-Identifier: Apache-2.0
"""`aureole mdrun`: run GROMACS input files."""

from __future__ import annotations

import math
import os
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from aureole.base.backups import back_up
from aureole.base.errors import (
    FormatError,
    InputError,
    RankError,
    bad_input,
    file_error,
    output_advice,
)
from aureole.base.file_locks import Claims
from aureole.base.files import is_saved
from aureole.base.text import duration, one_line, printable
from aureole.base.values import put
from aureole.checkpoint.provenance_record import STEPS_LEFT, continuing
from aureole.checkpoint.restart_of_job import Saved, look_at, resume
from aureole.cli import check
from aureole.cli.run_summary import Paint, table
from aureole.engine.observed import NS_PER_DAY
from aureole.formats.registry import ending_of
from aureole.gromacs.job import Job
from aureole.gromacs.job_record import check_same
from aureole.gromacs.provenance import end_of
from aureole.jobs.from_gromacs import simulation_of
from aureole.jobs.output_files import Names, files_of, observers_of, remarks_on
from aureole.live.live import WITHOUT_END
from aureole.live.observer import Observer
from aureole.observers.run_log import RunLogRecorder
from aureole.ranks import find_launcher
from aureole.ranks.processors import Processors
from aureole.ranks.team import standing
from aureole.recorders.progress import Progress
from aureole.recorders.wall_time import TimeLimit
from aureole.records.restart import Changes
from aureole.simulation.simulation import Simulation, restored_simulation
from aureole.specs.device import Device

from .continued_files import belongs, can_append
from .options import read

_TABLES = (".csv", ".parquet", ".edr")
USED_OF_TIME = 0.99  # of -maxh, as gmx does: the rest is for the end


class Call:
    """One call of the command.

    Args:
        words: after `mdrun`
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.began = time.monotonic()
        self.words = words
        self.given = read(words)
        hours = self.given["maxh"]
        if not hours > 0 and hours != -1:
            raise bad_input(f"-maxh is {hours:g}", "-1: no limit", "Give the hours of the job")
        self.paint = Paint(sys.stdout)
        self.command = _command(words)
        self.claims = Claims()  # of files that no run writes
        self._told: set[str] = set()

    # Running

    @property
    def end(self) -> float:
        """time.monotonic() at which -maxh ends the run."""
        hours = self.given["maxh"]
        return self.began + 3600 * USED_OF_TIME * hours if hours > 0 else math.inf

    def run(self, job: Job) -> int:
        """Run or continue it; returns the exit code."""
        saved = self._saved()
        until = self._until(job, job.parameters.first_step if saved is None else saved.step)
        names = self.names(saved)
        if saved is not None and until <= saved.step and self._complete(saved, names):
            for remark in check_same(saved.path, saved.job, job):
                self.note(remark)
            self.say(
                f"the run of {printable(saved.path)} ended at step {saved.step:,}; to continue it, "
                f"increase nsteps in {printable(job.files['mdp'])} or use -nsteps N"
            )
            return 0
        first = job.parameters.first_step if saved is None else saved.step
        specs = self._observers(job, names, self._timed_from(first, until))
        if saved is None:
            sim = self._anew(job, specs, names)
        else:
            sim = self._again(job, saved, specs, names)
        assert sim.origin is not None, "it was made from a job"
        put(sim, "origin", replace(sim.origin, command=self.command))
        try:
            with sim:
                self._describe(sim, until, specs)
                log = next(r for r in sim._loop.recorders if isinstance(r, RunLogRecorder))
                if self.given["resethway"]:
                    log.restart_at = (time.monotonic() + self.end) / 2
                first, began = sim.step, time.perf_counter()
                problem = self._run(sim, max(until, sim.step), names)
                seconds = time.perf_counter() - began
                from_step, from_time = log.timed or (first, began)
                rate = (sim.step - from_step) / (began + seconds - from_time)
            timed = None if log.timed is None else sim.step - from_step
            problem = (
                self._end(sim, sim.step - first, seconds, (rate, timed), until, names) or problem
            )
            if problem is not None:
                raise problem
        except RankError as error:
            sim._loop.name_the_checkpoint(error)
            raise
        return 0

    def _run(self, sim: Simulation, until: int, names: Names) -> FormatError | None:
        """Make the steps; the error of a format that has no room for a frame, where all are made.

        Where some are left, it is raised, and tells which option gives another file.
        """
        try:
            sim.run(until=until)
        except FormatError as error:
            if sim.step >= until:
                return error
            option = {names.frames: "-o NAME.gsd", names.compressed: "-x NAME.gsd"}
            more = f"-noappend {option.get(error.path, '-e NAME.csv')}"
            command = f"{continuing(sim, names.checkpoint)} {more}"
            raise error.saying(f"Continue with `{command}`.") from None
        return None

    def _complete(self, saved: Saved, names: Names) -> bool:
        """Whether nothing is left to be written of a run that has made all its steps."""
        if any(state.get("waiting") for _, state in saved.outputs()):
            return False
        return names.final is None or not self.given["append"] or os.path.exists(names.final)

    def _saved(self) -> Saved | None:
        path = self.given.checkpoint
        if path is None:
            return None
        if not is_saved(path):
            self.note(f"{path} does not exist: a new run starts")
            return None
        return look_at(path)

    def names(self, saved: Saved | None = None) -> Names:
        """The files that are written."""
        given = self.given
        energies, *more = self._tables(saved)
        names = Names(
            frames=given.file("o"),
            compressed=given.file("x"),
            energies=energies,
            log=given.file("g"),
            final=given.file("co") if given["confout"] else None,
            checkpoint=given.file("cpo"),
            edr=more[0] if more else None,
        )
        return names if given["append"] else names.part(1 if saved is None else saved.part + 1)

    def _tables(self, saved: Saved | None) -> list[str]:
        """The files of energies, with -deffnm one for gmx; when continuing, as before."""
        name = self.given.file("e")
        if "e" in self.given.valued:
            if ending_of(name) not in _TABLES:
                why = "its extension is not that of a table"
                raise bad_input(f"-e is {name}", why, "Use .csv, .parquet or .edr")
            return [name]
        stem = os.path.splitext(name)[0]
        outputs = [] if saved is None else [spec for spec, _ in saved.outputs()]
        paths = [spec["path"] for spec in outputs if spec["kind"] == "Energies"]
        kept = [f"{stem}{os.path.splitext(path)[1]}" for path in paths]
        return kept or [name, *([f"{stem}.edr"] if self.given["deffnm"] is not None else [])]

    def _timed_from(self, first: int, until: int) -> int | None:
        """The step from which the reported speed is measured."""
        if self.given["resethway"] and until < WITHOUT_END:
            return first + (until - first) // 2
        left_out, why = self.given["resetstep"], ""
        if self.given["resethway"] and self.end == math.inf:
            why = "-resethway has no effect: the run has neither a last step nor -maxh"
        elif 0 <= until - first <= left_out:
            why = f"-resetstep {left_out} has no effect: the run has {until - first:,} steps"
        if why:
            self.note(why, logged=True)
        return first + left_out if left_out >= 0 else None

    def _observers(self, job: Job, names: Names, timed_from: int | None) -> list[Observer]:
        minutes = self.given["cpt"]
        if minutes == 0:
            raise bad_input(
                "-cpt is 0", "a checkpoint would be written after every step", "Give 15"
            )
        self._tell_of_threads(max(self.given.ranks, standing()[1]), self.given.threads)
        notes = [*self.given.notes, *self.remarks(job)]
        specs = observers_of(job, names, max(minutes, 0.0), notes, timed_from)
        left = self.end - time.monotonic()
        if left < math.inf:
            specs.append(TimeLimit(max(left, 0.0)))
        more = self.given["v"]
        return [*specs, Progress(seconds=0.2 if more else 1.0, lines=more)]

    def _anew(self, job: Job, specs: list[Observer], names: Names) -> Simulation:
        sim = simulation_of(job, device=self.device(), observers=specs)
        sim._loop.claim()
        sim._core.run(0)  # what the engine refuses leaves the files of earlier runs alone
        self.check_room(sim, names.final)
        sim._loop.spares = False  # -nobackup does not
        checkpoint = self.given.file("cpo")
        self.back_up([*files_of(specs), checkpoint, f"{checkpoint}.prev"])
        self.clear(names.final)
        return sim

    def _again(self, job: Job, saved: Saved, specs: list[Observer], names: Names) -> Simulation:
        append = self.given["append"] and can_append(saved, specs, self.given["deffnm"], self.words)
        if self.given["append"] and not append:
            self.note("the previous output files do not exist: new ones are written")
        if "precision" in self.given.named:
            self.note("-precision has no effect at a restart: the checkpoint determines it")
        changes = Changes(
            device=self.device() if self.given.named & {"device", "ntmpi", "dd"} else None,
            threads=self.given.threads or None,
            observers=specs,
            append=append,
        )
        sim = restored_simulation(resume(saved, job, changes))
        for remark in sim.remarks[len(job.remarks) :]:
            self.note(remark)
        sim._loop.claim()
        self.check_room(sim, names.final)
        sim._loop.spares = False
        kept = {os.path.abspath(spec["path"]) for spec, _ in saved.outputs()} if append else set()
        self.back_up(path for path in files_of(specs) if not belongs(path, kept))
        self.clear(names.final)
        self.say(f"continuing from {printable(saved.path)}, step {sim.step:,}")
        return sim

    def device(self) -> Device:
        """The device by -device, -precision, -nt, -ntmpi, -ntomp, -dd and -pin."""
        given = self.given
        self._tell_of_threads(max(given.ranks, standing()[1]), given.threads)
        return Device(
            name=given["device"],
            precision=given["precision"],
            threads=given.threads,
            pin=given["pin"] != "off",
            ranks=given.ranks or 1,
            grid=given.grid,
        )

    def _tell_of_threads(self, ranks: int, each: int) -> None:
        """Notes on where the number of threads comes from, and whether they have processors."""
        if self.given.omp_threads:
            self.note(f"OMP_NUM_THREADS sets {_count(each, 'thread')} per rank")
        if self.given.omp_ignored:
            value = one_line(os.environ["OMP_NUM_THREADS"][:40])
            self.note(
                f"OMP_NUM_THREADS={value} has no effect: it is not a positive number. Give -ntomp, "
                "or set it to the number of threads per rank"
            )
        if standing()[1] > 1 and not find_launcher.all_near(ranks):
            return  # the processors of other machines are not known
        usable, wanted = len(Processors.now()), ranks * max(1, each)
        if wanted > usable:
            who = f"{ranks} ranks of {_count(max(1, each), 'thread')} share"
            if ranks == 1:
                who = f"{each} threads share"
            self.note(
                f"{who} {_count(usable, 'processor')}, which is slow: use at most one thread per "
                "processor",
                logged=True,
            )
        elif self.given["pin"] == "on" and ranks == 1 and each not in (0, usable):
            self.note(
                f"-pin on has no effect: {_count(each, 'thread')} may use {usable} processors. "
                "Threads are pinned where there are as many as processors: use all of them, or "
                f"allow {each} with --cpus-per-task of Slurm or taskset"
            )

    def back_up(self, paths: Any) -> None:
        """Rename files that would be overwritten, with a note."""
        if not self.given["backup"]:
            return
        for old, new in back_up(paths):
            self.note(f"the existing {old} was renamed to {new}")

    def clear(self, final: str | None) -> None:
        """Move a final frame aside at the start: a new one says that the last step is made."""
        if final is not None:
            self.back_up([final])
            try:
                os.remove(final)
            except FileNotFoundError:
                pass
            except OSError as error:
                said = "cannot be opened for writing"
                raise file_error(final, said, error, output_advice(error)) from None

    def _until(self, job: Job, step: int) -> int:
        """The step at which the run ends that begins at `step`."""
        steps = self.given["nsteps"]
        if steps < -2:
            raise bad_input(
                f"-nsteps is {steps}", "-1: no limit, -2: as in the .mdp", "Give a number"
            )
        if steps == -2:
            return end_of(job.parameters)
        return WITHOUT_END if steps == -1 else step + steps

    # Reporting

    def remarks(self, job: Job) -> list[str]:
        """Remarks for readers of the trajectory."""
        if not job.parameters.dynamics or self.given["rerun"]:
            return []
        return remarks_on(job.parameters, self.names().frames)

    def _describe(self, sim: Simulation, until: int, specs: Sequence[Observer]) -> None:
        about = sim.describe()
        steps = until - sim.step
        words = f"{steps:,} steps to {sim.start + until * sim.dt:g} ps"
        rows = [
            ("device", f"{about['description']}, {about['isa']}, {about['precision']} precision"),
            ("run", words if steps < WITHOUT_END // 2 else "no step limit; stop with Ctrl-C"),
            ("output", ", ".join([*files_of(specs), self.given.file("cpo")])),
        ]
        self.say(table(rows, self.paint))
        if standing()[1] > 1 and STEPS_LEFT not in self.command:
            # Where a rank dies, some launchers end rank 0 before it can tell.
            again = continuing(sim, self.given.file("cpo"))
            self.say(f"if a rank dies, continue with `{printable(again)}`")
        sys.stdout.flush()

    def _end(
        self,
        sim: Simulation,
        steps: int,
        seconds: float,
        speed: tuple[float, int | None],
        until: int,
        names: Names,
    ) -> FormatError | None:
        """Write the last frame, and say how it went; the error of a frame that does not fit.

        `speed`: steps per second, and of how many of the last steps; None for all.
        """
        done, problem = sim.step >= until, None
        if done and names.final is not None:
            try:
                self.final(sim, names.final)
            except FormatError as error:
                problem = error
        of = "" if until >= WITHOUT_END else f" of {until - sim.step + steps:,}"
        went = f"{steps:,} steps in" if done else f"after {steps:,}{of} steps, in"
        how = ("done" if done else "stopped", f"{went} {duration(seconds)}")
        self.say(table([how, *_summary(sim, speed)], self.paint))
        if not done and steps == 0:
            self.say("time limit (-maxh) reached: no step was made")
        elif not done:
            self.say(
                f"time limit (-maxh) reached at step {sim.step:,}; "
                f"continue with `{printable(continuing(sim, names.checkpoint))}`"
            )
        if problem is not None:
            problem = problem.saying(
                f"All steps are made, and the other files are complete. {names.checkpoint} holds "
                f"the state of step {sim.step:,}: `-t {names.checkpoint}` begins the next stage, "
                f"and `{continuing(sim, names.checkpoint)} -co NAME.trr` writes the frame."
            )
        return problem

    def check_room(self, sim: Simulation, final: str | None) -> None:
        """Raise InputError where a file of the run has no room for its start."""
        from aureole.observers.last_frame import check_frame

        sim._loop.check()
        if final is not None:
            try:
                check_frame(final, sim)
            except FormatError as error:
                raise InputError(f"{error} No step was made. Give -co NAME.trr.") from None

    def final(self, sim: Simulation, path: str) -> None:
        """Write the last frame."""
        from aureole.observers.last_frame import write_frame

        write_frame(path, sim)

    def note(self, text: str, *, logged: bool = False) -> None:
        """Print a remark, once; where it is `logged`, a log that is made later has it too."""
        if text in self._told:
            return
        self._told.add(text)
        if logged:
            self.given.notes.append(text)
        self.say(check.filled(self.paint("note", "cyan"), text))

    def say(self, text: str) -> None:
        """Print."""
        sys.stdout.write(text + "\n")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _command(words: Sequence[str]) -> str:
    """The command that continues the run when -cpi is added, with the number of remaining steps."""
    kept, left = [], list(words)
    while left:
        word = left.pop(0)
        name = word.lstrip("-")
        if name == "cpi":
            if left and not left[0].startswith("-"):
                left.pop(0)
            continue
        kept.append(word)
        if name == "nsteps" and left:
            steps = left.pop(0)
            kept.append(steps if steps.startswith("-") else STEPS_LEFT)
    return shlex.join(["aureole", "mdrun", *kept])


def _summary(sim: Simulation, speed: tuple[float, int | None]) -> list[tuple[str, str]]:
    rate, timed = speed
    pace = rate * sim.dt * NS_PER_DAY
    rows = []
    if pace > 0:
        of = "" if timed is None else f" (of the last {timed:,} steps)"
        rows.append(("speed", f"{pace:.4g} ns/day, {24 / pace:.4g} hours/ns{of}"))
    energy = sim.energy
    state = (
        f"step {sim.step:,}: potential {energy.potential:.7g} kJ/mol, total "
        f"{energy.total:.7g} kJ/mol, temperature {sim.temperature:.5g} K, "
        f"pressure {sim.pressure:.5g} bar"
    )
    return [*rows, ("state", state)]
