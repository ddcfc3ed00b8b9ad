#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks and measures the engine on a machine with a GPU, from what `make gpu-pack` built.

    tools/gpu_check.py [--out FOLDER] [--minutes 8] [--resume FILE] [--only PART ...] [--list]

Needs neither a compiler nor a network. The parts come in the order of what they tell, each with a
time of its own and each test in a process group of its own, because an illegal access ends all
later work of its process. After each part FOLDER/gpu-check.json is written anew (beside, then
renamed): a part that hangs, or the end of the visit, loses no result. A second call with the same
programs takes that file (or --resume's): parts that have passed are not repeated, and those that
failed run with launches that block, so that an error names its kernel. Exit code 0: all passed; 1:
something failed; 3: time ran out first; 4: there is no device. Python needs NumPy, and pytest with
pytest-xdist for the parts that are tests in Python.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import importlib.util
import json
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__" and sys.version_info < (3, 12):
    sys.exit(
        f"the pack needs Python 3.12 or later, and this is {sys.version.split()[0]}: "
        "make gpu-check PYTHON=python3.12"
    )

ROOT = Path(__file__).resolve().parents[1]
PACK = ROOT / "third_party" / "pack"
AT_ONCE = max(2, min(8, os.cpu_count() or 2))
#: The pack is for GPUs of AMD, which have no sanitizers, and other words for launches that block.
ON_AMD = (PACK / "vendor").exists() and (PACK / "vendor").read_text().strip() == "hip"
BLOCKING = {"AMD_SERIALIZE_KERNEL": "3"} if ON_AMD else {"CUDA_LAUNCH_BLOCKING": "1"}
#: In names of tests that run on the GPU.
GPU = "(gpu|cuda|hip)"
LEFT_OUT = 77  # exit code of a part that has nothing to work on

STATES = ("passed", "failed", "hung", "late", "not run", "no device")

Row = dict[str, Any]
Part = Callable[[float], Row]
Outcome = tuple[int | None, str, float]


@dataclass(frozen=True)
class Step:
    """A part of the check: it is begun with `least` seconds left and ended after `most`."""

    name: str
    least: float
    most: float
    act: Part
    device: bool = True  # needed


def run(command: list[str], seconds: float, **environment: str) -> Outcome:
    """Exit code (None when time ran out), output and seconds; the process group ends with it."""
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    code: int | None = None
    try:
        out, _ = process.communicate(timeout=max(0.1, seconds))
        code = process.returncode
    except subprocess.TimeoutExpired:
        end_group(process.pid)
        try:
            out, _ = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:  # it hangs in the driver and is left behind
            out = ""
    finally:
        end_group(process.pid)
    return code, out or "", round(time.monotonic() - began, 2)


def end_group(leader: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def state_of(code: int | None) -> str:
    if code == LEFT_OUT:
        return "not run"
    return "passed" if code == 0 else "hung" if code is None else "failed"


def command(words: list[str], keep: int = 1500) -> Part:
    """One command; its lines `RESULT {json}` are kept as data."""

    def act(seconds: float) -> Row:
        code, out, _ = run(words, seconds)
        lines = out.splitlines()
        data = [json.loads(line[7:]) for line in lines if line.startswith("RESULT ")]
        said = "\n".join(line for line in lines if not line.startswith("RESULT "))
        last = keep if code == 0 else 6000  # characters
        row = {"state": state_of(code), "data": data, "said": said[-last:]}
        return row if code == 0 else {**row, "code": code}

    return act


def python(*words: str, keep: int = 1500) -> Part:
    return command([sys.executable, *words], keep)


def pytest(*words: str) -> Part:
    options = ["-q", "-m", "gpu", "-p", "no:cacheprovider", "--tb=short", "-n", str(AT_ONCE)]
    return python("-m", "pytest", *options, *words, keep=3000)


def tests_of(program: str, wanted: str, without: str | None) -> list[str]:
    """Names of a GoogleTest program's tests that match; RuntimeError where there are none."""
    code, out, _ = run([str(PACK / "bin" / program), "--gtest_list_tests"], 60)
    names, suite = [], ""
    for line in out.splitlines():
        line = line.split("#")[0].rstrip()
        if line.startswith(" "):
            name = suite + line.strip()
            if re.search(wanted, name) and not (without and re.search(without, name)):
                names.append(name)
        else:
            suite = line
    if code != 0 or not names:
        raise RuntimeError(f"{program} lists none of the tests (exit code {code}): {out[-1500:]}")
    return names


def gtests(program: str, wanted: str, without: str | None = None, each: float = 60) -> Part:
    """Tests in a process each. One that fails runs again with launches that block, so that the
    error names its kernel."""

    def act(seconds: float) -> Row:
        end = time.monotonic() + seconds
        names = tests_of(program, wanted, without)

        def one(name: str) -> Row:
            left = end - time.monotonic()
            if left < 3:
                return {"test": name, "state": "not run"}
            words = [str(PACK / "bin" / program), f"--gtest_filter={name}"]
            code, out, spent = run(words, min(each, left))
            state = "skipped" if code == 0 and "[  SKIPPED ]" in out else state_of(code)
            row = {"test": name, "state": state, "s": spent}
            if state in ("failed", "hung"):
                row["said"] = out[-1500:]
                left = end - time.monotonic()
                if left > 10:
                    again = run(words, min(each, left, 30), **BLOCKING)
                    row["blocking"] = again[1][-1500:]
            return row

        with ThreadPoolExecutor(AT_ONCE) as pool:
            rows = list(pool.map(one, names))
        bad = [row for row in rows if row["state"] in ("failed", "hung")]
        late = [row["test"] for row in rows if row["state"] == "not run"]
        slow = sorted(((row.get("s", 0), row["test"]) for row in rows), reverse=True)
        return {
            "state": "failed" if bad else "late" if late else "passed",
            "tests": len(rows),
            "skipped": sum(row["state"] == "skipped" for row in rows),
            "failed": bad,
            "not run": late,
            "slowest": slow[:5],
        }

    return act


def sanitizer(tool: str, program: str, wanted: str) -> Part:
    def act(seconds: float) -> Row:
        if shutil.which("compute-sanitizer") is None:
            return {"state": "failed", "said": "compute-sanitizer of CUDA is not on PATH"}
        names = ":".join(tests_of(program, wanted, None))
        words = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9"]
        if tool == "memcheck":  # tests of calls that fail make them fail
            words += ["--report-api-errors", "no"]
        words += [str(PACK / "bin" / program), f"--gtest_filter={names}"]
        code, out, _ = run(words, seconds)
        return {"state": state_of(code), "said": out[-3000:]}

    return act


def parts() -> Iterator[Step]:
    """All parts, in order."""
    speed = "bench/gpu_speed.py"
    told = (
        "rocm-smi; hipcc --version | tail -2" if ON_AMD else "nvidia-smi; nvcc --version | tail -2"
    )
    machine = f"{told}; ldd --version | head -1; lscpu | head -20; :"
    energies, bits = "Conserv|Energy|Thermostat|Temperature", "Reproducib|Restart|ToTheBit|Bits"
    small = f"(FewParticles|PmeOnDevices|ChargedLeaves).*{GPU}"
    miniatures = "tests/python/engine/test_miniatures.py"
    devices = "from aureole import _core; print(_core.devices())"
    yield Step("machine", 5, 30, command(["sh", "-c", machine], keep=4000), device=False)
    yield Step("program", 5, 30, python("-c", devices), device=False)
    yield Step("device layer", 10, 60, gtests("test_device", f"{GPU}|GpuDevice"))
    yield Step("transforms", 5, 40, gtests("test_fft", GPU))
    yield Step("forces", 10, 60, gtests("test_md", GPU, without=f"{energies}|{bits}"))
    yield Step("as GROMACS", 10, 60, pytest(miniatures))
    yield Step("conservation", 10, 60, gtests("test_md", f"({energies}).*{GPU}"))
    yield Step("restarts and bits", 10, 70, gtests("test_md", f"({bits}).*{GPU}"))
    yield Step("tasks", 10, 60, gtests("test_tasks", "Items|Batches|Faults|Workers"), device=False)
    yield Step("fluids", 10, 40, gtests("test_amr", GPU))
    yield Step("blast", 30, 200, blast_part())
    yield Step("ceilings", 15, 50, ceilings_part(speed))
    yield Step("speed of Lennard-Jones", 15, 60, python(speed, "lj", "melt", "liquid"))
    yield Step("speed of water", 15, 60, python(speed, "water", "12k", "48k"))
    yield Step("speed of a protein", 15, 40, python(speed, "protein"))
    yield Step("OpenMM", 20, 60, openmm_part(speed))
    yield Step("messages", 30, 240, messages_part())
    if not ON_AMD:
        yield Step("memcheck", 20, 60, sanitizer("memcheck", "test_device", rf"{GPU}|GpuDevice\."))
        yield Step(
            "racecheck", 20, 40, sanitizer("racecheck", "test_device", f"(Team|Reduc|Bloc).*{GPU}")
        )
        yield Step("memcheck of steps", 20, 60, sanitizer("memcheck", "test_md", small))
        yield Step("racecheck of steps", 20, 40, sanitizer("racecheck", "test_md", small))
    yield Step("python", 10, 90, pytest("tests/python", "--deselect", miniatures))


def prepare() -> str:
    """Puts programs, extension and wheels in their places; returns the programs' checksum."""
    archive = PACK / "programs.tar.xz"
    if not archive.exists():
        sys.exit(f"{archive} is missing. Run `make gpu-pack` and bring third_party/pack.")
    checksum = hashlib.sha256(archive.read_bytes()).hexdigest()
    unpacked = PACK / "bin" / "checksum"
    if not unpacked.exists() or unpacked.read_text() != checksum:
        shutil.rmtree(PACK / "bin", ignore_errors=True)
        with tarfile.open(archive) as programs, whole(PACK / "bin") as folder:
            programs.extraction_filter = getattr(tarfile, "data_filter", None)  # of newer Pythons
            programs.extractall(folder)
            (folder / "checksum").write_text(checksum)
    if said := loader_says(PACK / "bin" / "test_device"):
        sys.exit(
            f"The pack's programs do not start here: {said}. For GPUs of AMD it needs the major "
            "version of ROCm that it was built with: make gpu-pack with that of this machine."
        )
    shutil.copy2(PACK / "bin" / "_core.abi3.so", ROOT / "python" / "aureole")
    site, wheels = PACK / "site", sorted((PACK / "wheels").glob("*.whl"))
    if wheels and not site.exists():  # they are archives of what a Python finds on its path
        with whole(site) as folder:
            for name in wheels:
                with zipfile.ZipFile(name) as wheel:
                    wheel.extractall(folder)
    places = [str(ROOT / "python"), str(site), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(place for place in places if place)
    folder = packaged_cuda()
    if folder:  # of Python's packages; CUDA's own folders are found by the program
        os.environ.setdefault("AUREOLE_CUDA_LIBRARIES", folder)
    os.environ["AUREOLE_PACK"] = str(PACK)
    return checksum


def loader_says(program: Path) -> str:
    """Which library of a vendor's runtime a program lacks; "" where it has all."""
    if not program.exists():
        return ""
    _, out, _ = run([str(program), "--gtest_list_tests"], 30)
    found = re.search(r"lib(amdhip64|cudart)\S*: cannot open shared object file", out)
    return found[0] if found else ""


@contextmanager
def whole(folder: Path) -> Iterator[Path]:
    """A folder to fill, which takes its name when it is full: a kill leaves no half of it."""
    beside = folder.with_name(folder.name + ".new")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    yield beside
    beside.rename(folder)


def packaged_cuda() -> str | None:
    """The folder in which a Python package of this machine keeps cuFFT."""
    for place in sys.path:
        for library in sorted(Path(place).glob("nvidia/*/lib/libcufft.so.1*")):
            return str(library.parent)
    return None


def openmm_part(speed: str) -> Part:
    """OpenMM's plugin takes CUDA's libraries from the linker's path alone."""
    usual = Path("/usr/local/cuda/lib64")
    nvcc = shutil.which("nvcc")
    folders = [usual, Path(nvcc).resolve().parents[1] / "lib64"] if nvcc else [usual]
    given = [packaged_cuda(), *map(str, folders), os.environ.get("LD_LIBRARY_PATH")]
    path = os.pathsep.join(place for place in given if place)
    return command(["env", f"LD_LIBRARY_PATH={path}", sys.executable, speed, "openmm"])


def results_folder() -> Path:
    return Path(os.environ.get("OUT") or ROOT / "bench" / "results")


def blast_part() -> Part:
    """Schedules of fluids beside each other, with the sweep over how tasks are launched."""
    words = ["-m", "aureole", "bench", "blast", "--device", "gpu:0", "--rounds", "3"]
    return python(*words, "--json", str(results_folder() / "gpu-blast.json"), keep=6000)


def ceilings_part(speed: str) -> Part:
    """What launches, events, memory and graphs cost the host, and bytes per second of a copy."""
    words = ["-m", "aureole", "bench", "launches", "--program", str(PACK / "bin" / "bench_device")]
    words += ["--json", str(results_folder() / "gpu-launches.json")]

    def act(seconds: float) -> Row:
        launches = python(*words, keep=4000)(seconds / 2)
        copies = python(speed, "ceilings")(seconds / 2)
        worst = launches if launches["state"] != "passed" else copies
        return {**worst, "launches": launches, "copies": copies}

    return act


def messages_part() -> Part:
    """Messages of MPI between two processes on a device: costs, tests and tables."""

    def act(seconds: float) -> Row:
        words = [str(ROOT / "tools" / "gpu_mpi"), "--archive", str(PACK / "mpi.tar.xz")]
        words += ["--out", str(results_folder()), "--seconds", str(max(1, seconds - 5))]
        return python(*words, keep=6000)(seconds)

    return act


def devices() -> int:
    """How many GPUs the driver shows; needs nothing but the driver."""
    names, begin, ask = ["libcuda.so.1"], "cuInit", "cuDeviceGetCount"
    if ON_AMD:
        names = ["libamdhip64.so", *(f"libamdhip64.so.{version}" for version in (7, 6, 5))]
        begin, ask = "hipInit", "hipGetDeviceCount"
    driver = None
    for name in names:
        with suppress(OSError):
            driver = driver or ctypes.CDLL(name)
    if driver is None:
        return 0
    count = ctypes.c_int(0)
    if getattr(driver, begin)(0) or getattr(driver, ask)(ctypes.byref(count)):
        return 0
    return count.value


def gpus() -> str:
    """What the driver's program calls them, a line each; "" where it shows none."""
    try:
        code, out, _ = run(
            ["rocm-smi", "--showproductname"] if ON_AMD else ["nvidia-smi", "-L"], 30
        )
    except OSError:
        return ""
    return out.strip() if code == 0 else ""


def keep(target: Path, found: dict[str, Row]) -> None:
    """Writes the file beside its place and renames it; it is whole at any time."""
    beside = target.with_suffix(".tmp")
    with beside.open("w") as file:
        json.dump(found, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(target)


def earlier(given: Path | None, target: Path, programs: str, here: str) -> dict[str, Row]:
    """What a call before has found: the file given, or the target's own, of the same programs on
    the same GPUs. Where there are none, all of it is kept.
    """
    source = given or target
    if given is None and not source.exists():
        return {}
    try:
        found: dict[str, Row] = json.loads(source.read_text())
        whole_rows = all(row["state"] in STATES for row in found.values())
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        if given is not None:
            sys.exit(f"{source} is no result of gpu-check ({error!r}). Leave --resume out.")
        whole_rows = False
    if not whole_rows or found.get("programs", {}).get("sha256") != programs:
        print(f"[gpu] {source} is of other programs, or damaged: all parts anew", flush=True)
        return {}
    there = found["programs"].get("gpus", "")
    if here and there and here != there:
        print(f"[gpu] {source} is of other GPUs ({there}): all parts anew", flush=True)
        return {}
    return found


def tell(name: str, row: Row) -> None:
    spent = f" in {row['part_s']} s" if "part_s" in row else ""
    print(f"[gpu] {name}: {row['state']}{spent}", flush=True)
    for bad in row.get("failed", [])[:8]:
        print(f"      {bad['state']}: {bad['test']}", flush=True)
    for line in row.get("data", []):
        brief = {key: value for key, value in line.items() if not isinstance(value, list | dict)}
        print(f"      {json.dumps(brief)}", flush=True)
    if row["state"] in ("failed", "hung") and "failed" not in row:
        said = row.get("said", "")[-1500:].replace("\n", "\n      ")
        print(f"      exit code {row.get('code')}\n      {said}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--out", type=Path, default=results_folder(), help="folder (default: OUT or %(default)s)"
    )
    parser.add_argument("--minutes", type=float, default=8.0, help="for all (default %(default)s)")
    parser.add_argument("--resume", type=Path, help="JSON file of a call before")
    parser.add_argument("--only", nargs="*", metavar="PART", help="these parts")
    parser.add_argument("--list", action="store_true", help="names of the parts, nothing else")
    chosen = parser.parse_args()
    os.environ["OUT"] = str(chosen.out)  # for parts that write there
    names = [step.name for step in parts()]
    unknown = set(chosen.only or ()) - set(names)
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}; there are: {', '.join(names)}")
    if not chosen.minutes > 0:
        parser.error("--minutes needs a number above 0")
    if chosen.list:
        print("\n".join(names))
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    end = time.monotonic() + 60 * chosen.minutes
    target = chosen.out / "gpu-check.json"
    try:
        chosen.out.mkdir(parents=True, exist_ok=True)
        keep(chosen.out / "gpu-check-writable.json", {})
        (chosen.out / "gpu-check-writable.json").unlink()
    except OSError as error:
        sys.exit(f"{chosen.out} cannot be written to ({error}). Name another folder in OUT.")
    try:
        programs = prepare()
    except (OSError, EOFError, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile) as error:
        sys.exit(f"the programs cannot be put in place ({error}). Free space, or make a new pack.")
    lacking = [name for name in ("numpy", "pytest", "xdist") if not importlib.util.find_spec(name)]
    if lacking:
        print(
            f"[gpu] {sys.executable} lacks {', '.join(lacking)}: some parts will fail", flush=True
        )
    here = gpus()
    found = earlier(chosen.resume, target, programs, here)
    there = found.get("programs", {}).get("gpus", "")
    found["programs"] = {"state": "passed", "sha256": programs, "gpus": here or there}
    late = no_device = False
    for step in parts():
        before = found.get(step.name, {}).get("state")
        if before == "passed" or (chosen.only and step.name not in chosen.only):
            continue
        left = end - time.monotonic()
        if step.device and (no_device := no_device or devices() == 0):
            row = {"state": "no device"}
            if before in ("failed", "hung"):  # what was found then says more
                continue
        elif left < step.least:
            late, row = True, {"state": "not run"}
            if before:  # what was found then says more
                continue
        else:
            row = act(step, min(step.most, left), again=before in ("failed", "hung"))
        found[step.name] = row
        keep(target, found)
        tell(step.name, row)
    wrong = [name for name, row in found.items() if row["state"] in ("failed", "hung")]
    print(f"[gpu] failed: {', '.join(wrong) or 'nothing'}; time ran out: {late}", flush=True)
    if no_device:
        shows = "rocm-smi" if ON_AMD else "nvidia-smi"
        print(f"[gpu] there is no device (`{shows}` shows those that the driver sees)", flush=True)
    if wrong or late or no_device:
        print("[gpu] a second call goes on: it repeats what has not passed", flush=True)
    return 1 if wrong else 4 if no_device else 3 if late else 0


def act(step: Step, seconds: float, again: bool) -> Row:
    """The outcome of a part; one that failed before runs with launches that block."""
    began = time.monotonic()
    if again:
        os.environ.update(BLOCKING)
    try:
        row = step.act(seconds)
    except Exception as error:  # the next part may work all the same
        row = {"state": "failed", "said": repr(error)}
    for name in BLOCKING:
        os.environ.pop(name, None)
    return {**row, "blocking": again, "part_s": round(time.monotonic() - began, 1)}


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except KeyboardInterrupt:
        sys.exit("stopped by Ctrl-C; a second call goes on.")
