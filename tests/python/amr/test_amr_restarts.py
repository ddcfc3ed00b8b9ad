# SPDX-License-Identifier: Apache-2.0
"""Runs of fluids that go on from a checkpoint: the same bits, and files without gaps."""

from __future__ import annotations

import dataclasses
import random
import re
import warnings
from pathlib import Path

import aureole as au
import numpy as np
import pytest
import resigned
from aureole import amr
from aureole.cli.main import main

PLANE = amr.Mesh(box=[(-1, 1), (0, 3)], roots=(2, 3), boundary=["outflow", "periodic"])
PPM = amr.Scheme(reconstruct="ppm", steps="rk3")
SCHEDULES = ("pack", "subgrids", "aggregate")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def blast(x: np.ndarray, y: np.ndarray) -> dict[str, object]:
    inside = x**2 + (y - 1) ** 2 < 0.3
    return {"density": 1.0, "pressure": np.where(inside, 10.0, 0.01), "velocity": (0.1, -0.2)}


def gas(**options: object) -> amr.Simulation:
    return amr.Simulation(PLANE, scheme=PPM, **{"threads": 1, **options}).set(blast)


def same(a: amr.Simulation, b: amr.Simulation) -> None:
    assert (a.step, a.time, a.dt) == (b.step, b.time, b.dt)
    for name in ("density", "velocity", "energy"):
        np.testing.assert_array_equal(a.get(name), b.get(name))


@pytest.mark.parametrize("before", SCHEDULES)
@pytest.mark.parametrize("after", [None, *SCHEDULES])
def test_a_run_goes_on_to_the_bit(before: str, after: str | None) -> None:
    whole = gas(schedule=before).run(7)
    whole.write_checkpoint("a.ckpt")
    again = amr.Simulation.from_checkpoint("a.ckpt", schedule=after, threads=2)
    assert again.schedule == amr.Simulation(PLANE, schedule=after or before).schedule
    assert (again.mesh, again.gas, again.scheme) == (whole.mesh, whole.gas, whole.scheme)
    same(whole, again)
    same(whole.run(11), again.run(11))


def test_a_run_that_was_interrupted_is_finished() -> None:
    """By time, which a last shorter step reaches, and by steps."""
    for end, by_time in ({"until": 0.05}, True), ({"steps": 30}, False):
        whole = gas().run(**end)
        part = gas(observers=[au.Checkpoint("a.ckpt", every=1000)])
        part.observers.append(au.Callback(lambda sim: sim.stop() if sim.step == 4 else None, 1))
        part.run(**end)
        assert part.step == 4
        again = amr.Simulation.from_checkpoint("a.ckpt", observers=[])
        assert (again.target_time < 1) == by_time
        same(whole, again.run())


def test_files_have_no_gap_and_nothing_twice() -> None:
    observers = [
        au.Log("steps.csv", every=3),
        au.Log("times.csv", every_time=0.004, quantities=("step", "time", "mass", "internal")),
        au.Checkpoint("a.ckpt", every=5),
    ]
    with gas(observers=observers) as whole:
        whole.run(40)
    texts = {name: Path(name).read_text() for name in ("steps.csv", "times.csv")}
    draw = random.Random(1)
    with gas(observers=observers) as first:
        first.run(draw.randint(1, 6))
    for _ in range(4):
        with amr.Simulation.from_checkpoint("a.ckpt") as sim:
            sim.run(draw.randint(1, 9))
    with amr.Simulation.from_checkpoint("a.ckpt") as sim:
        sim.run(40 - sim.step)
    for name, text in texts.items():
        assert Path(name).read_text() == text
    rows = np.genfromtxt("times.csv", delimiter=",", names=True)
    assert rows["step"][0] == 0 and np.all(np.diff(np.floor(rows["time"] / 0.004)) >= 1)


def test_a_log_of_sums_is_that_of_the_fields() -> None:
    names = ("step", "time", "dt", "mass", "momentum_x", "momentum_y", "energy", "kinetic",
             "internal", "subgrids", "steps_per_second")  # fmt: skip
    with gas(observers=[au.Log("a.csv", every=4, quantities=names)]) as sim:
        sim.run(8)
        cell = 2 / 16 * 3 / 24
        density, velocity = sim.get("density"), sim.get("velocity")
        kinetic = cell * 0.5 * float((density * (velocity**2).sum(axis=-1)).sum())
        last = dict(zip(names, np.loadtxt("a.csv", delimiter=",", skiprows=1)[-1], strict=True))
        assert last["step"] == 8 and last["time"] == pytest.approx(sim.time, rel=1e-11)
        assert last["dt"] == pytest.approx(sim.dt) and last["subgrids"] == 6
        assert last["mass"] == pytest.approx(cell * density.sum(), rel=1e-11)
        for k, axis in enumerate("xy"):
            momentum = cell * (density * velocity[..., k]).sum()
            assert last[f"momentum_{axis}"] == pytest.approx(momentum, rel=1e-9)
        assert last["kinetic"] == pytest.approx(kinetic, rel=1e-11)
        assert last["internal"] + last["kinetic"] == pytest.approx(last["energy"], rel=1e-11)
        assert last["energy"] == pytest.approx(cell * sim.get("energy").sum(), rel=1e-11)


def test_checkpoints_by_wall_time_and_a_blow_up_that_names_the_last_one() -> None:
    mesh = amr.Mesh(box=[(0, 1)] * 2, roots=(8, 8), boundary=[("reflecting", "outflow")] * 2)
    sim = amr.Simulation(
        mesh, amr.IdealGas(gamma=5 / 3), dataclasses.replace(PPM, repair=False), threads=1
    )
    sim.observers.append(au.TimedCheckpoint("a.ckpt", minutes=1e-9))
    sim.set(density=1, pressure=1).run(5)
    assert amr.Simulation.from_checkpoint("a.ckpt", observers=[]).step == 5
    inwards = lambda x: -x / np.hypot(*sim._coordinates())  # noqa: E731
    sim.set(lambda x, y: {"density": 1, "pressure": 1e-3, "velocity": (inwards(x), inwards(y))})
    with pytest.raises(au.BlowUpError, match=r"The last checkpoint is a\.ckpt, written at step 5"):
        sim.run(10)


def test_what_is_given_at_a_restart_wins(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[int] = []
    call = au.Callback(lambda sim: seen.append(sim.step), every=2)
    gas(observers=[call, au.Checkpoint("a.ckpt")]).run(3)
    seen.clear()
    amr.Simulation.from_checkpoint("a.ckpt", callbacks=[call]).run(4)
    assert seen == [4, 6]
    with pytest.warns(UserWarning, match="cannot hold a function"):
        sim = amr.Simulation.from_checkpoint("a.ckpt", device="host", threads=1)
    assert sim.device.name == "host" and sim.describe()["threads"] == 1
    assert amr.Simulation.from_checkpoint("a.ckpt", observers=[]).observers == []


def test_a_scheme_and_criteria_that_are_given_at_a_restart_win() -> None:
    mesh = dataclasses.replace(PLANE, max_level=2)
    old = [amr.SecondDerivative("pressure")]
    sim = amr.Simulation(mesh, threads=1, refine=old).set(blast).run(6)
    sim.write_checkpoint("a.ckpt")
    new = [amr.Region([(-1, 0), (0, 1)], level=2), amr.Gradient("pressure", 0.02, 0.01)]
    again = amr.Simulation.from_checkpoint("a.ckpt", refine=new, scheme=PPM)
    assert (again.refine, again.scheme) == (tuple(new), PPM)
    inside = (again.blocks.boxes[:, :, 0] < (0, 1)).all(axis=1)
    assert set(again.blocks.levels[inside]) == {2} and len(again.blocks) > len(sim.blocks)
    assert again.totals["energy"] == pytest.approx(sim.totals["energy"], rel=1e-14)
    at_restart = np.abs(again.get("density", level=0) - sim.get("density", level=0)).max()
    assert at_restart < 1e-14
    again.run(8), sim.run(8)
    assert 1e-6 < np.abs(again.get("density", level=0) - sim.get("density", level=0)).max() < 0.1
    again.write_checkpoint("b.ckpt")
    assert amr.Simulation.from_checkpoint("b.ckpt").refine == tuple(new)
    with pytest.raises(au.InputError, match=r"level of Region is 3"):
        amr.Simulation.from_checkpoint("a.ckpt", refine=[amr.Region([(-1, 0), (0, 1)], level=3)])
    with pytest.raises(au.InputError, match=r"scheme is 'ppm'"):
        amr.Simulation.from_checkpoint("a.ckpt", scheme="ppm")  # type: ignore[arg-type]


def test_steps_that_no_checkpoint_could_hold_are_refused() -> None:
    with pytest.raises(au.InputError, match="step is"):
        gas().set(step=2**60)
    gas().set(step=2**59).run(1).write_checkpoint("a.ckpt")
    assert amr.Simulation.from_checkpoint("a.ckpt").step == 2**59 + 1


def test_levels_above_max_level_are_refused() -> None:
    fine = dataclasses.replace(PLANE, max_level=2)
    region = [amr.Region([(-1, 0), (0, 1)], level=2)]
    sim = amr.Simulation(fine, threads=1, refine=region)
    sim.set(density=1.0, pressure=1.0).write_checkpoint("a.ckpt")
    coarse = amr.Simulation(PLANE, threads=1)
    with pytest.raises(au.FileError, match="levels above max_level"):
        coarse._core.read_checkpoint("a.ckpt")


def test_time_and_step_are_set(tmp_path: Path) -> None:
    sim = gas().run(3)
    sim.set(time=2.5, step=100)
    assert (sim.time, sim.step) == (2.5, 100)
    sim.set(step=0)
    assert (sim.time, sim.step) == (2.5, 0)
    same_state = sim.get("density")
    sim.run(2)
    assert sim.step == 2 and not np.array_equal(sim.get("density"), same_state)
    with pytest.raises(au.InputError, match="step is -1"):
        sim.set(step=-1)


@pytest.mark.parametrize("name", ["every_time", "every"])
def test_a_callback_at_times_is_called_at_their_first_steps(name: str) -> None:
    times: list[float] = []
    value = 0.003 if name == "every_time" else 1
    sim = gas(observers=[au.Callback(lambda sim: times.append(sim.time), **{name: value})])
    sim.run(until=0.02)
    if name == "every":
        assert len(times) == sim.step + 1
        return
    all_times: list[float] = []
    gas(observers=[au.Callback(lambda sim: all_times.append(sim.time), 1)]).run(until=0.02)
    first = [min(t for t in all_times if t >= k * 0.003 * (1 - 1e-15)) for k in range(7)]
    assert times == sorted(set(first))


def test_times_in_units_are_refused_without_units() -> None:
    with pytest.raises(au.InputError, match=r"every_time of Log is '1 ps'.*no physical units"):
        gas(observers=[au.Log("a.csv", every_time="1 ps")])
    with pytest.raises(au.InputError, match="every_time of Callback is 0"):
        au.Callback(print, every_time=0)


@pytest.mark.parametrize(
    ("name", "told"), [("temperature", "fluid"), ("momentum_z", "momentum_"), ("tot-E", "'energy'")]
)
def test_quantities_that_a_fluid_does_not_have(name: str, told: str) -> None:
    with pytest.raises(au.InputError, match=told):
        gas(observers=[au.Log("a.csv", quantities=("step", name))])
    assert not Path("a.csv").exists()


# Commands


def test_commands_find_the_application(capsys: pytest.CaptureFixture[str]) -> None:
    sim = gas(observers=[au.Log("a.csv", every=2), au.Checkpoint("a.ckpt")])
    sim.observers.append(au.Callback(lambda sim: sim.stop() if sim.step == 4 else None, 1))
    sim.run(until=0.03)
    sim.close()
    whole = gas().run(until=0.03)
    assert main(["info", "a.ckpt"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"step +4\n", told) and "of 0.03" in told and "Scheme(reconstruct=ppm" in told
    assert main(["run", "a.ckpt", "--threads", "1"]) == 0
    told = capsys.readouterr()
    assert "16 × 24 in 6 sub-grids" in told.out and f"to step {whole.step}" in told.out
    assert "cannot hold a function" in told.err
    same(whole, amr.Simulation.from_checkpoint("a.ckpt", observers=[]))
    assert main(["run", "a.ckpt"]) == 0
    assert "continue with --until T or --steps N" in capsys.readouterr().out
    assert main(["run", "a.ckpt", "--steps", "2", "--quiet"]) == 0
    assert amr.Simulation.from_checkpoint("a.ckpt", observers=[]).step == whole.step + 2
    assert main(["run", "a.ckpt", "--until", "0.04", "--quiet"]) == 0
    same(gas().run(until=0.03).run(2).run(until=0.04), amr.Simulation.from_checkpoint("a.ckpt"))
    assert main(["run", "a.ckpt", "--until", "0.05", "--steps", "1"]) != 0
    assert "Give one" in capsys.readouterr().err
    au.Simulation(au.build.lattice("sc", n=8, density=0.1), []).write_checkpoint("md.ckpt")
    assert main(["run", "md.ckpt", "--until", "1"]) != 0
    assert "checkpoints of fluids" in capsys.readouterr().err


def test_the_command_warns_once_where_only_the_previous_checkpoint_is_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    gas(observers=[au.Checkpoint("a.ckpt", every=2)]).run(4)
    Path("a.ckpt").unlink()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert main(["run", "a.ckpt", "--steps", "2", "--quiet"]) == 0
    told = capsys.readouterr().err + "".join(str(one.message) for one in seen)
    assert told.count("a.ckpt.prev is used instead") == 1


def test_the_other_application_is_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    gas().write_checkpoint("fluid.ckpt")
    with pytest.raises(au.InputError, match=r"fluids.*Use amr\.Simulation\.from_checkpoint"):
        au.Simulation.from_checkpoint("fluid.ckpt")
    assert main(["run", "fluid.ckpt", "--ranks", "2"]) != 0
    assert "Leave --ranks out" in capsys.readouterr().err
    au.Simulation(au.build.lattice("sc", n=8, density=0.1), []).write_checkpoint("md.ckpt")
    with pytest.raises(au.InputError, match=r"particles.*Use au\.Simulation\.from_checkpoint"):
        amr.Simulation.from_checkpoint("md.ckpt")


# Files that nobody can trust


def test_an_altered_file_is_refused() -> None:
    gas().run(2).write_checkpoint("a.ckpt")
    sound = Path("a.ckpt").read_bytes()
    draw = random.Random(2)
    for _ in range(60):
        data = bytearray(sound)
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        Path("a.ckpt").write_bytes(data)
        with pytest.raises(au.FileError):
            amr.Simulation.from_checkpoint("a.ckpt")


@pytest.mark.skipif(resigned.xxhash_library() is None, reason="libxxhash.so.0 is not installed")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("application", "plasma"),
        ("mesh", {"kind": "Mesh", "box": [[0, 1]], "roots": [6], "boundary": "periodic"}),
        ("mesh", {"kind": "Mesh"}),
        ("gas", {"kind": "IdealGas", "gamma": 0.5}),
        ("scheme", {"kind": "Sceme"}),
        ("schedule", 3),
        ("target_time", "soon"),
        ("time", None),
        ("observers", [{"kind": "Log"}]),
        ("step", -1),
        ("threads", 1.5),
    ],
)
def test_a_record_with_right_checksums_is_looked_at(field: str, value: object) -> None:
    gas().run(2).write_checkpoint("a.ckpt")
    sound = Path("a.ckpt").read_bytes()
    blocks = resigned.blocks_of(sound)
    record = resigned.json.loads(blocks["extra"])
    record[field] = value
    blocks["extra"] = resigned.json.dumps(record).encode()
    Path("a.ckpt").write_bytes(resigned.checkpoint_of(sound, blocks))
    with pytest.raises(au.Error):
        amr.Simulation.from_checkpoint("a.ckpt")


@pytest.mark.parametrize("kind", ["copy", "deepcopy", "pickle"])
def test_copies_are_refused(kind: str) -> None:
    import copy
    import pickle

    make = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": pickle.dumps}[kind]
    with pytest.raises(au.InputError, match=r"cannot be copied.*amr\.Simulation\.from_checkpoint"):
        make(gas())
