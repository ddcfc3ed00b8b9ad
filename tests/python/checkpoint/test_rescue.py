# SPDX-License-Identifier: Apache-2.0
"""Where a run saves its state when its own files cannot be written: not through links of others."""

import os
import stat
from pathlib import Path

import pytest
from aureole.live import rescue


def saved(monkeypatch, folder, state=b"state"):
    monkeypatch.setattr(rescue, "folders", lambda: iter([str(folder)]))
    return rescue.rescue(lambda path: Path(path).write_bytes(state))


def test_in_a_folder_of_ones_own(tmp_path, monkeypatch):
    path = saved(monkeypatch, tmp_path)
    assert path == str(tmp_path / f"aureole-rescue-{os.getpid()}.ckpt")


def test_an_earlier_state_is_kept(tmp_path, monkeypatch):
    """Of another simulation of the process, or of one with the same number; links stay too."""
    states = [saved(monkeypatch, tmp_path, text) for text in (b"one", b"two", b"three")]
    assert [Path(path).read_bytes() for path in states] == [b"one", b"two", b"three"]
    taken = tmp_path / f"aureole-rescue-{os.getpid()}-4.ckpt"
    taken.symlink_to("nowhere")
    assert saved(monkeypatch, tmp_path) == str(tmp_path / f"aureole-rescue-{os.getpid()}-5.ckpt")
    assert taken.is_symlink()


def test_nobody_foresees_the_name_where_others_may_write(tmp_path, monkeypatch):
    shared, victim = tmp_path / "shared", tmp_path / "victim"
    shared.mkdir()
    shared.chmod(0o777)
    victim.write_bytes(b"precious")
    (shared / f"aureole-rescue-{os.getpid()}.ckpt").symlink_to(victim)
    first, second = (saved(monkeypatch, shared) for _ in range(2))
    assert victim.read_bytes() == b"precious"
    assert Path(first).read_bytes() == b"state" and first != second
    assert stat.S_IMODE(os.stat(Path(first).parent).st_mode) == 0o700


def test_nothing_is_left_of_an_attempt_that_fails(tmp_path, monkeypatch):
    tmp_path.chmod(0o777)
    monkeypatch.setattr(rescue, "folders", lambda: iter([str(tmp_path)]))

    def fails(path):
        raise OSError("no space")

    assert rescue.rescue(fails) is None
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a folder of another user")
def test_a_folder_of_another_user_is_shared(tmp_path, monkeypatch):
    other = tmp_path / "other"
    other.mkdir()
    os.chown(other, 12345, 12345)
    assert Path(saved(monkeypatch, other)).parent.parent == other
