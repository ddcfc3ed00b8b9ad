# SPDX-License-Identifier: Apache-2.0
"""A cell of a notebook that is run again: what the first simulation wrote is kept."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import aureole as au
import pytest

FILES = ("a.csv", "e.csv", "a.gsd", "a.xtc", "a.log", "a.json", "a.ckpt")


def observers():
    return [
        au.Log("a.csv", every=2),
        au.Energies("e.csv", every=2),
        au.Trajectory("a.gsd", every=2),
        au.Frames("a.xtc", every=2),
        au.RunLog("a.log", every=2),
        au.Checkpoint("a.ckpt", every=2),
    ]


def contents(names=FILES):
    return {name: Path(name).read_bytes() for name in names}


def test_files_of_the_first_get_other_names(here, liquid):
    """As `mdrun` renames them, every file and both checkpoints; a warning says so."""
    with liquid(n=108, observers=observers(), seed=3) as sim:
        sim.run(6)
    first = contents((*FILES, "a.ckpt.prev"))
    said = pytest.warns(UserWarning, match="has written files of the same names")
    with liquid(n=108, observers=observers(), seed=4) as sim, said as told:
        sim.run(4)
    words = str(told[0].message)
    for name, data in first.items():
        assert Path(f"#{name}.1#").read_bytes() == data, name
        assert f"{name} is now #{name}.1#" in words
    second = contents()
    assert second["a.csv"] != first["a.csv"]
    assert au.Simulation.from_checkpoint("#a.ckpt.1#", observers=[]).step == 6
    with liquid(n=108, observers=observers()[:1]) as sim, pytest.warns(UserWarning, match=r"#a\.c"):
        sim.run(2)
    assert Path("#a.csv.2#").read_bytes() == second["a.csv"]
    assert Path("#a.csv.1#").read_bytes() == first["a.csv"]
    assert contents(FILES[1:]) == {name: second[name] for name in FILES[1:]}


def test_also_where_the_first_is_still_open(here, liquid):
    """It lost its files to the second one, and says so when it would go on."""
    first = liquid(n=108, observers=observers()[:1]).run(6)
    second = liquid(n=108, observers=observers()[:1], seed=9)
    with pytest.warns(UserWarning, match=r"a\.csv is now #a\.csv\.1#"):
        second.run(4)
    before = contents(("#a.csv.1#", "a.csv"))
    assert len(before["#a.csv.1#"].splitlines()) == 5
    words = (
        r"a\.csv: is now the file of another simulation .*\(what this .* is #a\.csv\.1#\)\. Go on"
    )
    for _ in range(2):
        with pytest.raises(au.FileError, match=words):
            first.run(4)
    second.run(4)
    second.close()
    kept = contents(("#a.csv.1#", "a.csv"))
    assert kept["#a.csv.1#"] == before["#a.csv.1#"]
    assert kept["a.csv"].startswith(before["a.csv"]) and first.step == 6
    first.observers = [au.Log("b.csv", every=2)]
    first.run(4)
    first.close()
    assert contents(("#a.csv.1#", "a.csv")) == kept and Path("b.csv").exists()


@pytest.mark.parametrize("kept", [slice(0, 1), slice(2, 3), slice(5, None)])
def test_what_its_continuation_wrote_is_not_cut_off(here, liquid, kept):
    """Its log, its frames and its checkpoint are those of the simulation that continued it."""
    first = liquid(n=108, observers=observers()).run(6)
    wanted = observers()[kept]
    with au.Simulation.from_checkpoint("a.ckpt", observers=wanted) as second:
        second.run(4)
        before = contents(second._loop.files)
        words = r"is now the file of another simulation .*\(that one has continued it"
        with pytest.raises(au.FileError, match=words) as caught:
            first.run(2)
        assert str(caught.value).startswith(f"{wanted[0].path}: ") and first.step == 6
        assert contents(second._loop.files) == before
        second.run(2)
    assert second.step == 12


def test_what_another_program_has_added_is_not_cut_off(here, liquid):
    """As one that continues a closed simulation from its checkpoint does."""
    with liquid(n=108, observers=observers()) as first:
        first.run(6)
    first.run(2)
    first.close()
    Path("e.csv").write_bytes(before := Path("e.csv").read_bytes() + b"more\n")
    with pytest.raises(au.FileError, match=r"e\.csv: has grown since .*\. Restart from its check"):
        first.run(2)
    assert Path("e.csv").read_bytes() == before


def test_what_goes_on_is_not_renamed(here, liquid):
    """A restart, further runs, other observers of the same simulation, and files of others."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Path("a.csv").write_text("of another process")  # is replaced, as it always was
        sim = liquid(n=108, observers=observers())
        sim.run(4)
        sim.close()
        sim.run(4)
        sim.observers[-1] = au.Checkpoint("a.ckpt", every=3)
        sim.observers.remove(sim.observers[0])
        sim.run(4)
        sim.close()
        again = au.Simulation.from_checkpoint("a.ckpt")
        with again:
            again.run(until=20)
        both = [au.Log("b.csv", every=2), *observers()[1:]]
        with au.Simulation.from_checkpoint("a.ckpt", observers=both) as more:
            more.run(until=24)
    assert not [name for name in os.listdir() if name.startswith("#")]
    assert len(Path("e.csv").read_text().splitlines()) == 1 + 13


def test_devices_are_not_renamed(here, liquid):
    """Nor is what is no file."""
    for seed in (1, 2):
        with liquid(n=108, observers=[au.Log("/dev/null", every=2)], seed=seed) as sim:
            sim.run(2)
    assert Path("/dev/null").is_char_device() and not list(Path("/dev").glob("#null*"))
