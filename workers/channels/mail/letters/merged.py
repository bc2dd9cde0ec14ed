"""Letters about several games: decisions to make, answers to replies, and replies to confirm.

Each game has a letter, and its entries are numbered A1, A2 and so on. All of these letters have one
reply address, for all of their games.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.notation import names_an_entry
from engine.text import listed, shortened
from engine.translate import say, says
from service.links import signed_links
from service.notify.outbox import Delivery
from service.replies.commands.several_games import LETTERS, lettered
from service.views.reply_examples import Example
from service.views.story import OpenDecision, Story, of_account
from workers.channels.mail.letters.blocks import (
    Block,
    Heading,
    Items,
    Link,
    Paragraph,
    PlainLink,
    Quote,
    SmallLink,
    Title,
)
from workers.channels.mail.letters.context import Draft, LetterContext
from workers.channels.mail.letters.decisions import (
    about_orders,
    example_blocks,
    latest_news,
    question,
)
from workers.channels.mail.letters.entries import entry_blocks
from workers.channels.mail.letters.phrases import (
    LONGEST_SUBJECT,
    answering_several,
    merged_subject,
    merged_title,
)
from workers.channels.mail.letters.pieces import (
    foot,
    line_result,
    not_sure,
    note,
    picture_of,
    position,
    since,
    unread_lines,
)
from workers.channels.mail.letters.shown_parts import shown

MOST_PICTURES = 3
"""Games in one letter that are told at length; with more it would be too large for mailboxes."""
MOST_GAMES = 12
"""Games in one letter; the page of all games has the others."""
MOST_TOGETHER = 7
"""Entries of each game in a letter about several."""
MOST_SENTENCES = 10
"""Sentences about each game of what happened since the reader's last move."""
MOST_TICKETS = 3
"""Tickets of each game of which it is said what they lack."""
MOST_EXAMPLES = 2
"""Games with examples of answers."""


class LetteredGame(NamedTuple):
    """A game in a letter about several."""

    letter: str
    story: Story
    decision: OpenDecision

    @property
    def name(self) -> str:
        """Its letter and its title."""
        return named(self.letter, self.story.title)


def named(letter: str, title: str) -> str:
    """Return a game by its letter and its title."""
    return f"{letter}: {title}"


def with_distinct_titles(stories: Sequence[Story]) -> list[Story]:
    """Return the games of a letter; the other players tell apart those with the same title."""
    titles = Counter(story.title for story in stories)
    return [
        story._replace(title=_title_with_players(story)) if titles[story.title] > 1 else story
        for story in stories
    ]


def _title_with_players(story: Story) -> str:
    others = [name for seat, name in enumerate(story.scene.names) if seat != story.seat]
    return say("{title} with {names}", title=story.title, names=listed(others))


def several(context: LetterContext, pending: Sequence[tuple[Story, OpenDecision]]) -> Draft:
    """Write about the decisions to make in several games."""
    distinct = with_distinct_titles([story for story, _ in pending])
    pending = [(story, decision) for story, (_, decision) in zip(distinct, pending, strict=True)]
    games = [
        LetteredGame(letter, *pair)
        for letter, pair in zip(LETTERS, pending[:MOST_GAMES], strict=False)
    ]
    at_length = len(pending) <= MOST_PICTURES
    blocks: list[Block] = [Title(merged_title(len(pending)))]
    for game in games:
        blocks += [Title(game.name), *question(context, game.story, game.decision, game.letter)]
        blocks += about_orders(game.story)
        blocks += _at_length(context, game) if at_length else _briefly(game.story)
        blocks += foot(context, game.story, game.letter)
    if len(pending) > MOST_GAMES:
        url = f"{context.desk.settings.public_url}/games"
        blocks.append(PlainLink(_more_games(len(pending) - MOST_GAMES), url))
    blocks += _how_to_answer(games, numbers=at_length)
    blocks.append(_no_more_mail(context))
    shown = games if at_length else []
    return Draft(
        merged_subject([story.title for story, _ in pending]),
        blocks,
        reply_to=_reply_to(context, games),
        stories=tuple((picture_of(context, game.story), game.story) for game in shown),
        preheader=latest_news(context, *pending[0]),
    )


def _reply_to(context: LetterContext, games: Sequence[LetteredGame]) -> str:
    return context.reply_to_several([(game.letter, game.story, game.decision) for game in games])


def _no_more_mail(context: LetterContext) -> SmallLink:
    every = signed_links.unsubscribe(context.desk, context.reader.account, None)
    return SmallLink(say("No more mail about turns"), every)


def _more_games(number: int) -> str:
    return says(
        "… and {n} more game waits for you: see them all",
        "… and {n} more games wait for you: see them all",
        number,
    )


def _briefly(story: Story) -> list[Block]:
    """Return the latest news of a game, in a letter about many."""
    return [Paragraph(story.happened.headline)] if story.happened.headline else []


def _at_length(context: LetterContext, game: LetteredGame) -> list[Block]:
    """Return a game in a letter about a few: shorter than in a letter of its own."""
    return [
        *position(context, game.story, MOST_TICKETS),
        *since(game.story, MOST_SENTENCES),
        *_entries(context, game),
    ]


def _entries(context: LetterContext, game: LetteredGame) -> list[Block]:
    return [
        Heading(say("What you can do")),
        *entry_blocks(context, game.story, game.decision, MOST_TOGETHER, game.letter),
    ]


def _how_to_answer(games: Sequence[LetteredGame], *, numbers: bool) -> list[Block]:
    """Return how to answer for several games at once, with examples that could be sent now.

    Examples with numbers are left out if the letter does not show the numbers.
    """
    shown = games[:MOST_EXAMPLES]
    examples = [example for game in shown for example in _examples(game, numbers=numbers)]
    return [Heading(say("How to answer")), *example_blocks(examples), Items(answering_several())]


def _examples(game: LetteredGame, *, numbers: bool) -> list[Example]:
    """Return the first example, by number if that is enough, and the last, mostly in words."""
    every = [
        example for example in game.decision.examples if numbers or not names_an_entry(example.text)
    ]
    chosen = dict.fromkeys([*every[:1], *every[-1:]])
    return [example._replace(text=lettered(game.letter, example.text)) for example in chosen]


def answered(context: LetterContext, about: Delivery) -> Draft | None:
    """Write what a reply about several games has done, and the next decision in each of them."""
    data = about.data or {}
    by_letter = dict(_stories(context, data))
    if not by_letter:
        return None
    games = [
        LetteredGame(letter, story, story.decision)
        for letter, story in by_letter.items()
        if story.decision
    ]
    at_length = len(games) <= MOST_PICTURES
    blocks: list[Block] = [
        Title(say("What your mail did")),
        Heading(say("What we read in your mail, and what happened")),
        *_lines(data, by_letter),
        *note(data),
    ]
    for letter, story in by_letter.items():
        blocks.append(Title(named(letter, story.title)))
        blocks += shown(context, story, _parts(data, letter))
        if story.decision is None:
            blocks.append(Paragraph(say("You have no decision to make at the moment.")))
            blocks += [Paragraph(story.awaited)] if story.awaited else []
        else:
            game = LetteredGame(letter, story, story.decision)
            blocks += question(context, story, story.decision, letter)
            blocks += _entries(context, game) if at_length else []
        blocks += foot(context, story, letter)
    if games:
        blocks += _how_to_answer(games, numbers=at_length)
    blocks.append(_no_more_mail(context))
    titles = ", ".join(story.title for story in by_letter.values())
    return Draft(
        shortened(say("What your mail did: {games}", games=titles), LONGEST_SUBJECT),
        blocks,
        reply_to=_reply_to(context, games) if games else None,
        answers=data.get("message_id"),
    )


def _parts(data: Mapping[str, Any], letter: str) -> list[str]:
    """Return the parts that a reply has asked for about the game with this letter."""
    parts = (item.partition(" ") for item in data.get("shows", ()))
    return [part for of_game, _, part in parts if of_game == letter]


def _stories(context: LetterContext, data: Mapping[str, Any]) -> Iterator[tuple[str, Story]]:
    """Yield the games that a reply was about, by letter."""
    by_letter: dict[str, Story] = {}
    for item in data.get("games", ()):
        story = of_account(context.desk, item["game"], context.reader.account)
        if story is not None:
            by_letter[item["letter"]] = story
    yield from zip(by_letter, with_distinct_titles([*by_letter.values()]), strict=True)


def _lines(data: Mapping[str, Any], by_letter: Mapping[str, Story]) -> list[Block]:
    """Return what was read, line by line, in which game, and the result."""
    blocks: list[Block] = []
    for line in data.get("lines", ()):
        result = line_result(line)
        story = by_letter.get(line["letter"])
        blocks.append(Quote(lettered(line["letter"], line["text"])))
        blocks.append(
            Paragraph(f"{named(line['letter'], story.title)}: {result}" if story else result)
        )
    blocks += unread_lines(data)
    if not blocks:
        blocks.append(Paragraph(say("We found nothing in your mail that we could read.")))
    return blocks


def unsure(context: LetterContext, about: Delivery) -> Draft | None:
    """Write the letter about a reply for several games whose sender could not be verified.

    A link for each game.
    """
    data = about.data or {}
    by_letter = dict(_stories(context, data))
    unclear: list[str] = data.get("unclear", [])
    if not by_letter and not unclear:
        return None
    blocks: list[Block] = [
        Title(say("Please confirm your mail")),
        *not_sure(data),
    ]
    for item in data.get("games", ()):
        if (story := by_letter.get(item["letter"])) is None:
            continue
        blocks += [Title(named(item["letter"], story.title)), Quote("\n".join(item["lines"]))]
        blocks.append(_confirming(context, item, story, about.at))
    if unclear:
        blocks += [
            Heading(say("Lines that cannot be played")),
            Paragraph(say("They begin with the letter of no game in the email you answered.")),
            Quote("\n".join(unclear)),
        ]
    blocks += [Paragraph(say("If you did not write it, do nothing.")), *note(data)]
    blocks.append(_no_more_mail(context))
    subject = say("Please confirm your mail")
    return Draft(subject, blocks, answers=data.get("message_id"))


def _confirming(
    context: LetterContext, item: Mapping[str, Any], story: Story, received: str
) -> Block:
    """Return the link to confirm the lines for one game, or that they came too late."""
    version = item["decision_version"]
    if story.decision is None or story.decision.version != version:
        return Paragraph(say("This decision is over, so these lines cannot be played any more."))
    lines: list[str] = item["lines"]
    link = signed_links.confirm_letter(
        context.desk, story.game, story.seat, version, lines, received
    )
    label = say("Check the lines for game {letter} and play them", letter=item["letter"])
    return Link(label, link)
