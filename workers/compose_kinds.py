"""All letters but those about decisions that wait."""

from collections.abc import Callable, Mapping
from typing import Any

import pictures
from engine.words import shortened
from service import addressees, invitations, links, story, times
from service.outbox import Delivery
from service.scores import Sheet
from service.story import Story
from workers.compose_blocks import (
    Block,
    Grid,
    Heading,
    Items,
    Link,
    Picture,
    Quote,
    Said,
    Strong,
    Title,
)
from workers.compose_turns import (
    Draft,
    Page,
    answering,
    decision,
    foot,
    happened,
    picture_of,
    reply_to,
    scores,
    standing,
)

LONGEST_NAME = 14
"""Of a player at the head of a column."""


def started(page: Page, about: Delivery) -> Draft | None:
    """The game has begun: where one sits, with whom, and that nobody can cheat."""
    told = _told(page, about)
    if told is None or told.status != "running":
        return None
    words = page.words
    colour = pictures.of_seat(told.seat).name
    return _about_game(
        page,
        told,
        words.started,
        [
            Strong(words.seating(told.name, told.seat + 1, colour, told.board.name)),
            scores(page, told),
            Said(words.first_decision),
            Said(words.commitment(told.commitment)),
            *_board(page, told),
        ],
    )


def finished(page: Page, about: Delivery) -> Draft | None:
    """The game is over: who has won, by which points, and how to check it all."""
    told = _told(page, about)
    if told is None or told.sheet is None:
        return None
    words, sheet = page.words, told.sheet
    log = f"{page.desk.settings.public_url}/v1/games/{told.game}/log"
    blocks: list[Block] = [
        Strong(sheet.verdict),
        _sheet(sheet),
        *_tickets(page, sheet),
        *_board(page, told),
        *happened(page, told),
        Heading(words.how_to_verify),
        Items(words.verifying),
        Link(words.whole_log, log),
    ]
    return _about_game(page, told, words.finished, blocks)


def _sheet(sheet: Sheet) -> Grid:
    names = [shortened(f"{n} {name}", LONGEST_NAME) for n, name in enumerate(sheet.names, 1)]
    rows = [*sheet.kinds, sheet.total, *sheet.facts]
    return Grid(("", *names), tuple((row.label, *row.cells) for row in rows), 1)


def _tickets(page: Page, sheet: Sheet) -> list[Block]:
    words = page.words
    lines = [
        words.tickets_of(name, done, failed)
        for name, done, failed in zip(sheet.names, sheet.completed, sheet.failed, strict=True)
    ]
    return [Heading(words.tickets), Items(tuple(lines))]


def expired(page: Page, about: Delivery) -> Draft | None:
    """The time was over, and something was played."""
    told = _told(page, about)
    if told is None or about.data is None:
        return None
    words = page.words
    blocks: list[Block] = [Said(words.played_for_you), Strong(about.data["label"])]
    if deadline := about.data.get("deadline"):
        blocks.append(Said(words.was_due(times.read(deadline), page.reader.time_zone)))
    blocks += [Said(words.caretaker_explained), *happened(page, told), *standing(page, told)]
    return _about_game(page, told, words.expired, blocks)


def caretaken(page: Page, about: Delivery) -> Draft | None:
    """Somebody has been away too long."""
    told = _told(page, about)
    if told is None or told.status != "running":
        return None
    words, away = page.words, int((about.data or {})["away"])
    if away == told.seat:
        said = words.your_seat_caretaken
    else:
        said = words.caretaken_seat(told.standing.rows[away].name)
    blocks: list[Block] = [Strong(said), Said(words.caretaker_explained), scores(page, told)]
    return _about_game(page, told, words.caretaken, blocks)


def resigned(page: Page, about: Delivery) -> Draft | None:
    """Somebody has left for good."""
    told = _told(page, about)
    if told is None:
        return None
    gone = addressees.resigned(page.desk, told.game, about.at)
    blocks: list[Block] = [Strong(page.words.resigned_seat(gone)), scores(page, told)]
    return _about_game(page, told, page.words.resigned, blocks)


def message(page: Page, about: Delivery) -> Draft | None:
    """Somebody has said something at the table."""
    if about.game is None or about.version is None:
        return None
    said = addressees.said(page.desk, about.game, about.version)
    told = _told(page, about)
    if said is None or told is None:
        return None
    moment = page.words.moment(times.read(said.at), page.reader.time_zone)
    blocks: list[Block] = [Said(page.words.wrote(said.name, moment)), Quote(said.text)]
    return _about_game(page, told, page.words.message, blocks)


def confirm(page: Page, _: Delivery) -> Draft | None:
    """The question whether an address is theirs."""
    words, reader = page.words, page.reader
    link = links.confirm_address(page.desk, reader.account, reader.email)
    blocks: list[Block] = [
        Title(words.confirm_title),
        Said(words.confirm_why(reader.name)),
        Link(words.confirm_link, link),
        Said(words.confirm_else),
    ]
    return Draft(words.confirm_subject, blocks, listed=False)


def sign_in(page: Page, about: Delivery) -> Draft | None:
    """The link with which somebody who has asked for it can sign in."""
    if about.data is None:
        return None
    words, reader = page.words, page.reader
    link = links.sign_in(page.desk, reader.account, reader.email, about.data, about.at)
    blocks: list[Block] = [
        Title(words.sign_in_title),
        Said(words.sign_in_why(reader.name)),
        Link(words.sign_in_link, link),
        Said(words.sign_in_else),
    ]
    return Draft(words.sign_in_subject, blocks, listed=False)


def invited(page: Page, about: Delivery) -> Draft | None:
    """A seat is kept for somebody."""
    letter = invitations.letter(page.desk, (about.data or {}).get("invitation", ""))
    if letter is None or letter.email != page.reader.email:
        return None
    words, table = page.words, letter.table
    blocks: list[Block] = [
        Title(table["title"]),
        Said(words.invited_why(letter.host, table["title"])),
        Said(words.invited_table(table["board"], table["players"], table["free"])),
        Link(words.invited_link, letter.link),
        Said(words.invited_else),
    ]
    return Draft(words.invited_subject(letter.host, table["title"]), blocks, listed=False)


def hook_off(page: Page, about: Delivery) -> Draft | None:
    """A hook is not told anything any more."""
    if about.data is None:
        return None
    words, data = page.words, about.data
    blocks: list[Block] = [
        Title(words.hook_title),
        Strong(words.hook_off(str(data.get("host")), str(data.get("reason")))),
        Said(words.hook_again(str(data.get("hook")))),
    ]
    return Draft(words.hook_subject, blocks, listed=False)


def answered(page: Page, about: Delivery) -> Draft | None:
    """What a mail of somebody's has done, and what is asked next."""
    words, told, data = page.words, _told(page, about), about.data or {}
    if told is None:
        return None
    blocks: list[Block] = [Heading(words.understood), *_lines(page, data)]
    if told.asked is None:
        blocks += [Said(words.nothing_asked), *([Said(told.awaited)] if told.awaited else [])]
        blocks += standing(page, told)
    else:
        blocks += [Heading(words.now_asked), *decision(page, told, told.asked)]
        blocks += answering(page, told.asked)
    draft = _about_game(page, told, words.answered, blocks)
    reply = reply_to(page, told, told.asked) if told.asked else None
    return draft._replace(reply_to=reply, answers=data.get("message_id"))


def _lines(page: Page, data: Mapping[str, Any]) -> list[Block]:
    """What was read, line by line, and what came of each."""
    blocks: list[Block] = []
    for line in data.get("lines", ()):
        refused = not line.get("ok", True)
        blocks.append(Quote(line["text"]))
        blocks.append(Said(page.words.refused(line["result"]) if refused else line["result"]))
    if not blocks:
        blocks.append(Said(page.words.nothing_read))
    return blocks


def unsure(page: Page, about: Delivery) -> Draft | None:
    """A mail came that may not be by whom it says: only a link can make it count."""
    told, data = _told(page, about), about.data or {}
    lines: list[str] = data.get("lines", [])
    if told is None or told.asked is None or told.asked.asked != about.version:
        return None
    words = page.words
    link = links.confirm_letter(page.desk, told.game, told.seat, told.asked.asked, lines)
    blocks: list[Block] = [Said(words.unsure_why), Quote("\n".join(lines))]
    blocks += [Link(words.unsure_link, link), Said(words.unsure_else)]
    draft = _about_game(page, told, words.unsure, blocks)
    return draft._replace(answers=data.get("message_id"))


def _told(page: Page, about: Delivery) -> Story | None:
    if about.game is None:
        return None
    return story.of_account(page.desk, about.game, page.reader.account)


def _about_game(page: Page, told: Story, what: str, blocks: list[Block]) -> Draft:
    shown = any(isinstance(block, Picture) for block in blocks)
    return Draft(
        page.words.subject(told.title, what),
        [Title(told.title), *blocks, *foot(page, told)],
        told.game,
        told.seat,
        stories=((picture_of(page, told), told),) if shown else (),
    )


def _board(page: Page, told: Story) -> list[Block]:
    text = pictures.described(told.board, told.scene)
    return [Heading(page.words.board), Picture(picture_of(page, told), text)]


WRITERS: dict[str, Callable[[Page, Delivery], Draft | None]] = {
    "decision_expired": expired,
    "game_started": started,
    "game_finished": finished,
    "seat_resigned": resigned,
    "seat_caretaken": caretaken,
    "message_posted": message,
    "confirm_address": confirm,
    "sign_in": sign_in,
    "invited": invited,
    "hook_disabled": hook_off,
    "letter_answered": answered,
    "letter_unsure": unsure,
}
"""Who writes which letter; those about turns are written together."""
