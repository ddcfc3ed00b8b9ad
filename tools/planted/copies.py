# SPDX-License-Identifier: Apache-2.0
"""A copy of the tree with faults: all of them to be chosen at run time, or some as they stand."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plant_faults import Fault

LICENCE = "// SPDX-License-Identifier: Apache-2.0"
HEADER = "src/core/planted.hpp"
MODULE = "python/aureole/_planted.py"
#: Tells that a tree is a copy, where tools/tests/test_plant_faults.py has nothing to check.
MARK = "tools/planted/this_is_a_copy.txt"
#: Units of each instruction set have a variable of their own: nothing of theirs leaks into others.
HEADER_TEXT = f"""{LICENCE}
#pragma once

#include <cstdlib>
#include <type_traits>

namespace aureole_planted {{

[[maybe_unused]] static const unsigned long long chosen = [] {{
    unsigned long long all = 0;
    const char* text = std::getenv("AUREOLE_PLANTED");
    while (text != nullptr && *text != 0) {{
        char* end = nullptr;
        all |= 1ull << std::strtol(text, &end, 10);
        text = *end == ',' ? end + 1 : nullptr;
    }}
    return all;
}}();

[[gnu::always_inline]] constexpr inline bool is(int fault) {{
    return !std::is_constant_evaluated() && (chosen >> fault & 1) != 0;
}}

}}  // namespace aureole_planted

#define AUREOLE_PLANTED(fault) (::aureole_planted::is(fault))
"""
MODULE_TEXT = """# SPDX-License-Identifier: Apache-2.0
\"\"\"Which planted faults this process has.\"\"\"

import os

_CHOSEN = os.environ.get("AUREOLE_PLANTED", "").split(",")


def planted(fault: int) -> bool:
    \"\"\"Whether it is one of these.\"\"\"
    return str(fault) in _CHOSEN
"""
FUTURE = "from __future__ import annotations\n"


def with_faults(text: str, faults: Iterable[Fault], switched: bool) -> str:
    """The text of one file with faults. Its lines keep their numbers."""
    for fault in faults:
        if text.count(fault.old) != 1:
            raise ValueError(f"fault {fault.id}: {fault.old!r} is not once in {fault.file}")
        text = text.replace(fault.old, fault.choice() if switched else fault.new)
    if not switched:
        return text
    if fault.in_python:
        known, to = FUTURE, f"{FUTURE[:-1]}; from aureole._planted import planted\n"
    else:
        known, to = f"{LICENCE}\n", f'#include "core/planted.hpp"  {LICENCE}\n'
    if text.count(known) != 1:
        raise ValueError(f"{fault.file} lacks the line {known!r}")
    return text.replace(known, to)


def git(folder: Path, *words: str) -> str:
    run = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"git {words[0]} in {folder}: {run.stderr.strip()}")
    return run.stdout


def files_of(root: Path) -> set[str]:
    """Files that git knows or would take, below the root of a tree."""
    names = git(root, "ls-files", "-z", "-co", "--exclude-standard").split("\0")
    return {name for name in names if name and (root / name).is_file()}


def make(root: Path, folder: Path, faults: list[Fault], switched: bool) -> int:
    """Make a copy of a tree, or bring one up to date: only files that differ are written.

    Returns how many these are. The copy is a clone of git, with the faults as its last commit.
    """
    if folder == root or root in folder.parents:
        raise SystemExit(f"{folder} lies in this tree: choose a folder beside it")
    if not folder.exists():
        git(root.parent, "clone", "-q", str(root), str(folder))
    elif not (folder / ".git").exists() or git(
        folder, "remote", "get-url", "origin"
    ).strip() != str(root):
        raise SystemExit(f"{folder} is no copy of {root}: choose another folder")
    names = files_of(root)
    contents = {HEADER: HEADER_TEXT.encode(), MODULE: MODULE_TEXT.encode()} if switched else {}
    contents[MARK] = "".join(f"{fault.id} {fault.file}\n" for fault in faults).encode()
    for name in {fault.file for fault in faults}:
        text = (root / name).read_text(encoding="utf-8")
        mine = [fault for fault in faults if fault.file == name]
        contents[name] = with_faults(text, mine, switched).encode()
    for name in files_of(folder) - names - set(contents):
        (folder / name).unlink()
    changed = sum(
        write(root / name, folder / name, contents.get(name)) for name in names | set(contents)
    )
    git(folder, "add", "-A")
    who = ["-c", "user.name=plant_faults.py", "-c", "user.email=plant_faults@localhost"]
    git(folder, *who, "commit", "-q", "--allow-empty", "--no-verify", "-m", "Faults")
    return changed


def write(original: Path, copy: Path, contents: bytes | None) -> bool:
    """Give a copy its contents, or those of the original; whether it had others."""
    if original.is_symlink():
        if copy.is_symlink() and os.readlink(copy) == os.readlink(original):
            return False
        copy.unlink(missing_ok=True)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.symlink_to(os.readlink(original))
        return True
    wanted = original.read_bytes() if contents is None else contents
    mode = original.stat().st_mode & 0o777 if original.exists() else 0o644
    if copy.is_file() and copy.read_bytes() == wanted and copy.stat().st_mode & 0o777 == mode:
        return False
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_bytes(wanted)
    copy.chmod(mode)
    return True
