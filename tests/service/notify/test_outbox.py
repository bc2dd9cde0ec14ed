from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from service.desk import Desk
from service.games.table_notices import ANSWERED
from service.notify import hook_claims, outbox
from service.notify.outbox import JITTER, Outcome
from store import timestamps
from store.tables import deliveries, hooks, notices, seats
from tests.service.newcomers import newcomer, rows
from tests.service.owing import (
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
from tests.service.tables import table
from tests.service.threads import at_once
from workers.channels.mail.channel import MailChannel
from workers.channels.webhook.channel import WebhookChannel

NOW = "2030-05-04T12:00:00.000Z"


def test_notice_becomes_mail(each_desk: Desk) -> None:
    """A notice for an account with an address becomes one mail delivery, and is deleted."""
    ada = reachable(each_desk)
    owe(each_desk, ada, version=3, game="g", data={"said": "hello"})

    assert 1 == outbox.spread(each_desk)
    assert [(ada, None, "message_posted", 3, '{"said": "hello"}', "waiting", 0)] == on_its_way(
        each_desk, "account", "hook", "kind", "version", "data", "state", "attempts"
    )
    assert [] == rows(each_desk, notices, "id")
    assert 0 == outbox.spread(each_desk)


def test_notice_goes_to_every_hook_that_wants_it(each_desk: Desk) -> None:
    """A notice goes by mail and to hooks that list its type, unless they are for another game."""
    ada = reachable(each_desk)
    wanting = hook(each_desk, ada, "message.posted")
    hook(each_desk, ada, "game.moved")
    hook(each_desk, ada, "message.posted", game="another")
    post(each_desk, ada, game="g")

    assert {None, wanting} == set(on_its_way(each_desk, "hook"))


def test_hook_that_is_off_is_told_nothing(desk: Desk) -> None:
    """A hook that is switched off gets no delivery."""
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
    """Without a confirmed, working address there is no delivery, and the notice is deleted."""
    ada = reachable(desk)
    change(desk, ada, **changed)
    post(desk, ada)

    assert [] == on_its_way(desk, "id")
    assert [] == rows(desk, notices, "id")


def test_address_is_asked_before_it_is_confirmed(desk: Desk) -> None:
    """The only letter to an unconfirmed address is the one that asks to confirm it."""
    newcomer(desk, email="ada@example.org")
    outbox.spread(desk)

    assert ["confirm_address"] == on_its_way(desk, "kind")


def test_muted_game_sends_no_mail(desk: Desk) -> None:
    """A muted game causes no mail, but still a delivery to a hook."""
    _, (ada, _) = table(desk, "Ada", "Ben")
    change(desk, ada, email="ada@example.org", email_confirmed=NOW)
    hooked = hook(desk, ada, "decision.opened")
    with desk.database.writing() as tx:
        tx.execute(update(seats).where(seats.c.account == ada).values(muted=NOW))
    outbox.spread(desk)

    assert [hooked] == on_its_way(desk, "hook")


@pytest.mark.parametrize("quiet", [None, {"from": "00:00", "to": "23:59"}])
def test_a_game_begins_before_it_asks(each_desk: Desk, quiet: dict[str, str] | None) -> None:
    """Letters about a game's start come before its first decision, even after quiet hours."""
    ada, now = reachable(each_desk, quiet_hours=quiet), at(each_desk, NOW)
    for n in range(8):
        owe(now, ada, "decision_opened", game=f"g{n}", seat=0, version=0)
        owe(now, ada, "game_started", game=f"g{n}", seat=0, version=0)
    outbox.spread(now)
    letters = claim_mail(after(now, hours=25), 99)

    kinds = [one.kind for (one,) in letters]
    assert [*["game_started"] * 8, *["decision_opened"] * 8] == kinds


def test_who_answers_by_mail_has_one_letter(desk: Desk) -> None:
    """A decision that the answer to a mail already shows causes no further letter."""
    ada = reachable(desk)
    hooked = hook(desk, ada, "decision.opened")
    post(desk, ada, "decision_opened", game="g", seat=0, version=1, data=ANSWERED)

    assert [hooked] == on_its_way(desk, "hook")


def test_of_many_who_claim_one_gets_it(each_desk: Desk) -> None:
    """Eight concurrent workers claim each letter exactly once."""
    ada = reachable(each_desk)
    for n in range(40):
        owe(each_desk, ada, version=n)
    outbox.spread(each_desk)

    claimed = at_once(8, lambda _: [claim_mail(each_desk, 3) for _ in range(6)])
    counted = Counter(one.id for rounds in claimed for some in rounds for (one,) in some)
    assert (40, {1}) == (len(counted), set(counted.values()))


def test_many_who_spread_make_one_delivery(each_desk: Desk) -> None:
    """Eight concurrent workers turn each notice into exactly one delivery."""
    ada = reachable(each_desk)
    for n in range(40):
        owe(each_desk, ada, version=n)
    at_once(8, lambda _: outbox.spread(each_desk))

    assert list(range(40)) == sorted(on_its_way(each_desk, "version"))


def test_claim_lapses(each_desk: Desk) -> None:
    """After the lease of a claim has expired, the delivery is claimed again under the same id."""
    post(each_desk, reachable(each_desk))
    [[first]] = claim_mail(each_desk, 9)

    assert [] == claim_mail(after(each_desk, seconds=20), 9)
    [[second]] = claim_mail(after(each_desk, seconds=26), 9)
    assert (first.id, 1, 2) == (second.id, first.attempts, second.attempts)


def test_claim_lapses_within_thirty_seconds() -> None:
    """The lease of a claim outlasts an attempt, and is shorter than 29 seconds."""
    assert outbox.LONGEST_ATTEMPT < outbox.LEASE < timedelta(seconds=29)


def test_late_letter_is_not_begun(desk: Desk) -> None:
    """Sending may start only while the lease outlasts the longest attempt."""
    post(desk, reachable(desk))
    now = at(desk, desk.now())
    [letter] = claim_mail(now, 9)

    assert outbox.is_in_time(after(now, seconds=4), letter)
    assert not outbox.is_in_time(after(now, seconds=6), letter)


def test_what_was_given_back_is_anybodys(desk: Desk) -> None:
    """A letter that was given back can be claimed at once, and no attempt is counted."""
    post(desk, reachable(desk))
    [letter] = claim_mail(desk, 9)
    outbox.give_back(desk, letter)

    [[again]] = claim_mail(desk, 9)
    assert 1 == again.attempts


@pytest.mark.parametrize("state", ["sent", "superseded", "failed"])
def test_settled_delivery_is_over(each_desk: Desk, state: str) -> None:
    """A delivery that was sent, superseded or failed is not claimed again."""
    post(each_desk, reachable(each_desk))
    [[one]] = claim_mail(each_desk, 9)
    outbox.settle(each_desk, [(one, Outcome(state, 250, "said so", 7, 8))])

    assert [] == claim_mail(after(each_desk, days=9), 9)
    assert [(state, 250, "said so", 7, 8)] == on_its_way(
        each_desk, "state", "status", "error", "sent_bytes", "answer_bytes"
    )


def test_late_report_changes_nothing(desk: Desk) -> None:
    """A worker that reports late does not reopen a delivery that another has sent."""
    post(desk, reachable(desk))
    [[slow]] = claim_mail(desk, 9)
    [[quick]] = claim_mail(after(desk, minutes=1), 9)
    outbox.settle(desk, [(quick, Outcome("sent"))])
    outbox.settle(desk, [(slow, Outcome("again"))])

    assert ["sent"] == on_its_way(desk, "state")


@pytest.mark.parametrize("by_hook", [False, True])
def test_attempts_follow_the_schedule(desk: Desk, *, by_hook: bool) -> None:
    """Retries follow the schedule with jitter, and after the last the delivery has failed."""
    ada = reachable(desk)
    if by_hook:
        hook(desk, ada, "message.posted")
        change(desk, ada, email=None)
    post(desk, ada)
    now = desk.now()
    pauses = WebhookChannel.pauses if by_hook else MailChannel.pauses
    for pause in [*pauses, None]:
        here = at(desk, now)
        one = hook_claims.claim(here, 9)[0] if by_hook else claim_mail(here, 9)[0][0]
        outbox.settle(here, [(one, Outcome("again", 500))])
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
    for n, asked in enumerate([timedelta(hours=3), timedelta(seconds=1)]):
        post(desk, reachable(desk, f"Ada {n}"))
        now = at(desk, desk.now())
        [[one]] = claim_mail(now, 9)
        outbox.settle(now, [(one, Outcome("again", 429, retry_after=asked))])
        then = timestamps.read(on_its_way(desk, "not_before")[-1])

        assert then - timestamps.read(now.now()) >= max(asked, MailChannel.pauses[0] * (1 - JITTER))


def test_hook_has_one_delivery_at_a_time(each_desk: Desk) -> None:
    """A hook has one claimed delivery at a time; other hooks do not wait for it."""
    ada = reachable(each_desk)
    slow, quick = hook(each_desk, ada, "game.started"), hook(each_desk, ada, "message.posted")
    for _ in range(2):
        post(each_desk, ada, "game_started", game="g")
        post(each_desk, ada, game="g")

    first = hook_claims.claim(each_desk, 9)
    assert {slow, quick} == {one.hook for one in first}
    assert [] == hook_claims.claim(each_desk, 9)
    told = next(one for one in first if one.hook == quick)
    outbox.settle(each_desk, [(told, Outcome("sent"))])
    (second,) = hook_claims.claim(each_desk, 9)
    assert quick == second.hook
    assert told.id != second.id


def test_many_workers_keep_to_one_delivery_a_hook(each_desk: Desk) -> None:
    """Eight concurrent workers claim one delivery of a hook between them."""
    ada = reachable(each_desk)
    hook(each_desk, ada, "message.posted")
    for _ in range(9):
        post(each_desk, ada)

    claimed = at_once(8, lambda _: hook_claims.claim(each_desk, 4))
    assert 1 == sum(map(len, claimed))


def test_merged_decisions_are_one_letter(each_desk: Desk) -> None:
    """In mode `merged` one letter has all decisions, half an hour after the first."""
    ada = reachable(each_desk, mode="merged")
    for n in range(3):
        post(each_desk, ada, "decision_opened", game=f"g{n}", seat=0, version=n)

    assert [] == claim_mail(after(each_desk, minutes=29), 9)
    [letter] = claim_mail(after(each_desk, minutes=31), 9)
    assert 3 == len(set(ids(letter)))


def test_merged_letter_takes_what_is_not_due_yet(desk: Desk) -> None:
    """A merged letter includes decisions that are not due yet, which are not sent again."""
    ada = reachable(desk, mode="merged")
    post(desk, ada, "decision_opened", game="g", seat=0, version=1)
    post(after(desk, minutes=20), ada, "decision_opened", game="h", seat=0, version=1)

    [letter] = claim_mail(after(desk, minutes=31), 9)
    assert 2 == len(letter)
    assert [] == claim_mail(after(desk, minutes=31), 9)


def test_merged_letter_stays_one(each_desk: Desk) -> None:
    """A merged letter that is claimed again or retried has the same deliveries in order."""
    ada = reachable(each_desk, mode="merged")
    for n in range(6):
        post(each_desk, ada, "decision_opened", game=f"g{n}", seat=0, version=n)
    [first] = claim_mail(after(each_desk, hours=1), 9)
    [lapsed] = claim_mail(after(each_desk, hours=2), 9)
    outbox.settle(after(each_desk, hours=2), [(one, Outcome("again", 451)) for one in lapsed])
    [again] = claim_mail(after(each_desk, hours=3), 9)

    assert 6 == len(first)
    assert ids(first) == ids(lapsed) == ids(again)


def test_who_lost_a_claim_cannot_undo_the_next(each_desk: Desk) -> None:
    """A worker whose lease has expired cannot change the claim of the next worker."""
    post(each_desk, reachable(each_desk))
    [slow] = claim_mail(at(each_desk, each_desk.now()), 9)
    [quick] = claim_mail(after(each_desk, minutes=1), 9)
    outbox.settle(each_desk, [(slow[0], Outcome("again"))])
    outbox.give_back(each_desk, slow)

    assert [(quick[0].not_before, 2)] == on_its_way(each_desk, "not_before", "attempts")


def test_others_are_not_merged(desk: Desk) -> None:
    """A decision is merged neither with the end of a game nor with another account's mail."""
    for name in ("Ada", "Ben"):
        account = reachable(desk, name, mode="merged")
        post(desk, account, "decision_opened", game="g", seat=0, version=1)
        post(desk, account, "game_finished", game="h", seat=0, version=1)

    letters = claim_mail(after(desk, hours=1), 9)
    assert [1, 1, 1, 1] == [len(letter) for letter in letters]


def test_old_deliveries_are_forgotten(each_desk: Desk) -> None:
    """Deliveries settled a month ago are deleted; waiting ones are kept."""
    ada = reachable(each_desk)
    post(each_desk, ada)
    [[one]] = claim_mail(each_desk, 1)
    outbox.settle(each_desk, [(one, Outcome("sent"))])
    post(each_desk, ada, "game_finished")
    outbox.tidy(after(each_desk, days=29))
    assert 2 == len(on_its_way(each_desk, "id"))

    outbox.tidy(after(each_desk, days=31))
    assert ["game_finished"] == on_its_way(each_desk, "kind")


def test_rows_of_the_version_before_go_their_way(each_desk: Desk) -> None:
    """Rows without a channel, from an older version, go to their hook or by mail."""
    ada = reachable(each_desk)
    called = hook(each_desk, ada, "message.posted")
    for id, target in (("letter", None), ("call", called)):
        row = {"id": id, "account": ada, "hook": target, "kind": "message_posted", "at": NOW}
        due = {"state": "waiting", "attempts": 0, "not_before": "2020"}
        with each_desk.database.writing() as tx:
            tx.execute(insert(deliveries), [row | due])

    assert ["letter"] == [one.id for letter in claim_mail(each_desk, 9) for one in letter]
    (told,) = hook_claims.claim(each_desk, 9)
    assert ("call", "webhook") == (told.id, told.channel)


def test_claims_walk_the_index_of_their_channel(desk: Desk) -> None:
    """A claim reads the index of its channel and sorts nothing."""
    with desk.database.reading() as tx:
        claim = (
            "SELECT id FROM deliveries WHERE state = 'waiting' AND not_before <= '2030' "
            "AND channel = 'mail' AND hook IS NULL ORDER BY not_before, id LIMIT 20"
        )
        plan = " ".join(row[-1] for row in tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {claim}"))
    assert "ix_deliveries_channel_due" in plan
    assert "TEMP B-TREE" not in plan
