# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium for tests, spoken to through pipes in its DevTools protocol."""

from __future__ import annotations

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_FLAGS = (
    *("--headless=new", "--no-sandbox", "--no-first-run", "--disable-extensions"),
    *("--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update"),
    *("--hide-scrollbars", "--mute-audio", "--disable-crash-reporter", "--remote-debugging-pipe"),
)
_SOFTWARE_GL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
_NO_GL = ["--disable-3d-apis"]
#: Seconds; machines that test have more to do.
_PATIENCE = 240


def program() -> str | None:
    """The browser of this machine, or None."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


class Browser:
    """One page of a browser; complaints of the page are gathered in `complaints`."""

    def __init__(self, webgl: bool = True) -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self._to = os.pipe()
        self._back, to_write = os.pipe()
        # The browser reads 3 and writes 4.
        shell = f'exec "$@" 3<&{to_read} 4>&{to_write}'
        command = [program(), *_FLAGS, *(_SOFTWARE_GL if webgl else _NO_GL)]
        command.append(f"--user-data-dir={self._folder.name}")
        self._process = subprocess.Popen(
            ["bash", "-c", shell, "-", *command],
            pass_fds=(to_read, to_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._numbers, self._buffer, self._session = itertools.count(1), b"", None
        self.complaints: list[str] = []
        self.requests: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self._session = None
        try:
            self.call("Browser.close")
            self._process.wait(_PATIENCE)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._to)
        os.close(self._back)
        self._folder.cleanup()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a command of the protocol."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + _PATIENCE
        while True:
            answer = self._next(end)
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                return dict(answer["result"])
            self._note(answer)

    def _next(self, end: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            if not select.select([self._back], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self._back, 1 << 16)
            if not piece:
                raise OSError("the browser has ended")
            self._buffer += piece
        message, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(message))

    def _note(self, event: dict[str, Any]) -> None:
        told, kind = event.get("params", {}), event.get("method")
        if kind == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(told["exceptionDetails"])[:800])
        elif kind == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning"):
            self.complaints.append(json.dumps(told["args"])[:800])
        elif kind == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.complaints.append(told["entry"]["text"])
        elif kind == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])

    def show(
        self,
        page: Path,
        width: int = 1280,
        height: int = 860,
        *,
        dark: bool = False,
        dense: float = 1,
    ) -> None:
        """Open a page and wait until it says that it is ready."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=dense,
            mobile=width < 600,
        )
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[theme])
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=page.resolve().as_uri())
        here = "location.protocol === 'file:' && document.documentElement"
        self.wait(f"Boolean({here} && document.documentElement.dataset.ready === 'yes')")
        self.settle()

    def wait(self, condition: str, seconds: float = _PATIENCE) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + seconds
        while not self.value(condition):
            assert time.monotonic() < end, (condition, self.complaints)
            time.sleep(0.05)

    def settle(self) -> None:
        """Let the page paint what it has put off."""
        twice = "new Promise(r => setTimeout(() => requestAnimationFrame(() => r(1)), 250))"
        self.value(twice)

    def value(self, expression: str) -> Any:
        """What an expression of JavaScript comes to."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def screenshot(self, clip: dict[str, float] | None = None, full: bool = False) -> bytes:
        """The page as PNG: what is seen, all of it, or a part {x, y, width, height}."""
        options: dict[str, Any] = {"format": "png", "captureBeyondViewport": full or bool(clip)}
        if clip:
            options["clip"] = clip | {"scale": 1}
        return base64.b64decode(self.call("Page.captureScreenshot", **options)["data"])

    def pointer(self, kind: str, x: float, y: float, **more: Any) -> None:
        """A mouse event: mousePressed, mouseMoved, mouseReleased or mouseWheel."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 4) -> None:
        """Press at `start`, move, and release at `end`."""
        held = {"button": "left", "buttons": 1}
        self.pointer("mousePressed", *start, clickCount=1, **held)
        for k in range(1, steps + 1):
            x, y = (a + (b - a) * k / steps for a, b in zip(start, end, strict=True))
            self.pointer("mouseMoved", x, y, **held)
        self.pointer("mouseReleased", *end, clickCount=1, button="left")
        self.settle()
