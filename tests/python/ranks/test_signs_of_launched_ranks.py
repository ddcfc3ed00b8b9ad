# SPDX-License-Identifier: Apache-2.0
"""Signs by which ranks of a launcher show that they come or leave: no other user makes them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

NOBODY = 65534
#: A rank, that says which others leave as often as it is asked.
RANK = """
import sys
from aureole.ranks import rendezvous
print("ready", flush=True)
for _ in sys.stdin:
    print(rendezvous._others_that_show("leaves"), flush=True)
"""
LEAVES = """
import sys
from aureole.ranks import rendezvous
sign = rendezvous._shown("leaves")
print("ready", flush=True)
sys.stdin.read()
"""
#: Another user shows all that a rank could show. Whoever may read /proc knows the launcher.
FORGES = f"""
import os, socket, sys
os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
sockets = []
for what in ("comes", "leaves"):
    os.memfd_create(f"aureole rank {{what}}")
    sockets.append(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
    sockets[-1].bind(f"\\0aureole rank 1 of {{os.getppid()}} {{what}}")
print("ready", flush=True)
sys.stdin.read()
"""


@contextmanager
def process(rank: int, script: str) -> Iterator[subprocess.Popen[str]]:
    """One that this one, as launcher, has started as a rank of two."""
    names = ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE")
    told = dict(zip(names, ("2", str(rank), "2"), strict=True))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, text=True, env={**os.environ, **told}, **pipes) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == "ready\n"
        yield started
        assert started.stdin is not None
        started.stdin.close()


def asked(rank: subprocess.Popen[str]) -> str:
    assert rank.stdin is not None and rank.stdout is not None
    rank.stdin.write("\n")
    rank.stdin.flush()
    return rank.stdout.readline()


def test_a_rank_that_leaves_is_seen_until_it_is_gone() -> None:
    with process(0, RANK) as rank:
        assert asked(rank) == "[]\n"
        with process(1, LEAVES):
            assert asked(rank) == "[1]\n"
        assert asked(rank) == "[]\n"


def test_other_users_cannot_show_anything() -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root, to act as another user")
    with process(0, RANK) as rank, process(1, FORGES):
        assert asked(rank) == "[]\n"
