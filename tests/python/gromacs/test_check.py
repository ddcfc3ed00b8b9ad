# SPDX-License-Identifier: Apache-2.0
"""`aureole check` on small jobs of our own."""

from __future__ import annotations

from pathlib import Path

import pytest
from aureole.base.errors import FileError, InputError
from aureole.cli.main import main
from aureole.formats.read_coordinates import read_coordinates
from aureole.gromacs.job import read_job

TOP = """\
[ defaults ]
1 2 yes 0.5 0.5
[ atomtypes ]
OW 8 15.9994 0.0 A 0.3166 0.65
HW 1 1.008 0.0 A 0.0 0.0
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW 1 -0.8476
2 HW 1 SOL HW1 1 0.4238
3 HW 1 SOL HW2 1 0.4238
[ bonds ]
1 2 1 0.1 345000
1 3 1 0.1 345000
[ angles ]
2 1 3 1 109.47 383
[ system ]
two waters
[ molecules ]
SOL 2
"""
MDP = (
    "integrator = md\ndt = 0.002\nnsteps = 50\nrcoulomb = 0.9\nrvdw = 0.9\nconstraints = h-bonds\n"
)


def atom(residue: int, name: str, number: int, x: float, y: float) -> str:
    return f"{residue:5d}{'SOL':<5}{name:>5}{number:5d}{x:8.3f}{y:8.3f}{0.5:8.3f}\n"


GRO = (
    "two waters\n6\n"
    + atom(1, "OW", 1, 0.5, 0.5)
    + atom(1, "HW1", 2, 0.6, 0.5)
    + atom(1, "HW2", 3, 0.467, 0.594)
    + atom(2, "OW", 4, 1.5, 0.5)
    + atom(2, "HW1", 5, 1.6, 0.5)
    + atom(2, "HW2", 6, 1.467, 0.594)
    + "   2.00000   2.00000   2.00000\n"
)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Arguments of a job that is all right."""
    for name, text in (("conf.gro", GRO), ("topol.top", TOP), ("grompp.mdp", MDP)):
        (tmp_path / name).write_text(text)
    names = ("-c", "conf.gro", "-p", "topol.top", "-f", "grompp.mdp")
    return [name if name[0] == "-" else str(tmp_path / name) for name in names]


def test_summary(files, capsys):
    assert main(["check", *files]) == 0
    out = capsys.readouterr().out
    assert "6 in 2 molecules: 2 SOL" in out
    assert "4 constraint" in out and "harmonic_bond" not in out  # both bonds have a hydrogen
    assert "50 steps of 0.002 ps: 0.1 ps" in out


def test_names_of_files_are_those_of_mdrun(files, capsys, monkeypatch):
    """Without options it checks what `aureole mdrun` without options would run."""
    monkeypatch.chdir(Path(files[1]).parent)
    assert main(["check", "-c", "conf.gro", "-p", "topol.top", "-f", "grompp.mdp"]) == 0
    named = capsys.readouterr().out
    assert main(["check"]) == 0 and capsys.readouterr().out == named


def test_errors_are_numbered_and_decide_the_exit_code(files, capsys):
    Path(files[5]).write_text(MDP.replace("rvdw = 0.9", "rvdw = 1.2").replace("0.9", "1.2"))
    assert main(["check", *files]) == 2
    out = capsys.readouterr().out
    assert "error A" in out and "1 error" in out


def test_all_options_are_written(files, tmp_path):
    out = tmp_path / "mdout.mdp"
    assert main(["check", *files, "-po", str(out)]) == 0
    assert "rvdw" in out.read_text()


def test_names_that_differ_are_a_warning(files, capsys):
    """As of grompp; the command ends as mdrun would."""
    Path(files[1]).write_text(GRO.replace("  HW2", "   XX", 1))
    job = read_job(files[1], files[3], files[5])
    (note,) = (note for note in job.notes if note.number == "A808")
    assert note.severity == "warning" and "atom 3, XX there and HW2" in note.text
    assert main(["check", *files]) == 2
    assert not note.where  # the parameters have no part in it
    assert "warning A808" in capsys.readouterr().out
    assert main(["check", *files, "-maxwarn", "1"]) == 0


def test_counts_that_differ(files):
    Path(files[3]).write_text(TOP.replace("SOL 2\n", "SOL 3\n")[: -len("SOL 2\n")] + "SOL 3\n")
    with pytest.raises(InputError, match=r"6 particles.* 9"):
        read_job(files[1], files[3], files[5])


def test_run_input_files_are_named(tmp_path):
    with pytest.raises(FileError, match="coordinates, topology and run parameters"):
        read_coordinates(tmp_path / "topol.tpr")
