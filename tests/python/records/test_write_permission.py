# SPDX-License-Identifier: Apache-2.0
"""Which files lie in the folder of a checkpoint, by whole names of folders."""

from __future__ import annotations

import os
from pathlib import Path

import aureole as au
import pytest
from aureole.records import write_permission

INSIDE = ["run/a.csv", "run/sub/a.csv", "run/run-x/a.csv", "run-x/../run/a.csv", "to-run/a.csv"]
OUTSIDE = [
    *("run-x/a.csv", "runs/a.csv", "run.csv", "ru/a.csv", "a.csv", "run/../a.csv", "out/a.csv"),
    *("run/../run-x/a.csv", "run/to-x/a.csv", "run\u00e9/a.csv", "run /a.csv", "Run/a.csv"),
]


@pytest.fixture
def folders(here):
    """A folder `run` with links into others, in the working folder."""
    for name in ("run/sub", "run/run-x", "run-x", "runs", "ru", "run\u00e9", "run ", "Run", "else"):
        (here / name).mkdir(parents=True, exist_ok=True)
    os.symlink(here / "run", here / "to-run")
    os.symlink(here / "run-x", here / "run" / "to-x")
    os.symlink(here / "else", here / "out")
    return here


def refused(checkpoint, path, allowed=()):
    try:
        write_permission.check(checkpoint, [au.Log(path)], [None], allowed)
    except au.InputError as error:
        assert f"{path} is not in the folder of the checkpoint" in str(error)
        return True
    return False


@pytest.mark.parametrize("absolute", [False, True])
@pytest.mark.parametrize("path", INSIDE + OUTSIDE)
def test_a_folder_ends_where_its_name_ends(folders, path, absolute):
    """`run-x` begins as `run` does, and is another folder."""
    name = str(folders / path) if absolute else path
    ends = path in OUTSIDE
    for checkpoint in ("run/a.ckpt", "run/../run/a.ckpt", "to-run/a.ckpt", str(folders / "run/a")):
        assert refused(checkpoint, name) == ends
        assert write_permission.outside(checkpoint, [au.Log(name)]) == ([name] if ends else [])


@pytest.mark.parametrize("path", OUTSIDE)
def test_what_is_listed_is_whole_too(folders, path):
    """A folder that the user lists allows what is in it, and a file itself."""
    assert refused("run/a.ckpt", path, ["run", "els", "run-", "run-x/a", "out/a.cs"])
    assert not refused("run/a.ckpt", path, [path])
    assert not refused("run/a.ckpt", path, [Path(path).parent])
    assert not refused("run/a.ckpt", path, ["/"])


def test_below_the_root(folders):
    """Its name ends in the separator itself."""
    assert write_permission.outside("/a.ckpt", [au.Log("/b/c.csv"), au.Log("run/a.csv")]) == []
