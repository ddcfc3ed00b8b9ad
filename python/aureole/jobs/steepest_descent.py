# SPDX-License-Identifier: Apache-2.0
"""A minimisation with its table, its log and its JSON twin."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import IO, NamedTuple

from aureole.base.errors import file_error, output_advice
from aureole.base.stop_signals import words_of
from aureole.formats import edr
from aureole.formats.registry import ending_of
from aureole.live import signals
from aureole.observers.energy_columns import Quantities
from aureole.observers.run_log import RunLog, write_twin
from aureole.observers.run_log_facts import facts_of
from aureole.observers.run_log_text import header
from aureole.recorders.growing_file import encoded, opening
from aureole.simulation.minimization import Minimum
from aureole.simulation.simulation import Simulation

TABLE_HEAD = (
    "# units: displacement nm, potential kJ/mol, max_force kJ/mol/nm\n"
    "step,displacement,potential,max_force,particle\n"
)
_EDR_TERMS = (
    *(("displacement", "nm"), ("Potential", "kJ/mol")),
    *(("max_force", "kJ/mol/nm"), ("particle", "")),
)
LOG_HEAD = f"{'step':>10}{'displacement':>16}{'potential':>20}{'largest force':>18}{'atom':>10}\n"
LOG_UNITS = f"{'':>10}{'nm':>16}{'kJ/mol':>20}{'kJ/mol/nm':>18}\n"


class Row(NamedTuple):
    """One step: the atom with the largest force counts from 1."""

    step: int
    displacement: float
    potential: float
    max_force: float
    atom: int

    def text(self) -> str:
        """The row as a line of the log."""
        return (
            f"{self.step:>10}{self.displacement:>16.5g}{self.potential:>20.8g}"
            f"{self.max_force:>18.6g}{self.atom:>10}\n"
        )


class _Enough(BaseException):
    """Ends a minimisation between two steps."""


@dataclass(frozen=True)
class Descent:
    """The result of a minimisation: the minimum, the last row, and why it ended early, if so.

    `stopped` is "", "time" or "signal".
    """

    minimum: Minimum
    last: Row
    stopped: str
    caught: int | None = None


def descend(
    sim: Simulation,
    tables: Sequence[str],
    log: RunLog,
    told: Callable[[Row], None],
    until: float = float("inf"),
) -> Descent:
    """Minimise, and write each step to tables, all of it to a log, and a summary to its twin.

    Args:
        sim: with run parameters that ask for minimisation
        tables: comma-separated values, or .edr files, whose times are the steps
        log: names of the log and of its JSON file, with what they mention
        told: called after each step
        until: time.monotonic() at which the minimisation ends

    A signal and the end of the time leave the particles where the energy was lowest so far.
    Raises FileError when output fails.
    """
    facts = facts_of(sim, log, Quantities(sim))
    last = Row(0, 0.0, sim.energy.potential, 0.0, 1)
    began, stopped = time.perf_counter(), ""
    with ExitStack() as stack, _opened(log.path) as words, signals.Signals() as heard:
        files = {table: stack.enter_context(_opened(table)) for table in tables}
        _write_tables(files, TABLE_HEAD, edr.head(_EDR_TERMS))
        _write(words, log.path, header(facts, sim, log.path) + "\n" + LOG_HEAD + LOG_UNITS)

        def tell(step: int, displacement: float, energy: float, force: float, tag: int) -> None:
            nonlocal last, stopped
            last = Row(step, displacement, energy, force, tag + 1)
            line = ",".join(map(repr, last)) + "\n"
            _write_tables(files, line, edr.frame(step, step, 0.0, 1, last[1:]))
            _write(words, log.path, last.text())
            told(last)
            if heard.caught is not None or time.monotonic() >= until:
                stopped = "time" if heard.caught is None else "signal"
                raise _Enough

        try:
            minimum = sim.minimize(tell=tell)
        except _Enough:
            why = "a signal" if stopped == "signal" else "its time limit"
            minimum = Minimum(False, last.step, last.max_force, last.potential, why)
        seconds = time.perf_counter() - began
        why = words_of(heard.caught) if stopped else None
        end = f"stopped after {minimum.steps:,} steps by {why}" if why else words_on(sim, minimum)
        _write(words, log.path, f"\n{end}\n")
    result = {"minimum": asdict(minimum), "seconds": seconds, "outputs": dict(log.outputs)}
    result["stopped"] = why
    write_twin(log.twin, facts | result)
    return Descent(minimum, last, stopped, heard.caught)


def words_on(sim: Simulation, minimum: Minimum) -> str:
    """The end of a minimisation, in a sentence."""
    assert sim.parameters is not None, "it was made from a job"
    limit = sim.parameters["emtol"]
    if minimum.converged:
        return f"converged in {minimum.steps:,} steps: no force exceeds {limit:g} kJ/mol/nm"
    words = f"ended after {minimum.steps:,} steps, with forces above {limit:g} kJ/mol/nm"
    if minimum.steps >= sim.parameters.n_steps >= 0:
        return words
    return f"{words}: within the precision of the forces, no step lowers the energy further"


def leave(descent: Descent, path: str | None) -> None:
    """Raise the exception for a caught signal."""
    if descent.stopped != "signal":
        return
    advice = "" if path is None else f"{path} holds the frame of lowest energy so far"
    assert descent.caught is not None
    where = f"at step {descent.minimum.steps} of the minimisation"
    signals.leave(descent.caught, where, advice)


def _opened(path: str) -> IO[bytes]:
    with opening(path):
        return open(path, "wb", buffering=0)


def _write_tables(files: dict[str, IO[bytes]], text: str, frame: bytes) -> None:
    for path, file in files.items():
        _write(file, path, frame if ending_of(path) == ".edr" else text)


def _write(file: IO[bytes], path: str, text: str | bytes) -> None:
    try:
        rest = memoryview(encoded(text) if isinstance(text, str) else text)
        while rest:
            rest = rest[file.write(rest) :]
    except OSError as error:
        raise file_error(path, "cannot be written", error, output_advice(error)) from None
