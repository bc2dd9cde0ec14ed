"""A bot that uses Nightmail's own engine, locally and on a server."""

import http.client
import json
import os
import time
import urllib.error
import urllib.request

from bots.arena import Entrant, matches, play
from bots.player import HOUSE
from bots.standings import duels
from engine import default_for, options, replay
from engine.codec import read_event, write
from engine.rules.cards import DrawBlind
from engine.rules.routes import ClaimRoute
from service.boards import atlas

LONG = 3


def miser(rules, view, seat):
    """Claim the longest affordable route, and save cards until one is long enough."""
    actions = options(rules, view, seat).actions
    routes = rules.board.routes
    claims = [action for action in actions if isinstance(action, ClaimRoute)]
    longest = max(claims, key=lambda claim: routes[claim.route].length, default=None)
    draws = [action for action in actions if isinstance(action, DrawBlind)]
    if longest and (routes[longest.route].length >= LONG or not draws):
        return longest
    return draws[0] if draws else default_for(rules, view, seat)


def at_home(games=20, against="easy"):
    """Play in this process; every deal is played from both seats."""
    rules = atlas.ruleset("usa", (), 2)
    entrants = [Entrant("miser", miser), Entrant(against, HOUSE[against])]
    (duel,) = duels([play(rules, match, "home") for match in matches(entrants, 2, games)])
    print(f"{duel.won:g} of {duel.games} won, points {duel.means[0]:.0f} : {duel.means[1]:.0f}")


class Server:
    """The games of our account on a server, with what our seat has seen in each."""

    def __init__(self, base, token):
        self.base, self.token, self.known = base, token, {}

    def call(self, method, path, body=None, headers=()):
        """Make a request; waits and retries if we are rate-limited or the server is down."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, dict(headers), method=method)
        request.add_header("Content-Type", "application/json")
        request.add_header("Authorization", f"Bearer {self.token}")
        while True:
            try:
                with urllib.request.urlopen(request, timeout=90) as answer:
                    return json.loads(answer.read())
            except (OSError, http.client.HTTPException) as error:
                if getattr(error, "code", 503) not in (429, 502, 503, 504):
                    raise
                time.sleep(int(getattr(error, "headers", {}).get("Retry-After", 1)))

    def seen(self, game):
        """Return the rules, our view and its version; fetch and replay only new events."""
        rules, view, after = self.known.get(game) or (self.rules(game), None, 0)
        while True:
            page = self.call("GET", f"/games/{game}/events?after={after}")
            view = replay(rules, [read_event(row["event"]) for row in page["events"]], view)
            after = page["last"]
            if not page["more"]:
                self.known[game] = rules, view, after
                return rules, view, page["version"]

    def rules(self, game):
        """Return the rules of a game."""
        table = self.call("GET", f"/games/{game}")
        return atlas.ruleset(table["board"], table["variants"], table["seats"])

    def answer(self, decision):
        """Make a move, unless the game has moved on in the meantime."""
        game, version = decision["game"], decision["version"]
        rules, view, newest = self.seen(game)
        if newest != version:
            return
        action = miser(rules, view, decision["seat"])
        safe = {"If-Match": f'"{version}"', "Idempotency-Key": f"{game}-{version}"}
        try:
            made = self.call("POST", f"/games/{game}/moves", {"action": write(action)}, safe)
        except urllib.error.HTTPError as refusal:
            print(json.loads(refusal.read())["detail"])
        else:
            print(version, *(row["sentence"] for row in made["events"]))

    def play(self):
        """Answer all decisions as long as any of our games is running."""
        while self.call("GET", "/games?mine=true&status=running")["games"]:
            for decision in self.call("GET", "/me/decisions?wait=30")["decisions"]:
                self.answer(decision)


if __name__ == "__main__":
    if token := os.environ.get("NIGHTMAIL_TOKEN"):
        Server(os.environ.get("NIGHTMAIL", "http://127.0.0.1:8000") + "/v1", token).play()
    else:
        at_home()
