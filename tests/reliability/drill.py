# SPDX-License-Identifier: Apache-2.0
"""The tests' side of the drill server, and comparisons of what two runs left."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import gsd.fl
import numpy as np
from drill_jobs import CHECKPOINT, LOG, TRAJECTORY

HERE = Path(__file__).parent
INJECTOR = Path(os.environ.get("AUREOLE_FAULTS", HERE.parents[1] / "build" / "faults.so"))
COMPLETE = {CHECKPOINT, f"{CHECKPOINT}.prev", TRAJECTORY, LOG}


class Server:
    """A drill server, preloaded with the fault injector where that was built."""

    def __init__(self, base: Path) -> None:
        environment = os.environ | {
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONWARNINGS": "ignore,always::UserWarning",
        }
        if INJECTOR.exists():
            environment["LD_PRELOAD"] = str(INJECTOR)
        self.base = base
        self.notes = base / "notes"
        self.notes.mkdir()
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "drill_server.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert self.process.stdout.readline() == "ready\n"

    def ask(self, job: str, **request: Any) -> dict[str, Any]:
        """Have a child do a job; see drill_server.py."""
        request = {"job": job, "notes": str(self.notes)} | request
        self.process.stdin.write(json.dumps(request, default=str) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()

    def fresh(self, name: str = "run") -> Path:
        """An empty folder."""
        folder = self.base / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder

    def first_step(self) -> int:
        """The step at which the last child began."""
        return int((self.notes / "first").read_text())

    def last_step(self) -> int:
        """The last step that the last child reported; -1 if none."""
        note = self.notes / "progress"
        data = note.read_bytes() if note.exists() else b""
        return struct.unpack("<q", data)[0] if len(data) == 8 else -1


def frames(path: Path) -> list[dict[str, bytes]]:
    """All chunks of all frames of a GSD file."""
    with gsd.fl.open(str(path), "r") as file:
        names = file.find_matching_chunk_names("")
        return [
            {
                name: file.read_chunk(frame=k, name=name).tobytes()
                for name in names
                if file.chunk_exists(frame=k, name=name)
            }
            for k in range(file.nframes)
        ]


class Run:
    """What a complete run left: final state, frames, rows."""

    def __init__(self, server: Server, folder: Path) -> None:
        with np.load(server.notes / "final.npz") as data:
            self.state = {name: data[name].tobytes() for name in data.files}
        self.frames = frames(folder / TRAJECTORY)
        self.rows = (folder / LOG).read_text().splitlines()
        self.names = {entry.name for entry in folder.iterdir()}

    def assert_same(self, other: Run) -> None:
        """Bitwise the same physics and output, nothing missing, doubled or left over."""
        assert self.names == other.names == COMPLETE
        assert self.rows == other.rows
        assert len(self.frames) == len(other.frames)
        for k, (mine, theirs) in enumerate(zip(self.frames, other.frames, strict=True)):
            assert mine == theirs, f"frame {k} differs"
        differing = [name for name in self.state if self.state[name] != other.state[name]]
        assert not differing, f"final {differing} differ"


def undisturbed(server: Server, options: dict[str, Any]) -> tuple[Run, float]:
    """The run that nothing happened to, and the seconds it took."""
    folder = server.fresh("undisturbed")
    answer = server.ask("simulate", folder=folder, options=options)
    assert answer["status"] == 0, str(answer)
    return Run(server, folder), answer["seconds"]
