# SPDX-License-Identifier: Apache-2.0
"""Fast tests see what a fresh machine has, not what lanes, benchmarks or hands installed."""

from __future__ import annotations

import os
import re
import shutil
import sys
from importlib.metadata import distributions
from pathlib import Path

import pytest
from checks import config, fresh_packages, fresh_view, pytests
from checks.debian import Debian
from checks.out_of_sight import MERGED, Hidden
from lanes_tree import TOOLS, link_environment

pytestmark = pytest.mark.usefixtures("fixed")
ROOT = TOOLS.parent
LANE = '[lanes.other]\nwhat = ""\ncommands = ["true"]\nbudget = 1\n'

# ----------------------------------------------------------------------------------- what is hidden


@pytest.mark.parametrize(
    "path, hidden",
    [
        ("/usr/share/gromacs", True),
        ("/usr/share/gromacs/top/a.itp", True),
        (b"/usr/share/gromacs/top", True),
        (Path("/usr/share/gromacs/top"), True),
        ("/usr/share/../share/gromacs/", True),
        ("gromacs/top", True),
        ("/usr/share/gromacs2", False),
        ("/usr/share", False),
        ("/", False),
        ("", False),
        (3, False),
        (None, False),
    ],
)
def test_paths_that_are_hidden(path, hidden, monkeypatch):
    monkeypatch.chdir("/usr/share")
    assert Hidden(["/usr/share/gromacs"]).has(path) == hidden


def test_links_of_the_root_lead_below_usr():
    hidden = Hidden(["/usr/bin/gmx"])
    assert hidden.has("/bin/gmx") == ("bin" in MERGED)
    assert not hidden.has("/bin/sh")


@pytest.fixture
def debian(tmp_path):
    """`base` and what it needs are on every machine, `engine` and what it needs are not."""

    def section(name, *more, status="install ok installed"):
        return "\n".join([f"Package: {name}", f"Status: {status}", *more]) + "\n"

    sections = [
        section("base", "Essential: yes", "Depends: libc (>= 2)"),
        section("libc", "Description: a library", " Depends: spin"),
        section(
            "engine", "Pre-Depends: lib:any | other,", " force-fields (= 1)", "Priority: extra"
        ),
        section("lib", "Depends: virtual"),
        section("fields", "Provides: force-fields (= 1), virtual"),
        section("spin"),
        section("removed", status="deinstall ok config-files"),
    ]
    (tmp_path / "info").mkdir()
    (tmp_path / "status").write_text("\n".join(sections))
    files = {
        "base": "/.\n/usr\n/usr/bin\n/usr/bin/sh\n/usr/share\n",
        "engine": "/.\n/usr\n/usr/bin\n/usr/bin/engine\n/usr/share/engine\n/usr/share/engine/a\n",
        "lib:amd64": "/usr/lib\n/usr/lib/lib.so\n",
        "removed": "/etc/removed\n",
    }
    for name, text in files.items():
        (tmp_path / "info" / f"{name}.list").write_text(text)
    return Debian(tmp_path)


def test_what_packages_of_debian_need(debian):
    assert debian.base() == ["base", "apt"]
    assert debian.needed(["base"]) == {"base", "libc"}
    assert debian.needed(["engine", "unknown"]) == {"engine", "lib", "fields"}
    assert debian.owners(["/usr/bin/engine"]) == {"engine"}


def test_files_of_other_packages(debian):
    assert set(debian.files_without({"base"})) == {
        "/usr/bin/engine",
        "/usr/share/engine",
        "/usr/lib",
    }
    assert list(debian.files_without({"base", "engine", "lib"})) == []


def test_a_machine_without_packages_of_debian(tmp_path):
    nothing = Debian(tmp_path)
    assert nothing.needed(["base"]) == set() and list(nothing.files_without(set())) == []
    machine = fresh_packages.Machine(config.read(ROOT), Path(sys.executable), nothing)
    assert machine.has_program("/opt/engine/bin/engine")


def distribution(site, name, *needs, files=()):
    place = site / f"{name}-1.dist-info"
    place.mkdir()
    lines = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1", *needs]
    (place / "METADATA").write_text("\n".join(lines))
    for file in files:
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        (site / file).write_text("x = 1\n")
    (place / "RECORD").write_text("".join(f"{file},,\n" for file in files))


def test_what_packages_of_python_need(tmp_path):
    needs = ["Provides-Extra: fast", 'Requires-Dist: quick; extra == "fast"']
    distribution(tmp_path, "Tool_Box", "Requires-Dist: part[fast]>=1")
    distribution(tmp_path, "part", *needs, 'Requires-Dist: old; python_version < "3"')
    for name in ("quick", "old", "openmm"):
        distribution(tmp_path, name)
    found = list(distributions(path=[str(tmp_path)]))
    wanted = fresh_packages.needed_of_python(found, ["tool-box>=1", "not-here"])
    assert wanted == {"tool-box", "part", "quick"}
    assert fresh_packages.needed_of_python(found, ["part"]) == {"part"}


def test_folders_that_packages_share_are_linked_in_parts(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    ours, others = {"ours/a.py", "shared/ours/b.py", "shared/c.py"}, {"d.py", "shared/others/e.py"}
    for name in ours | others:
        (old / name).parent.mkdir(parents=True, exist_ok=True)
        (old / name).touch()
    new.mkdir()
    fresh_view.link_files(old, new, ours, others)
    assert all((new / name).exists() for name in ours)
    assert (new / "ours").is_symlink() and (new / "shared/ours").is_symlink()
    assert not any((new / name).exists() for name in others)


@pytest.mark.parametrize("words", ['odd = ["a"]', 'programs = "gmx*"', "folders = [1]"])
def test_lists_of_what_is_hidden_that_are_none(tree, words):
    tree.replace(
        "tests/lanes.toml",
        "[fast.stages.unit]",
        f"[fast.out_of_sight]\n{words}\n[fast.stages.unit]",
    )
    with pytest.raises(config.Problem, match=r"fast\.out_of_sight has"):
        tree.config  # noqa: B018 - reads it


# ----------------------------------------------------------------------------------------- sessions

#: Tests that pass where what they use was installed; on a fresh machine, only the last passes.
PLANTED = """\
import ctypes, importlib.metadata, os, shutil, subprocess, sys
from pathlib import Path

FOLDER, PROGRAM, MODULE = Path({folder!r}), {program!r}, {module!r}

def run(*words):
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL)

def test_it_opens_a_file():
    assert next(f for f in FOLDER.glob("*") if f.is_file()).read_bytes()

def test_it_looks_for_the_folder():
    assert FOLDER.is_dir()

def test_it_lists_the_folder():
    assert os.listdir(FOLDER)

def test_it_goes_there(monkeypatch):
    monkeypatch.chdir(FOLDER)

def test_it_starts_a_program():
    run(PROGRAM, "--version")

def test_it_starts_a_program_by_its_path():
    run({path!r}, "--version")

def test_a_shell_starts_a_program():
    run("sh", "-c", f"{{PROGRAM}} --version")

def test_a_child_opens_a_folder():
    run(sys.executable, "-c", f"import os; os.listdir({folder!r})")

def test_it_imports():
    __import__(MODULE)

def test_a_child_imports():
    run(sys.executable, "-I", "-c", f"import {{MODULE}}")

def test_it_looks_for_a_version():
    assert importlib.metadata.version(MODULE)

def test_it_needs_a_terminal_with_colours():
    assert os.environ["TERM"] != "dumb"

def test_it_reads_a_variable():
    assert os.environ["GMXDATA"]

def test_what_is_on_every_machine(tmp_path):
    (tmp_path / "a").write_text("a")
    run("git", "--version")
    run("c++", "--version")
    run(sys.executable, "-c", "import numpy, pytest, aureole")
    shutil.rmtree(tmp_path)
    assert not os.path.exists(tmp_path) and Path(__file__).exists()
"""


#: Names of those that find nothing on a fresh machine.
FAIL = {f"test_{name}" for name in re.findall(r"def test_(\w+)", PLANTED)} - {
    "test_what_is_on_every_machine"
}


@pytest.fixture
def python(tree):
    """A tree with the tools and the packages of this one, and a lane that has its tests or not."""
    shutil.copy(ROOT / "conftest.py", tree.root)
    for name in ("checks", "requirements.txt", "setup.sh"):
        link = tree.root / "tools" / name
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(TOOLS / name)
    pip = config.read(ROOT).fast.packages["pip"]
    tree.replace("tests/lanes.toml", "[fast]", f"[fast]\npackages.pip = {pip}")
    tree.write("tests/lanes.toml", (tree.root / "tests/lanes.toml").read_text() + LANE)
    return tree


def out_of_sight(tree, **patterns):
    lines = "".join(f"out_of_sight.{key} = {words}\n" for key, words in patterns.items())
    tree.replace("tests/lanes.toml", "[fast]\n", f"[fast]\n{lines}")


def failed_and_passed(tree, part, capfd):
    """Names of tests, as a run of the fast tier or of a lane tells them."""
    whole = ["tests/test_p.py"] if part == "other" else []
    before = (tree.root / "tests/lanes.toml").read_text().partition("[lanes.other]")[0]
    tree.write("tests/lanes.toml", f"{before}{LANE}whole = {whole}\n")
    capfd.readouterr()
    pytests.run_part(tree.config, part, ["-p", "no:cacheprovider", "-rA", "tests"], print)
    out = capfd.readouterr().out
    told = [
        set(re.findall(rf"^{how} .*::(\w+)", out, re.MULTILINE)) for how in ("FAILED", "PASSED")
    ]
    assert len(told[0]) + len(told[1]) == len(FAIL) + 1, out
    return told


def test_fast_tests_that_use_what_others_installed_fail_by_name(
    python, tmp_path, monkeypatch, capfd
):
    """A folder, a program, a package of Python and a variable, which a hand has installed."""
    folder = tmp_path / "planted"
    program = folder / "planted_program"
    folder.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    site = link_environment(python.root)
    distribution(site, "planted_module", files=["planted_module.py"])
    out_of_sight(python, folders=[str(folder)], programs=["planted_*"], variables=["GMX*"])
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{folder}")
    monkeypatch.setenv("GMXDATA", "/some/where")
    monkeypatch.setenv("TERM", "xterm")
    names = {"folder": str(folder), "path": str(program)}
    names |= {"program": program.name, "module": "planted_module"}
    python.write("tests/test_p.py", PLANTED.format(**names))
    assert failed_and_passed(python, "fast", capfd) == [FAIL, {"test_what_is_on_every_machine"}]
    assert failed_and_passed(python, "other", capfd)[0] == set()


# ------------------------------------------- in the lane that installs GROMACS, OpenMM, spin


@pytest.fixture
def installed(python):
    """A tree with this one's environment, where the lane `programs` has installed all it needs."""
    (python.root / ".venv").symlink_to(ROOT / ".venv")
    python.write("tests/lanes.toml", (ROOT / "tests/lanes.toml").read_text() + LANE)
    python.write("tests/slow.txt", "")
    return python


def test_fast_tests_that_use_gromacs_fail_by_name(installed, monkeypatch, capfd):
    monkeypatch.setenv("GMXDATA", "/usr/share/gromacs")
    monkeypatch.setenv("TERM", "xterm")
    names = {"folder": "/usr/share/gromacs/top", "path": shutil.which("gmx")}
    names |= {"program": "gmx", "module": "openmm"}
    installed.write("tests/test_p.py", PLANTED.format(**names))
    assert failed_and_passed(installed, "fast", capfd) == [FAIL, {"test_what_is_on_every_machine"}]
    assert failed_and_passed(installed, "other", capfd)[0] == set()


def test_nothing_of_the_lanes_is_in_sight(installed, tmp_path):
    view = fresh_view.make(installed.config, tmp_path)
    (site,) = tmp_path.glob("lib/python3*/site-packages")
    seen = {d.metadata["Name"].lower() for d in distributions(path=[str(site)])}
    assert {"numpy", "pytest", "pytest-xdist", "chemfiles"} <= seen
    programs, packages = (
        {"gmx", "gmx_d", "chromium", "spin"},
        {"openmm", "parmed", "mdanalysis", "mpich"},
    )
    for lane in installed.config.lanes.values():
        programs |= {entry.split("|")[-1] for entry in lane.packages.get("apt", ())}
        packages |= {re.split("[<>=]", one)[0].lower() for one in lane.packages.get("pip", ())}
    assert shutil.which("gmx") and shutil.which("chromium") and shutil.which("spin")
    path = view.environment["PATH"]
    assert [name for name in programs if shutil.which(name, path=path)] == []
    assert not packages & seen and "ruff" in os.listdir(tmp_path / "bin")
    assert not any(name.startswith("mpi") for name in os.listdir(tmp_path / "bin"))
