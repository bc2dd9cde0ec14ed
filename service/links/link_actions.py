"""Following a signed link: how it stands, what its page shows, and what a choice on it does.

Looking changes nothing. Whoever has an old link may not be the player any more, so only a link
that is still good, and the answer to the move that it makes, show what the seat alone may know.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engine import Refusal, seen_by, tell, waiting
from engine.codec import read_action
from engine.state import asked_of
from engine.tongue import say
from engine.words import clean
from service import refusals
from service.desk import Desk
from service.games import decisions, moves, seat_names, table_lookup
from service.i18n import dates
from service.links import signed_links
from service.memory.positions import events_of
from service.replies import mailboxes, reply_commands
from service.views import story
from store import timestamps
from store.database import Transaction
from store.games import games, invitations
from store.games.games import Seated, StoredMove, Table
from store.notify import notices as outbox
from store.notify.notices import Notice
from store.people import accounts
from store.people import signed_links as store

Said = Mapping[str, Any]
Page = dict[str, Any]

MOST_SENTENCES = 40
ATTEMPTS = 10


class Place(NamedTuple):
    """The seat for which a link was made."""

    table: Table
    seat: Seated
    account: str


def place_of(tx: Transaction, said: Said) -> Place | None:
    """Where a link leads; None if nobody sits there any more."""
    table = games.table(tx, said["game"])
    found = [seat for seat in table.seated if seat.number == said["seat"]] if table else []
    if table is None or not found or found[0].account is None:
        return None
    return Place(table, found[0], found[0].account)


def locale(desk: Desk, said: Said) -> str | None:
    """The locale of whoever a link was made for; None if that is nobody whom we know."""
    with desk.database.reading() as tx:
        if "invitation" in said:
            asked = invitations.invitation(tx, said["invitation"])
            reader = asked.guest if asked else None
        elif "account" in said:
            reader = said["account"]
        elif "mailbox" in said:
            reader = None
        else:
            place = place_of(tx, said)
            reader = place.account if place else None
        account = accounts.account(tx, reader) if reader else None
    return account.locale if account else None


def standing(desk: Desk, tx: Transaction, said: Said, place: Place | None) -> str:
    """Whether a link for a decision is gone, void, done, stale, late, or still open."""
    if place is None:
        return "gone"
    if place.seat.links != said["links"]:
        return "void"
    if made_with(tx, said, place):
        return "done"
    if signed_links.expired(desk, said):
        return "late"
    if place.seat.resigned or place.seat.asked != said["asked"]:
        return "stale"
    deadline = place.seat.deadline
    return "late" if deadline is not None and deadline <= desk.now() else "open"


def key_of(said: Said) -> str:
    """The Idempotency-Key of a link's move: pressing its button twice is one move."""
    what = said["group"] if "group" in said else "\n".join(said["lines"])
    named = hashlib.sha256(f"{said['links']} {what}".encode()).hexdigest()[:16]
    return f"link-{said['asked']}-{named}"


def made_with(tx: Transaction, said: Said, place: Place) -> list[StoredMove]:
    """The moves that were made with a link: each line of a letter is one."""
    key = key_of(said)
    keys = [key] if "group" in said else [f"{key}-{n}" for n in range(len(said["lines"]))]
    found = (
        games.move_by_key(tx, place.table.id, place.seat.number, moves.marked(one)) for one in keys
    )
    return [move for move in found if move is not None]


def action(desk: Desk, said: Said, as_account: str | None) -> Page:
    """What the page of an action link shows; `as_account` is whoever has said who they are."""
    for _ in range(ATTEMPTS):
        with desk.database.reading() as tx:
            page = _action(desk, tx, said, as_account)
        if page is not None:
            return page
    raise refusals.Refused(
        "rate_limited", say("The game moves too fast to be read."), retry_after=1
    )


def _action(desk: Desk, tx: Transaction, said: Said, as_account: str | None) -> Page | None:
    """The same; None if the game has moved on while we looked."""
    place = place_of(tx, said)
    stands = standing(desk, tx, said, place)
    if place is not None and as_account not in (None, place.account):
        return {"stands": "void"}
    if place is None or stands == "void":
        return {"stands": stands}
    page = _headed(tx, place, stands)
    if stands != "open":
        return page | {"events": _told(desk, tx, said, place, stands)}
    asked = _asked(desk, tx, place, said["group"])
    return page | asked if asked else None


def _told(desk: Desk, tx: Transaction, said: Said, place: Place, stands: str) -> list[str]:
    """What a link has done, or what has happened since it was good."""
    if stands == "done":
        return _public(desk, tx, place, made_with(tx, said, place))
    last = place.table.version
    first = max(said["asked"] + 1, last - MOST_SENTENCES)
    return _public(desk, tx, place, games.moves_between(tx, place.table.id, first, last))


def _headed(tx: Transaction, place: Place, stands: str) -> Page:
    account = accounts.account(tx, place.account)
    zone = account.time_zone if account else "UTC"
    deadline = place.seat.deadline if stands == "open" else None
    return {
        "stands": stands,
        "account": place.account,
        "game": place.table.id,
        "title": place.table.title,
        "name": seat_names.names_of(place.table)[place.seat.number],
        "status": place.table.status,
        "deadline": dates.placed(timestamps.read(deadline), zone) if deadline else None,
    }


def _asked(desk: Desk, tx: Transaction, place: Place, group: str) -> Page | None:
    """The question, and those of its options that the mail has shown together.

    None if the position is of another decision: it may be read after the seat was.
    """
    table, position = table_lookup.settled(desk, tx, place.table)
    if table.seated[place.seat.number].asked != place.seat.asked:
        return None
    told = story.told(desk, tx, table, place.seat.number)
    titles = {one.name: one.title for one in told.asked.groups} if told.asked else {}
    decision = decisions.document(table, position, place.seat.number, None, None) or {}
    return {
        "story": told,
        "prompt": decision.get("prompt", ""),
        "group": titles.get(group, group),
        "options": [
            one | {"price": _price(one["action"])}
            for one in decision.get("options", ())
            if one["group"] == group
        ],
    }


def _price(action: Mapping[str, Any]) -> str | None:
    """What an option costs, in words."""
    payment = getattr(read_action(action), "payment", None)
    return None if payment is None else str(payment.spoken)


def _public(desk: Desk, tx: Transaction, place: Place, log: list[StoredMove]) -> list[str]:
    """What everybody may know of these moves, the last of it."""
    rules = desk.positions.of(tx, place.table).rules
    names = seat_names.names_of(place.table)
    found = [tell(rules, seen_by(event, None), names) for move in log for event in events_of(move)]
    return [clean(sentence) for sentence in found if sentence][-MOST_SENTENCES:]


def play(desk: Desk, said: Said, as_account: str | None, choice: str) -> Page:
    """Play what was chosen on the page of an action link, and what its page shows then."""
    page = action(desk, said, as_account)
    if page["stands"] != "open":
        return page
    chosen = [option for option in page["options"] if option["text"] == choice]
    if not chosen:
        return page | {"stands": "unchosen"}
    wanted = moves.Wanted(
        action=chosen[0]["action"],
        asked=said["asked"],
        key=key_of(said),
        source="link",
        also=still_good(said),
    )
    try:
        moves.submit(desk, page["account"], page["game"], wanted)
    except Refusal:
        after = action(desk, said, as_account)
        if after["stands"] == "open":
            raise
        return after  # somebody was quicker, or it was the other press of a double click
    # Also to whoever has pressed the button: it may not be whom the mail was for.
    return action(desk, said, as_account) | {"stands": "played", "next": next_of(desk, said)}


def still_good(said: Said) -> Callable[[Transaction], None]:
    """Refuses in the transaction of a move whose link was made void since we looked."""

    def check(tx: Transaction) -> None:
        found = store.seat_links(tx, said["game"], said["seat"])
        if found is None or found.links != said["links"]:
            raise refusals.Refused("forbidden", say("This link was made void."))

    return check


def next_of(desk: Desk, said: Said) -> str | None:
    """What is asked of the seat now, as everybody at the table may know; None if nothing is."""
    with desk.database.reading() as tx:
        place = place_of(tx, said)
        if place is None or place.table.status != "running" or place.seat.asked is None:
            return None
        _, position = table_lookup.settled(desk, tx, place.table)
    asked = asked_of(position.state.awaiting, place.seat.number)
    return waiting(position.rules, asked) if asked else None


def letter(desk: Desk, said: Said, choice: str | None = None) -> Page:
    """The page on which somebody says whether a reply is theirs, and plays it line by line."""
    with desk.database.reading() as tx:
        place = place_of(tx, said)
        stands = standing(desk, tx, said, place)
        if place is None or stands == "void":
            return {"stands": stands}
        page = _headed(tx, place, stands) | {"lines": [{"text": one} for one in said["lines"]]}
        if stands != "open":
            return page | {"events": _told(desk, tx, said, place, stands)}
    if choice is None:
        return page
    if choice == "no":
        return page | {"stands": "refused", "void": signed_links.forwarded(desk, *_seat(said))}
    if choice != "play":
        return page | {"stands": "unchosen"}
    wanted = reply_commands.Reply(
        place.account, place.table.id, said["asked"], said["lines"], key_of(said), "link"
    )
    carried = reply_commands.carry_out(desk, wanted)
    played = say("Played.")
    lines = [(line._replace(result=played) if line.move else line) for line in carried.lines]
    with desk.database.reading() as tx:
        events = _public(desk, tx, place, made_with(tx, said, place))
    page |= {"lines": [line._asdict() for line in lines], "events": events}
    return page | {"stands": "played", "next": next_of(desk, said)}


def _seat(said: Said) -> tuple[str, int]:
    return said["game"], said["seat"]


def forwarded(desk: Desk, said: Said, choice: str | None = None) -> Page:
    """The page on which somebody says that a mail has gone to others, and what that does."""
    with desk.database.reading() as tx:
        place = place_of(tx, said)
        if place is None:
            return {"stands": "gone"}
        stands = "open" if place.seat.links == said["links"] else "done"
        page = _headed(tx, place, stands)
    if choice is None or stands == "done":
        return page
    if choice == "keep":
        return page | {"stands": "kept"}
    if choice != "void":
        return page | {"stands": "unchosen"}
    with desk.database.writing() as tx:
        if store.void_links(tx, said["game"], said["seat"], said["links"]):
            mailboxes.void(tx, said["game"], said["seat"])
            _ask_again(desk, tx, said)
    desk.doorbell.ring()
    return page | {"stands": "voided"}


def _ask_again(desk: Desk, tx: Transaction, said: Said) -> None:
    """Owe the seat another mail about what is asked of it, with links that are good."""
    place = place_of(tx, said)
    if place is not None and place.seat.asked is not None and not place.seat.house:
        seat = place.seat
        again = Notice(place.account, "decision_opened", place.table.id, seat.number, seat.asked)
        outbox.add(tx, [again], desk.now())
