# SPDX-License-Identifier: Apache-2.0
"""The benchmark of molecules: what it makes, reads and compares, with peers that are played."""

from __future__ import annotations

import json
import struct
from types import SimpleNamespace

import aureole as au
import numpy as np
import pytest
from aureole import Device
from aureole.formats.gro import write_gro
from aureole.gromacs.mdp.read import read_mdp
from aureole_bench import main
from aureole_bench.engines import PeerFailed
from aureole_bench.g96 import final_frame
from aureole_bench.gmx import Gmx, Point, mdp_text, settings_of
from aureole_bench.gpu import measure as gpu
from aureole_bench.gpu import molecules as gpu_molecules
from aureole_bench.molecules import measure as molecules
from aureole_bench.molecules import report as molecular_report
from aureole_bench.molecules import worker as molecular_worker
from aureole_bench.molecules.cases import MolecularCase, composition, count_of, mixture
from aureole_bench.molecules.engines import Course, Peer
from aureole_bench.terms import compared, missing
from aureole_bench.trr import first_forces
from gmx_tool import gromacs

SETTINGS = {"dt": 0.002, "coulombtype": "reaction-field", "rcoulomb": 0.6, "rvdw": 0.6}


def waters_in(folder, settings):
    """216 waters."""
    built = au.build.water(216)
    one = MolecularCase("water-rf-648", built.n, folder, settings)
    built.write_gromacs(folder)
    (folder / "conf.gro").rename(folder / "start.gro")
    one.write()
    return one


@pytest.fixture
def case(tmp_path):
    return waters_in(tmp_path, SETTINGS)


@pytest.mark.parametrize("size", ["1.5k", "12k", "48k", "192k"])
def test_sizes(size):
    counts = composition(count_of(size))
    atoms = 9 * counts["ethanol"] + 3 * counts["spce"]
    assert 0 <= count_of(size) - atoms < 3
    assert counts["spce"] / counts["ethanol"] == pytest.approx(9, rel=0.02)


def test_sizes_that_are_none():
    for size in ("12q", "", "100", "nan", "-5k"):
        with pytest.raises(au.InputError, match="no size"):
            count_of(size)


def test_run_parameters_as_text(tmp_path):
    text = mdp_text({"dt": 0.001, "pme_order": 4}, {"pme-order": 6, "DT": 0.004})
    assert settings_of(text) == {"dt": "0.004", "pme-order": "6"}
    (tmp_path / "a.mdp").write_text(text)
    assert read_mdp(tmp_path / "a.mdp").dt == 0.004
    assert settings_of("; dt = 1\nrvdw = 1.2 ; nm\n") == {"rvdw": "1.2"}


def test_terms_in_groups():
    ours = {"vdw": 10.0, "coulomb": 300.0, "mesh": -500.0, "harmonic_bond": 2.0}
    theirs = {"LJ-(SR)": 10.0, "Coulomb-(SR)": -190.0, "Coul.-recip.": -10.5, "Bond": 2.0}
    theirs |= {"Disper.-corr.": -3.0, "Potential": -191.5}
    rows = {row.name: row for row in compared(ours, theirs)}
    assert rows["Lennard-Jones"].gap == 0.0
    # Charges: 0.5 kJ/mol of the 800 that cancel.
    assert rows["electrostatics"].gap == pytest.approx(0.5 / 800)
    # The tail, which we lack, is not in the sum that is compared.
    assert rows["potential"].theirs == -188.5
    assert missing(ours, theirs) == ["Disper.-corr."]


def test_errors_of_forces():
    exact = np.array([[3.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
    found = exact + np.array([[0.0, 0.3, 0.4], [0.0, 0.0, 0.0]])
    assert molecules.relative_error(found, exact) == pytest.approx(0.5 / 5.0)
    assert molecules.largest_error(found, exact) == pytest.approx(0.5 / np.sqrt(12.5))


def test_slope_of_the_conserved_energy():
    time = np.linspace(0.0, 10.0, 11)
    assert Course(time, 50.0 - 3.0 * time).drift(600) == pytest.approx(-0.005)


@pytest.mark.parametrize("width", [4, 8])
def test_forces_of_a_trajectory(width, tmp_path):
    """A frame as the format's description has it: box, positions, velocities, forces."""
    n, kind = 2, f">f{width}"
    force = np.arange(6.0).reshape(2, 3) - 2.5
    sizes = [0, 0, 9 * width, 0, 0, 0, 0, *(3 * n * width,) * 3, n, 7, 0]
    head = struct.pack(">iii", 1993, 13, 12) + b"GMX_trn_file" + struct.pack(">13i", *sizes)
    blocks = [np.zeros(2), np.ones(9), np.full((n, 3), 5.0), np.full((n, 3), 6.0), force]
    data = head + b"".join(np.asarray(b).astype(kind).tobytes() for b in blocks)
    (tmp_path / "a.trr").write_bytes(data)
    assert np.array_equal(first_forces(tmp_path / "a.trr"), force)
    for broken in (data[:-1], data[:20], b"\1" + data[1:]):
        (tmp_path / "a.trr").write_bytes(broken)
        with pytest.raises(au.FileError, match="no trajectory with forces"):
            first_forces(tmp_path / "a.trr")


def test_final_frame(tmp_path):
    names = au.build.water(2).coordinates
    rows = [f"    1 SOL   OW   {k:7d}" + f"{0.1 * k:15.9f}" * 3 for k in range(6)]
    block = "\n".join(rows)
    text = f"TITLE\nwater\nEND\nPOSITION\n{block}\nEND\nVELOCITY\n{block}\nEND\n"
    path = tmp_path / "a.g96"
    path.write_text(text + "BOX\n    1.000000000    2.000000000    3.000000000\nEND\n")
    frame = final_frame(path, names)
    assert frame.position[:, 1] == pytest.approx(0.1 * np.arange(6))
    assert np.array_equal(np.diag(frame.box), [1.0, 2.0, 3.0])
    path.write_text(text)
    with pytest.raises(au.FileError, match="rectangular box"):
        final_frame(path, names)


def played_gmx(folder, seconds):
    """A program that takes grompp, and writes the time into the log of mdrun."""
    path = folder / "gmx"
    path.write_text(
        "#!/bin/sh\n"
        'echo "$@" >> calls\n'
        'case "$*" in\n'
        f"*mdrun*) printf '        Core t (s)   Wall t (s)\\n  Time:  9.000  {seconds}  100.0\\n'"
        " > run.log;;\n"
        "esac\n"
    )
    path.chmod(0o755)
    return str(path)


def test_time_of_a_played_peer(case):
    peer = Peer(case, played_gmx(case.folder, 1.25))
    assert peer.seconds(1, 500) == 1.25
    assert peer.seconds(1, 500) == 1.25
    calls = (case.folder / "calls").read_text().splitlines()
    assert [line.split()[2] for line in calls] == ["grompp", "mdrun", "mdrun"]
    assert f"-nsteps {500 + case.warm}" in calls[1]
    assert f"-resetstep {case.warm}" in calls[1]
    assert "-ntomp 1" in calls[1] and "-noconfout" in calls[1]


def test_why_gmx_refused(tmp_path):
    (tmp_path / "gmx").write_text(
        "#!/bin/sh\n"
        "printf 'working\\n\\nERROR 1 [file a.mdp]:\\n  An option\\n  is wrong\\n\\n' >&2\n"
        "exit 1\n"
    )
    (tmp_path / "gmx").chmod(0o755)
    with pytest.raises(PeerFailed, match=r"grompp failed \(An option is wrong\)") as refused:
        Gmx(str(tmp_path / "gmx"), tmp_path).run("grompp")
    assert refused.value.said.startswith("working")


class Played:
    """An engine that says how fast it is and what it finds."""

    def __init__(self, case, engine, rate, offset=0.0):
        self.case, self.engine, self.style, self.label = case, engine, "", engine
        self.rate, self.offset, self.ran = rate, offset, []

    def point(self):
        names = (
            {"vdw": 100.0, "coulomb": -300.0 + self.offset}
            if self.engine == "aureole"
            else {"LJ-(SR)": 100.0, "Coulomb-(SR)": -300.0, "Potential": -200.0}
        )
        return Point(names, np.ones((4, 3)) + self.offset)

    def seconds(self, threads, steps):
        self.ran.append(steps)
        return self.case.n * steps / (1e6 * self.rate * threads)

    def course(self, threads, steps):
        time = np.arange(5.0)
        return None if self.engine == "openmm" else Course(time, self.rate * time)


@pytest.fixture
def stage(monkeypatch, case):
    """Engines that are played: ours at 3, GROMACS at 2, OpenMM at 0.5 million atom-steps/s."""

    def start(offset=0.0):
        cast = [Played(case, "aureole", 3.0, offset), Played(case, "gromacs", 2.0)]
        cast.append(Played(case, "openmm", 0.5))
        monkeypatch.setattr(molecules, "_engines", lambda *_: cast)
        monkeypatch.setattr(molecules, "Ours", lambda _: cast[0])
        monkeypatch.setattr(molecules, "can_run", lambda: True)
        monkeypatch.setattr(Gmx, "version", "0 (played)")
        monkeypatch.setattr(
            molecules, "_reference", lambda *_: (Played(case, "gromacs", 1).point(), "played")
        )
        return cast

    return start


def test_measurement_with_played_engines(stage, case):
    cast, saved, said = stage(), [], []
    plan = molecules.Plan(threads=[1, 2], pairs=3, seconds=2.0, openmm_pairs=1)
    peers = molecules.Peers("gmx", "9.9")
    result = molecules.measure(plan, peers, [lambda: case], said.append, saved.append)
    json.dumps(result)
    rates = {(r["engine"], r["threads"]): r["matom_steps_per_s"] for r in result["rows"]}
    assert rates["aureole", 1] == pytest.approx(3.0)
    assert rates["gromacs", 2] == pytest.approx(4.0)
    # 86400 s of 2 fs at 3e6/648 steps a second.
    ns = next(r["ns_per_day"] for r in result["rows"] if r["engine"] == "aureole")
    assert ns == pytest.approx(3e6 / 648 * 86400 * 2e-6)
    ratios = {(r["peer"], r["threads"]): (r["ratio"], r["pairs"]) for r in result["ratios"]}
    assert ratios["gromacs", 1] == (pytest.approx(1.5), 3)
    assert ratios["openmm", 2] == (pytest.approx(6.0), 1)
    # The fast two make the same steps, of which the faster takes two seconds.
    fast = {steps for engine in cast[:2] for steps in engine.ran[1:4]}
    assert len(fast) == 1
    assert 2.0 < case.n * fast.pop() / 3e6 < 2.2
    assert all(row["agrees"] for row in result["checks"])
    assert {row["engine"] for row in result["drifts"]} == {"aureole", "gromacs"}
    assert len(saved) == 2
    text = molecular_report.full(result)
    assert "1.500" in text and "DISAGREES" not in text and "drift" in text.lower()


def test_disagreement_is_told(stage, case):
    stage(offset=0.02)
    plan = molecules.Plan(threads=[1], pairs=1, seconds=0.1, drift=False, openmm_pairs=1)
    result = molecules.measure(
        plan, molecules.Peers("gmx", "9.9"), [lambda: case], lambda _: None, lambda _: None
    )
    wrong = {row["term"] for row in result["checks"] if not row["agrees"]}
    assert wrong == {"electrostatics", "potential"}
    errors = {row["engine"]: row["error"] for row in result["forces"]}
    assert errors["aureole"] == pytest.approx(0.02)
    assert errors["gromacs"] == 0.0
    assert "DISAGREES" in molecular_report.full(result)


def test_without_a_peer(monkeypatch):
    monkeypatch.setenv("AUREOLE_GMX", "no-such-program")
    with pytest.raises(au.Error, match="no gmx"):
        main.main(["grappa", "--sizes", "1.5k"])
    with pytest.raises(au.FileError, match="--conf"):
        main.main(["protein", "--conf", "nowhere.gro"])


def test_points_of_gromacs_and_ours(case):
    """The pieces together: single points of a small box, forces beside each other."""
    # In mixed precision charges nearly cancel here.
    peer = Peer(case, gromacs(double=True).program)
    theirs = peer.point()
    plan = molecules.Plan(threads=[1], pairs=1, seconds=0.1)
    points = {"gromacs": theirs, "aureole": molecules.Ours(case).point()}
    rows = molecules._checks(case, points["aureole"], theirs, "gmx")
    assert {row["term"] for row in rows} == {"Lennard-Jones", "electrostatics", "potential"}
    assert all(row["agrees"] for row in rows), rows
    reference, _ = molecules._reference(case, gromacs().program, molecules.CONVERGED)
    errors = molecules._forces(case, points, reference, "gmx_d")
    assert max(row["error"] for row in errors) < 2e-5
    assert plan.openmm_pairs == 0


class Running:
    """A simulation that counts its steps and takes a second for a thousand."""

    parameters = SimpleNamespace(dt=0.002)
    ns_per_day = 172.8

    def __init__(self):
        self.step = 0

    def run(self, steps):
        self.step += steps

    @property
    def conserved(self):
        return -1000.0 - 0.5 * self.step

    def profile(self):
        return {"force": 1e-3 * self.step}

    def profiles(self):
        return [self.profile()]

    def describe(self):
        return {"list": "exact"}


def test_jobs_of_our_engine(monkeypatch):
    """Steps that are timed begin after the untimed ones; energies come with their times."""
    asked = {}

    def from_gromacs(*files, **options):
        asked.update(files=files, **options)
        return Running()

    monkeypatch.setattr(au, "from_gromacs", from_gromacs, raising=False)
    assert molecular_worker.can_run()
    job = {"conf": "c", "top": "t", "mdp": "m", "threads": 2, "warm": 200, "steps": 400}
    answer = molecular_worker.timed(job)
    assert asked == {"files": ("c", "t", "m"), "threads": 2, "maxwarn": 9}
    assert answer["profile"] == {"force": pytest.approx(0.4)}
    assert answer["profiles"] == [answer["profile"]]
    assert answer["ns_per_day"] == 172.8 and 0.0 <= answer["seconds"] < 1.0
    course = molecular_worker.course(job | {"every": 100})
    assert course["time"] == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8])
    # 50 kJ/mol less every 0.2 ps.
    found = Course(np.array(course["time"]), np.array(course["energy"]))
    assert found.drift(1) == pytest.approx(-250.0)


def test_starts_are_made_once(tmp_path, monkeypatch):
    """A try that fails leaves nothing; the second makes all, the third nothing."""
    from aureole_bench.molecules import cases as molecular_cases

    made = []

    def pretend(gmx, n, settings, threads):
        made.append(n)
        if len(made) == 1:
            raise au.Error("cut off")
        write_gro(gmx.folder / "start.gro", au.build.solution(composition(1500)).coordinates, 6)

    monkeypatch.setattr(molecular_cases, "_equilibrate", pretend)
    arguments = ("1.5k", False, tmp_path, "gmx", 1, lambda _: None)
    with pytest.raises(au.Error):
        mixture(*arguments)
    assert not list(tmp_path.iterdir())
    first, again = mixture(*arguments), mixture("1.5k", True, *arguments[2:])
    assert made == [1500, 1500]
    assert first.n == again.n == 1500
    assert first.files[0].read_bytes() == again.files[0].read_bytes()
    assert read_mdp(first.files[2])["coulombtype"] == "Reaction-Field"
    assert read_mdp(again.files[2])["coulombtype"] == "PME"


def test_molecules_on_devices(here, monkeypatch):
    """Lanes in the place of a GPU: the same start, the same energy, a rate for each."""
    monkeypatch.setattr(gpu_molecules, "WARM", 20)
    devices = [Device(name="host", threads=1), Device(name="host", algorithm="flat", threads=1)]
    said = []
    rows = gpu_molecules.measure(devices, here, 0.01, said.append, [{"ethanol": 10, "spce": 400}])
    clusters, flat = rows
    assert flat["n"] == clusters["n"] == 10 * 9 + 400 * 3 and len(said) == 2
    assert flat["energy"] == pytest.approx(clusters["energy"], rel=1e-5)
    assert flat["force_rms"] == pytest.approx(clusters["force_rms"], rel=1e-5)
    assert flat["ns_per_day"] == pytest.approx(flat["steps_per_s"] * 0.002 * 86.4)
    assert "to the host" in gpu.text(
        {"date": "", "cpu": "", "device": "", "aureole": "", "rows": rows}
    )
