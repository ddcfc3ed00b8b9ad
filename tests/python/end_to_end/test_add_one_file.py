# SPDX-License-Identifier: Apache-2.0
"""An observer, a file format, a converter: each is one file outside of the package.

The files are the code of docs/howto/add-an-observer-a-format-a-converter.md.
"""

from __future__ import annotations

import base64
import importlib
import re
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import aureole as au
import numpy as np
import pytest
from aureole import formats
from aureole.cli.main import main
from aureole.formats import registry
from aureole.formats.read_trajectory import frames_of
from aureole.observers import Observer
from aureole.report import frames as report
from aureole.specs.spec import KINDS

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "howto" / "add-an-observer-a-format-a-converter.md"
FILES = dict(re.findall(r"```python\n# (\w+)\.py\n(.*?)```", PAGE.read_text(), re.DOTALL))
TOML = """\
steps = 20
system = {kind = "read", path = "start.points"}
integrator = {kind = "NVE", dt = 0.005}
forces = [{kind = "LennardJones", epsilon = 1.0, sigma = 1.0, r_cut = 2.5}]
observers = [{kind = "TopSpeed", every = 5}, {kind = "Trajectory", path = "a.points", every = 10}]
"""


@pytest.fixture
def add(here, monkeypatch):
    """Writes a file of the page and imports it; all that it registers ends with the test."""
    (here / "mine").mkdir()
    monkeypatch.syspath_prepend(str(here / "mine"))
    monkeypatch.setitem(KINDS, "observer", dict(KINDS["observer"]))
    monkeypatch.setattr(registry, "_KNOWN", dict(registry._KNOWN))

    names = set()

    def added(name, code=None):
        names.add(name)
        (here / "mine" / f"{name}.py").write_text(code or FILES[name])
        importlib.invalidate_caches()
        return importlib.import_module(name)

    yield added
    for name in names:
        sys.modules.pop(name, None)


def test_the_page_has_three_files():
    assert set(FILES) == {"top_speed", "points", "from_ase"}


def run(liquid, observers, *parts):
    """A run in parts, each continued from the checkpoint of the one before."""
    sim = liquid(n=108, forces=[au.WCA(epsilon=1.0, sigma=1.0)], observers=observers)
    for k, steps in enumerate(parts):
        with sim:
            sim.run(steps)
            sim.write_checkpoint("a.ckpt")
            if k + 1 < len(parts):
                sim.run(7)  # is cut away
        if k + 1 < len(parts):
            sim = au.Simulation.from_checkpoint("a.ckpt", threads=1)
            assert sim.observers == tuple(observers)
    return sim


def test_an_observer_runs_and_restarts(add, liquid):
    TopSpeed = add("top_speed").TopSpeed
    assert issubclass(TopSpeed, Observer)
    assert repr(TopSpeed(every=5)) == "TopSpeed(every=5)"
    run(liquid, [TopSpeed("a.csv", every=5)], 40)
    run(liquid, [TopSpeed("b.csv", every=5)], 10, 13, 17)
    rows = Path("a.csv").read_text()
    assert len(rows.splitlines()) == 10 and rows == Path("b.csv").read_text()
    largest = np.loadtxt("a.csv", delimiter=",", skiprows=1)
    assert (largest[:, 2] == np.maximum.accumulate(largest[:, 1])).all()


@pytest.mark.filterwarnings("ignore:.*no longer exists")
def test_files_of_others_are_not_replaced(add, liquid):
    run(liquid, [add("top_speed").TopSpeed("a.csv", every=5)], 10)
    Path("a.csv").write_text("precious " * 100)
    with pytest.raises(au.InputError, match=r"a\.csv was not written by TopSpeed"):
        au.Simulation.from_checkpoint("a.ckpt")
    del KINDS["observer"]["TopSpeed"]
    with pytest.raises(au.InputError, match=r"observer TopSpeed.*Import the module"):
        au.Simulation.from_checkpoint("a.ckpt")


def test_names_of_ours_are_not_taken(add):
    code = FILES["top_speed"].replace("class TopSpeed(", "class Log(")
    with pytest.raises(au.InputError, match=r"Log is in aureole\.recorders\.log already"):
        exec(code, {"__name__": "top_speed"})
    assert KINDS["observer"]["Log"] is au.Log


def test_its_state_is_checked(add, liquid):
    resigned = pytest.importorskip("resigned")
    if resigned.xxhash_library() is None:
        pytest.skip("libxxhash.so.0 is needed to sign checkpoints")
    run(liquid, [add("top_speed").TopSpeed("a.csv", every=5)], 10)
    resigned.change_extra("a.ckpt", lambda r: r["states"][0].update(largest="x") or None)
    with pytest.raises(au.FileError, match=r"states\[0\]\.largest"):
        au.Simulation.from_checkpoint("a.ckpt")


def test_a_format_is_written_and_read(add, liquid, capsys):
    add("points")
    sim = run(liquid, [au.Trajectory("a.points", every=5), au.RunLog("a.log", every=5)], 10, 10)
    run(liquid, [au.Frames("b.points", every=5)], 20)
    assert Path("a.points").read_bytes() == Path("b.points").read_bytes()
    found = list(frames_of("a.points"))
    assert [frame.step for frame in found] == [0, 5, 10, 15, 20]
    system = au.read("a.points")
    assert system.type_names == ("A",)
    assert np.allclose(system.position, sim.get("position"), rtol=0, atol=1e-12)
    au.write("c.points", system)
    assert np.allclose(au.read("c.points").position, system.position, rtol=0, atol=1e-12)
    assert main(["info", "a.points"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"trajectory\n +frames +5\n +particles +108\n +steps +0 to 20\n", told), told
    shutil.copy("a.points", "unnamed")
    assert main(["info", "unnamed"]) == 0  # by its first bytes
    kept, count = report.trajectory(Path("a.points"), 2)
    assert (len(kept), count) == (2, 5)
    Path("a.points").write_text("POINTS 2 0 0.0\n1 0 0 0 1 0 0 0 1\nA 0 0 0\n")
    with pytest.raises(au.FileError, match=r"a\.points: cannot be read"):
        au.read("a.points")


def test_a_rerun_reads_a_format(add, capsys):
    for name in ("conf.gro", "topol.top", "grompp.mdp"):
        shutil.copy(ROOT / "tests" / "data" / "older" / name, ".")
    add("points")
    with au.from_gromacs("conf.gro", "topol.top", "grompp.mdp", threads=1, maxwarn=9) as sim:
        energies = [au.Energies("a.csv", every=2), au.Frames("a.points", every=2, whole=False)]
        again = au.Simulation.from_checkpoint
        sim.write_checkpoint("a.ckpt")
    with again("a.ckpt", threads=1, observers=energies) as sim:
        sim.run(4)
    assert main(["mdrun", "-nt", "1", "-maxwarn", "9", "-rerun", "a.points", "-e", "b.csv"]) == 0
    names, *rows = (line for line in Path("b.csv").read_text().splitlines() if line[0] != "#")
    column = names.split(",").index("potential")
    known = [line.split(",") for line in Path("a.csv").read_text().splitlines()[2:]]
    assert len(rows) == len(known) == 3
    for row, before in zip(rows, known, strict=True):
        assert float(row.split(",")[column]) == pytest.approx(float(before[column]), rel=1e-4)


def test_without_registration_a_format_is_unknown(add, liquid, monkeypatch):
    system = liquid(n=108).snapshot()
    monkeypatch.setattr(formats, "register", lambda made: None)
    add("points")
    with pytest.raises(au.InputError, match=r"Known: \.xtc, .*\.gsd"):
        au.Frames("a.points")
    with pytest.raises(au.InputError, match=r"not the name of a GSD file"):
        au.write("a.points", system)


def test_an_input_file_and_the_command(add, here, liquid, monkeypatch, capsys):
    monkeypatch.setenv("AUREOLE_IMPORT", "points, top_speed")
    Path("a.toml").write_text(TOML)
    assert main(["run", "a.toml", "--quiet"]) == 2
    assert "AUREOLE_IMPORT names points" in capsys.readouterr().err
    for name, code in {"broken": "1 +", "leaving": "raise SystemExit(7)"}.items():
        (here / "mine" / f"{name}.py").write_text(code)
        monkeypatch.setenv("AUREOLE_IMPORT", name)
        assert main(["run", "in.toml"]) == 2
        said = capsys.readouterr().err
        assert f"AUREOLE_IMPORT names {name}, which cannot be imported" in said
        assert said.count("\n") == 1 and "Correct that module" in said
    monkeypatch.setenv("AUREOLE_IMPORT", "points, top_speed")
    add("top_speed"), add("points")
    au.write("start.points", liquid(n=256).snapshot())
    for name in FILES:
        sys.modules.pop(name, None)
    assert main(["run", "a.toml", "--quiet"]) == 0
    assert len(Path("speed.csv").read_text().splitlines()) == 6
    assert len(list(frames_of("a.points"))) == 3


class Atoms(SimpleNamespace):
    """What the converter needs of ase.Atoms: 216 of argon."""

    pbc = (True, True, True)
    cell = np.diag([22.0, 22.0, 24.0])
    places = np.mgrid[0:6, 0:6, 0:6].reshape(3, -1).T
    positions = places * [3.6, 3.6, 4.0] + 0.1 * np.sin(places @ [[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    calc = SimpleNamespace(parameters={"epsilon": 0.0103, "sigma": 3.4, "rc": 10.0})

    def get_velocities(self):
        return 0.001 * np.repeat([[1.0] * 3, [-1.0] * 3], 108, axis=0)

    def get_masses(self):
        return np.full(216, 39.95)

    def get_chemical_symbols(self):
        return ["Ar"] * 216


def test_a_converter_makes_a_simulation(add):
    convert = add("from_ase")
    atoms = Atoms()
    system = convert.system_from_ase(atoms)
    assert system.type_names == ("Ar",) and system.mass[0] == 39.95
    away = atoms.positions[:, None] - atoms.positions
    away -= np.diag(atoms.cell) * np.rint(away / np.diag(atoms.cell))
    r = np.sqrt((away**2).sum(-1))[np.triu_indices(216, 1)]
    power = (3.4 / np.append(r[r < 10.0], 10.0)) ** 6
    each = 4 * 0.0103 * (power**2 - power)
    with convert.from_ase(atoms, threads=1, precision="double") as sim:
        want = 96.48533212 * (each[:-1] - each[-1]).sum()
        assert sim.energy.potential == pytest.approx(want, rel=1e-9)
        speed = 0.001 * 9.82269475
        assert sim.energy.kinetic == pytest.approx(0.5 * 216 * 39.95 * 3 * speed**2, rel=1e-6)
        total = sim.energy.total
        sim.run(20)
        assert sim.time == pytest.approx(0.04)
        assert sim.energy.total == pytest.approx(total, rel=1e-3)
    atoms.pbc = (True, True, False)
    with pytest.raises(au.InputError, match="not periodic"):
        convert.from_ase(atoms)


def test_an_ending_belongs_to_one_format(add, here):
    code = FILES["points"].replace('(".points",)', '(".xtc",)')
    with pytest.raises(au.InputError, match=r"\.xtc already belongs to a format of aureole"):
        exec(code, {"__name__": "points"})
    assert registry.format_of("a.xtc").module == "aureole.formats.xtc"


TWO = """
class TwoFiles(TopSpeed):
    @property
    def files(self):
        return (self.path, self.path + ".2")

    def accepts(self, piece, first):
        return piece == HEAD or ROW.fullmatch(piece) is not None

    def recorder(self):
        return TwoFilesRecorder(self)


class TwoFilesRecorder(TopSpeedRecorder):
    def __init__(self, spec):
        super().__init__(spec)
        self.more = Appended(spec.path + ".2")

    def recognise(self, state):
        self.file.recognise(state)
        self.more.recognise(state["more"])

    def open(self, sim, writer, state):
        super().open(sim, writer, state)
        self.more.open(writer, state and state["more"], HEAD)

    def observe(self, sim, step):
        super().observe(sim, step)
        self.more.put_text(f"{step},1.0,1.0\\n")

    def sync(self):
        super().sync()
        self.more.sync()

    def state(self):
        return super().state() | {"more": self.more.state()}

    def close(self):
        super().close()
        self.more.close()
"""


def test_an_observer_with_two_files(add, liquid):
    TwoFiles = add("two_files", FILES["top_speed"] + TWO).TwoFiles
    run(liquid, [TwoFiles("a.csv", every=5)], 40)
    run(liquid, [TwoFiles("b.csv", every=5)], 10, 13, 17)
    for end in ("", ".2"):
        assert Path(f"a.csv{end}").read_bytes() == Path(f"b.csv{end}").read_bytes()
    assert len(Path("a.csv.2").read_text().splitlines()) == 10
    resigned = pytest.importorskip("resigned")
    if resigned.xxhash_library() is None:
        pytest.skip("libxxhash.so.0 is needed to sign checkpoints")
    piece = base64.b85encode(b"#!/bin/sh\n").decode()
    resigned.change_extra(
        "a.ckpt", lambda r: r["states"][0]["more"].update(waiting=[piece]) or None
    )
    with pytest.raises(au.FileError, match=r"pending data 0 for b\.csv do not fit"):
        au.Simulation.from_checkpoint("a.ckpt")


def test_files_that_a_spec_does_not_name_are_refused(add, liquid):
    code = FILES["top_speed"].replace("path: str", "out: str").replace("spec.path", "spec.out")
    Unnamed = add("another", code.replace("TopSpeed", "Unnamed")).Unnamed
    with pytest.raises(au.InputError, match=r"speed\.csv, which is not in its `files`"):
        run(liquid, [Unnamed(every=5)], 10)
    assert not Path("speed.csv").exists()


def test_a_state_that_is_no_plain_data_names_its_observer(add, liquid):
    code = FILES["top_speed"].replace('"largest": self.largest}', '"largest": np.ones(2)}')
    Arrayed = add("another", code.replace("TopSpeed", "Arrayed")).Arrayed
    with pytest.raises(au.InputError, match=r"state 'largest' of Arrayed is not plain data"):
        run(liquid, [Arrayed(every=5)], 10)


def test_a_recorder_that_fails_to_close_leaves_no_lock(add, liquid):
    code = FILES["top_speed"].replace("        self.file.close()", "        raise ValueError('no')")
    Unclosed = add("another", code.replace("TopSpeed", "Unclosed")).Unclosed
    sim = liquid(n=108, observers=[Unclosed("a.csv"), au.Log("b.csv")])
    sim.run(10)
    with pytest.raises(ValueError, match="no"):
        sim.close()
    assert not list(Path().glob(".*.lock"))
