# SPDX-License-Identifier: Apache-2.0
"""What `aureole info` and resumed runs learn from the heads of a trajectory is what its frames say.

Of each format that is scanned a run is written that begins late; steps, times and what frames hold
are those that were given, and those that the reader of whole frames finds.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from aureole.formats.read_trajectory import frames_of
from aureole.formats.registry import endings_with, format_of
from aureole.formats.scan_trajectory import scan
from test_chemfiles_reads import DT, EVERY, N, frames, start

LATE = 3 * EVERY
SCANNED = [ending for ending in endings_with("writer") if format_of(f"a{ending}").scan is not None]


def write(path):
    """The bytes of a file as a run makes them; the frames."""
    made = format_of(path).writer(replace(start(path), first=LATE))
    late = [replace(one, step=one.step + LATE, time=one.time + LATE * DT) for one in frames()]
    data = made.head() + b"".join(map(made.frame, late))
    if (mark := made.count(len(late))) is not None:
        place, count = mark
        data = data[:place] + count + data[place + len(count) :]
    with open(path, "wb") as file:
        file.write(data)
    return late


def test_formats_that_are_scanned_are_here():
    assert {".xtc", ".trr", ".dcd"} <= set(SCANNED)


@pytest.mark.parametrize("ending", SCANNED)
@pytest.mark.parametrize("rest", [b"", bytes(5)])
def test_steps_and_times_are_those_of_the_frames(here, ending, rest):
    path = f"a{ending}"
    late = write(path)
    ends = [(late[0].step, late[0].time), (late[-1].step, late[-1].time)]
    whole = list(frames_of(path))
    with open(path, "ab") as file:
        file.write(rest)
    found = scan(path)
    assert (found.frames, found.particles, found.rest) == (len(late), N, len(rest))
    for (step, time), wanted, one in zip((found.first, found.last), ends, whole[::2], strict=True):
        assert (step, time) == (wanted[0], pytest.approx(wanted[1], rel=1e-6))
        if one.time is not None:
            assert time == pytest.approx(one.time, rel=1e-6)
