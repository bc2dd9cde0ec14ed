"""Collects the texts for people into `locales/messages.pot`, and tells every language of them.

python -m tools.messages            write them anew
python -m tools.messages --check    say whether they are up to date
"""

import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
LOCALES = ROOT / "locales"
TEMPLATE = LOCALES / "messages.pot"
METHODS = [("**.py", "python"), ("**/templates/**", "jinja2")]
COMMENT = "# The texts of Nightmail for people; made by: make messages"
ALWAYS = datetime(2026, 1, 1, tzinfo=UTC)
"""A date that does not change by itself."""
ROOMS = ("api", "engine", "pictures", "service", "workers")
KEYWORDS = DEFAULT_KEYWORDS | {"say": None, "says": (1, 2)}


def collected() -> Catalog:
    """Every text that is marked in code or templates, in the order of its files."""
    catalogue = Catalog(
        project="Nightmail", charset="utf-8", creation_date=ALWAYS, header_comment=COMMENT
    )
    for name, line, text, comments, context in extract_from_dir(
        ROOT, METHODS, keywords=KEYWORDS, directory_filter=_is_ours
    ):
        catalogue.add(text, None, [(Path(name).as_posix(), line)], (), comments, context=context)
    return catalogue


def _is_ours(folder: str | Path) -> bool:
    inside = Path(folder).relative_to(ROOT).parts
    return not inside or inside[0] in ROOMS


def written(catalogue: Catalog) -> bytes:
    """A catalogue as it is stored, without the numbers of lines, which change too easily."""
    file = BytesIO()
    write_po(file, catalogue, width=96, sort_by_file=True, include_lineno=False)
    return file.getvalue()


def main(*, check: bool) -> int:
    """Write the texts, or say whether they are as they would be written."""
    template = collected()
    text = written(template)
    if check:
        fresh = TEMPLATE.exists() and TEMPLATE.read_bytes() == text
        if not fresh:
            print("locales/messages.pot is out of date; run: make messages")
        return 0 if fresh else 1
    LOCALES.mkdir(exist_ok=True)
    TEMPLATE.write_bytes(text)
    for path in sorted(LOCALES.glob("*/messages.po")):
        with path.open("rb") as file:
            known = read_po(file, locale=path.parent.name)
        known.update(template)
        path.write_bytes(written(known))
    print(f"{len(template)} texts")
    return 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv))
