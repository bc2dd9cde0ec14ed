"""From what is owed to what is delivered: spreading, claiming, and writing down what came of it.

The database alone knows what is still to be sent. Whoever sends first claims a delivery for a
while; if that process dies, the claim lapses and somebody else sends it, under the same id.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from operator import attrgetter
from typing import NamedTuple

import orjson

from service.desk import Desk
from service.games.table_notices import ANSWERED
from service.ids import new_id
from service.notify import mail_preferences
from service.notify.notice_kinds import ANYWAY, HOOKED, MAILED, TALK, TURNS
from store import timestamps
from store.database import Transaction
from store.games import games
from store.notify import deliveries, hooks
from store.notify import notices as outbox
from store.notify.deliveries import Report, Room
from store.notify.notices import Notice, Owed
from store.people import accounts
from store.people.accounts import Account

AT_ONCE = 100
"""So many notices are spread in one transaction."""
EACH = 4
"""So many hooks of one account a process tells something at a time."""
MAIL_LEASE = timedelta(seconds=25)
"""Longer than one letter can take: within 30 s after a crash another process sends it."""
HOOK_LEASE = timedelta(seconds=25)
"""Longer than the 15 s that a hook may take."""
LONGEST_ATTEMPT = timedelta(seconds=20)
"""An attempt is begun only while so much of its claim is left."""
MAIL_PAUSES = [timedelta(minutes=n) for n in (1, 5, 15, 60, 180, 360, 720, 1440)]
HOOK_PAUSES = [
    *(timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30)),
    *(timedelta(hours=n) for n in (2, 5, 10, 14, 20, 24)),
]
"""The schedule of Standard Webhooks, after the attempt at once."""
JITTER = 0.2
A_MOMENT = timedelta(milliseconds=1)
"""So much sooner than the first decision, which opens at the same time, it is told that a game has
begun."""
AT_THE_TABLE = timedelta(minutes=3)
"""So long after a move on the page of a game somebody is taken to be there still: a letter about
what is asked next waits for as long, and does not go if it is answered meanwhile."""
TALK_PAUSE = timedelta(minutes=2)
"""A letter about table talk waits so long after the first message: a burst is one letter."""
TALK_EVERY = timedelta(minutes=30)
"""The next letter about the same table comes no sooner than this after the one before."""
LOOKED_BACK = 12
"""So many moves are looked through for somebody's own last one."""
KEPT = timedelta(days=30)
"""So long a settled delivery can be read about and sent again."""


Delivery = deliveries.Delivery


class Outcome(NamedTuple):
    """What came of an attempt."""

    state: str
    """sent, superseded, failed for good, or again: it may go better later."""
    status: int | None = None
    error: str | None = None
    sent_bytes: int | None = None
    answer_bytes: int | None = None
    retry_after: timedelta | None = None
    """How long the other side has asked us to wait."""


def spread(desk: Desk) -> int:
    """Turn notices into deliveries on the channels that want them; how many notices there were."""
    with desk.database.reading() as tx:  # most of the time there is nothing, and no lock to take
        if not outbox.any_owed(tx):
            return 0
    with desk.database.writing() as tx:
        owed = outbox.take(tx, AT_ONCE)
        people = accounts.several(tx, {one.notice.account for one in owed})
        made = [
            delivery
            for one in owed
            if (account := people.get(one.notice.account))
            for delivery in _deliveries(tx, account, one)
        ]
        deliveries.add(tx, made)
    return len(owed)


def _deliveries(tx: Transaction, account: Account, owed: Owed) -> Iterable[Delivery]:
    """They are due since it happened, or later: so what happened first leaves first."""
    notice = owed.notice
    if notice.kind in MAILED and (when := _mail_time(tx, account, owed)):
        yield _delivery(owed, None, when)
    if account.hooks and (told := HOOKED.get(notice.kind)):
        for hook in hooks.wanting(tx, account.id, notice.game, told):
            yield _delivery(owed, hook, owed.at)


def _mail_time(tx: Transaction, account: Account, owed: Owed) -> str | None:
    """When mail about this may go; None if it may not."""
    notice = owed.notice
    if notice.data == ANSWERED:
        return None
    since = _talk_time(tx, notice, owed.at) if notice.kind == TALK else owed.at
    when = mail_preferences.mail_time(account, notice.kind, since)
    if when is None or notice.kind in ANYWAY or notice.game is None or notice.seat is None:
        return when
    if outbox.is_muted(tx, notice.game, notice.seat):
        return None
    if notice.kind == "decision_opened" and _is_at_the_table(tx, notice, owed.at):
        return max(when, timestamps.later(owed.at, AT_THE_TABLE))
    return when


def _talk_time(tx: Transaction, notice: Notice, at: str) -> str:
    """When the table talk of a game may be told by mail at the soonest."""
    if notice.game is None:
        return at
    last = deliveries.last_letter(tx, notice.account, notice.kind, notice.game, at)
    soon = timestamps.later(at, TALK_PAUSE)
    return max(soon, timestamps.later(last, TALK_EVERY)) if last else soon


def _is_at_the_table(tx: Transaction, notice: Notice, now: str) -> bool:
    """Whether somebody has just moved on the page of a game, and so will see there what is next."""
    last = notice.version or 0
    log = games.moves_between(tx, notice.game or "", max(0, last - LOOKED_BACK), last)
    mine = [orjson.loads(move.record) for move in log if move.seat == notice.seat]
    since = timestamps.later(now, -AT_THE_TABLE)
    return any(body.get("source") == "page" and body["at"] > since for body in mine[-1:])


def _delivery(owed: Owed, hook: str | None, when: str) -> Delivery:
    notice = owed.notice
    if notice.kind == "game_started":
        when = timestamps.later(when, -A_MOMENT)
    return Delivery(
        new_id(),
        notice.account,
        hook,
        notice.kind,
        notice.game,
        notice.seat,
        notice.version,
        notice.data,
        owed.at,
        0,
        when,
    )


def claim_mail(desk: Desk, most: int) -> list[list[Delivery]]:
    """Mail that is due, in the letters in which it goes.

    What somebody wants merged is one letter, and so is the talk of a table.
    """
    now = desk.now()
    until = timestamps.later(now, MAIL_LEASE)
    with desk.database.reading() as tx:
        if not deliveries.any_due(tx, now):
            return []
    letters: list[list[Delivery]] = []
    with desk.database.noting() as tx:
        claimed = deliveries.claim_mail(tx, now, until, most)
        people = accounts.several(tx, {one.account for one in claimed})
        merged: dict[Stream, list[Delivery]] = {}
        for one in claimed:
            stream = _stream(people.get(one.account), one)
            if stream is None:
                letters.append([one])
            elif stream in merged:
                merged[stream].append(one)
            else:
                others = deliveries.claim_with(tx, *stream, now, until)
                merged[stream] = letter = [one, *others]
                letters.append(letter)
    # The first names the letter: sent again, it must be the same one.
    return [sorted(letter, key=attrgetter("at", "id")) for letter in letters]


class Stream(NamedTuple):
    """Mail of which one letter tells everything that waits."""

    account: str
    kinds: tuple[str, ...]
    game: str | None
    """None: about all games."""


def _stream(account: Account | None, one: Delivery) -> Stream | None:
    """The stream to which a delivery belongs; None if it is a letter of its own."""
    if one.kind in TURNS and account is not None and mail_preferences.merges(account):
        return Stream(one.account, TURNS, None)
    if one.kind == TALK and one.game is not None:
        return Stream(one.account, (TALK,), one.game)
    return None


def claim_for_hooks(
    desk: Desk,
    most: int,
    *,
    failing: bool = False,
    out: Mapping[str, int] | None = None,
    run: int = 1,
) -> list[Delivery]:
    """What so many hooks are to be told now, a run of at most so many deliveries for each.

    Those to which nothing has arrived of late are asked for on their own: they may be slow. And no
    account has more than some told at a time, beside those that are `out` already.
    """
    now = desk.now()
    with desk.database.reading() as tx:
        if not deliveries.any_due(tx, now):
            return []
    with desk.database.noting() as tx:
        until = timestamps.later(now, HOOK_LEASE)
        room = Room(most, EACH, out or {}, run)
        return deliveries.claim_for_hooks(tx, now, until, room, failing=failing)


def settle(
    desk: Desk,
    outcomes: Sequence[tuple[Delivery, Outcome]],
    *,
    untried: Sequence[Delivery] = (),
    goes_on: bool = False,
) -> None:
    """Write down what came of attempts, and let others have what was claimed and not tried.

    Hooks whose run goes on stay busy.
    It does not wait for the disk: what a power failure undoes is tried again, under the same id.
    """
    now, jitter = desk.now(), random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311  # no secret
    with desk.database.noting() as tx:
        # Hooks come before their deliveries, as everywhere: or two could wait for each other.
        told = {(one.hook, one.not_before) for one, _ in outcomes if one.hook and not goes_on}
        for hook, until in sorted(told):
            deliveries.release(tx, hook, until)
        deliveries.report(tx, [_report(one, outcome, now, jitter) for one, outcome in outcomes])
        if untried:
            deliveries.give_back(tx, untried)


def _report(delivery: Delivery, outcome: Outcome, now: str, jitter: float) -> Report:
    told = outcome.status, outcome.error, outcome.sent_bytes, outcome.answer_bytes
    if outcome.state != "again":
        return Report(delivery.id, delivery.not_before, outcome.state, now, now, *told)
    pause = _pause(delivery, outcome, jitter)
    if pause is None:
        return Report(delivery.id, delivery.not_before, "failed", now, now, *told)
    then = timestamps.later(now, pause)
    return Report(delivery.id, delivery.not_before, "waiting", None, then, *told)


def _pause(delivery: Delivery, outcome: Outcome, jitter: float) -> timedelta | None:
    """How long until the next attempt; None after the last."""
    pauses = HOOK_PAUSES if delivery.hook else MAIL_PAUSES
    if delivery.attempts > len(pauses):
        return None
    pause = pauses[delivery.attempts - 1] * jitter
    return max(pause, outcome.retry_after) if outcome.retry_after else pause


def is_in_time(desk: Desk, letter: Sequence[Delivery]) -> bool:
    """Whether it can still be sent before somebody else may claim it."""
    return letter[0].not_before >= timestamps.later(desk.now(), LONGEST_ATTEMPT)


def give_back(desk: Desk, untried: Sequence[Delivery]) -> None:
    """Let others have what was claimed and could not be tried in time."""
    with desk.database.noting() as tx:
        deliveries.give_back(tx, untried)


def tidy(desk: Desk) -> None:
    """Forget what was settled long ago."""
    with desk.database.writing() as tx:
        deliveries.forget(tx, timestamps.later(desk.now(), -KEPT))
