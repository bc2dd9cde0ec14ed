"""Table talk: who may write messages, and how many letters they cause."""

import pytest

from service.desk import Desk
from service.games import lobby, talk
from service.notify import outbox
from service.notify.outbox import Outcome
from service.notify.telling import TALK_EVERY, TALK_PAUSE
from service.refusals import Refused
from store import timestamps
from tests.service.support.owing import at, change, claim_mail, on_its_way
from tests.service.support.tables import table

NOON = "2030-01-07T12:00:00.000Z"


def _table(desk: Desk) -> tuple[str, str, str]:
    """A game, the account that writes messages, and the account that gets mail about them."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    outbox.spread(desk)
    change(desk, ben, email="ben@example.org", email_confirmed=NOON)
    return game, ada, ben


def _sent(desk: Desk) -> list[int]:
    """Send the letters that are due; return the number of messages in each."""
    outbox.spread(desk)
    letters = claim_mail(desk, 50)
    for letter in letters:
        outbox.settle(desk, [(delivery, Outcome("sent")) for delivery in letter])
    return [len(letter) for letter in letters]


def test_a_burst_is_one_letter(each_desk: Desk) -> None:
    """Thirty messages in a minute are one letter, two minutes after the first."""
    game, ada, _ = _table(at(each_desk, NOON))
    for second in range(0, 60, 2):
        then = at(each_desk, f"2030-01-07T12:00:{second:02}.000Z")
        talk.say(then, ada, game, f"Hello {second}", None)
        assert [] == _sent(then)
    assert [] == _sent(at(each_desk, "2030-01-07T12:01:59.999Z"))
    assert [30] == _sent(at(each_desk, timestamps.later(NOON, TALK_PAUSE)))


def test_the_next_letter_takes_its_time(each_desk: Desk) -> None:
    """After a letter about a table the next one comes half an hour later, with all messages."""
    game, ada, _ = _table(at(each_desk, NOON))
    talk.say(at(each_desk, NOON), ada, game, "Hello", None)
    first = timestamps.later(NOON, TALK_PAUSE)
    outbox.spread(at(each_desk, NOON))
    assert [1] == _sent(at(each_desk, first))
    sent = [1]
    for minute in range(3, 60):
        then = at(each_desk, f"2030-01-07T12:{minute:02}:00.000Z")
        talk.say(then, ada, game, f"Hello {minute}", None)
        sent += _sent(then)
    # At 12:02, 12:32, and the rest after 13:02.
    assert [1, 30] == sent
    assert [27] == _sent(at(each_desk, timestamps.later(first, TALK_EVERY * 2)))
    assert {"sent"} == set(on_its_way(each_desk, "state"))


def test_tables_are_told_apart(desk: Desk) -> None:
    """Messages at two tables are sent in two letters."""
    still = at(desk, NOON)
    game, ada, ben = _table(still)
    other = lobby.open_game(still, ada, lobby.NewGame("usa", (), 2), None)["id"]
    lobby.join(still, ben, other, "", None)
    _sent(at(desk, timestamps.later(NOON, -TALK_PAUSE)))
    change(desk, ada, email=None)
    for id in (game, other, game):
        talk.say(still, ada, id, "Hello", None)
    outbox.spread(still)
    letters = claim_mail(at(desk, timestamps.later(NOON, TALK_PAUSE)), 50)
    talks = [letter for letter in letters if letter[0].kind == "message_posted"]
    assert [1, 2] == sorted(map(len, talks))


def test_whoever_has_resigned_only_listens(each_desk: Desk) -> None:
    """A player who has resigned can read messages, but not write any."""
    game, (ada, ben, _) = table(each_desk, "Ada", "Ben", "Cem")
    talk.say(each_desk, ben, game, "Good luck!", None)
    lobby.leave(each_desk, ben, game)
    with pytest.raises(Refused) as refused:
        talk.say(each_desk, ben, game, "I am still here.", None)
    assert "forbidden" == refused.value.code
    talk.say(each_desk, ada, game, "Farewell.", None)
    texts = [message["text"] for message in talk.messages_after(each_desk, ben, game, 0, 10)]
    assert ["Good luck!", "Farewell."] == texts
