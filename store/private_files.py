"""Creates files and folders that only their owner can read, whatever the umask is."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

FOLDER = 0o700
FILE = 0o600


def make_folder(path: Path) -> None:
    """Make a private folder, unless there is one."""
    path.mkdir(mode=FOLDER, parents=True, exist_ok=True)


def make_file(path: Path) -> None:
    """Make an empty private file in a private folder, unless there is one.

    Errors are ignored here; the program that opens the file reports them in more detail.
    """
    make_folder(path.parent)
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE))


def tighten(paths: Iterable[Path]) -> Iterator[Path]:
    """Remove the rights of other users from these files and folders; yields those that changed."""
    for path in paths:
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            continue
        if stat.S_IMODE(mode) & 0o077 and (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            path.chmod(FOLDER if stat.S_ISDIR(mode) else FILE)
            yield path
