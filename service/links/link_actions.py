"""The pages behind signed links of a game: what they show, and what a choice on them does.

Opening a page changes nothing. An old link may be in other hands by now, so a page shows what the
seat alone may know only while its link is valid.
"""

from contextlib import suppress
from typing import Any, NamedTuple

from engine import Board, Refusal, menu, question, seen_by, tell, waiting
from engine.state import decision_of
from engine.text import clean
from engine.translate import say
from pictures import Scene, scene_of
from service import refusals
from service.desk import Desk
from service.games import moves, seat_looks, seat_names, table_lookup
from service.games.menu_forms import MenuForm
from service.games.move_requests import MoveRequest
from service.i18n import dates
from service.links import entry_pages, link_state, signed_links
from service.links.link_state import Payload, Place
from service.memory.news import of_game
from service.memory.positions import events_of
from service.replies import mailboxes
from service.replies.commands import runner
from service.replies.commands.conversation import Reply
from service.replies.commands.runner import LineResult
from service.views import story
from service.views.menu_sections import sections_of
from store import timestamps
from store.database import Transaction
from store.errors import Clash
from store.games import games
from store.games.games import StoredMove
from store.notify import notices, received_mail
from store.notify.notices import Notice
from store.people import accounts
from store.people.signed_links import void_links

Page = dict[str, Any]

MOST_SENTENCES = 40
"""Sentences about past moves on a page."""
ATTEMPTS = 10
"""How often a page is read anew when the game moves on meanwhile."""


class Picture(NamedTuple):
    """What the picture of the board shows."""

    board: Board
    scene: Scene
    fresh: tuple[str, ...]
    """Routes and cities in which others have built since the seat's last move."""


def action_page(desk: Desk, payload: Payload, as_account: str | None) -> Page:
    """Show the page of an action link; `as_account` is the account whose token was sent, if any."""
    for _ in range(ATTEMPTS):
        with desk.database.reading() as tx:
            page = _try_action_page(desk, tx, payload, as_account)
        if page is not None:
            return page
    raise refusals.Refused(
        "rate_limited",
        say("The game is moving too fast right now. Please try again."),
        retry_after=1,
    )


def _try_action_page(
    desk: Desk, tx: Transaction, payload: Payload, as_account: str | None
) -> Page | None:
    """Read the page of an action link once; None if the game moved on meanwhile."""
    place = link_state.place_of(tx, payload)
    stands = link_state.state_of(desk, tx, payload, place)
    if place is not None and as_account not in (None, place.account):
        return {"stands": "void"}
    if place is None or stands == "void":
        return {"stands": stands}
    page = page_head(tx, place, stands)
    if stands != "open":
        return page | {"events": events_since(desk, tx, payload, place, stands)}
    decision = _decision_page(desk, tx, place, payload)
    return page | decision if decision else None


def events_since(
    desk: Desk, tx: Transaction, payload: Payload, place: Place, stands: str
) -> list[str]:
    """Return sentences about the moves made with a link, or else since its decision."""
    if stands == "done":
        return _public_sentences(desk, tx, place, link_state.moves_made_with(tx, payload, place))
    if payload["asked"] is None:
        return []
    last = place.table.version
    first = max(payload["asked"] + 1, last - MOST_SENTENCES)
    return _public_sentences(desk, tx, place, games.moves_between(tx, place.table.id, first, last))


def page_head(tx: Transaction, place: Place, stands: str) -> Page:
    """Return the part that all pages have: the game, the player's name and the deadline."""
    account = accounts.account(tx, place.account)
    zone = account.time_zone if account else "UTC"
    deadline = place.seat.deadline if stands == "open" else None
    return {
        "stands": stands,
        "account": place.account,
        "game": place.table.id,
        "title": place.table.title,
        "name": seat_names.names_of(place.table)[place.table.seated.index(place.seat)],
        "status": place.table.status,
        "deadline": dates.page_time(timestamps.read(deadline), zone) if deadline else None,
    }


def _decision_page(desk: Desk, tx: Transaction, place: Place, payload: Payload) -> Page | None:
    """Return the open decision, with the entry of the link, or with all entries.

    None if the seat has another decision by the time that the position is read.
    """
    number = place.seat.number
    table, position = table_lookup.settled(desk, tx, place.table, number)
    seat, rules = table.seated[number], position.rules
    if seat.decision_version != place.seat.decision_version:
        return None
    view = desk.positions.view(tx, table, position, table_lookup.sight_of(table, seat.account))
    log, _ = story.since(tx, table.id, position.version, number)
    scene = scene_of(rules, view, seat_names.names_of(table), seat_looks.looks_of(table))
    page: Page = {"picture": Picture(rules.board, scene, story.fresh(rules, log, number))}
    decision = None if seat.house else decision_of(view.awaiting, number)
    page["prompt"] = question(rules, view, decision) if decision else ""
    sections = tuple(sections_of(rules, menu(rules, view, number) if decision else ()))
    item = entry_pages.find(sections, payload["entry"])
    if item is None:
        return page | entry_pages.menu_page(desk, payload, sections)
    return page | entry_pages.entry_page(rules, item)


def _public_sentences(
    desk: Desk, tx: Transaction, place: Place, log: list[StoredMove]
) -> list[str]:
    """Return the last sentences about these moves, with what everybody may know."""
    if not log:
        return []  # perhaps the game has not begun
    rules = desk.positions.of(tx, place.table).rules
    names = seat_names.names_of(place.table)
    sentences = [
        tell(rules, seen_by(event, None), names) for move in log for event in events_of(move)
    ]
    return [clean(sentence) for sentence in sentences if sentence][-MOST_SENTENCES:]


def play(desk: Desk, payload: Payload, as_account: str | None, form: MenuForm) -> Page:
    """Play what was chosen on the page of an action link, and show the page after it."""
    page = action_page(desk, payload, as_account)
    if page["stands"] != "open":
        return page
    item = page.get("item")
    answer = entry_pages.answered(item, form) if item else None
    if answer is None:
        return page | {"stands": "unchosen"}
    request = MoveRequest(
        answer,
        decision_version=payload["asked"],
        key=link_state.idempotency_key(payload),
        source="link",
        also=link_state.refuse_if_void(payload),
    )
    try:
        moves.submit(desk, page["account"], page["game"], request)
    except Refusal as refusal:
        after = action_page(desk, payload, as_account)
        if after["stands"] != "open":
            return after  # another move came first, or the button was pressed twice
        if refusal.code not in ("unreadable", "illegal"):
            raise
        return after | {"stands": "unchosen", "problem": refusal.sentence, "form": form}
    # Only what everybody may know: the mail may have been forwarded to somebody else.
    return action_page(desk, payload, as_account) | {
        "stands": "played",
        "next": next_decision(desk, payload),
    }


def next_decision(desk: Desk, payload: Payload) -> str | None:
    """Return what the seat has to decide now, if anything, as everybody at the table may know."""
    with desk.database.reading() as tx:
        place = link_state.place_of(tx, payload)
        if place is None or place.table.status != "running" or place.seat.decision_version is None:
            return None
        _, position = table_lookup.settled(desk, tx, place.table)
    decision = decision_of(position.state.awaiting, place.seat.number)
    return waiting(position.rules, decision) if decision else None


def letter_page(desk: Desk, payload: Payload, choice: str | None = None) -> Page:
    """Show the page on which a player confirms a reply as theirs, and carry out its lines."""
    with desk.database.reading() as tx:
        place = link_state.place_of(tx, payload)
        stands = link_state.state_of(desk, tx, payload, place)
        if place is None or stands == "void":
            return {"stands": stands}
        page = page_head(tx, place, stands) | {
            "lines": [{"text": line} for line in payload["lines"]]
        }
        if stands != "open":
            return page | {"events": events_since(desk, tx, payload, place, stands)}
    if choice is None:
        return page
    if choice == "no":
        return page | {
            "stands": "refused",
            "void": signed_links.forwarded(desk, payload["game"], payload["seat"]),
        }
    if choice != "play":
        return page | {"stands": "unchosen"}
    reply = Reply(
        place.account,
        place.table.id,
        payload["asked"],
        payload["lines"],
        link_state.idempotency_key(payload),
        "link",
    )
    outcome = runner.carry_out(desk, reply)
    if payload["asked"] is None:
        _note_done(desk, payload, place)
    lines = [line._replace(result=_result_on_page(line)) for line in outcome.lines]
    with desk.database.reading() as tx:
        events = _public_sentences(desk, tx, place, link_state.moves_made_with(tx, payload, place))
    page |= {"lines": [line._asdict() for line in lines], "events": events}
    return page | {"stands": "played", "next": next_decision(desk, payload)}


def _note_done(desk: Desk, payload: Payload, place: Place) -> None:
    """Store that the lines of a mail about no decision were carried out."""
    digest = link_state.digest_of(payload)
    # On a clash the button was pressed twice; each line has its own idempotency key.
    with suppress(Clash), desk.database.writing() as tx:
        received_mail.add(tx, place.account, digest, desk.now())


def _result_on_page(line: LineResult) -> str:
    """Return what came of a line, without what only a letter shows or the seat alone may know."""
    if line.move:
        return say("Played.")
    return say("The page of the game shows it.") if line.shows else line.result


def forwarded_page(desk: Desk, payload: Payload, choice: str | None = None) -> Page:
    """Show the page that voids the links of a forwarded mail, and carry out a choice on it."""
    with desk.database.reading() as tx:
        place = link_state.place_of(tx, payload)
        if place is None:
            return {"stands": "gone"}
        stands = "open" if place.seat.links == payload["links"] else "done"
        page = page_head(tx, place, stands)
    if choice is None or stands == "done":
        return page
    if choice == "keep":
        return page | {"stands": "kept"}
    if choice != "void":
        return page | {"stands": "unchosen"}
    with desk.database.writing() as tx:
        if void_links(tx, payload["game"], payload["seat"], payload["links"]):
            mailboxes.void(tx, payload["game"], payload["seat"])
            _owe_new_letter(desk, tx, payload)
    desk.wakeup.send()
    desk.news.publish(of_game(payload["game"]))  # sessions of the seat have ended
    return page | {"stands": "voided"}


def _owe_new_letter(desk: Desk, tx: Transaction, payload: Payload) -> None:
    """Owe the seat another mail about its open decision, with new links."""
    place = link_state.place_of(tx, payload)
    if place is not None and place.seat.decision_version is not None and not place.seat.house:
        seat = place.seat
        again = Notice(
            place.account, "decision_opened", place.table.id, seat.number, seat.decision_version
        )
        notices.add(tx, [again], desk.now())
