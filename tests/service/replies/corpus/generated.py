"""Composes mails: every program with every language, and in turn every habit and every move."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import cycle
from typing import NamedTuple

from engine.menu import menu
from tests.service.replies.corpus.clients import BELOW, CLIENTS, Answer
from tests.service.replies.corpus.languages import LANGUAGES, Language
from tests.service.replies.corpus.printed import printed
from tests.service.replies.corpus.reader import position


class Sample(NamedTuple):
    """A mail, and the commands that its writer meant."""

    habit: str
    name: str
    raw: bytes
    meant: Sequence[str]


@cache
def copied_lines() -> tuple[tuple[str, str], ...]:
    """Lines of the menu as a letter prints them, each with the number of its entry."""
    here = position()
    entries = menu(here.rules, here.state, here.seat)
    rows = []
    for number, entry in enumerate(entries, 1):
        if len(entry.ways) == 1:
            line = printed(number, entry, "Paris–Wien (8)")[0].strip()
            rows.append((line, str(number)))
    return tuple(rows[:12])


NUMBERS = ("#{}", "{})", "{}.", "Option {}", "({})", "*{}*", "{} please", "no. {}", "{}!", "{} 👍")
MOVES = ("draw", "tickets", "1", "status")


class _Habits:
    """The habits of people; each makes an answer, and what was meant by it."""

    def __init__(self) -> None:
        self._moves = cycle(MOVES)
        self._forms = cycle(NUMBERS)
        self._copies = cycle(copied_lines())

    def answers(self, language: Language) -> Iterator[tuple[str, Answer, Sequence[str]]]:
        """One answer in each habit of those who write above the quotation."""
        move = next(self._moves)
        yield "move above", Answer([move]), [move]
        yield (
            "greeting and closing",
            Answer([language.greeting, "", move, "", language.closing, "Ada"]),
            [move],
        )
        yield "polite words", Answer([language.polite.format(move=move)]), [move]
        yield "own name", Answer([move, "", "Ada"]), [move]
        yield "signature", Answer([move, "", "-- ", "Ada Lovelace", "draw!", "Tel. 3"]), [move]
        yield "telephone's signature", Answer([move, "", language.phone]), [move]
        yield "two moves", Answer(["take 1", "", "draw"]), ["take 1", "draw"]
        form = next(self._forms)
        yield "forms of a number", Answer([form.format(1)]), ["1"]
        line, number = next(self._copies)
        yield "copied option", Answer([line]), [number]
        yield "copied without number", Answer([line.partition(". ")[2]]), [number]

    def answers_below(self, language: Language) -> Iterator[tuple[str, Answer, Sequence[str]]]:
        """One answer in each habit of those who write below or within the quotation."""
        move = next(self._moves)
        yield "move below", Answer([], [move]), [move]
        yield "see below", Answer(["See below"], [move, "", language.closing, "Ada"]), [move]
        yield "greeting above", Answer([language.greeting], [move]), [move]
        yield "between quoted lines", Answer([], inline=[move]), [move]


def readable() -> Iterator[Sample]:
    """Mails that have to be read without a remark."""
    habits = _Habits()
    for client, wrap in CLIENTS.items():
        for number, (code, language) in enumerate(LANGUAGES.items()):
            answers = [*habits.answers(language)]
            if wrap in BELOW:
                answers += habits.answers_below(language)
            # All habits in three languages, and every third of them in each of the others.
            step, start = (1, 0) if code in ("en", "de", "fr") else (3, number % 3)
            for habit, answer, meant in answers[start::step]:
                yield Sample(habit, f"{client}, {code}, {habit}", wrap(answer, language), meant)


RETRACTIONS = (
    *("This email was a mistake, please ignore it.", "Confidential: do not play this yet"),
    *("This message is only a draft, please do not play it", "Sent by mistake, take 3"),
    *("Upgrade to claim brest-paris instead", "Thanks, but hold on", "Best skip this one"),
    *("Danke, aber erst morgen", "Merci, mais plus tard", "Undo", "Wrong!", "Ignore the above."),
    *("scrap that", "hold on", "disregard", "Edit: take 1", "Sorry, wrong. I mean take 1"),
    *("sorry, that was for another game", "take 1 instead", "2 instead", "Stop, that was wrong"),
    *("Sent from my iPhone by mistake", "Gesendet von meinem Handy, aber nicht ernst gemeint"),
)
"""Lines that take back the move above them, although some begin like a signature or closing."""
CONDITIONS = ("Hi, only if allowed:", "Hello Ben, should I:", "Dear all, not yet:", "Hi Ben, wait")
"""Lines that begin like a greeting, and put the move below them in doubt."""
STOPS = {
    **{f"taken back: {line}"[:33]: (["draw", "", line], []) for line in RETRACTIONS},
    **{f"in doubt: {line}": ([line, "", "draw"], []) for line in CONDITIONS},
    "taken back below a signature": (["draw", "Sent from my iPhone", "Wait, wrong game!"], []),
    "taken back after many lines": ([*["status"] * 25, "Ignore all of this"], []),
    "unknown word": (["clam dieppe-paris", "draw"], []),
    "move and question": (["draw", "When does the game end?", "draw"], ["draw"]),
    "question": (["draw?"], []),
    "either or": (["1 or 2?"], []),
    "refusal": (["I don't want to claim Dieppe-Paris", "draw"], []),
    "refusal of a number": (["no 1"], []),
    "changed mind": (["1", "no wait, 2"], []),
    "changed mind at the end": (["draw", "Actually, tickets"], []),
    "crossed out by hand": (["~~1~~", "draw"], []),
    "greeting like a command": (["Draw on, friends!", "tickets"], []),
    "saying": (["3rd time lucky", "draw"], []),
    "telephone": (["draw", "+49 170 1234567", "1"], ["draw"]),
    "date": (["draw", "3 July 2026", "1"], ["draw"]),
    "replies": (["1 reply", "draw"], []),
    "time": (["10:30", "draw"], []),
    "nonsense": (["asdf", "1"], []),
    "doubt": (["draw", "???"], ["draw"]),
    "closing that goes on": (["draw", "Cheers", "Ada", "tickets"], ["draw"]),
    "copied line with another number": (["999. Draw a card from the deck"], []),
    "copied line with an addition": (["Draw a card from the deck or not", "draw"], []),
    "named option with a doubt": (["Option 1 maybe"], []),
    "thumbs down": (["draw", "👎"], []),
    "strange picture": (["draw", "🧦", "tickets"], ["draw"]),
    "thanks but": (["draw", "Thanks but no", "tickets"], ["draw"]),
}
"""Answers at which reading has to stop, with the commands that may be read before."""


def unreadable() -> Iterator[Sample]:
    """Mails that are not read to the end; a part of them may be carried out."""
    for name, (lines, meant) in STOPS.items():
        for client, wrap in CLIENTS.items():
            raw = wrap(Answer(lines), LANGUAGES["en"])
            yield Sample(name, f"{client}, {name}", raw, meant)


NOTHING = {
    "greeting only": ["Hello,"],
    "thanks only": ["Thanks!", "Ada"],
    "thumbs up": ["👍"],
    "signature only": ["-- ", "Ada", "draw"],
    "nothing": [""],
}


def empty() -> Iterator[Sample]:
    """Mails in which nothing is meant as a command, and nothing is to be remarked."""
    for name, lines in NOTHING.items():
        for client, wrap in CLIENTS.items():
            yield Sample(name, f"{client}, {name}", wrap(Answer(lines), LANGUAGES["en"]), [])
