"""Whether, when and where an account is notified on a channel."""

import pytest
from sqlalchemy import update

from service.desk import Desk
from service.games import moves
from service.games.move_requests import MoveRequest
from service.games.table_notices import ANSWERED
from service.notify import outbox, telling
from service.notify.channels import Channel
from service.notify.notice_kinds import TALK, TURNS
from service.notify.telling import Telling, stream_of
from service.people import addresses
from store.notify.deliveries import Stream
from store.notify.notices import Notice, Owed
from store.people import accounts
from store.people.accounts import Account
from store.tables import seats
from tests.service.notify.test_preferences import somebody
from tests.service.support.owing import (
    after,
    at,
    change,
    claim_mail,
    hook,
    on_its_way,
    owe,
    post,
    reachable,
)
from tests.service.support.tables import keep_tickets, table
from tests.service.support.timing import by_hand
from workers.channels.mail.channel import MailChannel
from workers.channels.webhook.channel import WebhookChannel

AT_ONCE = "2030-01-07T10:00:00.000Z"
LATER = "2030-01-07T10:03:00.000Z"
MAIL, HOOKS = MailChannel(), WebhookChannel()


def _tellings(desk: Desk, channel: Channel, id: str, kind: str) -> list[Telling]:
    """When and to which targets a notice about no game is sent."""
    with desk.database.reading() as tx:
        account = accounts.account(tx, id)
        assert account is not None
        owed = Owed(1, AT_ONCE, Notice(id, kind))
        return list(telling.tellings(tx, channel, account, owed))


def test_a_channel_is_told_only_the_kinds_that_it_carries(desk: Desk) -> None:
    """A channel gets only notices of the kinds that it carries."""
    ada = reachable(desk)
    hook(desk, ada, "message.posted")

    assert [(AT_ONCE, None)] == [
        (telling.when, telling.target.hook) for telling in _tellings(desk, MAIL, ada, "sign_in")
    ]
    assert [] == _tellings(desk, HOOKS, ada, "sign_in")
    assert [] == _tellings(desk, MAIL, ada, "no_such_kind")


def test_each_target_is_told(desk: Desk) -> None:
    """Every hook that subscribes to a notice gets its own delivery."""
    ada = reachable(desk)
    wanting = {hook(desk, ada, "message.posted") for _ in range(2)}
    tellings = _tellings(desk, HOOKS, ada, TALK)

    assert wanting == {telling.target.hook for telling in tellings}


def test_programs_are_told_at_once(desk: Desk) -> None:
    """A hook gets notices at once, even if its owner has turned mail off."""
    ada = reachable(desk, mode="off")
    hooked = hook(desk, ada, "message.posted")

    assert [(AT_ONCE, hooked)] == [
        (telling.when, telling.target.hook) for telling in _tellings(desk, HOOKS, ada, TALK)
    ]
    assert [] == _tellings(desk, MAIL, ada, TALK)


@pytest.mark.parametrize(("source", "due"), [("page", LATER), ("api", AT_ONCE), ("link", AT_ONCE)])
def test_a_letter_waits_for_whoever_moves_on_the_page(
    each_desk: Desk, source: str, due: str
) -> None:
    """Mail about the next decision waits after a move on the page, not after other moves."""
    desk, _ = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    outbox.spread(desk)
    change(desk, ada, email="ada@example.org", email_confirmed=AT_ONCE)
    moves.submit(desk, ada, game, MoveRequest("draw", source=source))
    outbox.spread(desk)

    assert [("decision_opened", due)] == on_its_way(desk, "kind", "not_before")


def test_whoever_has_left_the_table_is_told(desk: Desk) -> None:
    """A move on the page four minutes ago does not delay the letter."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    for _ in range(2):
        moves.submit(desk, ada, game, MoveRequest("draw", source="page"))
    outbox.spread(desk)
    change(desk, ada, email="ada@example.org", email_confirmed=AT_ONCE)
    hands.on(minutes=4)
    for _ in range(2):
        moves.submit(desk, ben, game, MoveRequest("draw"))
    outbox.spread(desk)

    assert [("decision_opened", desk.now())] == on_its_way(desk, "kind", "not_before")


def test_muted_game_sends_no_mail(desk: Desk) -> None:
    """A muted game sends no mail, but still calls hooks."""
    _, (ada, _) = table(desk, "Ada", "Ben")
    change(desk, ada, email="ada@example.org", email_confirmed=AT_ONCE)
    hooked = hook(desk, ada, "decision.opened")
    with desk.database.writing() as tx:
        tx.execute(update(seats).where(seats.c.account == ada).values(muted=AT_ONCE))
    outbox.spread(desk)

    assert [hooked] == on_its_way(desk, "hook")


@pytest.mark.parametrize("quiet", [None, {"from": "00:00", "to": "23:59"}])
def test_a_game_begins_before_it_asks(each_desk: Desk, quiet: dict[str, str] | None) -> None:
    """The letter about the start comes before the first decision's, even if both waited."""
    ada, now = reachable(each_desk, quiet_hours=quiet), at(each_desk, AT_ONCE)
    for n in range(8):
        owe(now, ada, "decision_opened", game=f"g{n}", seat=0, version=0)
        owe(now, ada, "game_started", game=f"g{n}", seat=0, version=0)
    outbox.spread(now)
    letters = claim_mail(after(now, hours=25), 99)

    kinds = [letter.kind for (letter,) in letters]
    assert [*["game_started"] * 8, *["decision_opened"] * 8] == kinds


def test_who_answers_by_mail_has_one_letter(desk: Desk) -> None:
    """A decision that is part of the answer to a reply is sent to hooks only, not by mail again."""
    ada = reachable(desk)
    hooked = hook(desk, ada, "decision.opened")
    post(desk, ada, "decision_opened", game="g", seat=0, version=1, data=ANSWERED)

    assert [hooked] == on_its_way(desk, "hook")


@pytest.mark.parametrize(
    ("account", "kind", "game", "stream"),
    [
        (somebody("merged"), TURNS[0], "g", Stream("mail", "id", TURNS, None)),
        (somebody("digest"), TURNS[1], "h", Stream("mail", "id", TURNS, None)),
        (somebody("each_turn"), TURNS[0], "g", None),
        (somebody("each_turn"), TALK, "g", Stream("mail", "id", (TALK,), "g")),
        (somebody("each_turn"), TALK, None, None),
        (somebody("merged"), "game_finished", "g", None),
        (None, TALK, "g", None),
    ],
    ids=["merged", "digest", "each turn", "talk", "talk nowhere", "an end", "a deleted account"],
)
def test_messages_of_one_stream_are_merged(
    account: Account | None, kind: str, game: str | None, stream: Stream | None
) -> None:
    """Turns are merged if the account wants it, talk always, table by table; nothing else is."""
    assert stream == stream_of(MAIL, account, kind, game)
    assert stream_of(HOOKS, account, kind, game) is None


def test_other_channels_take_over_when_mail_stops(each_desk: Desk) -> None:
    """A notice to an account whose mail bounced goes to its webhook, and not by mail."""
    ada = reachable(each_desk)
    mine = hook(each_desk, ada, "decision.opened", "game.finished")
    addresses.record_complaint(each_desk, ada, "ada@example.org")
    for kind in ("decision_opened", "game_finished"):
        post(each_desk, ada, kind, game="g")
    assert [("webhook", mine)] * 2 == on_its_way(each_desk, "channel", "hook")
