"""Runs a script with a given seed for Python's hashes."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def hashed(script: str, seed: int) -> str:
    """The output of a script that runs with this PYTHONHASHSEED."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()
