# SPDX-License-Identifier: Apache-2.0
"""Faults can be planted in today's tree; a copy has them; runs tell what found them."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOOLS))

import plant_faults  # noqa: E402
from planted import copies, runs  # noqa: E402

pytestmark = pytest.mark.skipif(
    (TOOLS.parent / copies.MARK).exists(), reason="this tree has planted faults"
)
FAULTS = plant_faults.read()
#: Of device code, planted one at a time.
OF_VENDORS = plant_faults.read(plant_faults.FAULTS.with_name("vendors.toml"))
#: Of aureole-mpi alone.
OF_MPI = plant_faults.read(plant_faults.FAULTS.with_name("preload.toml"))
BOX = """\
// SPDX-License-Identifier: Apache-2.0
double length(double a) {
    count += 1;
    return a < 2 ? a : 2;
}
"""
SUM = """\
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

for k in range(3):
    print(k)
"""
SMALL = [
    plant_faults.Fault(1, "one", "src/core/box.hpp", "a < 2", "a <= 2", "slow", "Box"),
    plant_faults.Fault(2, "two", "src/core/box.hpp", "count += 1;", "", "slow", "Box"),
    plant_faults.Fault(3, "three", "python/sum.py", "range(3)", "range(2)", "python", "test_sum"),
]


def test_each_fault_can_be_planted_today():
    assert plant_faults.problems_of(FAULTS) == []
    assert plant_faults.problems_of(OF_MPI) == []
    assert plant_faults.problems_of(OF_VENDORS) == [] and len(OF_VENDORS) == 12


def test_others_are_taken_from_a_file_of_theirs(tmp_path, capsys):
    """In the same form; as many as there are, while those of the project have to be so many."""
    other = tmp_path / "other.toml"
    fault = FAULTS[0]
    words = {
        name: getattr(fault, name) for name in ("title", "file", "old", "new", "lane", "finder")
    }
    lines = [f"{name} = {text!r}" for name, text in words.items()]
    other.write_text("\n".join(["[[fault]]", "id = 1", *lines]) + "\n")
    assert plant_faults.main(["--faults", str(other), "check"]) == 0
    assert "planted faults: 1, 0 problems" in capsys.readouterr().out
    assert plant_faults.main(["--faults", str(other), "list"]) == 0
    shown = capsys.readouterr().out
    assert fault.title in shown and FAULTS[1].title not in shown


def test_there_are_enough_of_each_sort():
    assert plant_faults.shortages(FAULTS) == []
    assert len(OF_MPI) >= 25 and {fault.layer for fault in OF_MPI} == {"drivers", "preload"}


@pytest.mark.parametrize(
    "name, faults",
    [(name, of) for of in (FAULTS, OF_MPI) for name in sorted({fault.file for fault in of})],
)
def test_files_with_faults_keep_their_lines(name, faults):
    mine = [fault for fault in faults if fault.file == name]
    text = (TOOLS.parent / name).read_text()
    for switched in (True, False):
        faulty = copies.with_faults(text, mine, switched)
        assert faulty != text and faulty.count("\n") == text.count("\n")
        if name.endswith(".py"):
            compile(faulty, name, "exec")


@pytest.mark.parametrize(
    "change, words",
    [
        ({"old": "not there"}, "0 times"),
        ({"old": "r"}, "times"),
        ({"new": FAULTS[0].old}, "changes nothing"),
        ({"new": "a\nb"}, "not one line"),
        ({"switched": "always"}, "always there"),
        ({"file": "src/none.hpp"}, "0 times"),
        ({"id": 2}, "numbered"),
    ],
)
def test_what_cannot_be_planted_is_named(change, words):
    problems = plant_faults.problems_of([replace(FAULTS[0], **change)])
    assert len(problems) == 1 and words in problems[0]


def test_what_is_missing_is_named():
    short = plant_faults.shortages([fault for fault in FAULTS if fault.layer != "halo"])
    assert any("0 faults in halo" in words for words in short)


def test_choices():
    assert [fault.choice() for fault in SMALL] == [
        "(AUREOLE_PLANTED(1) ? (a <= 2) : (a < 2))",
        "if (AUREOLE_PLANTED(2)) {  } else { count += 1; }",
        "((range(2)) if planted(3) else (range(3)))",
    ]
    given = replace(SMALL[0], switched="PLANTED ? 1 : 2")
    assert given.choice() == "AUREOLE_PLANTED(1) ? 1 : 2"


@pytest.fixture
def tree(tmp_path):
    """A tree of git with two files, one of which is not committed."""
    root = tmp_path / "tree"
    for name, text in {
        "src/core/box.hpp": BOX,
        "python/aureole/__init__.py": "",
        "old": "",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for words in (["init", "-q"], ["add", "-A"]):
        copies.git(root, *words)
    copies.git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "all")
    (root / "python" / "sum.py").write_text(SUM)
    (root / "old").unlink()
    (root / ".gitignore").write_text("build*\n__pycache__\n")
    return root


def sums(folder, fault):
    return subprocess.run(
        [sys.executable, "python/sum.py"],
        cwd=folder,
        env=os.environ | {"AUREOLE_PLANTED": str(fault), "PYTHONPATH": "python"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()


def test_a_copy_has_the_faults_and_what_is_not_committed(tree, tmp_path):
    folder = tmp_path / "copy"
    copies.make(tree, folder, SMALL, switched=True)
    assert sums(folder, 0) == ["0", "1", "2"] and sums(folder, 3) == ["0", "1"]
    assert sums(folder, "1,3") == ["0", "1"] and sums(folder, "1,2") == ["0", "1", "2"]
    assert not (folder / "old").exists() and copies.git(folder, "status", "--short") == ""
    assert "AUREOLE_PLANTED(1)" in (folder / "src/core/box.hpp").read_text()
    written = (folder / "src/core/box.hpp").stat().st_mtime_ns
    assert copies.make(tree, folder, SMALL, switched=True) == 0
    assert (folder / "src/core/box.hpp").stat().st_mtime_ns == written
    copies.make(tree, folder, SMALL[2:], switched=False)
    assert sums(folder, 0) == ["0", "1"]
    assert (folder / "src/core/box.hpp").read_text() == BOX
    assert not (folder / copies.HEADER).exists()
    assert (folder / copies.MARK).read_text() == "3 python/sum.py\n"


def test_a_copy_lies_elsewhere(tree, tmp_path):
    (tmp_path / "other").mkdir()
    for folder in (tree / "copy", tmp_path / "other"):
        with pytest.raises(SystemExit, match="choose a"):
            copies.make(tree, folder, SMALL, switched=True)


#: Finds the first fault by a test, waits for ever with the second, and misses the third.
COMMAND = """\
echo "[ RUN      ] Box.Wraps"
echo $AUREOLE_PLANTED {lane} >>build-planted/calls
case $AUREOLE_PLANTED in
1) echo "[  FAILED  ] Box.Wraps (0 ms)"; exit 1 ;;
2) sleep 60 ;;
esac
"""


def test_runs_tell_what_found_a_fault(tree, tmp_path, capsys):
    folder = tmp_path / "copy"
    copies.make(tree, folder, SMALL, switched=True)
    fast = runs.How(COMMAND, "fast", 0.5)
    assert runs.run(folder, SMALL, fast, [1]) == 0  # as if it was stopped there
    assert runs.run(folder, SMALL, fast, []) == 0
    calls = (folder / "build-planted" / "calls").read_text().split("\n")
    assert calls[:-1] == ["0 slow", "1 slow", "2 slow", "3 python"]
    found = runs.read_results(folder)["faults"]
    assert found["1"]["fast"]["by"] == "Box.Wraps"
    assert "no end" in found["2"]["fast"]["by"] and not found["3"]["fast"]["found"]
    capsys.readouterr()
    assert runs.show_table(folder, SMALL) == 1
    assert "fast: 2, not found: 1" in capsys.readouterr().out
    lane = runs.How("test $AUREOLE_PLANTED = 0", "{lane}", 5)
    assert runs.run(folder, SMALL, lane, []) == 0
    assert runs.show_table(folder, SMALL) == 0
    assert "fast: 2, python: 1" in capsys.readouterr().out


def test_a_command_that_fails_without_a_fault_is_refused(tree, tmp_path, capsys):
    folder = tmp_path / "copy"
    copies.make(tree, folder, SMALL, switched=True)
    assert runs.run(folder, SMALL, runs.How("echo bad; exit 3", "fast", 5), []) == 1
    assert "without a fault: bad" in capsys.readouterr().err
    assert runs.read_results(folder)["faults"] == {}


def test_results_are_of_one_copy(tree, tmp_path):
    folder = tmp_path / "copy"
    copies.make(tree, folder, SMALL, switched=True)
    runs.run(folder, SMALL, runs.How("test $AUREOLE_PLANTED = 0", "fast", 5), [])
    copies.make(tree, folder, SMALL[1:], switched=True)
    assert runs.read_results(folder)["faults"] == {}


@pytest.mark.parametrize(
    "output, name",
    [
        (
            "[  FAILED  ] Hot/ExactList.MissesNoPair/3, where GetParam() = 1\n",
            "Hot/ExactList.MissesNoPair/3",
        ),
        (
            "x\nFAILED tests/python/test_a.py::test_b[1] - assert\n",
            "tests/python/test_a.py::test_b[1]",
        ),
        ("\t 12 - md.Box.Wraps (Failed)\n", "md.Box.Wraps"),
        (
            "[ RUN      ] Box.Wraps\n[       OK ] Box.Wraps\n[ RUN      ] Box.Falls\nKilled\n",
            "Box.Falls",
        ),
        ("\nsomething else\n\n", "something else"),
        ("", "nothing was said"),
    ],
)
def test_names_of_finders(output, name):
    assert runs.finder_of(output) == name
