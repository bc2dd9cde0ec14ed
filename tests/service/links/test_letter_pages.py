"""The page that confirms a mail to the lasting address of a seat, or to that of table talk."""

from typing import Any

import pytest

from service.desk import Desk
from service.links import link_actions, signed_links
from service.replies import held_mail
from store.games import games
from tests.service.support.post import Post, opened
from tests.service.support.tables import keep_tickets


def payload_of(post: Post) -> dict[str, Any]:
    """The payload of the link to the newest mail that was held."""
    link = held_mail.listed_with_links(post.desk, post.players[0])[0]["confirm"]
    payload = signed_links.read(post.desk, "letter", link.rpartition("/")[2])
    assert payload is not None
    assert payload["asked"] is None
    return payload


def test_moves_are_played_once(each_desk: Desk) -> None:
    """Opening the page plays nothing; pressing its button twice plays the lines once."""
    post = opened(each_desk)
    keep_tickets(each_desk, post.game, post.players)
    assert "unsure" == post.write("draw", authentication_results=None)
    payload = payload_of(post)
    page = link_actions.letter_page(post.desk, payload)
    assert ("open", [{"text": "draw"}], 3) == (page["stands"], page["lines"], post.moves())

    stands = [link_actions.letter_page(post.desk, payload, "play")["stands"] for _ in range(2)]
    assert (["played", "done"], 4) == (stands, post.moves())


def test_the_letter_and_the_settings_have_the_same_link(desk: Desk) -> None:
    """Whoever follows both links plays the lines once; the same lines in another mail count."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    moments = [f"2026-03-02T18:3{n}:00.000Z" for n in range(2)]
    first, second = map(post.at, moments)
    first.write("draw", authentication_results=None)
    payload = payload_of(first)
    notice = post.answers("letter_unsure")[-1]["row"]
    link = signed_links.confirm_letter(desk, post.game, 0, None, ["draw"], notice.at)
    assert payload == signed_links.read(desk, "letter", link.rpartition("/")[2])

    assert "played" == link_actions.letter_page(first.desk, payload, "play")["stands"]
    second.write("draw", authentication_results=None)
    assert "played" == link_actions.letter_page(second.desk, payload_of(second), "play")["stands"]
    assert 5 == post.moves()


def test_a_number_means_nothing_there(desk: Desk) -> None:
    """As in a mail to the lasting address, only moves that are written out are played."""
    post = opened(desk)
    post.write("1", authentication_results=None)
    page = link_actions.letter_page(desk, payload_of(post), "play")

    assert [False] == [line["ok"] for line in page["lines"]]
    assert 1 == post.moves()


def test_table_talk_is_posted(desk: Desk) -> None:
    """A reply to table talk is a message after `say`, whatever its lines look like."""
    post = opened(desk)
    post.answer_talk("Well played", "keep all", authentication_results=None)
    payload = payload_of(post)
    assert ["say", "Well played", "keep all"] == payload["lines"]
    for _ in range(2):
        link_actions.letter_page(desk, payload, "play")

    assert ["Well played\nkeep all"] == post.messages()
    assert 1 == post.moves()


def test_commands_in_reply_to_table_talk_play_no_moves(desk: Desk) -> None:
    """Only the commands above the first other line can be confirmed."""
    post = opened(desk)
    post.answer_talk("status", "tickets", "keep all", "hand", authentication_results=None)

    assert ["status", "tickets"] == payload_of(post)["lines"]


@pytest.mark.parametrize("choice", ["play", "no"])
def test_before_the_game_begins(desk: Desk, choice: str) -> None:
    """Commands for a table that waits for players are carried out, if their owner says so."""
    post = opened(desk).at_open_table()
    assert "unsure" == post.write("leave yes", authentication_results=None)
    payload = payload_of(post)
    page = link_actions.letter_page(desk, payload, choice)

    assert {"play": "played", "no": "refused"}[choice] == page["stands"]
    with desk.database.reading() as tx:
        assert (choice == "play") == (games.table(tx, post.game) is None)


def test_an_old_link_does_nothing(desk: Desk) -> None:
    """After two weeks the page says that it is too late."""
    post = opened(desk)
    post.at("2026-03-02T18:30:00.000Z").write("keep all", authentication_results=None)
    payload = payload_of(post)
    late = post.at("2026-03-20T18:30:00.000Z").desk

    assert "late" == link_actions.letter_page(late, payload, "play")["stands"]
    assert 1 == post.moves()
