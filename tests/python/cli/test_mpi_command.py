# SPDX-License-Identifier: Apache-2.0
"""`aureole mpi` and its launcher, with programs that use no MPI."""

from __future__ import annotations

import os
import re
import signal
import struct
import subprocess
import sys
from importlib.metadata import version as installed_version
from pathlib import Path

import commands
import pytest
from aureole.cli import mpi
from aureole.cli.main import main

LIBRARY = (mpi.FOLDER / "libaureole_mpi.so").resolve()
LAUNCHER = str(mpi.FOLDER / "aureole-mpi")
COMMAND = [*commands.HEAD, "mpi"]
#: An environment in which nothing is set for the launcher.
CLEAN = {
    name: value
    for name, value in os.environ.items()
    if name != "LD_PRELOAD" and not name.startswith("AUREOLE_MPI")
}


def run(head: list[str], *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What comes of words for the command or the launcher, with further variables."""
    return commands.run([*head, *words], env=CLEAN | more, capture_output=True, text=True)


def by_launcher(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return run([LAUNCHER], *words, **more)


def variables(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def static_program(path: Path, code: int) -> Path:
    """An executable file for this processor that calls exit(code); it asks for no loader."""
    at, begin = 0x400000, 64 + 56  # address in memory, bytes of both headers
    # mov edi, code; mov eax, 60 (exit); syscall
    program = b"\xbf" + struct.pack("<i", code) + b"\xb8" + struct.pack("<i", 60) + b"\x0f\x05"
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    head = struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, at + begin, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    size = begin + len(program)
    part = struct.pack("<IIQQQQQQ", 1, 5, 0, at, at, size, size, 0x1000)
    path.write_bytes(ident + head + part + program)
    path.chmod(0o755)
    return path


def test_the_library_is_that_of_the_package():
    for head in (COMMAND, [LAUNCHER]):
        told = run(head, "--library")
        assert (told.returncode, told.stdout, told.stderr) == (0, f"{LIBRARY}\n", "")
    assert LIBRARY.is_file()


def test_the_program_has_loaded_it():
    told = run(COMMAND, "/bin/cat", "/proc/self/maps")
    assert told.returncode == 0
    assert any(line.endswith(str(LIBRARY)) for line in told.stdout.splitlines())
    assert str(LIBRARY) not in run(COMMAND, "--off", "/bin/cat", "/proc/self/maps").stdout


@pytest.mark.parametrize(
    "options, told",
    [
        ([], {"LD_PRELOAD": str(LIBRARY), "AUREOLE_MPI_LOG": "1"}),
        (["--quiet"], {"LD_PRELOAD": str(LIBRARY), "AUREOLE_MPI_LOG": "0"}),
        (["--all-ranks"], {"LD_PRELOAD": str(LIBRARY), "AUREOLE_MPI_ALL_RANKS": "1"}),
        (["--wait=device"], {"LD_PRELOAD": str(LIBRARY), "AUREOLE_MPI_WAIT": "device"}),
        (["--off"], {"LD_PRELOAD": None}),
        (["--quiet", "--"], {"LD_PRELOAD": str(LIBRARY), "AUREOLE_MPI_LOG": "0"}),
    ],
)
def test_options_become_variables(options, told):
    ended = run(COMMAND, *options, "env")
    assert ended.returncode == 0
    found = variables(ended.stdout)
    assert {name: found.get(name) for name in told} == told


def test_a_log_that_the_user_has_chosen_stays():
    assert variables(by_launcher("env", AUREOLE_MPI_LOG="0").stdout)["AUREOLE_MPI_LOG"] == "0"


def test_what_a_user_preloads_comes_behind():
    ended = run(COMMAND, "/bin/cat", "/proc/self/environ", LD_PRELOAD="libm.so.6")
    assert f"LD_PRELOAD={LIBRARY}:libm.so.6\0" in ended.stdout
    maps = run(COMMAND, "/bin/cat", "/proc/self/maps", LD_PRELOAD="libm.so.6").stdout
    assert str(LIBRARY) in maps and "/libm.so.6" in maps


@pytest.mark.parametrize("head", [COMMAND, [LAUNCHER]], ids=["command", "launcher"])
@pytest.mark.parametrize("words", [["--fly", "/bin/true"], ["--wait=never", "/bin/true"], []])
def test_wrong_options_run_nothing(head, words):
    ended = run(head, *words)
    assert (ended.returncode, ended.stdout) == (2, "")
    told = f"there is no option {words[0]}" if words else "aureole-mpi [OPTION...] PROGRAM"
    assert told in ended.stderr


def test_help_is_that_of_the_launcher():
    told = by_launcher("--help")
    assert told.returncode == 0 and "--wait=device" in told.stdout
    for words in (["mpi", "--help"], ["mpi", "-h"], ["help", "mpi"]):
        assert run(commands.HEAD, *words).stdout == told.stdout


def test_the_version_is_that_of_the_package():
    told = run(COMMAND, "--version")
    assert told.stdout == f"aureole-mpi {installed_version('aureole')}\n{LIBRARY}\n"
    assert (told.returncode, told.stderr) == (0, "")


@pytest.mark.parametrize(
    "words, told", [(["--version"], "aureole-mpi "), (["--library"], ""), (["/bin/true"], "")]
)
def test_a_launcher_without_its_library_names_the_folders(words, told, tmp_path):
    """The remedy that it names works: the library is found in each of these folders."""
    command = tmp_path / "bin/aureole-mpi"
    command.parent.mkdir()
    command.write_bytes(Path(LAUNCHER).read_bytes())
    command.chmod(0o755)
    ended = run([str(command)], *words)
    assert ended.returncode == 2 and ended.stdout.partition(" ")[0] == told.strip()
    found = re.fullmatch(
        r"aureole-mpi: libaureole_mpi.so cannot be found or read in (.*), (.*) or (.*)\. Install "
        r"aureole-mpi again, or copy the library into one of these folders\.\n",
        ended.stderr,
    )
    assert found is not None, ended.stderr
    (tmp_path / "lib/aureole_mpi").mkdir(parents=True)
    for folder in found.groups():
        library = Path(folder) / "libaureole_mpi.so"
        library.write_bytes(LIBRARY.read_bytes())
        assert run([str(command)], *words).returncode == 0
        library.unlink()


def test_options_behind_the_program_are_its_own():
    assert run(COMMAND, "/bin/echo", "--quiet", "--off").stdout == "--quiet --off\n"


def test_the_code_of_the_program_is_passed_on(tmp_path):
    for code in (0, 7, 255):
        assert run(COMMAND, "/bin/sh", "-c", f"exit {code}").returncode == code
    for program, code, told in (
        (str(tmp_path / "none"), 127, "No such file or directory"),
        ("no-such-program-in-PATH", 127, "No such file or directory"),
        (str(tmp_path), 126, "Permission denied"),
    ):
        ended = run(COMMAND, program)
        assert ended.returncode == code
        assert ended.stderr == f"aureole-mpi: {program} cannot be run: {told}\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGPIPE])
def test_a_signal_that_ends_the_program_ends_the_command(number):
    ended = run(COMMAND, "/bin/sh", "-c", f"kill -{int(number)} $$")
    assert ended.returncode == -number


def test_a_static_program_runs_and_is_told_of(tmp_path):
    program = static_program(tmp_path / "static", 7)
    assert subprocess.run([program]).returncode == 7
    ended = run(COMMAND, str(program))
    assert ended.returncode == 7
    assert ended.stderr == (
        f"aureole-mpi: {program} is linked statically: nothing can be preloaded, "
        "so it runs without GPU support\n"
    )
    assert run(COMMAND, "--off", str(program)).stderr == ""
    assert run(COMMAND, "/bin/true").stderr == ""


def test_a_set_uid_program_runs_and_is_told_of(tmp_path):
    program = tmp_path / "true"
    program.write_bytes(Path("/bin/true").read_bytes())
    for mode, told in ((0o4755, 1), (0o2755, 1), (0o755, 0)):
        program.chmod(mode)
        ended = run(COMMAND, "true", PATH=f"{tmp_path}:{os.environ['PATH']}")
        assert ended.returncode == 0
        assert (
            ended.stderr.count(f"{program} is set-uid or set-gid: nothing can be preloaded") == told
        )


@pytest.mark.parametrize("ranks", [{}, {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "1"}])
def test_a_program_gets_what_it_gets_from_the_launcher(ranks):
    """Nothing of Python stays: signals, processors, limits, descriptors and variables."""
    script = (
        "grep -E '^(Sig|Shd|Cpus_allowed:|Umask)' /proc/self/status; ulimit -a; ls /proc/$$/fd; env"
    )
    by = [
        subprocess.run(
            [*head, "/bin/sh", "-c", script], env=CLEAN | ranks, capture_output=True, text=True
        )
        for head in (COMMAND, [LAUNCHER])
    ]
    assert by[0].stdout == by[1].stdout
    assert by[0].stdout.count("Sig") >= 4 and by[0].stderr == by[1].stderr == ""


def test_it_starts_without_slow_modules():
    """Every rank of a job waits for the command, so that it imports neither NumPy nor additions."""
    text = (
        "import sys, os\n"
        "os.execv = lambda *_: print(sorted({'numpy', 'gsd', 'this'} & {*sys.modules}))\n"
        "from aureole.cli import main; main(['mpi', '/bin/true'])"
    )
    variables = {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0", "AUREOLE_IMPORT": "this"}
    assert run([sys.executable, "-c", text], **variables).stdout == "[]\n"


@pytest.mark.parametrize("there", [(), ("libaureole_mpi.so",), ("aureole-mpi",)])
def test_missing_files_are_told(there, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(mpi, "FOLDER", tmp_path)
    for name in there:
        (tmp_path / name).touch(0o755)
    assert main(["mpi", "/bin/true"]) == 1
    name = "libaureole_mpi.so" if there != ("libaureole_mpi.so",) else "aureole-mpi"
    assert capsys.readouterr().err == (
        f"error: {tmp_path / name}: is missing (no such file). Install Aureole again, or run make "
        "build in its source tree.\n"
    )


def test_a_launcher_that_cannot_be_run_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(mpi, "FOLDER", tmp_path)
    for name in ("libaureole_mpi.so", "aureole-mpi"):
        (tmp_path / name).touch(0o644)
    before = {number: signal.getsignal(number) for number in mpi._IGNORED}
    try:
        assert main(["mpi", "/bin/true"]) == 1
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert "aureole-mpi: cannot be run (Permission denied). Install" in capsys.readouterr().err
