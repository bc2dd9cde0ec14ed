"""A bot that thinks with Nightmail's own engine, at home and on a server."""

import json
import os
import urllib.error
import urllib.request

from bots.arena import Entrant, matches, play
from bots.player import HOUSE
from bots.standings import duels
from engine import default_for, options, replay
from engine.codec import read_event, write
from engine.rules.cards import DrawBlind
from engine.rules.routes import ClaimRoute
from service import atlas

LONG = 3


def miser(rules, view, seat):
    """Claim the longest route that can be paid, and save cards until one is long enough."""
    actions = options(rules, view, seat).actions
    routes = rules.board.routes
    claims = [action for action in actions if isinstance(action, ClaimRoute)]
    longest = max(claims, key=lambda claim: routes[claim.route].length, default=None)
    draws = [action for action in actions if isinstance(action, DrawBlind)]
    if longest and (routes[longest.route].length >= LONG or not draws):
        return longest
    return draws[0] if draws else default_for(rules, view, seat)


def at_home(games=20, against="easy"):
    """In this process: every draw of the luck is played from both seats."""
    rules = atlas.ruleset("usa", (), 2)
    entrants = [Entrant("miser", miser), Entrant(against, HOUSE[against])]
    (duel,) = duels([play(rules, match, "home") for match in matches(entrants, 2, games)])
    print(f"{duel.won:g} of {duel.games} won, points {duel.means[0]:.0f} : {duel.means[1]:.0f}")


def on_a_server(base, token):
    """Wherever the account sits, as long as a game runs; what its seat has seen is replayed."""

    def call(method, path, body=None, headers=()):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(base + path, data, dict(headers), method=method)
        request.add_header("Content-Type", "application/json")
        request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=90) as answer:
            return json.loads(answer.read())

    def seen(game):
        """Everything that has happened so far, as our seat has seen it."""
        events, after = [], 0
        while True:
            page = call("GET", f"/games/{game}/events?after={after}")
            events += [read_event(told["event"]) for told in page["events"]]
            if not page["more"]:
                return events
            after = page["last"]

    while call("GET", "/games?mine=true&status=running")["games"]:
        for decision in call("GET", "/me/decisions?wait=30")["decisions"]:
            game, version = decision["game"], decision["version"]
            table = call("GET", f"/games/{game}")
            rules = atlas.ruleset(table["board"], table["variants"], table["seats"])
            action = miser(rules, replay(rules, seen(game)), decision["seat"])
            safe = {"If-Match": f'"{version}"', "Idempotency-Key": f"{game}-{version}"}
            try:
                made = call("POST", f"/games/{game}/moves", {"action": write(action)}, safe)
            except urllib.error.HTTPError as refusal:  # it went on without us
                print(json.loads(refusal.read())["detail"])
            else:
                print(version, *(told["sentence"] for told in made["events"]))


if __name__ == "__main__":
    if token := os.environ.get("NIGHTMAIL_TOKEN"):
        on_a_server(os.environ.get("NIGHTMAIL", "http://127.0.0.1:8000") + "/v1", token)
    else:
        at_home()
