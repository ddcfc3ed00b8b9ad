#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make all pictures of docs/images from this commit.

python tools/pictures.py [NAME...] [--demo FOLDER] [--out FOLDER]

`report.png` and `wide.png` are the page about the run of `make demo` in a headless Chromium,
`liquid.png` is drawn by examples/08_liquid.py, `sod.png` by the code of
docs/howto/simulate-a-gas.md. Names are report, wide, liquid and sod; without any, all are made, in
6 minutes on two cores. `--demo` takes a folder that `make demo` has filled.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/python/helpers"))

import browser  # noqa: E402 - beside the tests of the page
from PIL import Image  # noqa: E402 - comes with matplotlib

PAGE = ("report", "wide")
ALL = (*PAGE, "liquid", "sod")
GAS = ROOT / "docs/howto/simulate-a-gas.md"
WIDTH = 1180
#: The README's picture: at most 400 pixels high, as text under it has to be seen.
HEIGHT = 380
#: The picture of the last frame, and two charts beside it; everything else goes.
WIDE = """(() => {
  const pick = s => document.querySelector(s), style = document.createElement('style');
  const temperature = [...document.querySelectorAll('.charts .chart')]
    .find(one => one.querySelector('.head b').textContent.startsWith('Temperature'));
  const parts = [pick('.picture #viewer'), temperature, pick('[data-chart="distributions"]')];
  const row = document.createElement('div');
  row.id = 'row';
  parts.forEach(part => row.append(part));
  document.body.replaceChildren(row);
  style.textContent = `
    #row { display: grid; grid-template: 1fr 1fr / 450px 1fr; gap: 22px 36px; height: HEIGHTpx;
           padding: 16px 32px 12px 16px; background: var(--paper); }
    #row .viewer { grid-row: 1 / 3; height: auto; aspect-ratio: auto; min-height: 0; }
    #row .viewer .set { display: none; }
    #row .chart { height: auto; min-height: 0; }`;
  document.head.append(style);
  dispatchEvent(new Event('resize'));
})()"""


def run(*words: object, where: Path) -> None:
    """A Python program of this tree."""
    command = [sys.executable, *map(str, words)]
    print("$", *command, flush=True)
    path = os.pathsep.join(filter(None, (str(ROOT / "python"), os.environ.get("PYTHONPATH"))))
    subprocess.run(command, cwd=where, check=True, env=os.environ | {"PYTHONPATH": path})


def shot(window: browser.Browser, height: int) -> bytes:
    """The upper part of what is shown: a pixel is the mean of four, one of 256 colours."""
    seen = window.screenshot({"x": 0, "y": 0, "width": WIDTH, "height": height})
    file = io.BytesIO()
    fine = Image.open(io.BytesIO(seen)).convert("RGB")
    small = fine.resize((WIDTH, height), Image.Resampling.BOX)
    small.quantize(256, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def report(window: browser.Browser, page: Path) -> bytes:
    """The top of the page: facts and the last frame, to the end of its picture."""
    window.show(page, WIDTH, 900, dense=2)
    box = "document.getElementById('viewer').getBoundingClientRect().bottom + scrollY"
    return shot(window, round(window.value(box)) + 6)


def wide(window: browser.Browser, page: Path) -> bytes:
    """The last frame beside the temperature and the pair distributions."""
    window.show(page, WIDTH, HEIGHT, dense=2)
    window.value(WIDE.replace("HEIGHT", str(HEIGHT)))
    window.settle()
    return shot(window, HEIGHT)


def sod(here: Path) -> bytes:
    """What the page about gases draws."""
    code = re.findall(r"^```python\n(.*?)^```", GAS.read_text(), re.MULTILINE | re.DOTALL)
    (last,) = (k for k, block in enumerate(code) if "sod.png" in block)
    (here / "sod.py").write_text("\n".join(code[: last + 1]))
    run(here / "sod.py", where=here)
    return (here / "sod.png").read_bytes()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ALL))
    parser.add_argument("--demo", type=Path, metavar="FOLDER", help="of a demonstration that ran")
    parser.add_argument("--out", type=Path, default=ROOT / "docs/images", metavar="FOLDER")
    given = parser.parse_args()
    names = given.names or [*ALL]
    if unknown := set(names) - {*ALL}:
        parser.error(f"no picture is called {', '.join(sorted(unknown))}")
    if browser.program() is None and set(names) & set(PAGE):
        parser.error("no Chromium here (Debian: apt-get install chromium)")
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        if set(names) & set(PAGE):
            if given.demo is None:
                run("-m", "aureole.cli.demo", where=here)
            page = (given.demo or here / "demo") / "prod.html"
            with browser.Browser() as window:
                for name, make in (("report", report), ("wide", wide)):
                    if name in names:
                        (given.out / f"{name}.png").write_bytes(make(window, page))
                assert window.complaints == [], window.complaints
        if "liquid" in names:
            run(ROOT / "examples/08_liquid.py", where=here)
            (given.out / "liquid.png").write_bytes((here / "liquid.png").read_bytes())
        if "sod" in names:
            (given.out / "sod.png").write_bytes(sod(here))
    print("made", *(str(given.out / f"{name}.png") for name in names))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
