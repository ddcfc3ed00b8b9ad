# SPDX-License-Identifier: Apache-2.0
"""The wheel `aureole-mpi` in an empty environment: its files, and the example of its first page."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/mpi/suites"), str(ROOT / "tools")]

import mpi_wheel  # noqa: E402 - after its folder is known
import mpis  # noqa: E402
import rank_runs  # noqa: E402

README = (ROOT / "packaging/mpi/README.md").read_text()
BUILD = rank_runs.PRELOAD.parent
#: Oldest glibc of distributions that are still in use: RHEL 8 and its relatives have 2.28.
OLDEST = 28
#: How pip says that its index does not answer, or has no packages.
NO_INDEX = re.compile(
    r"No matching distribution found|Max retries exceeded|Failed to establish|ProxyError|timed out"
    r"|Name or service not known|Temporary failure in name resolution"
)


def block(language: str) -> str:
    """The example of the first page in that language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    return found


def pip(environment: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """`pip install` for an environment that has no pip."""
    command = [sys.executable, "-m", "pip", "--python", environment / "bin/python", "install"]
    quiet = ["-q", "--disable-pip-version-check", "--retries", "1", "--only-binary", ":all:"]
    return subprocess.run([*command, *quiet, *words], capture_output=True, text=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    for name in (mpi_wheel.COMMAND, mpi_wheel.LIBRARY):
        if not (BUILD / name).exists():
            pytest.skip(f"{name} is not built")
    return mpi_wheel.write(BUILD, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory) -> Path:
    """A virtual environment with the wheel alone; nothing but its file is asked for."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    installed = pip(folder, "--no-index", wheel)
    assert installed.returncode == 0, installed.stderr
    return folder


@pytest.fixture(scope="module")
def example(environment, tmp_path_factory) -> Path:
    """A folder with the first page's program, once its packages are in the environment."""
    if not (rank_runs.DRIVERS / rank_runs.DEVICES["cuda"]).exists():
        pytest.skip("the driver double is not built")
    words = block("sh").splitlines()[0].split()
    assert words[:3] == ["pip", "install", "aureole-mpi"]
    installed = pip(environment, *words[3:])
    if installed.returncode and NO_INDEX.search(installed.stderr):
        pytest.skip(f"PyPI cannot be reached: {installed.stderr.strip().splitlines()[-1]}")
    assert installed.returncode == 0, installed.stderr
    folder = tmp_path_factory.mktemp("example")
    (folder / "sum.py").write_text(block("python"))
    return folder


def shell(line: str, folder: Path, environment: Path) -> tuple[int, str]:
    """Exit code and output of a line, in an environment with emulated devices and little else."""
    variables = {
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PATH": f"{environment}/bin:/usr/bin:/bin",
        "LD_LIBRARY_PATH": str(rank_runs.DRIVERS),
        **mpis.OPENMPI,
    }
    process = subprocess.Popen(
        ["bash", "-c", line],
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=60)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, output


def installed_in(environment: Path) -> list[Distribution]:
    return list(distributions(path=[str(next(environment.glob("lib/python3*/site-packages")))]))


def newer_functions(files: list[Path]) -> list[str]:
    """Functions that no glibc had when the oldest one was new."""
    told = subprocess.run(["nm", "-D", "-u", *files], capture_output=True, text=True, check=True)
    found = re.findall(r"(\w+)@GLIBC_2\.(\d+)$", told.stdout, re.MULTILINE)
    return [name for name, minor in found if int(minor) > OLDEST]


def test_it_is_the_same_each_time(wheel, tmp_path):
    assert mpi_wheel.write(BUILD, tmp_path).read_bytes() == wheel.read_bytes()


def test_what_is_installed_is_what_was_packed(environment):
    """One package without dependencies, whose files are as its list says."""
    (package,) = installed_in(environment)
    version = re.search(r"aureole VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert (package.metadata["Name"], package.version) == ("aureole-mpi", version[1])
    assert package.requires is None
    assert package.metadata.get_payload() == README
    names = {Path(package.locate_file(file)).resolve() for file in package.files}
    command = environment.resolve() / "bin" / mpi_wheel.COMMAND
    library = environment.resolve() / "lib/aureole_mpi" / mpi_wheel.LIBRARY
    assert {command, library} <= names and os.access(command, os.X_OK)
    assert package.read_text("licenses/LICENSE") == (ROOT / "LICENSE").read_text()
    told = subprocess.run([command, "--library"], capture_output=True, text=True, check=True)
    assert Path(told.stdout.strip()).resolve() == library
    maps = subprocess.run(
        [command, "cat", "/proc/self/maps"], capture_output=True, text=True, check=True
    )
    assert str(library) in maps.stdout


def test_the_tag_is_the_glibc_that_it_needs(wheel, environment):
    """As readelf lists the versions, where the tool that makes the tag asks objdump."""
    files = [environment / "bin/aureole-mpi", environment / "lib/aureole_mpi/libaureole_mpi.so"]
    told = subprocess.run(
        ["readelf", "-W", "-V", *files], capture_output=True, text=True, check=True
    )
    newest = max(int(minor) for minor in re.findall(r"Name: GLIBC_2\.(\d+)", told.stdout))
    assert newest <= OLDEST, f"add to src/preload/old_glibc.c: {newer_functions(files)}"
    assert f"-manylinux_2_{newest}_x86_64.whl" in wheel.name
    assert f"glibc 2.{newest} or later" in README.replace("\n", " ")


def test_the_example_crashes_without_the_command(example, environment):
    line = block("sh").splitlines()[1]
    assert "crashes" in line and "aureole-mpi" not in line
    code, output = shell(line, example, environment)
    assert code != 0 and "Segmentation fault" in output, output
    assert "the sum is" not in output


def test_the_example_runs_as_printed(example, environment):
    line = block("sh").splitlines()[2]
    code, output = shell(line, example, environment)
    assert code == 0, output
    assert sorted(re.findall(r"^rank.*", output, re.MULTILINE)) == [
        f"rank {k}: the sum is 3.0" for k in range(2)
    ]
    assert line.split("# ")[1] in output
    assert len(re.findall(r"^aureole-mpi: .*", output, re.MULTILINE)) == 1
    code, output = shell(line.replace("aureole-mpi", "aureole-mpi --off"), example, environment)
    assert code != 0 and "Segmentation fault" in output, output
