"""Reads orders from text: `draw; draw; claim paris-dieppe when I can`.

The grammar is in docs/orders.md. Limits may also stand elsewhere in their step, and terms elsewhere
in their task. Everything else is refused with its place.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import Ambiguous, Refusal, Unreadable
from engine.notation import halves, plain
from engine.orders import phrases
from engine.orders.places import WORD, placed, places, simple
from engine.orders.values import (
    ALWAYS,
    IF_GONE,
    LONGEST_ORDERS,
    MOST_STEPS,
    MOST_TRIES,
    MOST_TURNS,
    Orders,
    Step,
    Task,
    Terms,
)
from engine.orders.writing import written_step
from engine.text import shown, together
from engine.translate import say, says
from engine.wishes import Bound, PaidWish, Wish

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

EXAMPLES = "draw", "take green", "claim … when I can", "collect for …", "ask me"
_ALTERNATIVE = re.compile(
    rf"(?P<gone>{WORD.format(phrases.pattern(phrases.GONE))}\s*:?)"
    rf"|(?P<always>{WORD.format(phrases.pattern(phrases.ELSE))}\s*:?)"
)
_MORE = rf"(?:\s+(?:{phrases.pattern(phrases.MORE)}))?"
_LOCOMOTIVES = rf"\s+(?:{phrases.pattern(phrases.LOCOMOTIVES)})"
_CLAUSE = re.compile(
    rf"(?P<when>{WORD.format(phrases.pattern(phrases.WHEN))})"
    rf"|(?P<meanwhile>{WORD.format(phrases.pattern(phrases.MEANWHILE))})"
    rf"|(?P<turns>{WORD.format(phrases.pattern(phrases.TURNS))}\s*:?)"
    rf"|(?P<most>{WORD.format(phrases.pattern(phrases.MOST))}{_LOCOMOTIVES})"
    rf"|(?P<surcharge>(?:\band\s+)?{WORD.format(phrases.pattern(phrases.SURCHARGE))}{_MORE})"
    rf"|(?P<until>{WORD.format(phrases.pattern(phrases.UNTIL))})"
)
_COLLECT = re.compile(rf"(?:{phrases.pattern(phrases.COLLECT)})\s+(.*)")
_ASK = re.compile(WORD.format(phrases.pattern(phrases.ASK)))
_TRAILING_WORDS = re.compile(r"(?:\s+and)?(?:\s+with)?$")


class _Part(NamedTuple):
    """A piece of a step, and the clause that leads it; the first has none."""

    clause: str
    lead: str
    text: str


class _Limits(NamedTuple):
    turns: int | None = None
    bound: Bound | None = None


def read_orders(rules: "Ruleset", text: str) -> Orders:
    """The orders that a text means; raises Unreadable or Ambiguous, with the place.

    Nothing of the position is needed: whether a move is legal is seen when it is its turn.
    """
    if len(text) > LONGEST_ORDERS:
        raise Unreadable(say("Orders can have at most {most} characters.", most=LONGEST_ORDERS))
    steps: list[Step] = []
    for place in places(rules, text):
        try:
            if place.step > MOST_STEPS:
                raise Unreadable(say("Orders can have at most {most} steps.", most=MOST_STEPS))
            steps.append(_step(rules, simple(text[place.start : place.end])))
        except Refusal as refusal:
            raise placed(refusal, place, text) from None
    if not steps:
        raise Unreadable(together(say("These orders are empty."), _expected()))
    return Orders(tuple(steps))


def without_order_words(text: str) -> str:
    """The text without phrases such as “if it is gone”, which elsewhere may mean a doubt."""
    words = simple(text)
    bare = _ASK.sub(" ", _CLAUSE.sub(" ", _ALTERNATIVE.sub(" ", words)))
    return text if bare == words else bare


def _step(rules: "Ruleset", words: str) -> Step:
    """A step: its first task and the alternatives, with the limits of all of them."""
    tasks: list[Task] = []
    limits = _Limits()
    ways, at = [ALWAYS], 0
    pieces = []
    for match in _ALTERNATIVE.finditer(words):
        pieces.append(words[at : match.start()])
        ways.append(IF_GONE if match["gone"] else ALWAYS)
        at = match.end()
    pieces.append(words[at:])
    if len(pieces) > MOST_TRIES:
        raise Unreadable(say("A step can have at most {most} alternatives.", most=MOST_TRIES))
    for way, piece in zip(ways, pieces, strict=True):
        task, limits = _task(rules, piece, limits)
        tasks.append(task._replace(tried=way))
    step = Step(tuple(tasks), limits.turns, limits.bound)
    _check_waiting(step)
    return step


def _check_waiting(step: Step) -> None:
    """Refuse a claim that is to be repeated: it happens at once, or when it is possible."""
    first = step.tasks[0]
    if step.repeats and first.paid and not (first.waits or first.only_collects):
        waiting = Step((first._replace(waits=True),), step.turns, step.bound)
        raise Ambiguous(first.paid.text, [written_step(waiting), written_step(Step((first,)))])


def _task(rules: "Ruleset", words: str, limits: _Limits) -> tuple[Task, _Limits]:
    """A task, and the limits of its step, to which it may add."""
    parts = [*_parts(words)]
    texts = [part.text for part in parts if part.clause not in ("until", "meanwhile") and part.text]
    if len(texts) == 2 and texts[1].startswith("with "):
        texts = [" ".join(texts)]
    if len(texts) > 1:
        raise Unreadable(
            together(say("“{words}” is not understood here.", words=shown(texts[1])), _expected())
        )
    given = {part.clause: part for part in parts}
    if len(given) < len(parts):
        raise Unreadable(say("Something is said twice in this step."))
    task = _wished(rules, texts[0] if texts else "", given)
    if "turns" in given:
        limits = limits._replace(turns=_turns(given["turns"].lead))
    if "until" in given:
        limits = limits._replace(bound=_bound(rules, given["until"].text))
    return task, limits


def _parts(words: str) -> Iterator[_Part]:
    """The pieces of a task: what stands before the first clause, and each clause."""
    clause, lead, at = "", "", 0
    for match in _CLAUSE.finditer(words):
        if clause == "meanwhile" and match.lastgroup in ("most", "surcharge"):
            continue
        yield _Part(clause, lead, _trimmed(words[at : match.start()]))
        clause, lead, at = match.lastgroup or "", match[0], match.end()
    yield _Part(clause, lead, _trimmed(words[at:]))


def _trimmed(words: str) -> str:
    """Without commas, colons and a dangling “and” or “with” around it."""
    return _TRAILING_WORDS.sub("", words.strip(" ,.:")).removeprefix("and ").strip(" ,.:")


def _wished(rules: "Ruleset", words: str, given: dict[str, _Part]) -> Task:
    """What is to be done, on which terms, and what meanwhile."""
    if words in phrases.ASK:
        return Task(None)
    collects = _COLLECT.fullmatch(words)
    what, paying = halves(collects[1] if collects else words, "with")
    wish = _thing(rules, what) if collects else _move(rules, what)
    terms = Terms(
        plain(paying),
        phrases.number_of(given["most"].lead) if "most" in given else None,
        phrases.number_of(given["surcharge"].lead) if "surcharge" in given else None,
    )
    if not isinstance(wish, PaidWish):
        if terms != Terms() or "when" in given or "meanwhile" in given:
            raise Unreadable(
                say("“{move}” costs nothing, so it can only be made at once.", move=wish.text)
            )
        return Task(wish)
    _check_terms(rules, wish, terms)
    if "meanwhile" in given and "when" not in given:
        raise Unreadable(say("“meanwhile” goes with “when I can”."))
    meanwhile = _meanwhile(rules, given["meanwhile"].text) if "meanwhile" in given else None
    return Task(wish, terms, "when" in given, bool(collects), meanwhile)


def _meanwhile(rules: "Ruleset", words: str) -> Task:
    task, _ = _task(rules, words, _Limits())
    if task.wish is None or task.waits or (task.paid and not task.only_collects):
        raise Unreadable(
            say(
                "Meanwhile you can draw, or collect for something; “{words}” is neither.",
                words=shown(words),
            )
        )
    return task


def _turns(lead: str) -> int:
    number = phrases.number_of(lead)
    if not 1 <= number <= MOST_TURNS:
        raise Unreadable(say("An order can hold for 1 to {most} turns.", most=MOST_TURNS))
    return number


def _bound(rules: "Ruleset", words: str) -> Bound:
    for run in rules.all("bounds"):
        bound: Bound | None = run(rules, words)
        if bound is not None:
            return bound
    raise Unreadable(
        say(
            "Until when? Expected “the last round” or “somebody has 10 trains or fewer”, "
            "not “{words}”.",
            words=shown(words),
        )
    )


def _move(rules: "Ruleset", words: str) -> Wish:
    """The wish that a move in notation means."""
    text = plain(words)
    verb, _, rest = text.partition(" ")
    readers = rules.all("orders", verb)
    if not readers:
        raise Unreadable(_no_verb(rules, text, verb))
    return _only_wish(text, [partial(run, rules, rest) for run in readers])


def _thing(rules: "Ruleset", words: str) -> Wish:
    """What is collected for: “paris-dieppe”, or with its verb “station berlin”."""
    text = plain(words)
    verb, _, rest = text.partition(" ")
    if rest and (readers := rules.all("orders", verb)):
        wish = _only_wish(text, [partial(run, rules, rest) for run in readers])
    else:
        every = [run for verb in rules.keys("orders") for run in rules.all("orders", verb)]
        nothing = say("“{words}” is nothing to collect for on this board.", words=shown(text))
        wish = _only_wish(text, [partial(run, rules, text) for run in every], nothing)
    if not isinstance(wish, PaidWish):
        raise Unreadable(say("“{move}” costs nothing to collect for.", move=wish.text))
    return wish


def _only_wish(text: str, readers: list["partial[list[Wish]]"], nothing: str = "") -> Wish:
    """Return the one wish that is read; refuse with `nothing` or the first refusal if none is."""
    wishes: dict[str, Wish] = {}
    refused: list[Refusal] = []
    for read in readers:
        try:
            wishes |= {wish.text: wish for wish in read()}
        except Unreadable as refusal:
            refused.append(refusal)
    if len(wishes) > 1:
        raise Ambiguous(shown(text), sorted(wishes))
    if not wishes:
        raise Unreadable(nothing) if nothing else refused[0]
    return next(iter(wishes.values()))


def _no_verb(rules: "Ruleset", text: str, verb: str) -> str:
    if verb in rules.verbs():
        sentence = say("“{words}” cannot be ordered for later.", words=shown(text))
    elif text:
        sentence = say("“{words}” is not understood.", words=shown(text))
    else:
        sentence = say("Something is missing here.")
    return together(sentence, _expected())


def _expected() -> str:
    examples = ", ".join(f"“{example}”" for example in EXAMPLES)
    return say("Write a move such as {examples}.", examples=examples)


def _check_terms(rules: "Ruleset", wish: PaidWish, terms: Terms) -> None:
    """Refuse terms on which it can never be paid."""
    prices = wish.prices(rules)
    least = min(price.locomotives for price in prices)
    if terms.locomotives is not None and terms.locomotives < least:
        sentence = says("It takes {n} locomotive.", "It takes {n} locomotives.", least)
        raise Refusal("illegal", sentence)
    if terms.paying:
        refusals = [rules.purse.never_pays(rules, price, terms.paying) for price in prices]
        if all(refusals):
            raise refusals[0] or Unreadable(terms.paying)
