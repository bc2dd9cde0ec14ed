"""Collects the texts for people into `locales/messages.pot`, and updates every language.

python -m tools.messages            write the files
python -m tools.messages --check    check that they are up to date and that translations are valid
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po, write_po

from bots.player import HOUSE

ROOT = Path(__file__).parent.parent
LOCALES = ROOT / "locales"
MAPS = ROOT / "maps"
METHODS = [("**.py", "python"), ("**/templates/**", "jinja2")]
COMMENT = "# The texts of Nightmail for people; made by: make messages"
ALWAYS = datetime(2026, 1, 1, tzinfo=UTC)
"""A fixed creation date, so that the file only changes with its texts."""
ROOMS = ("api", "engine", "pictures", "service", "workers")
"""The folders whose code and templates have texts for people."""
KEYWORDS = DEFAULT_KEYWORDS | {"say": None, "says": (1, 2), "sayable": None}
_PLACE = re.compile(r"\{\w+\}|%\(\w+\)s")
"""Placeholders for values: {name} in code, %(name)s in templates."""
_COUNTS = {"{n}", "%(num)s"}
"""Placeholders for a count, which a singular form may leave out."""


def collected(maps: Path = MAPS) -> Catalog:
    """Collect every text: from code and templates, names of house bots, and texts of maps."""
    catalogue = Catalog(
        project="Nightmail", charset="utf-8", creation_date=ALWAYS, header_comment=COMMENT
    )
    for name, line, text, comments, context in extract_from_dir(
        ROOT, METHODS, keywords=KEYWORDS, directory_filter=_is_ours
    ):
        catalogue.add(text, None, [(Path(name).as_posix(), line)], (), comments, context=context)
    for strength in HOUSE:
        catalogue.add(strength, None, [("bots/player.py", 1)])
    for path in sorted(maps.glob("*/map.toml")):
        for text in _texts_of(path):
            catalogue.add(text, None, [(f"maps/{path.parent.name}/map.toml", 1)])
    return catalogue


def _is_ours(folder: str | Path) -> bool:
    inside = Path(folder).relative_to(ROOT).parts
    return not inside or inside[0] in ROOMS


def _texts_of(path: Path) -> Iterator[str]:
    """Yield the translatable texts of a map; names of cities are not translated."""
    board = tomllib.loads(path.read_text(encoding="utf-8"))
    yield board["name"]
    if "summary" in board:
        yield board["summary"]
    yield from board.get("stand_in", {}).get("notes", ())
    for variant in board.get("variants", {}).values():
        yield variant["name"]
        yield variant["summary"]
    for technology in board.get("technologies", ()):
        yield technology["name"]


def written(catalogue: Catalog) -> bytes:
    """Return a catalogue as it is stored, without line numbers, which change too often."""
    file = BytesIO()
    write_po(file, catalogue, width=96, sort_by_file=True, include_lineno=False)
    return file.getvalue()


def translated(folder: Path) -> Iterator[tuple[Path, Catalog]]:
    """Yield every language: its file and its catalogue."""
    for path in sorted(folder.glob("*/messages.po")):
        with path.open("rb") as file:
            yield path, read_po(file, locale=path.parent.name)


def faults(template: Catalog, folder: Path) -> Iterator[str]:
    """Yield everything that is wrong with the language files in a folder."""
    pot = folder / "messages.pot"
    if not pot.exists() or pot.read_bytes() != written(template):
        yield "locales/messages.pot is out of date; run: make messages"
    for path, catalogue in translated(folder):
        name = f"locales/{path.parent.name}/messages.po"
        for message in catalogue:
            if message.id and not message.fuzzy and (wrong := _misplaced(message)):
                yield f"{name}: {message.id!r}: {wrong}"
        catalogue.update(template)
        if path.read_bytes() != written(catalogue):
            yield f"{name} is out of date; run: make messages"


def _misplaced(message: Message) -> str | None:
    """Return which placeholders a translation lacks or should not have; None if it is valid."""
    texts = message.id if isinstance(message.id, (list, tuple)) else (message.id,)
    others = message.string if isinstance(message.string, (list, tuple)) else (message.string,)
    places = _places(*texts)
    counts = _COUNTS if len(texts) > 1 else set()
    for other in filter(None, others):
        translated_places = _places(other)
        if unknown := sorted(translated_places - places):
            return f"the translation has {', '.join(unknown)}, which the text does not have"
        if missing := sorted(places - translated_places - counts):
            return f"the translation lacks {', '.join(missing)}"
        if broken := sorted(_signs(other) - _signs(*texts)):
            return f"the translation has {' and '.join(broken)} outside of a placeholder"
    return None


def _places(*texts: str) -> set[str]:
    return {place for text in texts for place in _PLACE.findall(text)}


def _signs(*texts: str) -> set[str]:
    """Return characters left over from misspelt placeholders."""
    return set("{}%").intersection(_PLACE.sub("", "".join(texts)))


def main(*, check: bool, folder: Path = LOCALES) -> int:
    """Write the files, or check that they are up to date."""
    template = collected()
    if check:
        problems = list(faults(template, folder))
        print("\n".join(problems), end="\n" * bool(problems))
        return 1 if problems else 0
    folder.mkdir(exist_ok=True)
    (folder / "messages.pot").write_bytes(written(template))
    for path, catalogue in translated(folder):
        catalogue.update(template)
        path.write_bytes(written(catalogue))
    print(f"{len(template)} texts")
    return 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv))
