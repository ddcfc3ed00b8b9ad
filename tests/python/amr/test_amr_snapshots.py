# SPDX-License-Identifier: Apache-2.0
"""Snapshots of fluids: all cells in HDF5 and XDMF, restarts, disks that are full, errors."""

from __future__ import annotations

import json
import re
import resource
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole import amr
from aureole.amr import phdf

h5py = pytest.importorskip("h5py", reason="h5py reads the files")

FIELDS = ("density", "velocity_x", "velocity_y", "velocity_z", "pressure")


def blast(*x: np.ndarray) -> dict[str, object]:
    return {"density": 1.0, "pressure": 0.1 + 10.0 * (sum(y * y for y in x) < 0.02)}


def gas(dims: int = 2, **options: object) -> amr.Simulation:
    mesh = amr.Mesh(box=[(-1, 1)] * dims, roots=(2,) * dims, boundary="outflow", max_level=2)
    refine = [amr.SecondDerivative("pressure")]
    return amr.Simulation(mesh, refine=refine, threads=1, **options).set(blast)


def slab(item: xml.Element, folder: Path) -> np.ndarray:
    """The numbers of a hyperslab of an XDMF file."""
    begin, stride, count = np.array(item[0].text.split(), int).reshape(3, -1)
    assert (stride == 1).all()
    name, place = item[1].text.strip().split(":")
    with h5py.File(folder / name) as file:
        assert file[place].shape == tuple(map(int, item[1].attrib["Dimensions"].split()))
        part = file[place][tuple(slice(b, b + n) for b, n in zip(begin, count, strict=True))]
    return part.reshape([int(n) for n in item.attrib["Dimensions"].split()])


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_files_hold_every_cell(dims: int, tmp_path: Path):
    with gas(dims, observers=[amr.Snapshot(str(tmp_path / "a"), every=10)]) as sim:
        sim.run(20)
        blocks = sim.blocks
        cells = {name: blocks.cells(name) for name in FIELDS[: 1 + dims]} | {
            "pressure": blocks.cells("pressure")
        }
        time, dt = sim.time, sim.dt
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"a.0000{k}.{ending}" for k in range(3) for ending in ("phdf", "xdmf")
    ]
    with h5py.File(tmp_path / "a.00002.phdf") as file:
        info = file["Info"].attrs
        assert (info["NCycle"], info["Time"], info["dt"]) == (20, time, dt)
        assert info["NumMeshBlocks"] == len(blocks) and info["MaxLevel"] == blocks.levels.max()
        assert list(info["RootGridSize"]) == [16] * dims + [1] * (3 - dims)
        assert np.array_equal(file["Levels"], blocks.levels)
        for name, values in cells.items():
            at = list(info["ComponentNames"]).index(f"prim_{name}".replace("_x", "_1").replace(
                "_y", "_2").replace("_z", "_3"))  # fmt: skip
            assert np.array_equal(file["prim"][:, at].reshape(values.shape), values)
        for axis, name in enumerate("xyz"[:dims]):
            edges = file[f"Locations/{name}"][:]
            assert np.array_equal(edges[:, [0, -1]], blocks.boxes[:, axis])
        specs = {name: json.loads(text) for name, text in file["Params"].attrs.items()
                 if name.startswith("Aureole/")}  # fmt: skip
        assert specs["Aureole/mesh"]["max_level"] == 2
        assert specs["Aureole/refine"][0]["kind"] == "SecondDerivative"
    (mesh,) = xml.parse(tmp_path / "a.00002.xdmf").getroot()[0]
    time_of_file, *grids = mesh
    assert float(time_of_file.attrib["Value"]) == time and len(grids) == len(blocks)
    for k in (0, len(grids) // 2, len(grids) - 1):
        topology, geometry, *attributes = grids[k]
        nodes = [int(n) for n in topology.attrib["Dimensions"].split()]
        lines = [slab(item, tmp_path) for item in geometry]
        assert [len(line) for line in lines[::-1]] == nodes
        for axis in range(dims):
            assert np.array_equal(lines[axis][[0, -1]], blocks.boxes[k, axis])
        for attribute in attributes:
            if (name := attribute.attrib["Name"]) in cells:
                assert np.array_equal(slab(attribute[0], tmp_path).ravel(), cells[name][k].ravel())


def test_numbers_go_on_after_a_restart(tmp_path: Path):
    path = str(tmp_path / "a")
    with gas(observers=[amr.Snapshot(path, every_time=0.01)]) as sim:
        sim.run(until=0.025)
        sim.write_checkpoint(tmp_path / "a.ckpt")
        sim.run(until=0.05)
    whole = {p.name: p.read_bytes() for p in tmp_path.glob("a.0*.xdmf")}
    times = []
    for k in range(6):
        with h5py.File(f"{path}.{k:05d}.phdf") as file:
            times.append(file["Info"].attrs["Time"])
    assert len(whole) == 6 and not Path(f"{path}.00006.phdf").exists()
    assert all(0 <= t - 0.01 * k < 0.004 for k, t in enumerate(times))
    for k in range(3, 6):
        Path(f"{path}.{k:05d}.phdf").unlink()
    before = Path(f"{path}.00002.phdf").read_bytes()
    with amr.Simulation.from_checkpoint(tmp_path / "a.ckpt") as again:
        again.run(until=0.05)
    assert Path(f"{path}.00002.phdf").read_bytes() == before
    assert {p.name: p.read_bytes() for p in tmp_path.glob("a.0*.xdmf")} == whole
    with h5py.File(f"{path}.00005.phdf") as file:
        assert file["Info"].attrs["Time"] == times[5]


def steps_of(folder: Path, name: str = "a") -> dict[str, int]:
    files = {p.name: phdf.step_of(str(p)) for p in sorted(folder.glob(f"{name}.*.phdf"))}
    assert None not in files.values()
    return files


def test_a_series_of_an_earlier_run_is_told_of(tmp_path: Path, monkeypatch):
    name = str(tmp_path / "a")
    with gas(observers=[amr.Snapshot(name, every=2)]) as first:
        first.run(6)
    (tmp_path / "a.00004.phdf.new").touch()  # of a run that was killed
    with (
        gas(observers=[amr.Snapshot(name, every=2)]) as sim,
        pytest.warns(UserWarning, match="are kept as #"),
    ):
        sim.run(2)
    assert steps_of(tmp_path) == {"a.00000.phdf": 0, "a.00001.phdf": 2}
    kept = sorted(p.name for p in tmp_path.glob("#*"))
    assert kept == sorted(f"#a.0000{k}.{end}.1#" for k in range(4) for end in ("phdf", "xdmf"))
    monkeypatch.setattr("aureole.amr.snapshot._WRITERS", {})  # as in another process
    with (
        gas(observers=[amr.Snapshot(name, every=2)]) as sim,
        pytest.warns(UserWarning, match=r"an earlier run .*a\.00001\.xdmf: this run replaces"),
    ):
        sim.run(0)
    assert not list(tmp_path.glob("*.new"))


def test_a_run_does_not_go_on_behind_files_of_another_one(tmp_path: Path):
    name, saved = str(tmp_path / "a"), tmp_path / "a.ckpt"
    with gas(observers=[amr.Snapshot(name, every=2)]) as sim:
        sim.run(6).write_checkpoint(saved)
    with pytest.warns(UserWarning), gas(observers=[amr.Snapshot(name, every=1)]) as sim:
        sim.run(5)
    with pytest.raises(au.FileError, match=r"00003\.phdf: is of step 3 .*at step 6"):
        amr.Simulation.from_checkpoint(saved).run(1)
    amr.Simulation.from_checkpoint(saved, observers=[]).run(1)


def test_snapshots_that_could_not_be_written_leave_their_numbers_free(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where rescues go
    sim = gas(observers=[amr.Snapshot(str(tmp_path / "a"), every=5)])
    sim.run(5)
    (tmp_path / "a.00002.phdf.new").mkdir()
    with pytest.raises(au.FileError, match=r"a\.00002\.phdf: cannot be written") as error:
        sim.run(10)
    rescue = re.search(r"saved in (\S+)\. Then", str(error.value))[1]
    (tmp_path / "a.00002.phdf.new").rmdir()
    step = sim.step
    with amr.Simulation.from_checkpoint(rescue, allow_write=[tmp_path]) as again:
        again.run(step + 10 - again.step)
    found = steps_of(tmp_path)
    assert "a.00002.phdf" not in found
    assert [found[f"a.0000{k}.phdf"] for k in (0, 1)] == [0, 5]
    assert sorted(found.values())[-2:] == [step + 5 - step % 5, step + 10 - step % 5]


def test_a_full_disk_leaves_no_half_file(tmp_path: Path):
    sim = gas(observers=[amr.Snapshot(str(tmp_path / "a"), every=5)])
    sim.run(5)
    least = (tmp_path / "a.00001.phdf").stat().st_size // 2
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (least, old[1]))
    try:
        with pytest.raises(au.Error, match=r"a\.00002\.phdf: cannot be written"):
            sim.run(10)
            sim.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert sorted(p.name for p in tmp_path.glob("a.*phdf*")) == ["a.00000.phdf", "a.00001.phdf"]


def test_what_cannot_be_is_one_clear_error(tmp_path: Path, monkeypatch):
    with pytest.raises(au.InputError, match=r"Give 'blast'"):
        amr.Snapshot("blast.phdf")
    with pytest.raises(au.InputError, match="every_time"):
        amr.Snapshot("blast", every_time=-1.0)
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(au.Error, match=r"pip install 'aureole\[fluids\]'"):
        gas(observers=[amr.Snapshot(str(tmp_path / "a"))]).run(1)


def test_subgrids_that_are_gone_are_told_of():
    sim = gas()
    blocks = sim.blocks
    assert blocks.cells("density").shape[0] == len(blocks)
    sim.run(until=0.3)
    assert len(sim.blocks) != len(blocks)
    with pytest.raises(au.InputError, match=r"Ask for sim\.blocks again"):
        blocks.cells("density")


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_yt_finds_every_cell(dims: int, tmp_path: Path):
    yt = pytest.importorskip("yt", reason="yt reads the files")
    with gas(dims, observers=[amr.Snapshot(str(tmp_path / "a"), every=20)]) as sim:
        sim.run(20)
        blocks, mass, time = sim.blocks, sim.totals["mass"], sim.time
        cells = {name: blocks.cells(name) for name in ("density", "pressure")}
    yt.set_log_level(50)
    found = yt.load(str(tmp_path / "a.00001.phdf"))
    assert float(found.current_time) == time
    assert float(found.all_data()["gas", "cell_mass"].sum()) == pytest.approx(mass, rel=1e-12)
    for k, grid in enumerate(found.index.grids):
        for name, values in cells.items():
            given = np.asarray(grid["parthenon", f"prim_{name}"]).T
            assert np.array_equal(given.reshape(values[k].shape), values[k])


@pytest.mark.validate
@pytest.mark.parametrize("dims", [1, 2, 3])
def test_vtk_finds_every_cell(dims: int, tmp_path: Path):
    vtk = pytest.importorskip("vtk", reason="VTK reads the files")
    from vtk.util.numpy_support import vtk_to_numpy

    with gas(dims, observers=[amr.Snapshot(str(tmp_path / "a"), every=20)]) as sim:
        sim.run(20)
        blocks = sim.blocks
        cells = {name: blocks.cells(name) for name in ("density", "pressure")}
    reader = vtk.vtkXdmfReader()
    reader.SetFileName(str(tmp_path / "a.00001.xdmf"))
    reader.Update()
    shown = reader.GetOutputDataObject(0)
    assert shown.GetNumberOfBlocks() == len(blocks)
    for k in range(len(blocks)):
        one = shown.GetBlock(k)
        bounds = np.array(one.GetBounds()).reshape(3, 2)[:dims]
        assert np.array_equal(bounds, blocks.boxes[k])
        for name, values in cells.items():
            given = vtk_to_numpy(one.GetCellData().GetArray(name))
            assert np.array_equal(given, values[k].ravel())
