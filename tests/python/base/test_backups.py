# SPDX-License-Identifier: Apache-2.0
"""Files that are renamed before new ones take their names: none is lost, in any order of events."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from aureole.base.backups import back_up
from aureole.base.errors import FileError


def texts(here):
    return sorted(path.read_text() for path in here.iterdir() if path.is_file())


def test_two_processes_do_not_take_the_same_name(here, monkeypatch):
    """Between the choice of a name and the renaming, another run has done all of its own."""
    rename = os.rename
    Path("a.csv").write_text("first")

    def late(old, new):
        monkeypatch.setattr(os, "rename", rename)
        assert back_up(["a.csv"]) == [("a.csv", "#a.csv.2#")]
        Path("a.csv").write_text("second")
        rename(old, new)

    monkeypatch.setattr(os, "rename", late)
    assert back_up(["a.csv"]) == [("a.csv", "#a.csv.1#")]
    assert texts(here) == ["first", "second"]


def test_a_file_that_another_process_has_renamed_needs_no_name(here, monkeypatch):
    Path("a.csv").write_text("first")
    rename = os.rename

    def late(old, new):
        monkeypatch.setattr(os, "rename", rename)
        back_up(["a.csv"])
        rename(old, new)

    monkeypatch.setattr(os, "rename", late)
    assert back_up(["a.csv"]) == []
    assert os.listdir() == ["#a.csv.2#"] and texts(here) == ["first"]


def test_links_that_lead_nowhere_are_not_replaced(here):
    Path("a.csv").write_text("first")
    os.symlink("nowhere", "#a.csv.1#")
    assert back_up(["a.csv"]) == [("a.csv", "#a.csv.2#")]
    assert os.readlink("#a.csv.1#") == "nowhere"


@pytest.mark.parametrize("end", [KeyboardInterrupt, OSError(errno.EROFS, "Read-only file system")])
def test_an_end_before_the_renaming_loses_nothing(here, monkeypatch, end):
    Path("a.csv").write_text("first")

    def ends(old, new):
        raise end

    with monkeypatch.context() as patch, pytest.raises((KeyboardInterrupt, FileError)) as caught:
        patch.setattr(os, "rename", ends)
        back_up(["a.csv"])
    if caught.type is FileError:
        said = "a.csv: cannot be renamed to #a.csv.1# (Read-only file system). Choose a folder"
        assert str(caught.value).startswith(said) and os.listdir() == ["a.csv"]
    assert Path("a.csv").read_text() == "first"
    back_up(["a.csv"])
    assert "first" in texts(here) and not Path("a.csv").exists()
