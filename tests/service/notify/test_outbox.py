from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from service.desk import Desk
from service.notify import hook_claims, outbox
from service.notify.outbox import JITTER, Outcome
from store import timestamps
from store.tables import deliveries, hooks, notices
from tests.service.support.newcomers import newcomer, rows
from tests.service.support.owing import (
    after,
    at,
    change,
    claim_mail,
    hook,
    ids,
    on_its_way,
    owe,
    post,
    reachable,
)
from tests.service.support.threads import at_once
from workers.channels.mail.channel import MailChannel
from workers.channels.webhook.channel import WebhookChannel

NOW = "2030-05-04T12:00:00.000Z"


def test_notice_becomes_mail(each_desk: Desk) -> None:
    """A notice to an account with an address becomes a delivery by mail, and is deleted."""
    ada = reachable(each_desk)
    owe(each_desk, ada, version=3, game="g", data={"said": "hello"})

    assert 1 == outbox.spread(each_desk)
    assert [(ada, None, "message_posted", 3, '{"said": "hello"}', "waiting", 0)] == on_its_way(
        each_desk, "account", "hook", "kind", "version", "data", "state", "attempts"
    )
    assert [] == rows(each_desk, notices, "id")
    assert 0 == outbox.spread(each_desk)


def test_notice_goes_to_every_hook_that_wants_it(each_desk: Desk) -> None:
    """A notice is delivered to the hooks that subscribe to its type, for all games or this game."""
    ada = reachable(each_desk)
    wanting = hook(each_desk, ada, "message.posted")
    hook(each_desk, ada, "game.moved")
    hook(each_desk, ada, "message.posted", game="another")
    post(each_desk, ada, game="g")

    assert {None, wanting} == set(on_its_way(each_desk, "hook"))


def test_hook_that_is_off_is_told_nothing(desk: Desk) -> None:
    """A hook that is switched off gets no deliveries."""
    ada = reachable(desk)
    hook(desk, ada, "message.posted")
    with desk.database.writing() as tx:
        tx.execute(update(hooks).values(off_since=NOW))
    post(desk, ada)

    assert [None] == on_its_way(desk, "hook")


@pytest.mark.parametrize(
    "changed", [{"email": None}, {"email_confirmed": None}, {"bounced": NOW}], ids=str
)
def test_nobody_is_written_to_without_a_good_address(desk: Desk, changed: dict[str, str]) -> None:
    """Without a confirmed, working address a notice is deleted and no mail is sent."""
    ada = reachable(desk)
    change(desk, ada, **changed)
    post(desk, ada)

    assert [] == on_its_way(desk, "id")
    assert [] == rows(desk, notices, "id")


def test_address_is_asked_before_it_is_confirmed(desk: Desk) -> None:
    """An unconfirmed address only gets the letter that asks for its confirmation."""
    newcomer(desk, email="ada@example.org")
    outbox.spread(desk)

    assert ["confirm_address"] == on_its_way(desk, "kind")


def test_of_many_who_claim_one_gets_it(each_desk: Desk) -> None:
    """Eight workers that claim concurrently get each letter exactly once."""
    ada = reachable(each_desk)
    for n in range(40):
        owe(each_desk, ada, version=n)
    outbox.spread(each_desk)

    claimed = at_once(8, lambda _: [claim_mail(each_desk, 3) for _ in range(6)])
    counted = Counter(delivery.id for rounds in claimed for some in rounds for (delivery,) in some)
    assert (40, {1}) == (len(counted), set(counted.values()))


def test_many_who_spread_make_one_delivery(each_desk: Desk) -> None:
    """Eight workers that spread concurrently make one delivery of each notice."""
    ada = reachable(each_desk)
    for n in range(40):
        owe(each_desk, ada, version=n)
    at_once(8, lambda _: outbox.spread(each_desk))

    assert list(range(40)) == sorted(on_its_way(each_desk, "version"))


def test_claim_lapses(each_desk: Desk) -> None:
    """A claim that is not settled expires, and the delivery is claimed again under the same id."""
    post(each_desk, reachable(each_desk))
    [[first]] = claim_mail(each_desk, 9)

    assert [] == claim_mail(after(each_desk, seconds=20), 9)
    [[second]] = claim_mail(after(each_desk, seconds=26), 9)
    assert (first.id, 1, 2) == (second.id, first.attempts, second.attempts)


def test_claim_lapses_within_thirty_seconds() -> None:
    """A lease is longer than the longest attempt, and ends within half a minute of a crash."""
    assert outbox.LONGEST_ATTEMPT < outbox.LEASE < timedelta(seconds=29)


def test_late_letter_is_not_begun(desk: Desk) -> None:
    """An attempt may begin only while the lease is longer than it can take."""
    post(desk, reachable(desk))
    now = at(desk, desk.now())
    [letter] = claim_mail(now, 9)

    assert outbox.is_in_time(after(now, seconds=4), letter)
    assert not outbox.is_in_time(after(now, seconds=6), letter)


def test_what_was_given_back_is_anybodys(desk: Desk) -> None:
    """A letter that was given back can be claimed again, and its attempt does not count."""
    post(desk, reachable(desk))
    [letter] = claim_mail(desk, 9)
    outbox.give_back(desk, letter)

    [[again]] = claim_mail(desk, 9)
    assert 1 == again.attempts


@pytest.mark.parametrize("state", ["sent", "superseded", "failed"])
def test_settled_delivery_is_over(each_desk: Desk, state: str) -> None:
    """A delivery that was sent, superseded or has failed is not claimed again."""
    post(each_desk, reachable(each_desk))
    [[delivery]] = claim_mail(each_desk, 9)
    outbox.settle(each_desk, [(delivery, Outcome(state, 250, "said so", 7, 8))])

    assert [] == claim_mail(after(each_desk, days=9), 9)
    assert [(state, 250, "said so", 7, 8)] == on_its_way(
        each_desk, "state", "status", "error", "sent_bytes", "answer_bytes"
    )


def test_late_report_changes_nothing(desk: Desk) -> None:
    """The outcome of an expired claim does not change a delivery that has been sent since."""
    post(desk, reachable(desk))
    [[slow]] = claim_mail(desk, 9)
    [[quick]] = claim_mail(after(desk, minutes=1), 9)
    outbox.settle(desk, [(quick, Outcome("sent"))])
    outbox.settle(desk, [(slow, Outcome("again"))])

    assert ["sent"] == on_its_way(desk, "state")


@pytest.mark.parametrize("by_hook", [False, True])
def test_attempts_follow_the_schedule(desk: Desk, *, by_hook: bool) -> None:
    """Retries follow the channel's pauses within the jitter; after the last one it has failed."""
    ada = reachable(desk)
    if by_hook:
        hook(desk, ada, "message.posted")
        change(desk, ada, email=None)
    post(desk, ada)
    now = desk.now()
    pauses = WebhookChannel.pauses if by_hook else MailChannel.pauses
    for pause in [*pauses, None]:
        here = at(desk, now)
        delivery = hook_claims.claim(here, 9)[0] if by_hook else claim_mail(here, 9)[0][0]
        outbox.settle(here, [(delivery, Outcome("again", 500))])
        if pause is None:
            break
        (then,) = on_its_way(desk, "not_before")
        waited = timestamps.read(then) - timestamps.read(now)
        assert (1 - JITTER) * pause - timedelta(seconds=1) <= waited <= (1 + JITTER) * pause
        now = then

    assert ["failed"] == on_its_way(desk, "state")


def test_standard_webhooks_has_ten_attempts_in_three_days() -> None:
    """The schedule of hooks is that of Standard Webhooks: ten attempts over about 76 hours."""
    hours = sum(WebhookChannel.pauses, timedelta()).total_seconds() / 3600

    assert 9 == len(WebhookChannel.pauses)
    assert 75 < hours < 77


def test_other_side_may_ask_for_more_time(desk: Desk) -> None:
    """Retry-After lengthens a pause and never shortens it."""
    for n, pause in enumerate([timedelta(hours=3), timedelta(seconds=1)]):
        post(desk, reachable(desk, f"Ada {n}"))
        now = at(desk, desk.now())
        [[delivery]] = claim_mail(now, 9)
        outbox.settle(now, [(delivery, Outcome("again", 429, retry_after=pause))])
        then = timestamps.read(on_its_way(desk, "not_before")[-1])

        assert then - timestamps.read(now.now()) >= max(pause, MailChannel.pauses[0] * (1 - JITTER))


def test_merged_decisions_are_one_letter(each_desk: Desk) -> None:
    """In mode `merged` decisions are one letter, half an hour after the first."""
    ada = reachable(each_desk, mode="merged")
    for n in range(3):
        post(each_desk, ada, "decision_opened", game=f"g{n}", seat=0, version=n)

    assert [] == claim_mail(after(each_desk, minutes=29), 9)
    [letter] = claim_mail(after(each_desk, minutes=31), 9)
    assert 3 == len(set(ids(letter)))


def test_merged_letter_takes_what_is_not_due_yet(desk: Desk) -> None:
    """A merged letter includes later deliveries that are not due yet, and these are sent once."""
    ada = reachable(desk, mode="merged")
    post(desk, ada, "decision_opened", game="g", seat=0, version=1)
    post(after(desk, minutes=20), ada, "decision_opened", game="h", seat=0, version=1)

    [letter] = claim_mail(after(desk, minutes=31), 9)
    assert 2 == len(letter)
    assert [] == claim_mail(after(desk, minutes=31), 9)


def test_merged_letter_stays_one(each_desk: Desk) -> None:
    """A merged letter that is retried or claimed again consists of the same deliveries."""
    ada = reachable(each_desk, mode="merged")
    for n in range(6):
        post(each_desk, ada, "decision_opened", game=f"g{n}", seat=0, version=n)
    [first] = claim_mail(after(each_desk, hours=1), 9)
    [lapsed] = claim_mail(after(each_desk, hours=2), 9)
    outbox.settle(
        after(each_desk, hours=2), [(delivery, Outcome("again", 451)) for delivery in lapsed]
    )
    [again] = claim_mail(after(each_desk, hours=3), 9)

    assert 6 == len(first)
    assert ids(first) == ids(lapsed) == ids(again)


def test_who_lost_a_claim_cannot_undo_the_next(each_desk: Desk) -> None:
    """A worker whose claim has expired can neither settle nor give back the next claim."""
    post(each_desk, reachable(each_desk))
    [slow] = claim_mail(at(each_desk, each_desk.now()), 9)
    [quick] = claim_mail(after(each_desk, minutes=1), 9)
    outbox.settle(each_desk, [(slow[0], Outcome("again"))])
    outbox.give_back(each_desk, slow)

    assert [(quick[0].not_before, 2)] == on_its_way(each_desk, "not_before", "attempts")


def test_others_are_not_merged(desk: Desk) -> None:
    """Only decisions and talk are merged, and only those of one account."""
    for name in ("Ada", "Ben"):
        account = reachable(desk, name, mode="merged")
        post(desk, account, "decision_opened", game="g", seat=0, version=1)
        post(desk, account, "game_finished", game="h", seat=0, version=1)

    letters = claim_mail(after(desk, hours=1), 9)
    assert [1, 1, 1, 1] == [len(letter) for letter in letters]


def test_old_deliveries_are_forgotten(each_desk: Desk) -> None:
    """Settled deliveries are deleted after 30 days, waiting ones are kept."""
    ada = reachable(each_desk)
    post(each_desk, ada)
    [[delivery]] = claim_mail(each_desk, 1)
    outbox.settle(each_desk, [(delivery, Outcome("sent"))])
    post(each_desk, ada, "game_finished")
    outbox.tidy(after(each_desk, days=29))
    assert 2 == len(on_its_way(each_desk, "id"))

    outbox.tidy(after(each_desk, days=31))
    assert ["game_finished"] == on_its_way(each_desk, "kind")


def test_rows_of_the_version_before_go_their_way(each_desk: Desk) -> None:
    """A row of the previous version without a channel is claimed as mail, or for its hook."""
    ada = reachable(each_desk)
    called = hook(each_desk, ada, "message.posted")
    for id, target in (("letter", None), ("call", called)):
        row = {"id": id, "account": ada, "hook": target, "kind": "message_posted", "at": NOW}
        due = {"state": "waiting", "attempts": 0, "not_before": "2020"}
        with each_desk.database.writing() as tx:
            tx.execute(insert(deliveries), [row | due])

    assert ["letter"] == [delivery.id for letter in claim_mail(each_desk, 9) for delivery in letter]
    (claimed,) = hook_claims.claim(each_desk, 9)
    assert ("call", "webhook") == (claimed.id, claimed.channel)


def test_claims_walk_the_index_of_their_channel(desk: Desk) -> None:
    """Claiming mail uses the index by channel and due time, and does not sort."""
    with desk.database.reading() as tx:
        claim = (
            "SELECT id FROM deliveries WHERE state = 'waiting' AND not_before <= '2030' "
            "AND channel = 'mail' AND hook IS NULL ORDER BY not_before, id LIMIT 20"
        )
        plan = " ".join(row[-1] for row in tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {claim}"))
    assert "ix_deliveries_channel_due" in plan
    assert "TEMP B-TREE" not in plan
