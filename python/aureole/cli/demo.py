# SPDX-License-Identifier: Apache-2.0
"""The demonstration behind `make demo`: water and ethanol, from nothing to a page about the run.

What it makes are files of GROMACS, and they are run as users run theirs: the preparation with
`from_gromacs`, the run itself with `aureole mdrun`.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from aureole.base.engine_schema import VERSION
from aureole.base.errors import bad_input
from aureole.base.text import duration
from aureole.base.text_files import replace
from aureole.build.molecules import solution
from aureole.cli.mdrun import main as mdrun
from aureole.gromacs.presets.preset import preset
from aureole.jobs.from_gromacs import from_gromacs
from aureole.observers.last_frame import write_frame
from aureole.recorders.progress import Progress

from .commands import fill
from .main import answer
from .run_summary import Paint, table

SEED = 1
STEPS_OF_PS = 500  # the time step of the preset is 2 fs
#: Options of the minimisation.
DESCENT = Path(__file__).with_suffix(".mdp").read_text("ascii")


def parameters(options: Mapping[str, str | int], about: str) -> str:
    """The preset "amber" with other values of some options, as text of an .mdp file."""
    text = preset("amber").partition("\n")[2]
    left = dict(options)
    for name in options:
        line = re.compile(rf"^{re.escape(name)} +=.*$", re.MULTILINE)
        if line.search(text):
            text = line.sub(f"{name:<24}= {left.pop(name)}", text)
    more = "".join(f"{name:<24}= {value}\n" for name, value in left.items())
    return f"; {about}\n{text.rstrip()}\n{more}"


class Demo:
    """One demonstration.

    Args:
        folder: where its files go; those of the same names are replaced
        counts: molecules by name, as `build.solution` takes them
        equilibrate, run: how long [ps]
    """

    def __init__(
        self, folder: str, counts: Mapping[str, int], equilibrate: float, run: float
    ) -> None:
        for name, value in (("--equilibrate", equilibrate), ("--run", run)):
            if not 0.1 <= value < 1e6:
                raise bad_input(
                    f"{name} is {value:g} ps", "it must be 0.1 to 1e6 ps", "Give another time"
                )
        self.folder, self.counts = Path(folder), counts
        self.steps = [round(value * STEPS_OF_PS) for value in (equilibrate, run)]
        self.paint = Paint(sys.stdout)
        self.last = 0

    def build(self) -> None:
        """Molecules in a box, and how they shall move, as files of GROMACS."""
        system = solution(self.counts, seed=SEED)
        names = {"spce": "water (SPC/E)", "ethanol": "ethanol (OPLS-AA)"}
        what = " and ".join(f"{count:,} {names[name]}" for name, count in self.counts.items())
        self._head(f"build: {what}, {system.n:,} atoms")
        before, run = self.steps
        every = max(1, min(50, run // 100))
        system.write_gromacs(self.folder, DESCENT)
        os.replace(self.folder / "grompp.mdp", self.folder / "min.mdp")
        self._write("eq.mdp", "random velocities, and a barostat with a short time constant", {
            "nsteps": before, "nstxout-compressed": 0, "tau-p": 0.5,
            "gen-vel": "yes", "gen-temp": 300, "gen-seed": SEED, "ld-seed": SEED,
        })  # fmt: skip
        self._write("prod.mdp", "production: 300 K, 1 bar, rigid bonds with hydrogen, PME", {
            "nsteps": run, "nstxout-compressed": max(1, min(250, run // 40)),
            "nstenergy": every, "nstcalcenergy": every, "nstlog": max(1, run // 4),
            "ld-seed": SEED,
        })  # fmt: skip
        names_of = ("conf.gro", "topol.top", "min.mdp", "eq.mdp", "prod.mdp")
        self._rows(("files", ", ".join(map(self._path, names_of))))

    def minimise(self) -> None:
        """Downhill."""
        self._head("minimise: steepest descent")
        began = time.perf_counter()
        with from_gromacs(*self._inputs("conf.gro", "min.mdp")) as sim:
            found = sim.minimize()
            write_frame(self._path("min.gro"), sim)
        spent = duration(time.perf_counter() - began)
        words = f"{found.energy:,.0f} kJ/mol, largest force {found.max_force:,.0f} kJ/mol/nm"
        self._rows(("done", f"{found.steps:,} steps in {spent}: potential {words}"))

    def equilibrate(self) -> None:
        """From still molecules to a liquid of its own density."""
        steps, _ = self.steps
        self._head(f"equilibrate: {steps:,} steps of 2 fs, {steps / STEPS_OF_PS:g} ps")
        began = time.perf_counter()
        files = self._inputs("min.gro", "eq.mdp")
        with from_gromacs(*files, observers=[Progress(lines=False)]) as sim:
            sim.run()
            write_frame(self._path("eq.gro"), sim)
            done = f"{steps:,} steps in {duration(time.perf_counter() - began)}"
            state = f"temperature {sim.temperature:.4g} K, pressure {sim.pressure:.3g} bar"
        self._rows(("done", done), ("state", state))

    def run(self) -> None:
        """The run, by the command that users type."""
        words = self._mdrun()
        self._head("run, with the command for your own files")
        self._command(words)
        mdrun.main([*words[1:], "-nobackup"])

    def report(self) -> None:
        """The page."""
        from aureole.report.write import write

        self._head("report: a page about the run")
        prefix = self._path("prod")
        self._command(["report", prefix])
        page, missing = write(prefix)
        size = f"{page.stat().st_size / 1e6:.2g} MB"
        self._rows(("page", f"{page}, {size}"), *(("missing", text) for text in missing.values()))

    def what_now(self) -> None:
        """Which program opens which file, and how to continue."""
        rows = [
            ("prod.html", "charts, g(r) and a 3D view: open it in a browser"),
            ("prod.xtc, prod.gro", "trajectory, last frame: VMD, PyMOL, OVITO, MDAnalysis, MDTraj"),
            ("prod.csv", "energies, temperature, pressure, box, as a table"),
            ("prod.log, prod.json", "the log of the run, and the same data for programs"),
            ("prod.cpt", "the checkpoint, for an exact restart"),
        ]
        rows = [(", ".join(map(self._path, names.split(", "))), words) for names, words in rows]
        program = _program()
        first, *words = self._mdrun()
        self.say(f"\n{self.paint('What now?', 'bold')}")
        self._rows(*rows)
        self.say(f"\nContinue for 10 ps:\n  {program} {first} -cpi -nsteps {10 * STEPS_OF_PS} \\")
        self.say(f"    {shlex.join(words)}")
        self.say(f"Run your own files:\n  {program} mdrun -c conf.gro -p topol.top -f grompp.mdp")
        self.say(f"More: {program} --help, docs/mdrun.md, examples/")

    def _mdrun(self) -> list[str]:
        conf, top, mdp = self._inputs("eq.gro", "prod.mdp")
        return ["mdrun", "-c", conf, "-p", top, "-f", mdp, "-deffnm", self._path("prod")]

    def _inputs(self, conf: str, mdp: str) -> tuple[str, str, str]:
        return self._path(conf), self._path("topol.top"), self._path(mdp)

    def _path(self, name: str) -> str:
        return str(self.folder / name)

    def _write(self, name: str, about: str, options: Mapping[str, str | int]) -> None:
        replace(self.folder / name, [parameters(options, about).encode()])

    def _head(self, text: str) -> None:
        self.last += 1
        self.say(f"\n{self.paint(str(self.last), 'bold')}  {text}")

    def _command(self, words: Sequence[str]) -> None:
        self.say(f"\n{self.paint('$ aureole ' + shlex.join(words), 'bold')}")

    def _rows(self, *rows: tuple[str, str]) -> None:
        self.say(table(list(rows), self.paint))

    def say(self, text: str) -> None:
        """Print, at once."""
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def _program() -> str:
    """How this shell calls aureole."""
    beside = Path(sys.executable).parent / "aureole"
    if shutil.which("aureole") or not beside.exists():
        return "aureole"
    return os.path.relpath(beside)


def main(given: Sequence[str] | None = None) -> int:
    """Run the demonstration; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m aureole.cli.demo")
    fill(parser, "demo")
    arguments = parser.parse_args(given)
    return answer(lambda: _show(arguments))


def _show(arguments: argparse.Namespace) -> None:
    began = time.perf_counter()
    counts = {"spce": arguments.water, "ethanol": arguments.ethanol}
    demo = Demo(arguments.folder, counts, arguments.equilibrate, arguments.run)
    demo.say(f"{demo.paint('aureole', 'bold')} {VERSION}: the demonstration")
    for act in (demo.build, demo.minimise, demo.equilibrate, demo.run, demo.report):
        act()
    demo.say(f"\nTotal time: {duration(time.perf_counter() - began)}.")
    demo.what_now()


if __name__ == "__main__":
    sys.exit(main())
