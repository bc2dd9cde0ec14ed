"""A bot with the client library that lives by the stream: nothing is asked, everything arrives."""

import os

from nightmail_client import Nightmail, Stale

GAMES, HOUSE = int(os.environ.get("GAMES", "0")), os.environ.get("HOUSE", "easy")  # to open first


def choose(decision):
    """Claim what scores most; otherwise draw cards, or do what comes first in the menu."""
    entries = decision["menu"]
    claims = [entry for entry in entries if entry["group"] == "claim"]
    draws = [entry for entry in entries if entry["group"] == "draw"]
    return max(claims, key=lambda entry: entry["points"]) if claims else (draws or entries)[0]


def answer(nightmail, decision):
    """Make a move, unless the decision is not open any more."""
    entry = choose(decision)
    try:
        receipt = nightmail.game(decision["game"]).choose(decision, entry)
    except Stale as refusal:
        print(refusal)
    else:
        print(decision["version"], *(record["sentence"] for record in receipt["events"]))


def main():
    address = os.environ.get("NIGHTMAIL", "http://127.0.0.1:8000")
    with Nightmail(address, os.environ["NIGHTMAIL_TOKEN"]) as nightmail:
        for _ in range(GAMES):
            nightmail.open_game(board="usa", seats=2, bots={HOUSE: 1})
        for event in nightmail.stream():  # begins with every open decision
            if event.name == "decision":
                answer(nightmail, event.data)
            elif event.name == "game_finished":
                game = nightmail.game(event.data["game"])
                print(event.data["title"], game.read()["result"]["winners"], game.verify().moves)
                if GAMES and not nightmail.has_games():
                    break


if __name__ == "__main__":
    main()
