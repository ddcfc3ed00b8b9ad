# SPDX-License-Identifier: Apache-2.0
"""Energy files of GROMACS: its programs and other readers read ours, and ours reads theirs."""

from __future__ import annotations

import os
import re
import struct
import tracemalloc
import warnings
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.base.errors import Error
from aureole.cli.info import describe
from aureole.formats import edr
from aureole.report import energies as report_energies
from aureole.report.write import collect
from coupled_melt import melt
from energy_files import SUMS, table
from gmx_tool import gromacs
from mdrun_inputs import mdrun, rigid, rows, water
from mutations import mutants
from output_tools import chains, finish_rescued

MDP = """\
integrator = md
dt = 0.001
nsteps = 40
nstenergy = 20
nstcalcenergy = 5
coulombtype = PME
rcoulomb = 0.7
rvdw = 0.7
constraints = h-bonds
tcoupl = v-rescale
tc-grps = System
tau-t = 0.5
ref-t = 300
"""
DOCS = Path(__file__).parents[3] / "docs/howto"
#: GROMACS' names that a column of ours has as one sum.


def single(values):
    return np.asarray(values, np.float32).astype(float)


@pytest.fixture
def solution(here):
    """Files of ethanol and rigid water, minimised: conf.gro, topol.top, md.mdp."""
    system = au.build.solution({"ethanol": 5, "spce": 120}, seed=3)
    system.write_gromacs(".", MDP.replace("= md\n", "= steep\n"))
    mdrun("-co", "em.gro")
    Path("md.mdp").write_text(MDP)
    return ("-c", "em.gro", "-p", "topol.top", "-f", "md.mdp")


def by_gromacs(gmx, files):
    """g.edr of a run of the same files by GROMACS."""
    gmx.run("grompp", *files, "-o", "g.tpr", "-maxwarn", 5)
    gmx.run("mdrun", "-s", "g.tpr", "-deffnm", "g", "-ntmpi", 1, "-ntomp", 1)
    return "g.edr"


def test_terms_mean_what_they_mean_to_gromacs(solution):
    """Same names, units and first numbers, charges split in the same way."""
    gmx = gromacs(double=True)
    mdrun(*solution, "-precision", "double", "-e", "a.edr")
    theirs, ours = table(by_gromacs(gmx, solution)), table("a.edr")
    units = dict(edr.Reader("g.edr").terms)
    alone = []
    for name, unit in edr.Reader("a.edr").terms:
        parts = [part for part in SUMS.get(name, (name,)) if part in theirs]
        if not parts:
            alone.append(name)
            continue
        assert {units[part] for part in parts} == {unit}, name
        expected = sum(theirs[part][0] for part in parts)
        # GROMACS' pressure tensor is not symmetric where constraints act.
        wide = 0.6 if re.fullmatch("Pres-(?!XX|YY|ZZ)..", name) else 2e-4
        assert ours[name][0] == pytest.approx(expected, rel=2e-6, abs=wide), name
    assert alone == ["Volume", "Density", "Box-X", "Box-Y", "Box-Z"]  # the box does not change
    assert {"LJ (SR)", "Coulomb (SR)", "Coul. recip.", "Bond", "Angle"} <= ours.keys()
    assert {"Potential", "Conserved En.", "T-System", "Pres-ZY"} <= ours.keys()
    assert (ours["step"] == theirs["step"]).all() and np.allclose(ours["time"], theirs["time"])


def test_names_of_terms_are_those_in_the_library():
    """Each name stands in GROMACS' library as it does here."""
    gmx = gromacs()
    prefix = re.search(r"Data prefix:\s+(\S+)", gmx.run("mdrun", "-version"))[1]
    found = [path for path in Path(prefix).glob("lib/**/libgromacs.so*") if path.is_file()]
    if not found:
        pytest.skip("needs the library of gmx as a file")
    library = found[0].read_bytes()
    assert [n for n in edr.NAMES.values() if n.encode() + b"\0" not in library] == []


def test_numbers_are_those_of_the_table(here):
    """Single precision of the .csv; the self-energy of the mesh stands with the direct sum."""
    sim, _ = chains(here, [au.Energies("a.edr", 10), au.Energies("a.csv", 10)])
    with sim:
        sim.run(55)
    ours, csv = table("a.edr"), rows("a.csv")
    assert ours["step"].tolist() == [0, 10, 20, 30, 40, 50]
    assert ours["time"].tolist() == csv["time"].tolist()
    for name, values in ours.items():
        column = edr.column_of(name)
        if name not in ("step", "time", "Coulomb (SR)", "Coul. recip."):
            assert values.tolist() == single(csv[column]).tolist(), name
    moved = csv["coulomb"] - ours["Coulomb (SR)"]
    assert np.ptp(moved) < 1e-3 * abs(moved[0]) and moved[0] > 1e3
    both = ours["Coulomb (SR)"] + ours["Coul. recip."]
    assert np.allclose(both, csv["coulomb"] + csv["mesh"], rtol=1e-6)
    named = {edr.column_of(name) for name in ours} | {"coulomb", "mesh"}
    assert csv.keys() - named == {"box_yx", "box_zx", "box_zy"}  # zeros


def same_rows(stem):
    """The steps of a .csv, whose numbers are those of the .edr beside it."""
    ours, csv = table(f"{stem}.edr"), rows(f"{stem}.csv")
    assert ours["step"].tolist() == csv["step"].tolist()
    assert ours["Potential"].tolist() == single(csv["potential"]).tolist()
    return csv["step"].tolist()


def test_one_for_gromacs_beside_the_table(here):
    """With -deffnm, as of gmx mdrun; of runs that go on and reruns too."""
    water(here)
    mdrun("-deffnm", "a", "-nsteps", 30)
    assert "a.csv, a.edr" in mdrun("-deffnm", "a", "-cpi", "-nsteps", 30).stdout
    assert same_rows("a") == [0, 20, 40, 60]
    mdrun("-deffnm", "b", "-nsteps", 60)
    assert Path("b.edr").read_bytes() == Path("a.edr").read_bytes()
    mdrun("-deffnm", "r", "-rerun", "a.trr")
    assert same_rows("r") == [0, 40]


def test_one_of_a_minimisation_and_of_parts(here):
    water(here)
    mdrun("-deffnm", "p", "-nsteps", 20, "-noappend")
    assert same_rows("p.part0001") == [0, 20]
    text = Path("grompp.mdp").read_text().replace("md-vv", "steep")
    Path("grompp.mdp").write_text(text.replace("nsteps = 200", "nsteps = 3"))
    mdrun("-deffnm", "em")
    assert same_rows("em") == [0, 1, 2, 3]


def test_other_files_of_energies(here):
    """Those that -e names alone, and of a run that goes on those that it had."""
    water(here)
    for more in ((), ("-cpi",)):
        mdrun("-deffnm", "a", "-e", "a.csv", "-nsteps", 20, *more)
    mdrun("-deffnm", "a", "-nsteps", 20, "-cpi")
    mdrun("-deffnm", "b", "-e", "b.edr", "-nsteps", 20)
    mdrun("-deffnm", "b", "-nsteps", 20, "-cpi")
    mdrun("-nsteps", 20)
    assert {*Path().glob("*.edr"), *Path().glob("*.csv")} == set(
        map(Path, ("a.csv", "b.edr", "ener.csv"))
    )
    assert table("b.edr")["step"].tolist() == [0, 20, 40]


def test_programs_of_gromacs(solution):
    gmx = gromacs()
    mdrun(*solution, "-e", "a.edr")
    ours = table("a.edr")
    names = ["Coul.-recip.", "Potential", "T-System", "Pres-XY"]
    found = gmx.energies("a", *names)
    for name in names:
        values = ours[name.replace("Coul.-", "Coul. ")]
        assert np.allclose(found[name], values, rtol=1e-6), name
    said = gmx.run("energy", "-f", "a.edr", text="Potential\n\n")
    assert "Statistics over 41 steps [ 0.0000 through 0.0400 ps ]" in said
    assert "over 3 points (frames)" in said
    assert "Found 3 frames with a timestep of 0.02 ps" in gmx.run("check", "-e", "a.edr")
    dumped = gmx.run("dump", "-e", "a.edr")
    assert re.findall(r"nsteps:\s+(\d+)", dumped) == ["1", "20", "20"]
    assert re.findall(r"(?:delta_t|sum steps):\s+(\S+)", dumped) == ["1.00000e-03", "0"] * 3
    gmx.run("eneconv", "-f", "a.edr", "-o", "copy.edr")
    copy = table("copy.edr")
    assert {name: list(values) for name, values in copy.items()} == {
        name: list(values) for name, values in ours.items()
    }


def test_the_pages(solution):
    """The command for gmx energy as it stands there, and the table of names."""
    gmx = gromacs()
    page = (DOCS / "use-your-analysis-tools.md").read_text()
    block = re.search(r"```\n(aureole mdrun [^`]* md)\n(printf [^`]*)\n```", page)
    assert block[1].split()[2:] == [*solution, "-deffnm", "md"]
    mdrun(*block[1].split()[2:])
    answer, options = re.fullmatch(r"printf '(.*)' \| gmx energy (.*)", block[2]).groups()
    said = gmx.run("energy", *options.split(), text=answer.replace("\\n", "\n"))
    assert re.findall(r"^(Potential|Temperature|Pressure) +-?[\d.]+ ", said, re.MULTILINE) == [
        "Potential",
        "Temperature",
        "Pressure",
    ]
    table = (DOCS / "read-the-output.md").read_text().split("### Energy files of GROMACS")[1]
    told = {}
    for theirs, ours in re.findall(r"^\| (.*?) \| (`.*?) \|", table, re.MULTILINE):
        told |= dict(zip(ours.replace("`", "").split(", "), theirs.split(", "), strict=False))
    assert told.items() >= edr.NAMES.items()


def test_readers_of_python(solution):
    mdrun(*solution, "-e", "a.edr")
    ours = table("a.edr")
    pyedr = pytest.importorskip("pyedr", reason="needs pyedr")
    panedr = pytest.importorskip("panedr", reason="needs panedr")
    mda = pytest.importorskip("MDAnalysis", reason="needs MDAnalysis")
    found = pyedr.edr_to_dict("a.edr")
    assert found.pop("Time").tolist() == ours["time"].tolist()
    assert {name: v.tolist() for name, v in found.items()} == {
        name: v.tolist() for name, v in ours.items() if name not in ("step", "time")
    }
    units = pyedr.get_unit_dictionary("a.edr")
    assert units == {"Time": "ps"} | dict(edr.Reader("a.edr").terms)
    frame = panedr.edr_to_df("a.edr")
    assert frame["Density"].tolist() == ours["Density"].tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of units that it does not convert
        reader = mda.auxiliary.EDR.EDRReader("a.edr")
        edges = reader.get_data("Box-X")["Box-X"]
    assert np.allclose(edges, 10 * ours["Box-X"], rtol=1e-12)  # it takes nm to angstroms


@pytest.mark.parametrize("double", [False, True])
def test_files_of_gromacs_are_read(solution, double):
    """Single and double precision, with sums, and with blocks of free energies."""
    pyedr = pytest.importorskip("pyedr", reason="needs pyedr")
    gmx = gromacs(double=double)
    more = "free-energy = yes\ninit-lambda = 0.5\nseparate-dhdl-file = no\nnstdhdl = 10\n"
    Path("md.mdp").write_text(MDP + more)
    path = by_gromacs(gmx, solution)
    content = Path(path).read_bytes()
    assert (struct.pack(">f", -2e10) + struct.pack(">i", -7777777) in content) != double
    found = pyedr.edr_to_dict(path)
    ours = table(path)
    assert found.pop("Time").tolist() == ours["time"].tolist()
    for name, values in found.items():
        assert values.tolist() == ours[name].tolist(), name
    kind, facts = describe(path)
    assert kind == "energies" and dict(facts)["steps"] == "0 to 40"
    Path("cut.edr").write_bytes(content[:-3])
    facts = dict(describe("cut.edr")[1])
    assert facts["frames"] == "2" and "after the last whole frame" in facts["cut off"]
    columns = report_energies.read(Path(path))
    assert columns.units["potential"] == "kJ/mol" and columns.units["pressure"] == "bar"


def test_frames_are_encoded_as_documented():
    """By hand: XDR has big-endian words, and text is filled up to four bytes."""
    names = edr.head([("A", "K"), ("Bonds", "")])
    assert names == bytes.fromhex(
        "ffff26fd 00000005 00000002 00000001 41000000 00000001 4b000000"
        "00000005 426f6e64 73000000 00000000".replace(" ", "")
    )
    made = edr.frame(3, 1.5, 0.5, 2, [1.0, 1e60])
    assert made[:16] == struct.pack(">fiid", -2e10, -7777777, 5, 1.5)[:16]
    assert made[-8:].hex() == "3f8000007f800000"  # infinite in single precision
    assert edr.is_head(names) and edr.is_frame(made)
    assert not edr.is_head(names[:-1]) and not edr.is_head(names + made) and not edr.is_head(b"")
    assert not edr.is_frame(made[:-1]) and not edr.is_frame(made + made)
    assert not edr.is_frame(names) and not edr.is_frame(b"")


def test_damaged_files(tmp_path):
    """They are refused or read up to the damage, in no more memory than they have bytes."""
    names = edr.head([(f"Term {k}", "kJ/mol") for k in range(5)])
    frames = [edr.frame(k, 0.1 * k, 0.1, 1, [float(k)] * 5) for k in range(6)]
    block = struct.pack(">4i2i", 6, 1, 1, 3, 0, 0)  # one block of three reals before the counts
    with_block = frames[5][:56] + struct.pack(">i", 1) + block[:16] + frames[5][60:] + bytes(12)
    sound = names + b"".join(frames) + with_block
    path = tmp_path / "a.edr"
    path.write_bytes(sound)
    assert [row.step for row in edr.Reader(path)] == [0, 1, 2, 3, 4, 5, 5]
    refused = 0
    tracemalloc.start()
    for damaged in mutants(sound, len(names), count=1500):
        path.unlink(missing_ok=True)
        path.write_bytes(damaged)
        try:
            found = list(edr.Reader(path))
        except Error as error:
            assert isinstance(error, au.FileError) and "a.edr" in str(error)
            refused += 1
            continue
        assert len(found) <= len(damaged) // 60
        assert all(len(row.values) <= len(damaged) // 4 for row in found)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 500 < refused < 1490 and most < 20e6


@pytest.mark.parametrize(
    ("at", "word", "message"),
    [
        (0, 1, "does not begin with -55555"),
        (4, 4, "version 4"),
        (8, -1, "-1 terms"),
        (8, 2**31 - 1, "2147483647 terms"),
        (12, 2**31 - 1, "2147483647 letters"),
        (16, 0x0A410A41, "a name is"),
        (36, 7, "frame 1: it does not begin with -7777777"),
        (52, -5, "frame 1: its time is"),
        (80, 9, "9 numbers for 1 terms"),
        (88, -1, "-1 blocks"),
    ],
)
def test_wrong_words(tmp_path, at, word, message):
    path = tmp_path / "a.edr"
    sound = edr.head([("Bond", "kJ/mol")]) + edr.frame(0, 0.0, 0.1, 1, [1.0])
    if at == 52:
        sound = sound[:52] + struct.pack(">q", word) + sound[60:]
    else:
        sound = sound[:at] + struct.pack(">i", word) + sound[at + 4 :]
    path.write_bytes(sound)
    with pytest.raises(au.FileError, match=re.escape(message)):
        list(edr.Reader(path))


@pytest.mark.parametrize("cut", [33, 35])
def test_restart_is_bitwise(here, cut):
    specs = [au.Energies("a.edr", 5), au.Checkpoint("a.ckpt", every=10_000)]
    sim, _ = chains(here, specs)
    with sim:
        sim.run(120)
    whole = Path("a.edr").read_bytes()
    sim, _ = chains(here, specs)
    with sim:
        sim.run(cut)
        os.replace("a.ckpt", "kept.ckpt")
        sim.run(60)  # these frames lie beyond the checkpoint
    with au.Simulation.from_checkpoint("kept.ckpt") as again:
        again.run(until=120)
    assert Path("a.edr").read_bytes() == whole
    other = edr.head([("Bond", "kJ/mol")]) + bytes(len(whole))
    Path("a.edr").write_bytes(other)
    with (
        pytest.raises(au.FileError, match="is not the file that the run of the checkpoint"),
        au.Simulation.from_checkpoint("kept.ckpt") as again,
    ):
        again.run(10)
    assert Path("a.edr").read_bytes() == other
    Path("a.edr").write_bytes(b"something else " * 1000)
    with pytest.raises(au.InputError, match=r"a\.edr was not written by Energies"):
        au.Simulation.from_checkpoint("kept.ckpt")


def test_parts_of_a_run(here):
    """Appended to, or with a file for each part."""
    water(here)
    mdrun("-deffnm", "whole", "-e", "whole.edr")
    mdrun("-nsteps", 73, "-e", "ener.edr")
    mdrun("-cpi", "-e", "ener.edr")
    assert Path("ener.edr").read_bytes() == Path("whole.edr").read_bytes()
    mdrun("-nsteps", 20, "-deffnm", "b", "-e", "b.edr", "-noappend")
    mdrun("-nsteps", 20, "-deffnm", "b", "-e", "b.edr", "-noappend", "-cpi")
    assert table("b.part0001.edr")["step"].tolist() == [0, 20]
    assert table("b.part0002.edr")["step"].tolist() == [20, 40]
    mdrun("-rerun", "traj.trr", "-deffnm", "again", "-e", "again.edr")
    again, whole = table("again.edr"), table("whole.edr")
    assert np.allclose(again["Potential"], whole["Potential"][::2][: len(again["step"])], rtol=1e-4)


def test_a_minimisation(solution):
    """Frames for its steps, with what its table holds; times are the steps, as in GROMACS."""
    mdrun("-nsteps", 8, "-deffnm", "a", "-e", "a.edr")
    mdrun("-nsteps", 8, "-deffnm", "b")
    ours, csv = table("a.edr"), rows("b.csv")
    assert (ours["time"] == ours["step"]).all() and len(ours["step"]) > 5
    assert [edr.column_of(name) for name in ours if name != "time"] == list(csv)
    for name in ("step", "displacement", "Potential", "max_force", "particle"):
        assert ours[name].tolist() == single(csv[edr.column_of(name)]).tolist()
    energies = gromacs().energies("a", "Potential")
    assert np.allclose(energies["Potential"], csv["potential"], rtol=1e-6)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_full_disk(here):
    os.symlink("/dev/full", "a.edr")
    sim, _ = chains(here, [au.Energies("a.edr", 5)])
    with pytest.raises(au.FileError, match=r"a\.edr: cannot be written .*No space.*saved in"):
        sim.run(20)
    sim.close()
    os.remove("a.edr")
    finish_rescued(20)
    assert table("a.edr")["step"].tolist() == [0, 5, 10, 15, 20]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_full_disk_in_a_minimisation(here):
    water(here)
    mdp = Path("grompp.mdp")
    mdp.write_text(mdp.read_text().replace("= md-vv", "= steep"))
    os.symlink("/dev/full", "a.edr")
    said = mdrun("-e", "a.edr", "-nobackup", code=1).stderr
    assert said.startswith("error: a.edr: cannot be written (No space left on device)")


def test_the_box(here):
    """A rectangular box has three edges; one that is tilted, or may become so, six numbers."""
    coupled = "tcoupl = V-rescale\ntc-grps = System\ntau-t = 0.5\nref-t = 300\n"
    coupled += "pcoupl = Parrinello-Rahman\ntau-p = 1\npcoupltype = anisotropic\n"
    coupled += "ref-p = 1 1 1 0 0 0\ncompressibility = 4e-5 4e-5 4e-5 {0} {0} {0}\n"
    for name, shear in (("a", "4e-5"), ("b", "0")):
        rigid(here, coupled.format(shear))
        mdrun("-nsteps", 60, "-e", f"{name}.edr", "-deffnm", name, "-maxwarn", 1)
    ours = table("a.edr")
    names = [name for name in ours if name.startswith("Box-")]
    assert names == ["Box-XX", "Box-YY", "Box-ZZ", "Box-YX", "Box-ZX", "Box-ZY"]
    product = ours["Box-XX"] * ours["Box-YY"] * ours["Box-ZZ"]
    assert np.allclose(product, ours["Volume"], rtol=1e-6) and np.ptp(ours["Box-YX"]) > 0
    ours = table("b.edr")
    assert [name for name in ours if name.startswith("Box-")] == ["Box-X", "Box-Y", "Box-Z"]
    assert np.ptp(ours["Box-X"]) > 0


def test_a_box_that_is_tilted_later(here):
    """A file that was begun with edges has no place for it."""
    files = water(here)
    sim = au.from_gromacs(*files, observers=[au.Energies("a.edr", 5)])
    sim.run(10)
    shear = {"P": (1.0,) * 3 + (0.0,) * 3, "compressibility": (4e-5,) * 6, "shape": "anisotropic"}
    barostat = au.ParrinelloRahman(tau=1.0, every=1, **shear)
    sim.integrator = au.VelocityVerlet(dt=0.0005, barostat=barostat)
    with pytest.raises(au.FormatError, match=r"a\.edr: cannot hold the box of step 15 .*tilted"):
        sim.run(20)
    sim.close()
    assert table("a.edr")["step"].tolist() == [0, 5, 10]


def test_a_file_goes_on_as_it_began(here):
    """Whether its box has six numbers stands in the checkpoint."""
    rigid(here)
    shear = {"P": (1.0,) * 3 + (0.0,) * 3, "compressibility": (4e-5,) * 6, "shape": "anisotropic"}
    specs = [au.Energies("a.edr", 5), au.TimedCheckpoint("a.cpt")]
    with au.from_gromacs("conf.gro", "topol.top", "grompp.mdp", observers=specs) as sim:
        barostat = au.ParrinelloRahman(tau=1, every=100, **shear)
        sim.integrator = au.VelocityVerlet(dt=0.001, barostat=barostat)
        sim.run(10)
    with au.Simulation.from_checkpoint("a.cpt") as sim:
        sim.integrator = au.VelocityVerlet(dt=0.001)
        sim.run(10)
    assert len(table("a.edr")["Box-ZY"]) == 5


def test_units_are_physical(here):
    sim = melt(observers=[au.Energies("a.edr", 10)])
    with pytest.raises(au.InputError, match=r"a\.edr.*reduced units.*\.csv"):
        sim.run(10)
    assert not os.path.exists("a.edr")


def test_report(here):
    """It finds the file, and shows what the .csv shows."""
    water(here)
    mdrun("-deffnm", "a", "-e", "a.edr")
    mdrun("-deffnm", "b")
    ours, csv = collect("a"), collect("b")
    assert ours.run.energies == Path("a.edr")
    assert [c["title"] for c in ours.large] == [c["title"] for c in csv.large]
    assert ours.energies.units["density"] == csv.energies.units["density"]
    shown = csv.energies.columns
    for name, values in ours.energies.columns.items():
        assert np.allclose(values, shown.get(name, values), rtol=1e-6), name
    assert {"Coulomb (SR)"} == ours.energies.columns.keys() - shown.keys()
    Path("a.json").unlink()
    assert collect("a").run.energies == Path("a.edr")
