"""The menu: every option is reached from it, and all that it builds is accepted."""

import random
from dataclasses import fields
from itertools import combinations

from engine import Action, Chosen, Entry, chosen, decide, menu, options, read
from engine.codec import write_without
from engine.menu import Choice, number_of
from engine.values import COLOURS, SLOT, CardPayment, card_payment
from tests.engine.test_laws import chance_at, every_game, refusal_of, some
from tests.random_games import Step, Table, played
from tests.scenes import ADA, Scene, scene

MOST_SELECTIONS = 40
"""Selections of a choice that are tried in one position."""


def built_by(entry: Entry, rng: random.Random) -> list[Action]:
    """Every action of an entry's ways, or of a sample of the selections of its choice."""
    if entry.choice is None:
        return [action for way in entry.ways for action in way.actions]
    selections = list(selections_of(entry.choice))
    return [
        entry.choice.build(values)
        for values in rng.sample(selections, min(len(selections), MOST_SELECTIONS))
    ]


def selections_of(choice: Choice) -> list[tuple[str | int, ...]]:
    """Every selection of things that the choice allows."""
    values = [thing.value for thing in choice.things]
    sizes = range(choice.least, choice.most + 1)
    return [selection for size in sizes for selection in combinations(values, size)]


def reached(entry: Entry) -> set[Action]:
    """Everything that the entry can build."""
    if entry.choice is None:
        return {action for way in entry.ways for action in way.actions}
    return {entry.choice.build(values) for values in selections_of(entry.choice)}


@every_game
def test_every_option_is_reached(table: Table, number: int) -> None:
    """Law 11: every option on the list is built by exactly the entry that it belongs to."""
    for step in some(played(table, number).steps, "law 11", 12):
        entries = menu(table.rules, step.state, step.seat)
        built = [reached(entry) for entry in entries]
        for action in options(table.rules, step.state, step.seat).actions:
            place = number_of(table.rules, entries, action)
            assert action in built[place - 1]
            assert [place] == [n for n, actions in enumerate(built, 1) if action in actions]


@every_game
def test_everything_built_is_accepted(table: Table, number: int) -> None:
    """Law 11: whatever a menu builds is accepted, and belongs to the entry that built it."""
    recording = played(table, number)
    rng = random.Random("law 11")
    for step in some(recording.steps, "law 11b", 8):
        entries = menu(table.rules, step.state, step.seat)
        assert entries
        for place, entry in enumerate(entries, 1):
            for action in built_by(entry, rng):
                assert decide(
                    table.rules, step.state, step.seat, action, chance_at(recording, step)
                )
                assert place == number_of(table.rules, entries, action)


@every_game
def test_accepted_variations_belong_to_an_entry(table: Table, number: int) -> None:
    """Law 11: what is accepted without being listed belongs to an entry of the menu."""
    for step in some(played(table, number).steps, "law 11c", 12):
        entries = menu(table.rules, step.state, step.seat)
        for action in variations(table, step, random.Random("law 11c")):
            assert number_of(table.rules, entries, action)
            assert action == read(table.rules, step.state, step.seat, text(table, action))


def text(table: Table, action: Action) -> str:
    """The action in notation."""
    written: str = table.rules.word("writes", type(action))(table.rules, action)
    return written


def variations(table: Table, step: Step, rng: random.Random) -> list[Action]:
    """Actions that are accepted here although they are not on the list."""
    listed = options(table.rules, step.state, step.seat).actions
    tried = [
        type(action)(**{**fields_of(action), "payment": other})
        for action in rng.sample(listed, min(len(listed), 20))
        if isinstance(payment := getattr(action, "payment", None), CardPayment)
        for other in shifted(payment, rng)
    ]
    tried += [
        type(action)(**{**fields_of(action), "dice": tuple(rng.sample(range(1, 6), len(dice)))})
        for action in listed
        if (dice := getattr(action, "dice", None)) and len(dice) <= 5
    ]
    return [
        action
        for action in tried
        if action not in listed and refusal_of(table, step, action) is None
        if sorted(getattr(action, "dice", ())) == list(getattr(action, "dice", ()))
    ]


def fields_of(action: Action) -> dict[str, object]:
    """The fields of an action by name."""
    return {field.name: getattr(action, field.name) for field in fields(action)}  # type: ignore[arg-type]  # declared actions are dataclasses


def shifted(payment: CardPayment, rng: random.Random) -> list[CardPayment]:
    """Payments of as many cards, with one card exchanged for another."""
    held = [slot for slot, number in enumerate(payment.counts) if number]
    moved = []
    for _ in range(6):
        counts = list(payment.counts)
        counts[rng.choice(held)] -= 1
        counts[rng.randrange(len(COLOURS) + 1)] += 1
        moved.append(card_payment(tuple(counts)))
    return moved


@every_game
def test_texts_of_entries_are_read(table: Table, number: int) -> None:
    """Law 11: an entry with one way is played by its text, its number and its full notation."""
    for step in some(played(table, number).steps, "law 11d", 12):
        entries = menu(table.rules, step.state, step.seat)
        for place, entry in enumerate(entries, 1):
            for way in entry.ways if entry.field else ():
                full = f"{entry.lead} {way.text}"
                assert way.action == read(table.rules, step.state, step.seat, full)
            if len(entry.ways) == 1:
                assert entry.ways[0].action == read(table.rules, step.state, step.seat, entry.text)
                assert entry.ways[0].action == read(table.rules, step.state, step.seat, str(place))
        assert len(entries) == len({entry.text for entry in entries})


@every_game
def test_ways_with_the_same_text_are_the_same(table: Table, number: int) -> None:
    """The key of a way stands for the same payments in all entries of a menu."""
    for step in some(played(table, number).steps, "law 11e", 12):
        details: dict[str, object] = {}
        for entry in menu(table.rules, step.state, step.seat):
            for way in entry.ways if entry.field else ():
                detail = (way.label, write_without(way.action, entry.field)[1], len(way.actions))
                assert detail == details.setdefault(way.key, detail)


@every_game
def test_every_way_can_be_chosen_by_its_key(table: Table, number: int) -> None:
    """Law 11: what a way's key advertises is accepted in every entry that has it."""
    for step in some(played(table, number).steps, "law 11f", 12):
        for place, entry in enumerate(menu(table.rules, step.state, step.seat), 1):
            for way in entry.ways if entry.field else ():
                for at in {way.locomotives, way.most_locomotives}:
                    answer = Chosen(place, way.key, at)
                    action = chosen(table.rules, step.state, step.seat, answer)
                    assert refusal_of(table, step, action) is None


def entry_for(play: Scene, about: str) -> Entry:
    """The entry of Ada's menu about this place."""
    return next(entry for entry in menu(play.rules, play.state, ADA) if entry.about == about)


def labels(entry: Entry) -> list[str]:
    """The labels of an entry's ways."""
    return [way.label for way in entry.ways]


def test_a_way_is_a_colour_with_its_locomotives() -> None:
    """On a gray route each colour is one way, from the fewest locomotives to locomotives alone."""
    play = scene("usa · ada ben · turn ada\nada holds 1 red 3 blue 3 locomotive")
    entry = entry_for(play, "los_angeles-phoenix")

    assert ["3 blue", "1 red and 2 locomotives"] == labels(entry)
    assert [(0, 3), (2, 3)] == [(way.locomotives, way.most_locomotives) for way in entry.ways]
    assert {"locomotive": 3} == paid(entry.ways[0].actions[-1])


def paid(action: Action) -> dict[str, int]:
    """The cards that an action pays."""
    counts = getattr(action, "payment").counts  # noqa: B009  # only some actions pay
    return {card: counts[slot] for card, slot in SLOT.items() if counts[slot]}


def test_ways_are_in_the_order_of_thrift() -> None:
    """Ways are sorted by fewest locomotives, then by the colour of which most is left."""
    play = scene("usa · ada ben · turn ada\nada holds 3 red 5 blue 2 green 3 white 4 locomotive")
    entry = entry_for(play, "los_angeles-phoenix")

    assert ["3 blue", "3 white", "3 red", "2 green and 1 locomotive"] == labels(entry)


def test_locomotives_alone_are_a_way_if_no_colour_is() -> None:
    """A hand of locomotives alone has one way to pay."""
    play = scene("usa · ada ben · turn ada\nada holds 3 locomotive")

    assert ["3 locomotives"] == labels(entry_for(play, "los_angeles-phoenix"))


def test_a_ferry_begins_with_its_locomotives() -> None:
    """The range of a ferry's ways begins with its symbols (R-FERRY-1)."""
    play = scene("europe · ada ben · turn ada\nada holds 4 red 3 locomotive")
    entry = entry_for(play, "athina-brindisi")

    assert ["3 red and 1 locomotive"] == labels(entry)
    assert 3 == entry.ways[0].most_locomotives
    assert "4 of one colour, 1 of them a locomotive" == entry.costs


def test_substitutes_come_last() -> None:
    """A payment with odd cards for a locomotive is a way of its own, after the others (R-UK-5)."""
    play = scene("uk · ada ben · turn ada\nada holds 1 locomotive 4 red")

    assert ["1 locomotive", "4 red"] == labels(entry_for(play, "wales-concession"))


def test_the_same_cards_have_a_key_for_each_range() -> None:
    """Cards that are substitutes in one entry and a colour in another have different keys."""
    play = scene("""
        uk · ada ben · turn ada
        ada has technologies boiler_lagging superheated_boiler
        ada holds 10 purple 8 blue 5 orange 8 green 6 yellow 6 black 8 red 3 locomotive
    """)
    keys: dict[str, set[str]] = {}
    for entry in menu(play.rules, play.state, ADA):
        for way in entry.ways:
            keys.setdefault(way.text, set()).add(way.key)

    assert {"4 orange", "4 orange +3"} == keys["4 orange"]


def test_entries_say_what_they_cost_and_bring() -> None:
    """An entry shows its price, its points, and whether cards are revealed."""
    play = scene("europe · ada ben · turn ada\nada holds 2 green 2 black")

    tunnel, plain = entry_for(play, "venezia-zurich"), entry_for(play, "roma-venezia")
    assert ("2 green", 2, True) == (tunnel.costs, tunnel.points, tunnel.reveals)
    assert ("2 black", 2, False) == (plain.costs, plain.points, plain.reveals)


def test_tickets_are_things_to_choose() -> None:
    """Keeping tickets is one entry with a choice of the offered tickets."""
    play = scene("europe · ada ben · turn ada").do("ada: tickets")
    (entry,) = menu(play.rules, play.state, ADA)

    assert entry.choice is not None
    assert ("keep", "keep", 1, 3) == (
        entry.text, entry.field, entry.choice.least, entry.choice.most,
    )  # fmt: skip
    assert all(thing.title for thing in entry.choice.things)
