"""Letters about decisions that are open: one, or several in one letter."""

from collections.abc import Sequence

from engine.translate import say
from service.notify import recipients
from service.notify.outbox import Delivery
from service.views.story import OpenDecision, Story
from workers.channels.mail.letters import merged
from workers.channels.mail.letters.blocks import Block, Paragraph, Title
from workers.channels.mail.letters.context import Draft, LetterContext
from workers.channels.mail.letters.decisions import decision_blocks, latest_news
from workers.channels.mail.letters.phrases import reminder_subject, turn_subject
from workers.channels.mail.letters.pieces import foot, picture_of


def turns(context: LetterContext, letter: Sequence[Delivery]) -> Draft | None:
    """Write about the decisions to make, in one game or several; None if none is still open."""
    pending = _open(context, letter)
    if not pending:
        return None
    reminded = any(delivery.kind == "decision_reminder" for delivery in letter)
    if len(pending) > 1:
        return merged.several(context, pending)
    story, decision = pending[0]
    subject = reminder_subject if reminded else turn_subject
    blocks: list[Block] = [Title(story.title)]
    if reminded:
        blocks.append(Paragraph(say("Reminder: this decision still waits for you.")))
    blocks += [*decision_blocks(context, story, decision), *foot(context, story)]
    return Draft(
        subject(story.title, decision.prompt),
        blocks,
        story.game,
        story.seat,
        context.reply_to(story, decision),
        ((picture_of(context, story), story),),
        preheader=latest_news(context, story, decision),
    )


def _open(context: LetterContext, letter: Sequence[Delivery]) -> list[tuple[Story, OpenDecision]]:
    """Return the decisions of a letter that are still open, each once, the most urgent first."""
    named = dict.fromkeys((delivery.game, delivery.version) for delivery in letter)
    pending = [
        (story, story.decision)
        for game, version in named
        if game is not None
        and version is not None
        and (story := recipients.open_story(context.desk, game, context.reader.account, version))
        and story.decision
    ]
    return sorted(pending, key=lambda pair: pair[1].deadline or "9")
