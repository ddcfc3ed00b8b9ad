# SPDX-License-Identifier: Apache-2.0
"""Meshes that are too coarse are told, with the error of their forces; the log names them."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.cli.main import main
from aureole.engine.mesh import COARSE, GOOD, good_spacing, mesh_of
from aureole.simulation.mesh_of_charges import CoarseMesh

N, EDGE = 200, 3.0
MDP = """\
integrator = md
dt = 0.001
nsteps = 2
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
"""


def charges() -> au.System:
    """Charges of either sign at random places."""
    rng = np.random.default_rng(3)
    return au.System(
        au.Box.of(EDGE),
        EDGE * (rng.random((N, 3)) - 0.5),
        charge=np.where(np.arange(N) % 2, 1.0, -1.0),
        exclusions=[],
        units="molecular",
    )


def forces(pme: au.PME) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CoarseMesh)
        sim = au.Simulation(charges(), [pme], precision="double", threads=1)
    with sim:
        return sim.get("force")


def of_system(pme: au.PME, system: au.System, times: int = 1):
    """The mesh of a system, or of so many of it along each axis."""
    box = au.Box.of([times * length for length in system.box.lengths])
    squares, count = float(system.charge @ system.charge), int(np.count_nonzero(system.charge))
    return mesh_of(pme, box, times**3 * squares, times**3 * count, 138.935458)


@pytest.mark.parametrize("spacing", [0.12, 0.2, 0.4, 0.8])
def test_the_estimate_is_the_error_of_the_forces(spacing):
    """Beside forces of a mesh that is converged with the same splitting."""
    common = {"r_cut": 1.0, "tolerance": 1e-5}
    exact = forces(au.PME(**common, spacing=0.06, order=8))
    gap = forces(au.PME(**common, spacing=spacing)) - exact
    measured = float(np.sqrt((gap**2).sum(axis=1).mean()))
    found = of_system(au.PME(**common, spacing=spacing), charges())
    assert 0.7 < found.mesh_error / measured < 1.4
    assert found.coarse == (spacing > 0.3)


@pytest.mark.parametrize("spacing", [0.12, 0.3])
def test_errors_do_not_depend_on_the_size_of_the_box(spacing):
    pme = au.PME(r_cut=1.0, grid=[round(EDGE / spacing)] * 3)
    small = of_system(pme, charges())
    for times in (2, 8):
        large = of_system(au.PME(r_cut=1.0, grid=[times * k for k in small.grid]), charges(), times)
        assert large.mesh_error == pytest.approx(small.mesh_error, rel=0.1)
        assert large.pair_error == pytest.approx(small.pair_error, rel=1e-9)
        assert large.neighbours == pytest.approx(small.neighbours, rel=1e-9)


def test_what_is_advised_is_good():
    system = charges()
    pme = au.PME(r_cut=1.0, spacing=0.8)
    squares = float(system.charge @ system.charge)
    spacing = good_spacing(pme, system.box, squares, N, 138.935458)
    assert of_system(au.PME(r_cut=1.0, spacing=spacing), system).share < GOOD < COARSE
    wider = of_system(au.PME(r_cut=1.0, spacing=1.5 * spacing), system)
    assert wider.share > GOOD
    assert of_system(au.PME(r_cut=1.0, epsilon_r=0), system) is None


def warned(make) -> list[str]:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        make().close()
    return [str(one.message) for one in told if issubclass(one.category, CoarseMesh)]


def test_specs_with_a_coarse_mesh_warn():
    def made(spacing):
        return au.Simulation(charges(), [au.PME(r_cut=1.0, spacing=spacing)], threads=1)

    (said,) = warned(lambda: made(0.8))
    assert re.match(
        r"the mesh of 6 × 6 × 6 points, up to 0.5 nm apart, errs by up to about \d", said
    )
    spacing = re.search(r"spacing=([\d.]+)\Z", said)[1]
    assert warned(lambda: made(float(spacing))) == warned(lambda: made(0.12)) == []

    def changed():
        sim = made(0.12)
        sim.forces = [au.PME(r_cut=1.0, grid=[6, 6, 6])]
        return sim

    (said,) = warned(changed)
    assert "leave grid out" in said


@pytest.mark.parametrize("number", [2, 10, 100, 1000])
@pytest.mark.parametrize("edge", [4.0, 10.0, 20.0])
def test_few_charges_in_a_large_box_may_have_the_usual_mesh(edge, number):
    """GROMACS' defaults are fine for them; a far too coarse mesh is not."""
    system = au.Box.of(edge), float(number), number, 138.935458
    for r_cut in (0.9, 1.0, 1.2):
        assert not mesh_of(au.PME(r_cut=r_cut, spacing=0.12), *system).coarse
        assert mesh_of(au.PME(r_cut=r_cut, spacing=0.8), *system).coarse


def along(box: tuple[float, float, float], number: int) -> au.System:
    """Charges of either sign at random places of a box of reduced units."""
    rng = np.random.default_rng(1)
    sign = np.where(np.arange(number) % 2, 1.0, -1.0)
    return au.System(au.Box(*box), (rng.random((number, 3)) - 0.5) * box, charge=sign)


@pytest.mark.parametrize("order", [None, 4, 5, 6, 7, 8])
@pytest.mark.parametrize("box", [(6.0, 6.0, 200.0), (200.0, 6.0, 6.0)])
def test_long_meshes_have_the_accuracy_that_is_asked_for(box, order):
    """Splines of odd orders err by more the more points a mesh has."""
    system, found = along(box, 400), []
    for pme in (
        au.PME(r_cut=2.5, accuracy=1e-3, order=order),
        au.PME(r_cut=2.5, accuracy=3e-5),
    ):
        with au.Simulation(system, [pme], precision="double", threads=1) as sim:
            found.append((sim.get("force"), sim.forces[0]))
    (force, mesh), (exact, _) = found
    assert 3e-4 < np.sqrt(((force - exact) ** 2).sum(axis=1).mean()) < 1e-3
    assert order is not None or mesh.order % 2 == 0


@pytest.mark.parametrize("r_cut, accuracy", [(0.01, 1e-3), (1.0, 1e-8), (4.0, 1e-15)])
def test_accuracies_that_need_too_large_a_mesh_are_refused(r_cut, accuracy):
    system = along((12.0, 12.0, 12.0), 200)
    pme = au.PME(r_cut=r_cut, accuracy=accuracy)
    with pytest.raises(au.InputError, match=r"cannot have an accuracy.*Allow a larger error"):
        au.Simulation(system, [pme], precision="double", threads=1)


def test_what_is_shown_has_the_error():
    pme = au.PME(r_cut=3.0, accuracy=1e-4)
    with au.Simulation(along((12.0, 12.0, 12.0), 216), [pme], threads=1) as sim:
        (told,) = re.findall(r"estimated r\.m\.s\. force error (\S+)", str(sim.describe()))
    assert 0.3e-4 < float(told) <= 1e-4


def test_accuracies_below_the_rounding_warn():
    system = along((12.0, 12.0, 12.0), 216)
    pme = au.PME(r_cut=3.0, accuracy=1e-7)
    with pytest.warns(UserWarning, match='Use precision="double"'):
        au.Simulation(system, [pme], threads=1).close()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        au.Simulation(system, [pme], precision="double", threads=1).close()


@pytest.fixture
def water(here):
    """Files of a box of water, and a function that writes md.mdp with a spacing."""
    au.build.water(300, "spce").write_gromacs(".", MDP)

    def write(text: str) -> list[str]:
        Path("md.mdp").write_text(MDP + text)
        return ["-c", "conf.gro", "-p", "topol.top", "-f", "md.mdp"]

    return write


@pytest.mark.parametrize(
    ("options", "warns"),
    [
        ("", False),
        ("fourierspacing = 0.16\n", False),
        ("fourierspacing = 0.8\n", True),
        ("fourierspacing = 1.6\n", True),
        ("fourier-nx = 6\nfourier-ny = 24\nfourier-nz = 24\n", True),
        ("fourierspacing = 0.8\nepsilon-r = 0\n", False),
    ],
)
def test_checks_of_run_parameters(water, capsys, options, warns):
    status = main(["check", *water(options)])
    out = " ".join(capsys.readouterr().out.split())
    assert ("A312" in out) == warns
    if not warns:
        return
    assert status == 2
    advised = float(re.search(r"fourierspacing = ([\d.]+)\.", out)[1])
    assert 0.08 < advised < 0.2
    error = float(re.search(r"errs by up to about ([\d.e+]+) kJ/mol/nm", out)[1])
    assert error > 20
    main(["check", *water(f"fourierspacing = {advised}\n")])
    assert "A312" not in capsys.readouterr().out


def test_the_log_names_the_mesh_in_use(water):
    files = water("fourierspacing = 0.15\npme-order = 5\newald-rtol = 1e-6\n")
    assert main(["mdrun", *files, "-ntomp", "1", "-deffnm", "a"]) == 0
    with au.from_gromacs("conf.gro", "topol.top", "md.mdp", threads=1) as sim:
        grid, box = sim.describe()["mesh"], sim.box.lengths
    told, log = json.loads(Path("a.json").read_text())["mesh"], Path("a.log").read_text()
    assert told["grid"] == list(grid) and told["order"] == 5 and told["tolerance"] == 1e-6
    assert told["spacing"] == pytest.approx(max(np.array(box) / grid))
    assert f"points       {grid[0]} × {grid[1]} × {grid[2]}, at most" in log
    assert f"beta {told['beta']:.6g}/nm, ewald-rtol 1e-06" in log
    assert f"force error  {told['force_error']:.2g} kJ/mol/nm expected" in log
    assert told["force_error"] == pytest.approx(np.hypot(told["mesh_error"], told["pair_error"]))
    Path("md.mdp").write_text(MDP.replace("PME", "cut-off"))
    assert main(["mdrun", *files, "-ntomp", "1", "-deffnm", "b", "-maxwarn", "1"]) == 0
    assert json.loads(Path("b.json").read_text())["mesh"] is None


def test_a_mesh_that_was_accepted_is_not_told_again(water, capsys):
    files = water("fourierspacing = 0.8\n")
    assert main(["mdrun", *files, "-ntomp", "1", "-deffnm", "c"]) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main(["mdrun", *files, "-ntomp", "1", "-deffnm", "c", "-maxwarn", "1"]) == 0
    assert "A312" in Path("c.log").read_text()
