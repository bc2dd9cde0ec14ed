"""Writes the OpenAPI document, or checks that the stored one matches the code."""

import json
import sys
from pathlib import Path

from api.app import create_app
from api.schemas.spec import document
from service.settings import Settings

FILE = Path(__file__).parent.parent / "openapi" / "openapi.json"


def written() -> str:
    """Return the document of an application with default settings."""
    settings = Settings.of({"SECRET_KEYS": "k" * 32, "LOG_LEVEL": "error"})
    app = create_app(settings, None, caller_of=lambda *_: None, ready=list)
    return json.dumps(document(app), ensure_ascii=False, indent=1) + "\n"


def main(*words: str) -> int:
    """Write the document; with --check only check that it is up to date."""
    if words not in ((), ("--check",)):
        print("usage: python -m tools.openapi [--check]", file=sys.stderr)
        return 2
    text = written()
    if words:
        if FILE.is_file() and FILE.read_text(encoding="utf-8") == text:
            return 0
        print("openapi/openapi.json does not match the code; run: make openapi", file=sys.stderr)
        return 1
    FILE.write_text(text, encoding="utf-8")
    print(f"{FILE.name}: {len(json.loads(text)['paths'])} paths")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
