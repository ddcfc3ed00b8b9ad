# SPDX-License-Identifier: Apache-2.0
"""A small tree with lanes, a program of tests in place of GoogleTest's, and a build by ninja."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from unittest import mock

TOOLS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOOLS))

import lanes  # noqa: E402 - after its folder is known
from checks import config, receipts  # noqa: E402

LANES = """\
unwatched = ["tests/**", ".gitignore", "CMakeLists.txt"]
skips = ["one processor*"]
[ways.plain]
programs = ["test_a"]
silence = 100
[fast]
cpp = ["plain fast"]
[fast.stages.unit]
commands = ["lanes gtest fast"]
budget = 100
[lanes.slow]
what = "slow C++ tests"
commands = ["lanes gtest slow"]
budget = 100
cpp = ["plain slow"]
own = ["src/*.cpp"]
all = ["src/**", "CMakeLists.txt"]
"""
#: A program whose tests do what their names say.
PROGRAM = """\
#!{python} -SE
import os, sys, time
tests = {tests!r}
if "--gtest_list_tests" in sys.argv:
    print("Of.")
    print("".join(f"  {{name}}  # GetParam() = 1\\n" for name in tests), end="")
    sys.exit()
flags = open(sys.argv[1].split("=", 1)[1]).read()
wanted = flags.split("--gtest_filter=", 1)[1].split()[0].split(":")
failed = 0
for name in tests:
    if f"Of.{{name}}" not in wanted or "Forgets" in name:
        continue
    print(f"[ RUN      ] Of.{{name}}", flush=True)
    if "Crashes" in name:
        print("about to crash", flush=True)
        os.abort()
    if "Hangs" in name:
        time.sleep(60)
    end = f"[       OK ] Of.{{name}}"
    if "Skips" in name:
        print("a.cpp:1: Skipped\\nno such device\\n")
        end = f"[  SKIPPED ] Of.{{name}}"
    if "Fails" in name:
        print("a.cpp:1: Failure\\n  seven is not eight")
        end, failed = f"[  FAILED  ] Of.{{name}}, where GetParam() = 7", 1
    print(end, "(3 ms)", flush=True)
if any("Leaks" in name for name in tests):
    print("LeakSanitizer: 8 bytes")
    sys.exit(23)
sys.exit(failed)
"""
NINJA = """\
rule cc
  command = cp $in $out && printf '$out: $in ../src/a.hpp\\n' >$out.d
  depfile = $out.d
  deps = gcc
rule link
  command = touch $out
rule again
  command = touch $out
  generator = 1
build a.o: cc ../src/a.cpp
build linked: link a.o
build test_a: phony linked
build build.ninja: again ../CMakeLists.txt
"""


class Tree:
    """Files, commits, and `tools/lanes.py` on them."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def copy(self, root: Path) -> Tree:
        shutil.copytree(self.root, root, symlinks=True)
        return Tree(root)

    def fill(self, *tests: str) -> Tree:
        """Its first commit, with a build."""
        self.write(".gitignore", "/build\n__pycache__\n")
        self.write("CMakeLists.txt", "")
        self.write("src/a.cpp", '#include "a.hpp"\n')
        self.write("src/a.hpp", "int a = 1;\n")
        self.write("tests/lanes.toml", LANES)
        self.write("tests/slow.txt", "# slow\ntest_a:Of.Slow*\n")
        self.write("build/build.ninja", NINJA)
        self.program(*tests)
        self.git("init", "-q", "-b", "main")
        self.commit()
        subprocess.run(["ninja", "-C", self.root / "build", "linked"], check=True, stdout=-3)
        return self

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def replace(self, name: str, old: str, new: str) -> None:
        text = (self.root / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new))

    def program(self, *tests: str) -> Path:
        text = PROGRAM.format(python=sys.executable, tests=list(tests))
        path = self.write("build/test_a", text)
        path.chmod(0o755)
        return path

    def git(self, *words: str, text: str | None = None) -> str:
        names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_CONFIG_GLOBAL": os.devnull}
        names |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
        return subprocess.run(
            ["git", *words],
            cwd=self.root,
            env=os.environ | names,
            input=text,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    def commit(self, message: str = "one") -> str:
        self.git("add", "-A")
        self.git("commit", "-qm", message, "--allow-empty")
        return self.git("rev-parse", "HEAD")

    def more_commits(self, number: int) -> None:
        """Commits that touch no file, made at once."""
        one = "commit refs/heads/main\ncommitter a <a@b> 1800000000 +0000\ndata 1\nx\n"
        first = one + f"from {self.git('rev-parse', 'HEAD')}\n\n"
        self.git("fast-import", "--quiet", text=first + (one + "\n") * (number - 1))

    def lanes(self, *words: str) -> int:
        with mock.patch.dict(os.environ):  # where it finds and leaves words for what it starts
            os.environ.pop(config.NO_BUILD, None)
            os.environ.pop(config.FIRST_FAILURE, None)
            return lanes.main(["--root", str(self.root), *words])

    @property
    def config(self) -> config.Config:
        return config.read(self.root)

    @property
    def receipts(self) -> dict[str, receipts.Receipt]:
        return receipts.read(self.root)


def link_environment(root: Path) -> Path:
    """A .venv in a folder, with links to the packages of this Python; its site-packages."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (root / ".venv" / "bin").mkdir(parents=True)
    (root / ".venv" / "bin" / "python").symlink_to(os.path.realpath(sys.executable))
    shutil.copy(Path(sys.prefix) / "pyvenv.cfg", root / ".venv")
    site = root / ".venv" / "lib" / version / "site-packages"
    site.mkdir(parents=True)
    for entry in Path(sysconfig.get_paths()["purelib"]).iterdir():
        (site / entry.name).symlink_to(entry)
    return site
