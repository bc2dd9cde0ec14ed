"""All letters about games but those about decisions that wait."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pictures
from engine.tongue import say, says
from engine.words import listed, shortened
from service.i18n import dates, times
from service.links import signed_links
from service.notify import recipients
from service.notify.notice_kinds import TALK, TURNS
from service.notify.outbox import Delivery
from service.views import story
from service.views.scores import Sheet
from service.views.story import Story
from workers.channels.mail.letters.accounts import (
    confirm,
    hook_off,
    hook_refused,
    invited,
    replaced,
    sign_in,
)
from workers.channels.mail.letters.blocks import (
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
from workers.channels.mail.letters.phrases import subject, tickets_of
from workers.channels.mail.letters.turns import (
    Draft,
    Page,
    decision,
    foot,
    happened,
    how_to_answer,
    picture_of,
    reply_to,
    scores,
    standing,
    turns,
)

MOST_QUOTED = 50
"""So many messages stand in one letter; the others can be read at the table."""
LONGEST_NAME = 14
"""Of a player at the head of a column."""


def started(page: Page, about: Delivery) -> Draft | None:
    """The game has begun: where one sits, with whom, and that nobody can cheat."""
    told = _told(page, about)
    if told is None or told.status != "running":
        return None
    seating = say(
        "You are {name}, seat {number}, {colour}, on the board {board}.",
        name=told.name,
        number=told.seat + 1,
        colour=pictures.colour_of(told.seat),
        board=told.board.spoken,
    )
    fixed = say(
        "All chance in this game is fixed now. Its commitment, against which the seed can be "
        "checked after the end: {commitment}",
        commitment=told.commitment,
    )
    return _about_game(
        page,
        told,
        say("the game has begun"),
        [
            Strong(seating),
            scores(told),
            Said(say("What is asked of you comes in a mail of its own.")),
            Said(fixed),
            *_board(page, told),
        ],
    )


def finished(page: Page, about: Delivery) -> Draft | None:
    """The game is over: who has won, by which points, and how to check it all."""
    told = _told(page, about)
    if told is None or told.sheet is None:
        return None
    sheet = told.sheet
    log = f"{page.desk.settings.public_url}/v1/games/{told.game}/log"
    blocks: list[Block] = [
        Strong(sheet.verdict),
        _sheet(sheet),
        *_tickets(sheet),
        *_board(page, told),
        *happened(told),
        Heading(say("How to verify")),
        Items(_verifying()),
        Link(say("The whole log of this game"), log),
    ]
    return _about_game(page, told, say("the game is over"), blocks)


def _verifying() -> tuple[str, ...]:
    return (
        say("Save the log of this game, with its seed, and run: nightmail verify FILE"),
        say(
            "It needs no server and no network, and checks the commitment, every draw and every "
            "move."
        ),
        say("The last move in the log must bear the head that stands at the foot of this mail."),
    )


def _sheet(sheet: Sheet) -> Grid:
    names = [shortened(f"{n} {name}", LONGEST_NAME) for n, name in enumerate(sheet.names, 1)]
    rows = [*sheet.kinds, sheet.total, *sheet.facts]
    return Grid(("", *names), tuple((row.label, *row.cells) for row in rows), 1)


def _tickets(sheet: Sheet) -> list[Block]:
    lines = [
        tickets_of(name, done, failed)
        for name, done, failed in zip(sheet.names, sheet.completed, sheet.failed, strict=True)
    ]
    return [Heading(say("Tickets")), Items(tuple(lines))]


def expired(page: Page, about: Delivery) -> Draft | None:
    """The time was over, and something was played."""
    told, asked = _told(page, about), about.version
    if told is None or asked is None:
        return None
    played = recipients.played(page.desk, told.game, told.seat, asked)
    if played is None:
        return None
    blocks: list[Block] = [
        Said(say("The time for your decision was over. This was played for you:")),
        Strong(played),
    ]
    if deadline := (about.data or {}).get("deadline"):
        moment = dates.letter_time(times.read(deadline), page.reader.time_zone)
        blocks.append(Said(say("It was due on {moment}.", moment=moment)))
    blocks += [Said(_caretaker()), *happened(told), *standing(page, told)]
    return _about_game(page, told, say("your time was over"), blocks)


def _caretaker() -> str:
    return say(
        "A seat that misses three deadlines in a row is played by the house until its owner makes "
        "a move again."
    )


def caretaken(page: Page, about: Delivery) -> Draft | None:
    """Somebody has been away too long."""
    told = _told(page, about)
    if told is None or told.status != "running":
        return None
    away = int((about.data or {})["away"])
    if away == told.seat:
        said = say(
            "From now on the house plays for you. Make any move, by mail, link or program, and "
            "the seat is yours again."
        )
    else:
        name = told.standing.rows[away].name
        said = say("From now on the house plays for {name}.", name=name)
    blocks: list[Block] = [Strong(said), Said(_caretaker()), scores(told)]
    return _about_game(page, told, say("the house plays a seat"), blocks)


def resigned(page: Page, about: Delivery) -> Draft | None:
    """Somebody has left for good."""
    told = _told(page, about)
    if told is None:
        return None
    gone = recipients.resigned(page.desk, told.game, about.at)
    who = listed(gone) or say("Somebody")
    left = say("{who} has left the game. The house plays on in that place.", who=who)
    blocks: list[Block] = [Strong(left), scores(told)]
    return _about_game(page, told, say("a seat was given up"), blocks)


def talk(page: Page, letter: Sequence[Delivery]) -> Draft | None:
    """What was said at a table since the last letter about it; None if all of it is old or gone."""
    told = _told(page, letter[0])
    if told is None:
        return None
    numbers = [one.version for one in letter if one.version is not None]
    said = recipients.talk(page.desk, told.game, page.reader.account, numbers)
    if not said:
        return None
    blocks: list[Block] = []
    if len(said) > MOST_QUOTED:
        earlier = len(said) - MOST_QUOTED
        left_out = says(
            "{n} earlier message can be read at the table.",
            "{n} earlier messages can be read at the table.",
            earlier,
        )
        blocks.append(Said(left_out))
    for one in said[-MOST_QUOTED:]:
        moment = dates.letter_time(times.read(one.at), page.reader.time_zone)
        wrote = say("{name} wrote on {moment}:", name=one.name, moment=moment)
        blocks += [Said(wrote), Quote(one.text)]
    table = f"{page.desk.settings.public_url}/games/{told.game}"
    blocks.append(Link(say("To the table"), table))
    what = say("a message at the table")
    if len(said) > 1:
        what = says("{n} message at the table", "{n} messages at the table", len(said))
    return _about_game(page, told, what, blocks)


def answered(page: Page, about: Delivery) -> Draft | None:
    """What a mail of somebody's has done, and what is asked next."""
    told, data = _told(page, about), about.data or {}
    if told is None:
        return None
    blocks: list[Block] = [
        Heading(say("What we read in your mail, and what came of it")),
        *_lines(data),
    ]
    if told.asked is None:
        blocks += [
            Said(say("Nothing is asked of you at the moment.")),
            *([Said(told.awaited)] if told.awaited else []),
        ]
        blocks += standing(page, told)
    else:
        blocks += [Heading(say("What is asked of you now")), *decision(page, told, told.asked)]
        blocks += how_to_answer(told.asked)
    draft = _about_game(page, told, say("what your mail did"), blocks)
    reply = reply_to(page, told, told.asked) if told.asked else None
    return draft._replace(reply_to=reply, answers=data.get("message_id"))


def _lines(data: Mapping[str, Any]) -> list[Block]:
    """What was read, line by line, and what came of each."""
    blocks: list[Block] = []
    for line in data.get("lines", ()):
        came = line["result"]
        blocks.append(Quote(line["text"]))
        blocks.append(Said(came if line.get("ok", True) else say("Refused: {why}", why=came)))
    if not blocks:
        blocks.append(Said(say("We found nothing in your mail that we could read.")))
    return blocks


def unsure(page: Page, about: Delivery) -> Draft | None:
    """A mail came that may not be by whom it says: only a link can make it count."""
    told, data = _told(page, about), about.data or {}
    lines: list[str] = data.get("lines", [])
    if told is None or told.asked is None or told.asked.asked != about.version:
        return None
    link = signed_links.confirm_letter(page.desk, told.game, told.seat, told.asked.asked, lines)
    blocks: list[Block] = [
        Said(
            say(
                "A mail with the lines below has reached us. We cannot be sure that it comes from "
                "you, so nothing was done."
            )
        ),
        Quote("\n".join(lines)),
    ]
    blocks += [
        Link(say("Look at these lines and play them"), link),
        Said(say("If you did not write it, do nothing.")),
    ]
    draft = _about_game(page, told, say("please confirm your mail"), blocks)
    return draft._replace(answers=data.get("message_id"))


def _told(page: Page, about: Delivery) -> Story | None:
    if about.game is None:
        return None
    return story.of_account(page.desk, about.game, page.reader.account)


def _about_game(page: Page, told: Story, what: str, blocks: list[Block]) -> Draft:
    shown = any(isinstance(block, Picture) for block in blocks)
    return Draft(
        subject(told.title, what),
        [Title(told.title), *blocks, *foot(page, told)],
        told.game,
        told.seat,
        stories=((picture_of(page, told), told),) if shown else (),
    )


def _board(page: Page, told: Story) -> list[Block]:
    text = pictures.described(told.board, told.scene)
    return [Heading(say("The board")), Picture(picture_of(page, told), text)]


WRITERS: dict[str, Callable[[Page, Delivery], Draft | None]] = {
    "decision_expired": expired,
    "game_started": started,
    "game_finished": finished,
    "seat_resigned": resigned,
    "seat_caretaken": caretaken,
    "confirm_address": confirm,
    "address_replaced": replaced,
    "sign_in": sign_in,
    "invited": invited,
    "hook_disabled": hook_off,
    "hook_refused": hook_refused,
    "letter_answered": answered,
    "letter_unsure": unsure,
}
"""Who writes a letter about one delivery."""
TOGETHER: dict[str, Callable[[Page, Sequence[Delivery]], Draft | None]] = {
    **dict.fromkeys(TURNS, turns),
    TALK: talk,
}
"""Who writes a letter about several."""
