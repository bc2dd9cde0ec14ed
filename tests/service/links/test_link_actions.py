"""The pages behind signed links of a game."""

from typing import Any

import pytest

from service.desk import Desk
from service.games.menu_forms import MenuForm
from service.links import link_actions, signed_links
from tests.service.support.tables import owed, play, table
from tests.service.support.timing import seat_at, table_at


def _payload(desk: Desk, game: str, player: str, **more: Any) -> dict[str, Any]:
    """The payload of a link for the open decision of a player."""
    seat = seat_at(desk, game, player)
    fields = {
        "game": game,
        "seat": seat.number,
        "asked": seat.decision_version,
        "links": seat.links,
    }
    return {**fields, "until": "9999", **more}


def _action_payload(desk: Desk, game: str, player: str) -> dict[str, Any]:
    return _payload(desk, game, player, entry="keep")


def test_an_open_link_shows_its_entry(desk: Desk) -> None:
    """The page of an open link shows the things of its entry; opening it makes no move."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    payload = _action_payload(desk, game, ada)
    page = link_actions.action_page(desk, payload, None)

    assert ("open", ada, game) == (page["stands"], page["account"], page["game"])
    assert ("keep", 3) == (page["item"].entry.text, len(page["things"]))
    assert 0 == table_at(desk, game).version


def test_a_choice_is_played_once(each_desk: Desk) -> None:
    """Submitting a choice twice makes one move, and both pages show the same events."""
    game, (ada, _) = table(each_desk, "Ada", "Ben")
    payload = _action_payload(each_desk, game, ada)
    things = link_actions.action_page(each_desk, payload, None)["things"]
    chosen = MenuForm(things=tuple(thing["value"] for thing in things))
    first, second = (link_actions.play(each_desk, payload, None, chosen) for _ in range(2))

    assert ("played", "done", 1) == (
        first["stands"],
        second["stands"],
        table_at(each_desk, game).version,
    )
    assert first["events"] == second["events"]
    assert "things" not in first


def test_a_choice_that_is_not_offered_plays_nothing(desk: Desk) -> None:
    """A choice that is not offered makes no move, and the page shows the entry again."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    page = link_actions.play(desk, _action_payload(desk, game, ada), None, MenuForm("draw"))

    assert ("unchosen", 0) == (page["stands"], table_at(desk, game).version)
    assert page["things"]


def test_another_account_sees_nothing(desk: Desk) -> None:
    """A link is void for another account and open for its own."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    payload = _action_payload(desk, game, ada)

    assert {"stands": "void"} == link_actions.action_page(desk, payload, ben)
    assert "open" == link_actions.action_page(desk, payload, ada)["stands"]


def test_a_stale_link_tells_what_has_happened(desk: Desk) -> None:
    """A stale link shows the events since, and nothing to choose."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    payload = _action_payload(desk, game, ada)
    play(desk, game, ada, "keep all")
    page = link_actions.action_page(desk, payload, None)

    assert "stale" == page["stands"]
    assert page["events"]
    assert "things" not in page


@pytest.mark.parametrize(
    ("choice", "state", "version"),
    [(None, "open", 0), ("no", "refused", 0), ("nonsense", "unchosen", 0), ("play", "played", 1)],
)
def test_a_reply_is_played_when_its_owner_confirms_it(
    desk: Desk, choice: str | None, state: str, version: int
) -> None:
    """Only the choice `play` plays the reply; `no` leads to a link that voids the seat's links."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    payload = _payload(desk, game, ada, lines=["keep all"])
    page = link_actions.letter_page(desk, payload, choice)

    assert (state, version) == (page["stands"], table_at(desk, game).version)
    if choice == "no":
        assert signed_links.read(desk, "forwarded", page["void"].rpartition("/")[2])
    if choice == "play":
        assert [("keep all", "Played.")] == [
            (line["text"], line["result"]) for line in page["lines"]
        ]


def test_a_page_does_not_promise_parts_of_a_letter(desk: Desk) -> None:
    """On the page, a question whose answer only a letter shows leads to the page of the game."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    payload = _payload(desk, game, ada, lines=["hand", "say Hello", "keep all"])
    page = link_actions.letter_page(desk, payload, "play")

    results = ["The page of the game shows it.", "Posted to the table.", "Played."]
    assert results == [line["result"] for line in page["lines"]]


def test_a_forwarded_mail_is_made_void(desk: Desk) -> None:
    """Voiding a forwarded mail voids all links of the seat and causes one new letter."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    action = _action_payload(desk, game, ada)
    payload = {name: action[name] for name in ("game", "seat", "links")}
    before = len(owed(desk, "decision_opened"))

    for choice, state in [(None, "open"), ("keep", "kept"), ("void", "voided"), ("void", "done")]:
        assert state == link_actions.forwarded_page(desk, payload, choice)["stands"]
    assert {"stands": "void"} == link_actions.action_page(desk, action, None)
    assert before + 1 == len(owed(desk, "decision_opened"))
