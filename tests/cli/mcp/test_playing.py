"""Agents that play: moves, talk, and what is refused."""

import re

from tests.cli.mcp.agents import Account, agent, game_of
from tests.clients.running import Service

PERSON = "This token belongs to the account of a person."


def _version(text: str) -> int:
    """The version that a decision in a text has to be answered to."""
    match = re.search(r"version (\d+), seat", text)
    assert match, text
    return int(match[1])


def test_three_moves(service: Service) -> None:
    """An agent with the account of a bot finds its decisions, keeps tickets and draws two cards."""
    ada, ben = Account(service, "Ada moves"), Account(service, "Ben moves")
    game = game_of(ada, ben)
    ben.post(f"/v1/games/{game}/moves", {"text": "all"})

    with agent(service.url, ada.token) as player:
        assert game in player.call("list_games")
        assert "Keep tickets" in player.call("read_menu", game=game)
        version = _version(player.call("list_decisions", wait_seconds=30))
        kept = player.call("make_move", game=game, version=version, text="all")
        while ben.get(f"/v1/games/{game}/decision"):  # who begins is drawn by lot
            assert "You have nothing to decide now" in player.call("list_decisions")
            ben.post(f"/v1/games/{game}/moves", {"text": "draw"})
        version = _version(player.call("list_decisions", wait_seconds=30))
        first = player.call("make_move", game=game, version=version, text="draw")
        second = player.call("make_move", game=game, version=_version(first), entry=1)

    assert "Ada moves keeps" in kept
    assert "You have another decision" in first
    assert "Menu" in first
    assert "Ada moves draws" in second
    assert "You have nothing else to decide" in second
    events = ada.get(f"/v1/games/{game}/events")["events"]
    mine = [row["sentence"] for row in events if row["sentence"].startswith("Ada moves draws")]
    assert 2 == len(mine)


def test_things_are_chosen(service: Service) -> None:
    """An entry with things to choose takes their values."""
    ada, ben = Account(service, "Ada chooses"), Account(service, "Ben chooses")
    game = game_of(ada, ben)
    decision = ada.get(f"/v1/games/{game}/decision")
    values = [thing["value"] for thing in decision["menu"][0]["choice"]["things"]][:2]

    with agent(service.url, ada.token) as player:
        menu = player.call("read_menu", game=game)
        assert all(value in menu for value in values)
        player.call("make_move", game=game, version=0, entry=1, things=values)

    seat = ada.get(f"/v1/games/{game}")
    assert sorted(values) == sorted(seat["state"]["seats"][seat["me"]]["tickets"])


def test_the_same_call_moves_once(service: Service) -> None:
    """A repeated call returns the same answer, and makes no second move."""
    ada, ben = Account(service, "Ada repeats"), Account(service, "Ben repeats")
    game = game_of(ada, ben)

    with agent(service.url, ada.token) as player:
        first = player.call("make_move", game=game, version=0, text="all")
        again = player.call("make_move", game=game, version=0, text="all")

    assert first == again
    assert 1 == ada.get(f"/v1/games/{game}")["version"]


def test_a_stale_version(service: Service) -> None:
    """A move for a version that has passed is refused with advice, and changes nothing."""
    ada, ben = Account(service, "Ada is late"), Account(service, "Ben is late")
    game = game_of(ada, ben)
    for account in (ada, ben):
        account.post(f"/v1/games/{game}/moves", {"text": "all"})
    awaited = ada if ada.get(f"/v1/games/{game}/decision") else ben

    with agent(service.url, awaited.token) as player:
        reason = player.refused("make_move", game=game, version=0, text="draw")

    assert "it is now at version 2" in reason
    assert "Call read_menu again" in reason
    assert 2 == ada.get(f"/v1/games/{game}")["version"]


def test_a_refused_move(service: Service) -> None:
    """A move that is not allowed is refused with the sentence and the code of the service."""
    ada, ben = Account(service, "Ada is refused"), Account(service, "Ben is refused")
    game = game_of(ada, ben)

    with agent(service.url, ada.token) as player:
        illegal = player.refused("make_move", game=game, version=0, text="draw")
        both = player.refused("make_move", game=game, version=0, text="all", entry=1)
        neither = player.refused("make_move", game=game, version=0)

    assert "code: illegal" in illegal
    assert "nothing was played" in both
    assert "nothing was played" in neither
    assert 0 == ada.get(f"/v1/games/{game}")["version"]


def test_an_agent_talks(service: Service) -> None:
    """An agent talks at its table, with the same key once, and reads what was said."""
    ada, ben = Account(service, "Ada talks"), Account(service, "Ben talks")
    game = game_of(ada, ben)

    with agent(service.url, ada.token) as player:
        for _ in range(2):
            sent = player.call("talk", game=game, text="Good luck", idempotency_key="once")
            assert "the number 1" in sent
        talk = player.call("read_talk", game=game)

    assert "⟦Ada talks⟧" in talk
    assert "⟦Good luck⟧" in talk
    assert ["Good luck"] == [
        row["text"] for row in ben.get(f"/v1/games/{game}/messages")["messages"]
    ]


def test_a_person_only_reads(service: Service) -> None:
    """With the token of a person everything can be read; moves and talk are refused, not sent."""
    ada, ben = Account(service, "Ada in person", "person"), Account(service, "Ben the bot")
    game = game_of(ada, ben)

    with agent(service.url, ada.token) as reader:
        decisions = reader.call("list_decisions")
        assert "a person" in decisions
        assert game in decisions
        assert "Keep tickets" in reader.call("read_menu", game=game)
        assert "You are seat" in reader.call("show_table", game=game)
        assert PERSON in reader.refused("make_move", game=game, version=0, text="all")
        assert PERSON in reader.refused("talk", game=game, text="Hello")

    assert 0 == ada.get(f"/v1/games/{game}")["version"]
    assert [] == ada.get(f"/v1/games/{game}/messages")["messages"]


def test_a_token_that_only_reads(service: Service) -> None:
    """The moves of a token without the scope `play` are refused by the service."""
    ada, ben = Account(service, "Ada looks on"), Account(service, "Ben looks on")
    game = game_of(ada, ben)
    token = ada.post("/v1/me/tokens", {"label": "reader", "scopes": ["read"]})["token"]

    with agent(service.url, token) as reader:
        assert "Keep tickets" in reader.call("read_menu", game=game)
        assert "code: forbidden" in reader.refused("make_move", game=game, version=0, text="all")

    assert 0 == ada.get(f"/v1/games/{game}")["version"]
