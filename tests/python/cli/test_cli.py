# SPDX-License-Identifier: Apache-2.0
"""The command line, as users see it: in a process of its own."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from functools import partial
from pathlib import Path

import aureole as au
import commands
import gsd.hoomd
import pytest
from aureole.cli import doctor
from aureole.cli.run_summary import Paint
from inputs import TOML

ROOT = Path(__file__).parents[3]
RUN = """\
steps = {steps}
seed = 1
thermalize = 1.0
[system]
kind = "lattice"
n = 500
density = 0.8
[[forces]]
kind = "LennardJones"
epsilon = 1.0
sigma = 1.0
r_cut = 2.5
[integrator]
kind = "Langevin"
dt = 0.005
kT = 1.0
[[observers]]
kind = "Trajectory"
path = "a.gsd"
every = 20
[[observers]]
kind = "Log"
path = "a.csv"
every = 10
[[observers]]
kind = "Checkpoint"
path = "a.ckpt"
every = 100
[device]
threads = 1
"""


def command(*arguments):
    return [sys.executable, "-m", "aureole", *map(str, arguments)]


def aureole(*arguments, code=0, fresh=False):
    done = commands.run(
        command(*arguments), fresh=fresh, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def write(name, text):
    Path(name).write_text(text)
    return name


def test_help_and_version(here):
    text = aureole("--help", fresh=True).stdout
    for name in ("run", "info", "doctor", "bench", "examples:"):
        assert name in text
    assert aureole("--version").stdout == f"aureole {au.__version__}\n"
    for name in ("run", "info", "doctor"):
        assert "usage: aureole" in aureole(name, "--help").stdout
    assert "usage" in aureole("fly", code=2).stderr


def test_run_says_what_runs_where(here):
    text = aureole("run", write("in.toml", RUN.format(steps=200)), fresh=True).stdout
    lines = text.splitlines()
    assert lines[0].startswith("aureole ")
    head = "\n".join(lines[:8])
    for word in ("particles   500", "device", "1 thread", "precision   mixed", "list", "exact"):
        assert word in head
    assert "done" in text and "steps/s" in text and "\033" not in text
    assert set(os.listdir()) == {"in.toml", "a.gsd", "a.csv", "a.ckpt", "a.ckpt.prev"}
    # A finished run is begun anew without a word; its checkpoint goes on when asked.
    aureole("run", "in.toml", "--quiet")
    assert "run ended at step 200" in aureole("run", "a.ckpt").stdout
    assert "step 230" in aureole("run", "a.ckpt", "--steps", 30).stdout
    assert len(Path("a.csv").read_text().splitlines()) == 1 + 24


def test_info(here):
    aureole("run", write("in.toml", RUN.format(steps=100)), "--quiet")
    text = aureole("info", "in.toml", "a.gsd", "a.csv", "a.ckpt").stdout
    for words in ("in.toml: input file", "a.gsd: GSD file", "6, steps 0 to 100", "500: 500 A",
                  "a.csv: log", "a.ckpt: checkpoint", "100 of 100", "Langevin("):  # fmt: skip
        assert words in text
    Path("a.top").write_text("[ system ]\n")
    assert "aureole check" in aureole("info", "a.top", code=1).stderr
    Path("notes.txt").write_text("words")
    assert "is not a file that info describes" in aureole("info", "notes.txt", code=1).stderr
    done = aureole("info", "none", code=1)
    assert done.stderr == "error: none: cannot be read (no such file). Check its name.\n"
    done = aureole("info", "notes.txt", "a.csv", "none", code=1)  # what can be told is told
    assert "a.csv: log" in done.stdout and done.stderr.count("error: ") == 2


def test_doctor(here):
    text = aureole("doctor").stdout
    for path in ("memfd", "/proc/PID/fd", "process_vm_readv", "membarrier", "processors", "MPI"):
        assert f" {path} " in text
    assert "gmx --version" not in text  # but which version
    for word in ("processor", "instructions", "compiler", "devices", "host"):
        assert word in text


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("abc", "– OMP_NUM_THREADS      abc, has no effect: it is not a positive number"),
        ("4,2", "✓ OMP_NUM_THREADS      4,2, read by mdrun"),
        ("", ""),
    ],
)
def test_doctor_tells_of_omp_num_threads(monkeypatch, capsys, value, told):
    monkeypatch.setenv("OMP_NUM_THREADS", value)
    doctor.tell_of_threads(Paint(sys.stdout))
    said = capsys.readouterr().out.strip()
    assert said.startswith(told) and bool(said) == bool(told)


def test_doctor_names_what_the_package_and_its_extras_need(here):
    """MPI has a section of its own, and `test` is for developers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needs = [line for name, lines in extras.items() if name != "test" for line in lines]
    names = {re.match(r"[\w-]+", line)[0] for line in (*project["dependencies"], *needs)}
    told = re.findall(r"^  [✓–] (\w+) +(\S+)", aureole("doctor").stdout, re.MULTILINE)
    assert {"openmm", "parmed", "anywidget", "pyarrow"} <= names
    assert names - {"mpich"} <= {name for name, _ in told}
    for name, state in told:
        if name in names:
            found = importlib.util.find_spec(name) is not None
            assert (state != "missing") == found, name


@pytest.mark.parametrize(
    "name, content, code, words",
    [
        ("in.toml", RUN.format(steps=1).replace("n = 500", "m = 500"), 2, "unknown key 'm'"),
        ("in.toml", "x", 1, "is not valid TOML"),
        ("none.toml", None, 1, "no such file"),
        ("a.ckpt", "damaged", 1, "a.ckpt"),
        ("a.py", "import aureole as au\nau.NVE(dt=0)\n", 2, "a.py:2: dt is 0"),
    ],
)
def test_errors_are_one_line(here, name, content, code, words):
    if content is not None:
        write(name, content)
    done = aureole("run", name, code=code)
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    assert words in done.stderr


def test_gsd_is_not_an_input(here):
    au.write("a.gsd", au.build.lattice("sc", n=8, density=1.0))
    assert "is a GSD file" in aureole("run", "a.gsd", code=2).stderr


def test_script(here):
    write("s.py", """\
import sys
import aureole as au
sim = au.Simulation(au.build.lattice("fcc", n=256, density=0.8),
                    [au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)], au.NVE(dt=0.005))
sim.run(int(sys.argv[1]))
print("at", sim.step, __name__)
""")  # fmt: skip
    text = aureole("run", "s.py", 30).stdout
    assert text.startswith("aureole ") and text.endswith("at 30 __main__\n")
    plain = subprocess.run([sys.executable, "s.py", "5"], capture_output=True, text=True)
    assert plain.stdout == "at 5 __main__\n"


def test_errors_of_a_script_begin_with_its_line(here):
    write("s.py", "def f():\n    return 1 / 0\n\nf()\n")
    run = partial(subprocess.run, command("run", "s.py"), capture_output=True, text=True)
    err = run().stderr.splitlines()
    assert err[0].startswith("Traceback") and 's.py", line 4' in err[1]
    assert err[-1].startswith("ZeroDivisionError") and "runpy" not in "".join(err)
    write("s.py", "f(\n")
    done = run()
    assert done.returncode == 1 and "SyntaxError" in done.stderr


def wait_for(path, process, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        if os.path.exists(path):
            return
        time.sleep(0.01)
    raise AssertionError(f"no {path}: {process.communicate()}")


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_write_a_checkpoint(here, number, code):
    steps = 100_000
    write("in.toml", RUN.format(steps=steps))
    process = subprocess.Popen(
        command("run", "in.toml"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell's background jobs ignore SIGINT, and so would a run started among them.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    wait_for("a.ckpt", process)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert err.count("\n") == 1 and err.startswith("ended: stopped at step ")
    assert f" by {number.name} (" in err and "; continue with `aureole run a.ckpt`" in err
    stopped = int(err.split("step ")[1].split()[0])
    assert 0 < stopped < steps
    assert f"{stopped:,} of {steps:,}" in aureole("info", "a.ckpt").stdout
    refused = aureole("run", "in.toml", code=2).stderr
    assert f"a.ckpt holds step {stopped} of an unfinished run" in refused and "--resume" in refused

    end = (stopped // 100 + 2) * 100
    aureole("run", "in.toml", "--resume", "--steps", end - stopped)
    with gsd.hoomd.open("a.gsd", "r") as file:
        assert [frame.configuration.step for frame in file] == list(range(0, end + 1, 20))
    rows = Path("a.csv").read_text().splitlines()[1:]
    assert [int(row.split(",")[0]) for row in rows] == list(range(0, end + 1, 10))
    cut = Path("a.csv").read_text()
    aureole("run", write("in.toml", RUN.format(steps=end)), "--fresh")
    assert Path("a.csv").read_text() == cut
    assert not [name for name in os.listdir() if name.endswith((".new", ".tmp"))]


def test_kill_and_go_on(here):
    write("in.toml", RUN.format(steps=100_000))
    process = commands.start(command("run", "in.toml", "--quiet"))
    wait_for("a.ckpt.prev", process)
    process.kill()
    process.wait()
    text = aureole("run", "in.toml", "--resume", "--steps", 100).stdout
    end = int(text.split("step ")[-1].split(":")[0].replace(",", ""))
    cut = Path("a.csv").read_text()
    aureole("run", write("in.toml", RUN.format(steps=end)), "--fresh")
    assert Path("a.csv").read_text() == cut


def test_plan_of_the_mutation_test_is_good(here):
    write("in.toml", TOML)
    aureole("run", "in.toml", "--steps", 5)


def test_closed_pipe(here):
    aureole("run", write("in.toml", RUN.format(steps=100)), "--quiet")
    line = " ".join(command("info", "a.gsd")) + " | head -c 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr
