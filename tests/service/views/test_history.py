"""The history of a game in sentences."""

from service.desk import Desk
from service.views import history, story
from tests.service.support import tables
from tests.workers.correspondence import room


def test_the_latest_sentences(desk: Desk) -> None:
    """The history ends with the latest move, has as many sentences as wanted, and says if more."""
    here = room(desk, seats=2)
    here.play(60)
    seat = here.awaited
    few = history.history_for(desk, here.game, here.players[seat], 10)
    many = history.history_for(desk, here.game, here.players[seat], 10_000)
    latest = story.of_account(desk, here.game, here.players[seat])
    assert latest is not None

    assert (10, True) == (len(few.sentences), few.more)
    assert not many.more
    assert many.sentences[-10:] == few.sentences
    latest_sentences = latest.happened.since or latest.happened.mine
    assert latest_sentences[-1] == few.sentences[-1]
    assert len(many.sentences) > 60


def test_what_others_draw_is_not_told(desk: Desk) -> None:
    """A card that another player draws from the deck stays hidden until the end."""
    here = room(desk, seats=2)
    for _ in range(8):  # each player keeps tickets and then draws whole turns from the deck
        player = here.players[here.awaited]
        is_first = here.table.seated[here.awaited].decision_version == 0
        tables.play(desk, here.game, player, "keep all" if is_first else "draw")
    ada, ben = (
        history.history_for(desk, here.game, player, 10_000).sentences for player in here.players
    )
    names = [seat.name for seat in here.table.seated]
    for own, name, others in ((ada, names[0], names[1]), (ben, names[1], names[0])):
        assert any(f"{name} draws a " in sentence for sentence in own)
        drawn = [text for text in own if f"{others} draws" in text and "deck" in text]
        assert drawn
        assert {f"{others} draws a card from the deck."} == set(drawn)


def test_a_game_that_has_just_begun(desk: Desk) -> None:
    """The history begins with the first move, and nothing is left out."""
    here = room(desk, seats=2)
    begun = history.history_for(desk, here.game, here.players[0], 30)

    assert begun.sentences
    assert not begun.more
