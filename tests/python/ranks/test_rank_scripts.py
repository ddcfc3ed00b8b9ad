# SPDX-License-Identifier: Apache-2.0
"""Scripts that mpirun runs on every rank: the same results on all, files and errors once."""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from pathlib import Path

import aureole as au
import pytest
from mpirun_jobs import ended

HEAD = """\
import os, sys, time
import aureole as au
rank, size = au.ranks.rank, au.ranks.size

def make(n=2048, **more):
    of = {"integrator": au.Langevin(dt=0.004, kT=1, gamma=1), "device": au.Device(threads=1)}
    system = au.build.lattice("fcc", n=n, density=0.8)
    return au.Simulation(system, [au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)], **(of | more))

"""
WHOLE = """\
seen = []
count = au.Callback(lambda sim: seen.append(sim.energy.total + sim.get("position").sum()), every=20)
with make(observers=[count, au.Log("log.csv", every=20), au.RunLog("run.log", every=20)]) as sim:
    sim.run(60)
    known = sim.energy.total  # rank 0 has it already, as it was observed
    sim.write_checkpoint("state.cpt")
    about = sim.describe()
    if rank == 0:
        assert "ranks" in str(about), about
    sim.integrator = au.NVE(dt=0.003)
    sim.thermalize(1.3)
    sim.run(20)
    sim.minimize(au.FIRE(max_steps=5))
    values = [known, sim.energy.total, float(sim.get("position").sum()), sim.temperature, sim.step]
    values += [sim.pressure, sim.target, sim.steps_per_second, sim.n]
    values.append(sim.get("velocity").tobytes().hex()[:40])
again = au.Simulation.from_checkpoint("state.cpt", callbacks=[count], observers=[])
again.run(10)
values += [again.step, again.energy.total]
try:
    again.get("x")
except au.InputError as error:
    values.append(str(error))
sys.stdout.write(repr([rank, size, about["ranks"], len(seen), *values]) + "\\n")
"""


def test_results_are_the_same_on_all_ranks(mpirun: str, here: Path) -> None:
    Path("job.py").write_text(HEAD + WHOLE.replace(", callbacks=[count]", ""))
    code, out, err = ended(mpirun, 3, "job.py")
    assert code == 0 and err == "", err
    rows = sorted(ast.literal_eval(line) for line in out.splitlines())
    assert [row[0] for row in rows] == [0, 1, 2]
    assert [row[3] for row in rows] == [5, 0, 0]  # the callback was called on rank 0 alone
    assert rows[0][4:] == rows[1][4:] == rows[2][4:]
    assert all(row[1:3] == [3, 3] for row in rows)
    # One rank without mpirun comes to the same.
    Path("again").mkdir()
    one = Path("job.py").read_text().replace('about["ranks"]', "1").replace('"ranks" in', '"" in')
    Path("again/job.py").write_text(one)
    done = subprocess.run(
        [sys.executable, "job.py"], cwd="again", capture_output=True, text=True, check=True
    )
    row = ast.literal_eval(done.stdout)
    assert row[:4] == [0, 1, 1, 5]
    assert row[4] == pytest.approx(rows[0][4], rel=1e-3)
    tables = [Path(path, "log.csv").read_text().splitlines() for path in (".", "again")]
    assert len(tables[0]) == len(tables[1])


FILES = """\
au.build.water(20).write_gromacs("water")
with make() as sim:
    sim.run(10)
    au.write_frame("last.gro", sim)
    au.write("last.gsd", sim.snapshot())
if rank == 0:
    au.write("first.gsd", au.build.lattice("fcc", n=500, density=0.8))
"""


def test_files_of_scripts_are_written_once(mpirun: str, here: Path) -> None:
    Path("job.py").write_text(HEAD + FILES)
    code, _, err = ended(mpirun, 3, "job.py")
    assert code == 0 and err == "", err
    names = {str(one.relative_to(here)) for one in here.rglob("*") if one.is_file()}
    inputs = {f"water/{name}" for name in ("conf.gro", "topol.top", "grompp.mdp", "em.mdp")}
    assert names == inputs | {"job.py", "last.gro", "last.gsd", "first.gsd"}
    assert au.read("last.gsd").n == 2048 and au.read("first.gsd").n == 500


ADDED = """\
with make(observers=[au.Log("a.csv", every=20)]) as sim:
    sim.run(20)
    sim.observers.append(au.Energies("b.csv", every=20))
    sim.observers += [au.Checkpoint("state.cpt", every=20)]
    sim.run(20)
names = [type(spec).__name__ for spec in sim.observers]
with au.Simulation.from_checkpoint("state.cpt") as again:
    again.run(20)
sys.stdout.write(repr([*names, again.step, again.energy.total]) + "\\n")
"""


def test_observers_that_are_added(mpirun: str, here: Path) -> None:
    Path("job.py").write_text(HEAD + ADDED)
    code, out, err = ended(mpirun, 2, "job.py")
    assert code == 0 and err == "", err
    one, two = out.splitlines()
    assert one == two and one.startswith("['Log', 'Energies', 'Checkpoint', 60, ")
    tables = [Path(name).read_text().splitlines() for name in ("a.csv", "b.csv")]
    steps = [[line.split(",")[0] for line in lines if line[0].isdecimal()] for lines in tables]
    assert steps == [["0", "20", "40", "60"], ["20", "40", "60"]]


#: Scripts, the exit code, and what must be in the one error.
WRONG = {
    "sim.run(100) if rank == 0 else sim.get('position')": (
        2,
        'rank 1 called sim.get("position"), rank 0 called sim.run(100)',
    ),
    "sim.run(10 + rank)": (2, "rank 1 called sim.run(11), rank 0 called sim.run(10)"),
    "if rank == 0: sim.run(100)": (2, "rank 1 ended its script, rank 0 called sim.run(100)"),
    "if rank == 1: sim.run(100)": (2, "rank 1 called sim.run(100), rank 0 ended its script"),
    "if rank == 0: sim.step = 7": (2, "rank 0 called setting sim.step(7)"),
    "sim = make(n=2048 + 864 * rank)": (2, "rank 1 called au.Simulation(...) with another box"),
    "sim = make(seed=rank)": (2, "rank 1 called au.Simulation(...) with another seed"),
    "v = sim.get('velocity'); v[7] += rank; sim.set('velocity', v)": (
        2,
        'rank 1 called sim.set("velocity", ...) with other values than rank 0',
    ),
    "a, b = make(), make(); [a, b][rank].run(5)": (2, "rank 0 called sim.run(5) of another"),
    "if rank == 0: sim.observers.append(au.Progress())": (
        2,
        "rank 1 ended its script, rank 0",
    ),
    "sim.observers.append(au.Log(f'{rank}.csv'))": (2, "rank 1 called sim.observers("),
    "sim.get('x')": (2, "job.py:11: unknown column 'x'"),
    "sim.run(5); print({}['x']) if rank == 1 else sim.run(9)": (
        1,
        "rank 1 ended by KeyError: 'x' (rank 0 called sim.run(9))",
    ),
    "sim = make(device=au.Device(ranks=3))": (2, "3 ranks were requested, but mpirun started 2"),
    "sim = make(device=au.Device(name='cuda:0'))": (2, "several ranks run on the host only"),
}


@pytest.mark.parametrize("script", WRONG)
def test_what_differs_between_ranks_is_one_error(mpirun: str, here: Path, script: str) -> None:
    code, text = WRONG[script]
    Path("job.py").write_text(f"{HEAD}sim = make()\n{script}\n")
    began = time.monotonic()
    got, _, err = ended(mpirun, 2, "job.py")
    assert time.monotonic() - began < 60
    assert got == code, err
    assert err.count("error: ") == 1 and text in err, err
    assert "Traceback" not in err or code == 1


@pytest.mark.parametrize("alone", [0, 1])
def test_a_simulation_of_one_rank_alone(mpirun: str, here: Path, alone: int) -> None:
    Path("job.py").write_text(f"{HEAD}if rank == {alone}: make().run(10)\n")
    code, _, err = ended(mpirun, 2, "job.py")
    assert code == 2
    assert err.count("error: ") == 1
    assert f"rank {1 - alone} ended its script, rank {alone} called au.Simulation" in err


def test_other_versions_and_scripts_are_refused(mpirun: str, here: Path) -> None:
    patched = (
        "from aureole.ranks import handshake\nif rank: handshake.version = lambda: '0.0'\nmake()\n"
    )
    Path("job.py").write_text(HEAD + patched)
    code, _, err = ended(mpirun, 2, "job.py")
    assert code == 2 and err.count("error: ") == 1
    assert "rank 1 has version 0.0 of aureole" in err
    Path("job.py").write_text(HEAD + "make()\n")
    Path("other.py").write_text(HEAD + "make()\n# other\n")
    code, _, err = ended(mpirun, 1, "job.py", ":", "-n", 1, sys.executable, "other.py")
    assert code == 2 and err.count("error: ") == 1
    assert "rank 1 runs 'other.py', rank 0 runs 'job.py'" in err


def test_a_library_that_cannot_be_loaded(
    mpirun: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUREOLE_MPI_LIBRARY", "/nowhere/libmpi.so")
    Path("job.py").write_text(HEAD + "make(observers=[au.Log('log.csv', every=5)]).run(10)\n")
    code, _, err = ended(mpirun, 2, "job.py")
    assert code == 2 and err.count("error: ") == 1
    assert "/nowhere/libmpi.so cannot be used" in err
    assert not Path("log.csv").exists()


def test_errors_and_exit_codes_of_scripts_stay(mpirun: str, here: Path) -> None:
    Path("job.py").write_text(HEAD + "make().run(5)\nsys.exit(3)\n")
    assert ended(mpirun, 2, "job.py")[0] == 3
    Path("job.py").write_text(HEAD + "make().run(5)\nprint({}['x'])\n")
    code, _, err = ended(mpirun, 2, "job.py")
    assert code == 1 and err.count("KeyError") == 1
    Path("job.py").write_text(HEAD + "make().run(5)\nos.kill(os.getpid(), 9) if rank else 0\n"
                              "make().run(10**9)\n")  # fmt: skip
    assert ended(mpirun, 2, "job.py")[0] != 0


def test_random_seeds_are_those_of_rank_0(mpirun: str, here: Path) -> None:
    Path("job.py").write_text(
        "import aureole as au\nfrom aureole.gromacs.translate import any_seed\n"
        "import sys; sys.stdout.write(f'{any_seed()}\\n')\n"
    )
    code, out, err = ended(mpirun, 3, "job.py")
    assert code == 0, err
    assert len(out.split()) == 3 and len(set(out.split())) == 1


def test_a_filter_is_read_while_the_simulation_is_made(mpirun: str, here: Path) -> None:
    moving = "au.NVE(dt=0.004, filter=au.Tags(range(100)))"
    Path("job.py").write_text(f"{HEAD}make(integrator={moving}).run(5)\n")
    code, _, err = ended(mpirun, 2, "job.py")
    assert code == 0, err


def test_a_failure_of_rank_0_in_the_midst_of_a_call(mpirun: str, here: Path) -> None:
    broken = "sim._told = lambda: {}['x']\nsim.run(5)\n"
    Path("job.py").write_text(f"{HEAD}sim = make()\n{broken}")
    code, _, err = ended(mpirun, 2, "job.py")
    assert code != 0 and "KeyError: 'x'" in err
