"""Decides whether, when and where an account is notified on a channel; nothing else does.

An account may change its address or opt out while a letter waits, so `recipients` checks the
address again when the letter is sent.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

import orjson

from service.notify import preferences
from service.notify.channels import Channel, Target
from service.notify.notice_kinds import ANYWAY, TALK, TURNS
from store import timestamps
from store.database import Transaction
from store.games import games
from store.notify import deliveries, notices
from store.notify.deliveries import Stream
from store.notify.notices import Notice, Owed
from store.people.accounts import Account

BEFORE_DECISIONS = timedelta(milliseconds=1)
"""How long before the message about its first decision the message about a game's start is due."""
AT_THE_TABLE = timedelta(minutes=3)
"""For this long after a move on the game page, a player counts as still being there: a message
about the next decision waits, and is not sent if the decision is made in the meantime."""
TALK_PAUSE = timedelta(minutes=2)
"""A message about table talk waits for this long, so that a burst of talk is one message."""
TALK_EVERY = timedelta(minutes=30)
"""The least time between two messages about the talk at one table."""
MOVES_SEARCHED = 12
"""The number of moves that are searched for a player's own last move."""


class Telling(NamedTuple):
    """One delivery that a notice becomes."""

    when: str
    target: Target


def tellings(tx: Transaction, channel: Channel, account: Account, owed: Owed) -> Iterator[Telling]:
    """Decide where and when an account is notified on a channel."""
    notice = owed.notice
    if notice.kind not in channel.kinds:
        return
    for target in channel.targets(tx, account, notice):
        when = _when(tx, channel, target, owed)
        if when is None:
            continue
        if notice.kind == "game_started":
            when = timestamps.later(when, -BEFORE_DECISIONS)
        yield Telling(when, target)


def stream_of(
    channel: Channel,
    account: Account | None,
    kind: str,
    game: str | None,
    destination: str | None = None,
) -> Stream | None:
    """Return the stream with which a delivery is merged; None if it is sent on its own."""
    if account is None or not channel.is_for_people:
        return None
    if kind in TURNS and preferences.merges(account):
        return Stream(channel.name, account.id, TURNS, None, destination)
    if kind == TALK and game is not None:
        return Stream(channel.name, account.id, (TALK,), game, destination)
    return None


def _when(tx: Transaction, channel: Channel, target: Target, owed: Owed) -> str | None:
    """Return when a target may be notified; None for never. Programs are notified at once."""
    notice = owed.notice
    if not channel.is_for_people or notice.kind in ANYWAY:
        return owed.at
    since = _after_talk(tx, channel, target, owed) if notice.kind == TALK else owed.at
    when = preferences.time_for(target.account, since, or_never=channel.is_off_without_mail)
    if when is None or notice.game is None or target.seat is None:
        return when
    if notices.is_muted(tx, notice.game, target.seat):
        return None
    if notice.kind == "decision_opened" and _is_at_the_table(tx, notice, owed.at):
        return max(when, timestamps.later(owed.at, AT_THE_TABLE))
    return when


def _after_talk(tx: Transaction, channel: Channel, target: Target, owed: Owed) -> str:
    """Return the earliest time for a message about the talk at a table."""
    notice, at = owed.notice, owed.at
    if notice.game is None:
        return at
    last = deliveries.last_sent(tx, channel.name, target.account.id, notice.kind, notice.game, at)
    soon = timestamps.later(at, TALK_PAUSE)
    return max(soon, timestamps.later(last, TALK_EVERY)) if last else soon


def _is_at_the_table(tx: Transaction, notice: Notice, now: str) -> bool:
    """Return whether a player has just moved on the game page, where they see what comes next."""
    last = notice.version or 0
    moves = games.moves_between(tx, notice.game or "", max(0, last - MOVES_SEARCHED), last)
    records = [orjson.loads(move.record) for move in moves if move.seat == notice.seat]
    since = timestamps.later(now, -AT_THE_TABLE)
    return any(record.get("source") == "page" and record["at"] > since for record in records[-1:])
