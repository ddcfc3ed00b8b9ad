# SPDX-License-Identifier: Apache-2.0
"""tools/setup.sh: what it writes of the tree, for pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest
from lanes_tree import TOOLS, link_environment
from packaging.requirements import Requirement

ROOT = TOOLS.parent


@pytest.fixture
def tree(tmp_path):
    """A folder in which all is set up but the description of the tree."""
    (tmp_path / "tools").mkdir()
    for name in ("tools/setup.sh", "tools/requirements.txt", "pyproject.toml", "CMakeLists.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in ("README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    site = link_environment(tmp_path)
    for old in site.glob("aureole*"):
        old.unlink()
    (tmp_path / ".setup").mkdir()
    for stamp in ("system", "venv"):
        (tmp_path / ".setup" / stamp).touch()
    return tmp_path, site


def described(tree: Path, site: Path) -> Distribution:
    subprocess.run([tree / "tools/setup.sh"], check=True, env=os.environ | {"PIP_NO_INDEX": "1"})
    (found,) = (d for d in distributions(path=[str(site)]) if d.metadata["Name"] == "aureole")
    return found


def test_pip_knows_the_extras_of_the_tree(tree):
    """`pip install "aureole[notebook]"` after `make demo` installs what pyproject.toml says."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = described(*tree)
    assert found.metadata.get_all("Provides-Extra") == list(project["optional-dependencies"])
    for extra, lines in project["optional-dependencies"].items():
        needs = [Requirement(line) for line in found.requires]
        needs = [n for n in needs if n.marker and n.marker.evaluate({"extra": extra})]
        assert [f"{n.name}{n.specifier}" for n in needs] == lines
    names = {(point.group, point.name) for point in found.entry_points}
    assert names == {("console_scripts", "aureole"), ("aureole.commands", "bench")}
    assert f"project(aureole VERSION {found.version}" in (ROOT / "CMakeLists.txt").read_text()


def test_the_description_follows_the_project(tree):
    place, site = tree
    old = site / "aureole-0.dist-info"
    old.mkdir()
    (old / "METADATA").write_text("Metadata-Version: 2.1\nName: aureole\nVersion: 0\n")
    stamp, project = place / ".setup/tree", place / "pyproject.toml"
    described(place, site)  # it is the only one
    before = stamp.stat().st_mtime_ns
    described(place, site)
    assert stamp.stat().st_mtime_ns == before
    project.write_text(project.read_text().replace('notebook = ["anywidget', 'more = ["anywidget'))
    os.utime(project, ns=(before + 10**9, before + 10**9))
    assert "more" in described(place, site).metadata.get_all("Provides-Extra")
