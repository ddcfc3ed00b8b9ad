# SPDX-License-Identifier: Apache-2.0
"""The inputs of GROMACS' regression set: which can be compared, and what rules the others out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from aureole.base.errors import FileError, InputError
from aureole.gromacs.checks.system import longest_cut_off
from aureole.gromacs.job import Job, read_job
from gromacs_peer import SINGLE_POINT, Files, single_point_options

#: Options of an .mdp file that choose a method we do not have, and the value that leaves it out.
#: The rest of such an input is compared all the same, in a list of its own.
WITHOUT = {
    "rotation": "no",
    "pull": "no",
    "awh": "no",
    "swapcoords": "no",
    "disre": "no",
    "orire": "no",
    "free-energy": "no",
    "simulated-tempering": "no",
    "lmc-stats": "no",
    "lmc-move": "no",
    "lmc-mc-move": "no",
    "nwall": "0",
    "ewald-geometry": "3d",
    "tcoupl": "no",
    "pcoupl": "no",
    "coulombtype": "PME",
    "dispcorr": "EnerPres",
}

#: Inputs whose method stands in a file that mdrun is given, not in the .mdp file.
BY_MDRUN = {"essentialdynamics": "mdrun -ei (essential dynamics)"}

#: Of the pair lists of GROMACS [nm]. With less than 0.07 they were seen to lack a few pairs that
#: lie within the cut-off.
BUFFER = 0.1

_UNSUPPORTED = re.compile(r"([\w-]+) = '([^']*)' is not supported")


@dataclass
class Case:
    """One input.

    Args:
        name: its folder within the set
        files: what grompp reads, options already those of a single point
        job: what we read, or None
        reasons: what rules it out; empty for those that count
        small: the cut-off is beyond half the box
        without: the options that were taken out to compare the rest
    """

    name: str
    files: Files
    job: Job | None = None
    reasons: list[str] = field(default_factory=list)
    small: str = ""
    without: list[str] = field(default_factory=list)

    @property
    def eligible(self) -> bool:
        """Does it use only what is supported?"""
        return not self.reasons and not self.small


def cases(root: Path, folder: Path) -> list[Case]:
    """All inputs below `root`; changed files are written below `folder`."""
    found = [_case(path.parent, root, folder) for path in sorted(root.rglob("grompp.mdp"))]
    return [case for case in found if case is not None]


def _case(source: Path, root: Path, folder: Path) -> Case | None:
    name = source.relative_to(root).as_posix()
    at = folder / name
    at.mkdir(parents=True, exist_ok=True)
    conf = _coordinates(source, at)
    if conf is None or not (source / "topol.top").exists():
        return None
    index = source / "index.ndx"
    text = (source / "grompp.mdp").read_text(errors="replace")
    files = Files(at / "grompp.mdp", conf, source / "topol.top", index if index.exists() else None)
    case = Case(name, files)
    (at / "grompp.mdp").write_text(text)
    case.job, case.reasons, case.small = _read(files)
    method = BY_MDRUN.get(name.split("/")[0])
    if method:
        case.reasons.append(method)
        case.without.append(method)
    changes = dict(SINGLE_POINT)
    if case.reasons:
        for reason in case.reasons:
            key = reason.split(" = ")[0].lower().replace("_", "-")
            if key in WITHOUT:
                changes[key] = WITHOUT[key]
                case.without.append(reason)
    if "free-energy" in changes:  # mdrun 2022.5 fails where lambdas are left without their use
        changes |= {f"{kind}-lambdas": "" for kind in ("fep", "coul", "vdw", "bonded", "restraint")}
        changes |= {"couple-moltype": "", "init-lambda-state": "-1"}
    if any(reason.startswith("nwall") for reason in case.reasons):
        changes["pbc"] = "xyz"
    (at / "grompp.mdp").write_text(single_point_options(text, changes))
    case.job, left, small = _read(files)
    case.small = case.small or small
    if case.job is None:
        case.reasons += [reason for reason in left if reason not in case.reasons]
    else:
        changes |= buffer_options(case.job)
        (at / "grompp.mdp").write_text(single_point_options(text, changes))
        case.job = _read(files)[0] or case.job
    return case


def buffer_options(job: Job) -> dict[str, str]:
    """Options that make the pair list as long as the box allows, or as is needed."""
    p, box = job.parameters, job.coordinates.box
    if box is None or not p.r_cut:
        return {}
    room = longest_cut_off(box, p.periodic) - p.r_cut if any(p.periodic) else BUFFER
    r_list = p.r_cut + min(BUFFER, 0.99 * room)
    return {"verlet-buffer-tolerance": "-1", "rlist": f"{r_list:.6g}"} if room > 0.0 else {}


def _coordinates(source: Path, at: Path) -> Path | None:
    for name in ("conf.gro", "conf.pdb"):
        if (source / name).exists():
            return source / name
    if not (source / "conf.g96").exists():
        return None
    made = at / "conf.gro"
    made.write_text(_gro_of_g96((source / "conf.g96").read_text()))
    return made


def _gro_of_g96(text: str) -> str:
    """A .gro file, to all digits, of a GROMOS-96 file."""
    blocks = {part.split("\n", 1)[0]: part.split("\n")[1:] for part in text.split("END\n")}
    lines = []
    for line in blocks["POSITION"]:
        if line.strip():
            residue, name, atom, number = line[:24].split()
            at = [f"{float(word):15.9f}" for word in line[24:].split()]
            lines.append(f"{int(residue):5d}{name:<5s}{atom:>5s}{int(number):5d}{''.join(at)}")
    return "\n".join(["converted", str(len(lines)), *lines, blocks["BOX"][0], ""])


def _read(files: Files) -> tuple[Job | None, list[str], str]:
    """The job, what rules it out, and whether its box is too small."""
    try:
        job = read_job(files.conf, files.top, files.mdp, index=files.index)
    except (InputError, FileError) as error:
        text = str(error)
        options = [f"{key} = {value}" for key, value in _UNSUPPORTED.findall(text)]
        short = re.sub(r"^\S*/", "", text)
        return None, options or [short], ""
    reasons, small = [], ""
    for note in job.notes:
        if note.severity != "error":
            continue
        if note.number == "A211":
            small = re.sub(r"^\S*/", "", str(note))
        else:
            reasons.append(re.sub(r"^.*error ", "", str(note)))
    return job, reasons, small
