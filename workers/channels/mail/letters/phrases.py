"""What letters say that takes more than a text: subjects, deadlines, and how to answer."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from engine import Goal
from engine.text import shortened
from engine.translate import say, says
from service.i18n import dates
from service.replies import quoting

LONGEST_SUBJECT = 140


def marker() -> str:
    """Whatever stands below it in an answer is ours."""
    return f"--- {say(quoting.MARKER)} ---"


def answering(example: str) -> tuple[str, ...]:
    """How a reply is read."""
    return (
        say("Reply to this mail, and write above the marked line. Each line is one thing."),
        say(
            "It can be the number of an option, such as 1, or its move text, such as: {example}",
            example=example,
        ),
        say("Several lines are done in their order, as far as they are accepted."),
        say("You can also write: help, status, resign, or absence 3 Jul - 10 Jul"),
        say("Or follow the link of a group of options. Opening it plays nothing; its page asks."),
    )


def until(deadline: datetime, now: datetime, time_zone: str) -> str:
    """By when something is asked, and how long that is."""
    left, moment = deadline - now, dates.letter_time(deadline, time_zone)
    if left <= timedelta(0):
        return say("The time ran out on {moment}.", moment=moment)
    return say(
        "Please answer before {moment}: {span} after this mail was sent.",
        moment=moment,
        span=dates.duration(left),
    )


def ticket(held: Goal) -> str:
    """A ticket in hand, and whether it is completed by now."""
    points = says("{n} point", "{n} points", held.points)
    done = say("done") if held.done else say("not done")
    return f"{held.name}: {points}, {done}"


def tickets_of(name: str, done: Sequence[str], failed: Sequence[str]) -> str:
    """What became of somebody's tickets."""
    return say(
        "{name}: completed {done}; failed {failed}.",
        name=name,
        done=", ".join(done) or say("none"),
        failed=", ".join(failed) or say("none"),
    )


def subject(title: str, what: str) -> str:
    """Of a letter about one game."""
    return shortened(f"{title}: {what}", LONGEST_SUBJECT)


def turn_subject(title: str, prompt: str) -> str:
    """Of a letter about one decision."""
    return subject(title, _brief(prompt))


def reminder_subject(title: str, prompt: str) -> str:
    """The same for one that waits still."""
    return subject(title, say("reminder: {prompt}", prompt=_brief(prompt)))


def merged_subject(titles: Sequence[str]) -> str:
    """Of a letter about several games."""
    return subject(merged_title(len(titles)), ", ".join(titles))


def merged_title(number: int) -> str:
    """What stands above such a letter."""
    return says("{n} game waits for you", "{n} games wait for you", number)


def _brief(prompt: str) -> str:
    """What is asked without its particulars: a subject is shown where others can read it."""
    return prompt.partition(":")[0].removesuffix(".")
