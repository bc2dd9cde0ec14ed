"""The locked Go, which compiles examples without a network."""

import subprocess
import sys
from pathlib import Path

from tests.support.missing_programs import skip_or_fail

PROGRAM = Path(sys.prefix) / "bin" / "go"
CACHE = Path(sys.prefix) / "go-cache"
"""Compiled parts of Go's standard library, which take most of the time."""


def built_by_go(folder: Path, source: Path | str = ".") -> Path:
    """Compile a file, or else the package in a folder, and return the program."""
    if not PROGRAM.exists():
        skip_or_fail("There is no wheel of Go for this machine.")
    program = folder / "program"
    offline = {"GOTOOLCHAIN": "local", "GOPROXY": "off", "GOTELEMETRY": "off", "CGO_ENABLED": "0"}
    homes = {"GOCACHE": str(CACHE), "GOPATH": str(folder / "go"), "HOME": str(folder)}
    subprocess.run(
        [PROGRAM, "build", "-o", program, source],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", **offline, **homes},
        check=True,
        capture_output=True,
        timeout=300,
    )
    return program
