# SPDX-License-Identifier: Apache-2.0
"""Warnings name the line of the user that led to them, whatever lies between."""

from __future__ import annotations

import threading
import warnings
from pathlib import Path

import aureole as au
import pytest
from aureole.base.user_warnings import warn


def lines(told):
    return {(one.filename, one.lineno) for one in told}


def own(text):
    """Where this file has a line."""
    rows = Path(__file__).read_text().splitlines()
    return {(__file__, number) for number, row in enumerate(rows, 1) if row.endswith(f"# {text}")}


def log():
    return [au.Log("a.csv", every=2)]


def callback():
    return au.Callback(print, every=2)


def test_a_cell_that_is_run_again(here, liquid):
    for seed in (1, 2):
        with liquid(n=108, observers=log(), seed=seed) as sim:
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                sim.run(2)  # again
            assert lines(told) == (own("again") if seed == 2 else set())


@pytest.mark.parametrize("lost", ["callback", "a.csv", "a.ckpt"])
def test_a_restart(here, liquid, lost):
    observers = [*log(), callback(), au.Checkpoint("a.ckpt", every=2)]
    with liquid(n=108, observers=observers) as sim:
        sim.run(4)
    calls = [callback()] if lost != "callback" else []
    if lost != "callback":
        Path(lost).unlink()
    with pytest.warns(UserWarning) as told:
        au.Simulation.from_checkpoint("a.ckpt", callbacks=calls)  # restart
    assert lines(told) == own("restart")


def test_systems_specs_and_files(here):
    loose = au.System(au.Box(9, 9, 9, periodic=False), [[8.0, 0, 0]])
    with pytest.warns(UserWarning, match="outside the box") as told:
        au.Simulation(loose, [], au.NVE(dt=0.1))  # made
    assert lines(told) == own("made")
    with pytest.warns(DeprecationWarning) as told:
        au.Device(name="host", algorithm="lanes")  # spec
    assert lines(told) == own("spec")
    kept = loose.replace(groups={"wall": [0]})
    with pytest.warns(UserWarning, match="does not hold") as told:
        au.write("a.gsd", kept)  # written
    assert lines(told) == own("written")


def test_a_callback_is_code_of_the_user(here, liquid):
    def act(sim):
        au.Device(name="host", algorithm="lanes")  # act

    told = pytest.warns(DeprecationWarning)
    with liquid(n=108, observers=[au.Callback(act, every=2)]) as sim, told:
        sim.run(2)
    assert lines(told) == own("act")


def test_a_thread_without_code_of_the_user():
    """The outermost line of a thread is in Python's library."""
    with pytest.warns(UserWarning, match="words") as told:
        thread = threading.Thread(target=warn, args=("words",))
        thread.start()
        thread.join()
    assert [Path(one.filename).name for one in told] == ["threading.py"]
