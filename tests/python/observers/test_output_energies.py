# SPDX-License-Identifier: Apache-2.0
"""Tables of energies: the numbers of the simulation, all digits, through restarts."""

from __future__ import annotations

import os
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.base.units import BAR
from aureole.cli.info import describe
from aureole.cli.run_summary import header
from aureole.report import energies as report_energies
from output_tools import chains, finish_rescued


def pandas():
    return pytest.importorskip("pandas", reason="needs pandas")


def table(path):
    if str(path).endswith(".parquet"):
        return pandas().read_parquet(path)
    return pandas().read_csv(path, comment="#")


def parquet():
    pytest.importorskip("pyarrow", reason="needs pyarrow")
    return "a.parquet"


def test_columns_are_those_of_the_simulation(here):
    seen = []

    def see(sim):
        tensor = sim.thermo()["pressure_tensor"] * BAR
        seen.append(
            {"step": sim.step, "time": sim.time, **sim.energy.per_force}
            | {name: getattr(sim.energy, name) for name in ("potential", "kinetic", "total")}
            | {"temperature": sim.temperature, "pressure": sim.pressure}
            | {"pressure_xx": tensor[0, 0], "pressure_yz": tensor[1, 2]}
        )

    names = ["a.csv", parquet()]
    sim, job = chains(here, [*(au.Energies(n, 10) for n in names), au.Callback(see, 10)])
    with sim:
        sim.run(55).run(10)
    csv, whole = map(table, names)
    assert csv.equals(whole)
    assert len(csv) == 7 and csv["step"].dtype == np.int64
    for name in seen[0]:
        assert csv[name].tolist() == [row[name] for row in seen], name  # to the last bit
    terms = list(sim.energy.per_force)
    assert list(csv.columns)[: len(terms) + 5] == (
        ["step", "time", *terms, "potential", "kinetic", "total"]
    )
    assert np.allclose(csv[terms].sum(axis=1), csv["potential"], rtol=1e-12)
    parts = csv[["pressure_xx", "pressure_yy", "pressure_zz"]]
    assert np.allclose(parts.mean(axis=1), csv["pressure"], rtol=1e-9)
    # kg/m^3 from the masses in amu, by the constant of Avogadro
    kilograms = job.topology.expand_atoms().mass.sum() / 6.02214076e26
    assert csv["density"][0] == pytest.approx(kilograms / (1.92e-9) ** 3, rel=1e-9)
    assert csv["volume"].tolist() == [sim.box.volume] * 7
    assert csv["box_zz"][0] == 1.92 and csv["box_zy"][0] == 0


def test_a_log_has_the_units_of_energies(here):
    names = ("time", "pressure", "pressure_xy", "pressure_zz", "volume", "density")
    sim, _ = chains(here, [au.Energies("a.csv", 10), au.Log("b.csv", 10, names)])
    with sim:
        sim.run(20)
    for name in names:
        assert table("b.csv")[name].tolist() == pytest.approx(table("a.csv")[name], rel=1e-9), name
    assert report_energies.read(Path("b.csv")).converted(str).units["density"] == "kg/m³"
    words = f"density {table('a.csv')['density'][0]:.5g}"
    assert f"{words} kg/m^3" in header(sim, "")
    assert words[:11] in str(sim.snapshot()) and "kg/m^3; Box" in str(sim.snapshot())
    reduced = au.build.lattice("fcc", n=32, density=0.5, mass=3)
    assert "density 0.5;" in str(reduced)
    assert "density 0.5\n" in header(au.Simulation(reduced, threads=1), "")


def test_units_stand_above(here):
    sim, _ = chains(here, [au.Energies("a.csv", 10)])
    with sim:
        sim.run(10)
    numbers = np.genfromtxt("a.csv", delimiter=",", names=True, skip_header=1)
    assert numbers["total"].tolist() == table("a.csv")["total"].tolist()
    assert dict(describe("a.csv")[1])["rows"] == "2"
    lines = Path("a.csv").read_text().splitlines()
    assert lines[0].startswith("# units: time ps, vdw kJ/mol, ")
    units = dict(part.rsplit(" ", 1) for part in lines[0].removeprefix("# units: ").split(", "))
    assert list(units) == lines[1].split(",")[1:]
    expected = {"temperature": "K", "pressure_xy": "bar", "density": "kg/m^3", "box_yx": "nm",
                "volume": "nm^3", "kinetic": "kJ/mol"}  # fmt: skip
    assert {name: units[name] for name in expected} == expected


def test_what_dynamics_offer_is_written(here):
    """A conserved energy and temperatures of groups, where a simulation has them."""

    class More(au.Simulation):
        conserved = property(lambda self: self.energy.total + 1.5)
        group_temperatures = property(lambda self: {"Protein": 300.0, "SOL": float(self.step)})

    sim, _ = chains(here, [au.Energies("a.csv", 10)])
    sim.__class__ = More
    with sim:
        sim.run(20)
    rows = table("a.csv")
    assert np.allclose(rows["conserved"], rows["total"] + 1.5)
    assert rows["temperature_SOL"].tolist() == [0, 10, 20]
    assert (rows["temperature_Protein"] == 300).all()
    assert "conserved kJ/mol" in Path("a.csv").read_text().splitlines()[0]
    assert "temperature_SOL K" in Path("a.csv").read_text().splitlines()[0]


def test_a_skewed_box(here):
    lattice = au.build.lattice("fcc", n=108, density=0.8)
    box = au.Box(*lattice.box.lengths, 0.1, 0.2, -0.1)
    sim = au.Simulation(
        au.System(box, lattice.position, mass=np.ones(108)),
        [au.WCA(epsilon=1, sigma=0.8)],
        au.NVE(dt=0.001),
        [au.Energies("a.csv", 1)],
    )
    with sim:
        sim.run(1)
    row = table("a.csv").iloc[-1]
    vectors = box.matrix.T
    for name, (i, j) in {"xx": (0, 0), "yx": (1, 0), "zx": (2, 0), "zy": (2, 1)}.items():
        assert row[f"box_{name}"] == vectors[i, j]
    assert row["pressure"] == sim.pressure and row["density"] == 108 / box.volume
    assert "#" not in Path("a.csv").read_text()  # units are the user's own


@pytest.mark.parametrize("cut", [33, 35])
@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_restart_is_bitwise(here, name, cut):
    if name.endswith("parquet"):
        parquet()
    specs = [au.Energies(name, 5), au.Checkpoint("a.ckpt", every=10_000)]
    sim, _ = chains(here, specs)
    with sim:
        sim.run(120)
    whole = Path(name).read_bytes()
    sim, _ = chains(here, specs)
    with sim:
        sim.run(cut)
        os.replace("a.ckpt", "kept.ckpt")
        sim.run(60)  # these rows lie beyond the checkpoint
    again = au.Simulation.from_checkpoint("kept.ckpt")
    with again:
        again.run(until=120)
    assert Path(name).read_bytes() == whole


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_full_disk(here):
    os.symlink("/dev/full", "a.csv")
    sim, _ = chains(here, [au.Energies("a.csv", 5)])
    with pytest.raises(au.FileError, match=r"a\.csv: cannot be written .*No space.*saved in"):
        sim.run(20)
    sim.close()
    os.remove("a.csv")
    finish_rescued(20)
    assert table("a.csv")["step"].tolist() == [0, 5, 10, 15, 20]


def test_a_table_that_cannot_be_written_loses_no_row(here):
    parquet()
    os.mkdir("out")
    sim, _ = chains(here, [au.Energies("out/a.parquet", 5)])
    sim.run(20)
    os.rename("out", "away")
    with pytest.raises(au.FileError, match=r"out/a\.parquet: cannot be written.*saved in"):
        sim.run(20)
    os.rename("away", "out")
    finish_rescued(60)
    assert table("out/a.parquet")["step"].tolist() == list(range(0, 61, 5))


def test_strange_files(here):
    with pytest.raises(au.InputError, match=r"written as \.h5.*\.parquet"):
        au.Energies("a.h5")
    parquet()
    specs = [au.Energies("a.parquet", 5), au.Checkpoint("a.ckpt", every=10)]
    sim, _ = chains(here, specs)
    with sim:
        sim.run(20)
    Path("a.parquet").write_bytes(b"something else")
    with pytest.raises(au.InputError, match=r"a\.parquet was not written by Energies"):
        au.Simulation.from_checkpoint("a.ckpt")
    again = au.Simulation.from_checkpoint("a.ckpt", allow_write=["a.parquet"])
    with pytest.raises(au.FileError, match=r"a\.parquet: cannot be continued"):
        again.run(10)
