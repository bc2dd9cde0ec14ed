"""Lines of a reply that are meant for later turns, and the command `orders`."""

import pytest

from service.desk import Desk
from service.games.ordering import carrying_out, giving
from service.replies.commands.line_forms import takes_something_back
from tests.service.support.post import Post, opened
from tests.service.support.tables import keep_tickets
from tests.service.support.timing import table_at


@pytest.fixture
def post(desk: Desk) -> Post:
    """A game by mail in which the first player is to move."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    return post


def orders_of(post: Post, number: int = 0) -> str | None:
    """The orders of a player."""
    shown = giving.shown(post.desk, post.players[number], post.game)
    return None if shown is None else shown["text"]


def test_reply_with_four_lines(post: Post) -> None:
    """The lines of this turn are played; those after it are orders for later."""
    post.reply("draw", "draw", "draw", "claim chicago-duluth when I can")

    assert [True] * 4 == [ok for _, ok in post.results()]
    assert "draw; claim chicago-duluth when I can" == orders_of(post)
    assert 5 == post.moves()


def test_wish_on_the_first_line_is_an_order(post: Post) -> None:
    """A line that can only be an order is kept, and judged at once if it is the player's turn."""
    post.reply("claim chicago-duluth when I can, if it is gone: ask me")
    assert "claim chicago-duluth when I can, if it is gone: ask me" == orders_of(post)

    assert carrying_out.play_next(post.desk)
    assert 5 == post.moves()


def test_lines_before_a_command_are_orders(post: Post) -> None:
    """A command after the orders is carried out as always."""
    post.reply("draw", "draw", "draw until the last round", "status", "say Good night")

    assert [True] * 5 == [ok for _, ok in post.results()]
    assert "draw, until the last round" == orders_of(post)


def test_orders_are_kept_whole_or_not_at_all(post: Post) -> None:
    """A line that cannot be read keeps none of them; the answer names the step."""
    post.reply("draw", "draw", "draw", "clam chicago-duluth")

    assert [True, True, False] == [ok for _, ok in post.results()]
    assert "Step 2, “clam chicago-duluth”" in post.answers()[-1]["lines"][-1]["result"]
    assert orders_of(post) is None


def test_command(post: Post) -> None:
    """`orders` gives, shows and deletes them."""
    post.reply("orders draw; draw", "orders", "orders off", "orders")
    results = [line["result"] for line in post.answers()[-1]["lines"]]

    assert results[0].startswith("Kept for later: draw; draw.")
    assert "0 of 2 steps are done" in results[1]
    assert results[2].startswith("Your orders are deleted.")
    assert results[3].startswith("You have no orders")
    assert orders_of(post) is None


def test_at_once_warns(post: Post) -> None:
    """Without the delay the others may guess, and the answer says so."""
    post.reply("orders at once: draw for 3 turns")

    assert "may guess" in post.answers()[-1]["lines"][-1]["result"]
    shown = giving.shown(post.desk, post.players[0], post.game)
    assert shown is not None
    assert shown["at_once"]


def test_reply_read_twice_gives_orders_once(post: Post) -> None:
    """Orders that have been begun do not begin again when their reply is read again."""
    desk = post.desk
    giving.give(desk, post.players[0], post.game, "draw; draw; draw", revision="a reply-0")
    assert carrying_out.play_next(desk)
    version = table_at(desk, post.game).version

    giving.give(desk, post.players[0], post.game, "draw; draw; draw", revision="a reply-0")

    assert not carrying_out.play_next(desk)
    assert version == table_at(desk, post.game).version


@pytest.mark.parametrize(
    "line",
    [
        "claim paris-dieppe when I can, if it is gone: claim paris-bruxelles, else ask me",
        "claim paris-dieppe sobald ich kann, falls sie weg ist: claim paris-bruxelles, sonst draw",
        "claim paris-dieppe dès que je peux, si elle est prise: draw, sinon demande-moi",
        "claim paris-dieppe cuando pueda, si está ocupada: draw, si no pregúntame",
        "claim paris-dieppe assim que puder, se estiver ocupada: draw, senão pergunte-me",
        "claim paris-dieppe imediat ce pot, dacă e ocupată: draw, altfel întreabă-mă",
        "claim paris-dieppe appena posso, se è occupata: draw, altrimenti chiedimi",
        "claim paris-dieppe zodra ik kan, als die weg is: draw, anders vraag mij",
        "draw until the last round",
    ],
)
def test_orders_take_nothing_back(line: str) -> None:
    """Words such as “if” in an order are no doubt."""
    assert not takes_something_back(line)


@pytest.mark.parametrize(
    "line", ["no, draw if it is gone", "wait, claim paris-dieppe when I can", "else not"]
)
def test_doubts_remain_doubts(line: str) -> None:
    """A line that takes something back does so beside the words of orders, too."""
    assert takes_something_back(line)
