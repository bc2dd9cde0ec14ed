"""A service with one more strength of house bot, registered where house bots are registered.

`python -m tests.api.fourth_strength FOLDER` opens tables with it and prints the responses.
It is a process of its own, since other modules read the register when they are imported.
"""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from bots.player import HOUSE
from engine import Action, Ruleset, State, default_for

NAME = "brutal"
DECISIONS: list[int] = []


def brutal(rules: Ruleset, view: State, seat: int) -> Action:
    """Choose the default, and record the seat that was asked."""
    DECISIONS.append(seat)
    return default_for(rules, view, seat)


def main(folder: Path) -> dict[str, Any]:
    """Open a table through the API and one through the form, and collect the responses."""
    HOUSE[NAME] = brutal
    # Import the application only now, so that it finds the bot already registered.
    fresh_app = import_module("tests.api.serving").fresh_app
    app, desk = fresh_app(f"sqlite:///{folder}/nightmail.db", DATA_DIR=str(folder))
    guest = import_module("tests.site.visiting").Guest(app, "Ada")
    client = app.test_client()
    token = client.post("/v1/accounts", json={"name": "Ben"}).json["token"]["token"]
    me = {"Authorization": f"Bearer {token}"}
    body = {"board": "usa", "seats": 3, "bots": {NAME: 2}}
    opened = client.post("/v1/games", json=body, headers=me)
    read = client.get(f"/v1/games/{opened.json.get('id')}", headers=me)
    form = guest.web.get("/games/new").text
    page = guest.web.get(guest.game(easy="0", **{NAME: "1"})).text
    document = json.loads(import_module("tools.openapi").written())
    texts = import_module("tools.messages").collected()
    desk.close()
    return {
        "opened": opened.status_code,
        "players": [(player["name"], player["house"]) for player in read.json["players"]],
        "asked": len(DECISIONS),
        "form": form,
        "page": page,
        "schema": document["components"]["schemas"]["HouseBots"]["properties"],
        "catalogued": NAME in texts,
        "measured": import_module("bench.bots").bar(NAME),
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(Path(sys.argv[1]))))
