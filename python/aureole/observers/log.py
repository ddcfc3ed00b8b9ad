# SPDX-License-Identifier: Apache-2.0
"""Log: a table of sums over the system, as comma-separated text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aureole.base.errors import bad_input, nearest
from aureole.base.values import put, words

from .base import Observer, Recorder, text_path
from .growing_file import ROW, Appended
from .writer_thread import Writer

if TYPE_CHECKING:
    from aureole.engine.observed import Observed


STANDARD = ("step", "time", "potential", "kinetic", "temperature", "pressure")
_AXES = "xyz"
_TENSOR = {f"pressure_{_AXES[i]}{_AXES[j]}": (i, j) for i in range(3) for j in range(i, 3)}
_MOMENTUM = {f"momentum_{axis}": k for k, axis in enumerate(_AXES)}
QUANTITIES = (*STANDARD, "total", "volume", "density", "steps_per_second", *_TENSOR, *_MOMENTUM)


@dataclass(frozen=True)
class Log(Observer):
    """Write a table of numbers, one row each `every` steps.

    Args:
        path: the file; an existing one is replaced; after a restart it is continued
        every: steps between rows; rows are at steps divisible by it
        quantities: columns; known are step, time, potential, kinetic, total, temperature,
            pressure, pressure_xx ... pressure_zz, momentum_x ..., volume, density,
            steps_per_second, and energy_NAME for the energy of one force
    """

    path: str = "log.csv"
    every: int = 100
    quantities: tuple[str, ...] = STANDARD

    def __post_init__(self) -> None:
        super().__post_init__()
        put(self, "path", text_path(self.path, "Log"))
        names = words(self.quantities, "quantities of Log")
        for name in names:
            if name not in QUANTITIES and not str(name).startswith("energy_"):
                raise bad_input(
                    f"unknown quantity {name!r} of Log",
                    "the table cannot show it",
                    nearest(str(name), QUANTITIES),
                )
        put(self, "quantities", names)

    @property
    def head(self) -> bytes:
        return (",".join(self.quantities) + "\n").encode()

    def recognises(self, path: str, head: bytes) -> bool:
        return head.startswith(self.head)

    def accepts(self, piece: bytes, first: bool) -> bool:
        return self.recognises(self.path, piece) if first else ROW.fullmatch(piece) is not None

    def recorder(self) -> LogRecorder:
        return LogRecorder(self)


def value_of(sim: Observed, name: str) -> float | int:
    """One quantity of the simulation at its present step."""
    if name == "step":
        return sim.step
    if name == "time":
        return sim.time
    if name in ("potential", "kinetic", "total"):
        return float(getattr(sim.energy, name))
    if name in _TENSOR:
        return float(sim.pressure_tensor[_TENSOR[name]])
    if name in _MOMENTUM:
        return float(sim.momentum[_MOMENTUM[name]])
    if name.startswith("energy_"):
        return sim.energy.of(name.removeprefix("energy_"))
    if name == "volume":
        return sim.box.volume
    if name == "density":
        return sim.n / sim.box.volume
    return float(getattr(sim, name))


class LogRecorder(Recorder):
    """Reads the sums at a step; the text is written on the writer's thread."""

    spec: Log

    def __init__(self, spec: Log) -> None:
        super().__init__(spec)
        self._file = Appended(spec.path)

    def recognise(self, state: dict[str, Any]) -> None:
        self._file.recognise(state)

    def open(self, sim: Observed, writer: Writer, state: dict[str, Any] | None) -> None:
        super().open(sim, writer, state)
        for name in self.spec.quantities:
            if name.startswith("energy_"):
                sim.energy.of(name.removeprefix("energy_"))
        self._file.open(writer, state, self.spec.head)

    def accept_forces(self, names: Iterable[str]) -> None:
        for name in self.spec.quantities:
            force = name.removeprefix("energy_")
            if force != name and force not in names:
                raise bad_input(
                    f"{self.spec.path} has a column {name}",
                    "the simulation would have no force of that name",
                    "Keep that force, or continue with another simulation and another file",
                )

    def observe(self, sim: Observed, step: int) -> None:
        values = [value_of(sim, name) for name in self.spec.quantities]
        self.last = step
        row = ",".join(str(v) if isinstance(v, int) else f"{v:.12g}" for v in values)
        self._file.put_text(row + "\n")

    def sync(self) -> None:
        self._file.sync()

    def state(self) -> dict[str, Any]:
        state = self._file.state()
        return super().state() | state | {"rows": max(0, state["pieces"] - 1)}

    def close(self) -> None:
        self._file.close()
