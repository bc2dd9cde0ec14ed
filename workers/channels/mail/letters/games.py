"""Letters about games, apart from those about open decisions and those that answer mail."""

from collections.abc import Sequence

from engine.text import listed
from engine.translate import say, says
from pictures import Look
from service.i18n import dates, times
from service.notify import recipients
from service.notify.outbox import Delivery
from service.views.scores import Sheet
from service.views.story import Story
from workers.channels.mail.letters.blocks import (
    BigLink,
    Block,
    Caption,
    Grid,
    Heading,
    Items,
    Link,
    Paragraph,
    PlainLink,
    Quote,
    Strong,
)
from workers.channels.mail.letters.context import Draft, LetterContext
from workers.channels.mail.letters.phrases import tickets_of
from workers.channels.mail.letters.pieces import (
    about_game,
    claimed,
    happened,
    picture,
    position,
    scores,
    standing,
    story_of,
)

MOST_QUOTED = 50
"""Messages quoted in one letter; the others can be read at the table."""


def started(context: LetterContext, about: Delivery) -> Draft | None:
    """Write that the game has begun: the seats, and the commitment to its chance."""
    story = story_of(context, about)
    if story is None or story.status != "running":
        return None
    seating = say(
        "You are {name}, seat {number}, {colour}, on the board {board}.",
        name=story.name,
        number=story.seat + 1,
        colour=story.scene.looks[story.seat].spoken,
        board=story.board.spoken,
    )
    fixed = say(
        "All chance in this game is fixed now. Its commitment, against which the seed can be "
        "checked after the end: {commitment}",
        commitment=story.commitment,
    )
    return about_game(
        context,
        story,
        say("the game has begun"),
        [
            Strong(seating),
            Paragraph(say("Your first decision comes in a separate mail.")),
            Link(say("To the table"), context.table_url(story.game)),
            *_board(context, story),
            Heading(say("Who plays")),
            scores(story),
            Heading(say("Fair play")),
            Paragraph(fixed),
        ],
    )


def finished(context: LetterContext, about: Delivery) -> Draft | None:
    """Write that the game is over: who has won, the score sheet, and how to verify the log."""
    story = story_of(context, about)
    if story is None or story.sheet is None:
        return None
    sheet, public = story.sheet, context.desk.settings.public_url
    blocks: list[Block] = [
        Strong(sheet.verdict),
        Heading(say("The score")),
        *_sheet(sheet, story.scene.looks),
        *_board(context, story),
        BigLink(say("Rematch"), f"{public}{story.rematch}"),
        Link(say("Check this game"), f"{context.table_url(story.game)}#fair-play"),
        *_tickets(sheet),
        *happened(story),
        Heading(say("How to verify")),
        Items(_verifying()),
        PlainLink(say("The whole log of this game"), f"{public}/v1/games/{story.game}/log"),
    ]
    return about_game(context, story, say("the game is over"), blocks)


def _verifying() -> tuple[str, ...]:
    return (
        say("Save the log of this game, with its seed, and run: nightmail verify FILE"),
        say(
            "It needs no server and no network, and checks the commitment, every draw and every "
            "move."
        ),
        say("The last move in the log must bear the head that stands at the foot of this mail."),
    )


def _sheet(sheet: Sheet, looks: Sequence[Look]) -> list[Block]:
    """Return the score sheet, whose columns have the numbers of seats: names would be too wide."""
    rows = [*sheet.kinds, sheet.total, *sheet.facts]
    numbers = [str(n) for n in range(1, len(sheet.names) + 1)]
    players = [
        f"{n} {name}, {look.spoken}"
        for n, name, look in zip(numbers, sheet.names, looks, strict=False)
    ]
    table = Grid(("", *numbers), tuple((row.label, *row.cells) for row in rows), 1)
    return [Caption(tuple(players)), table]


def _tickets(sheet: Sheet) -> list[Block]:
    lines = [
        tickets_of(name, done, failed)
        for name, done, failed in zip(sheet.names, sheet.completed, sheet.failed, strict=True)
    ]
    return [Heading(say("Tickets")), Items(tuple(lines))]


def expired(context: LetterContext, about: Delivery) -> Draft | None:
    """Write that a deadline has passed, and that the default was played."""
    story, version = story_of(context, about), about.version
    if story is None or version is None:
        return None
    played = recipients.played(context.desk, story.game, story.seat, version)
    if played is None:
        return None
    blocks: list[Block] = [
        Paragraph(say("Your time ran out. This was played for you:")),
        Strong(played),
    ]
    if deadline := (about.data or {}).get("deadline"):
        moment = dates.letter_time(times.read(deadline), context.reader.time_zone)
        blocks.append(Paragraph(say("It was due on {moment}.", moment=moment)))
    blocks += [Paragraph(_caretaker()), *position(context, story)]
    blocks += [*happened(story), *standing(story)]
    return about_game(context, story, say("your time ran out"), blocks)


def _caretaker() -> str:
    return say(
        "A seat that misses three deadlines in a row is played by the house until its owner makes "
        "a move again."
    )


def caretaken(context: LetterContext, about: Delivery) -> Draft | None:
    """Write that the house plays for a player who has missed too many deadlines."""
    story = story_of(context, about)
    if story is None or story.status != "running":
        return None
    away = int((about.data or {})["away"])
    if away == story.seat:
        sentence = say(
            "From now on the house plays for you. Make any move, by mail, link or program, and "
            "the seat is yours again."
        )
    else:
        name = story.standing.rows[away].name
        sentence = say("From now on the house plays for {name}.", name=name)
    blocks: list[Block] = [Strong(sentence), Paragraph(_caretaker()), scores(story)]
    return about_game(context, story, say("the house plays a seat"), blocks)


def resigned(context: LetterContext, about: Delivery) -> Draft | None:
    """Write that a player has left the game."""
    story = story_of(context, about)
    if story is None:
        return None
    gone = recipients.resigned(context.desk, story.game, about.at)
    names = listed(gone) or say("Somebody")
    left = say("{who} has left the game. The house plays on in that place.", who=names)
    blocks: list[Block] = [Strong(left), scores(story)]
    return about_game(context, story, say("a seat was given up"), blocks)


def talk(context: LetterContext, letter: Sequence[Delivery]) -> Draft | None:
    """Write the table talk since the last letter about it; None if all was read or deleted."""
    story = story_of(context, letter[0])
    if story is None:
        return None
    numbers = [delivery.version for delivery in letter if delivery.version is not None]
    messages = recipients.talk(context.desk, story.game, context.reader.account, numbers)
    if not messages:
        return None
    blocks: list[Block] = []
    if len(messages) > MOST_QUOTED:
        earlier = len(messages) - MOST_QUOTED
        left_out = says(
            "{n} earlier message can be read at the table.",
            "{n} earlier messages can be read at the table.",
            earlier,
        )
        blocks.append(Paragraph(left_out))
    for message in messages[-MOST_QUOTED:]:
        moment = dates.letter_time(times.read(message.at), context.reader.time_zone)
        heading = say("{name} wrote on {moment}:", name=message.name, moment=moment)
        blocks += [Paragraph(heading), Quote(message.text)]
    blocks.append(Link(say("To the table"), context.table_url(story.game)))
    topic = say("a message at the table")
    if len(messages) > 1:
        topic = says("{n} message at the table", "{n} messages at the table", len(messages))
    blocks.append(
        Paragraph(
            say(
                "Reply to this mail to answer at the table: what you write above the marked line "
                "is posted there."
            )
        )
    )
    draft = about_game(context, story, topic, blocks)
    return draft._replace(reply_to=context.talk_address(story))


def _board(context: LetterContext, story: Story) -> list[Block]:
    routes = claimed(story, say("Claimed routes:"))
    return [Heading(say("The board")), picture(context, story), routes]
