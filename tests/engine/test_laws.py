"""The laws, which hold in every game on every board; those of the menu are in `test_menu.py`."""

import json
import random

import pytest

from engine import (
    Action,
    Chance,
    LogError,
    Options,
    Refusal,
    State,
    audit,
    commitment,
    decide,
    default_for,
    evolve,
    menu,
    options,
    read,
    read_log,
    replay,
    secret_of,
    seen_by,
)
from engine.codec import read_action, read_event, read_rows, write
from engine.log import chained
from engine.options import check
from engine.state import decision_of
from tests.amounts import amount
from tests.random_games import Played, Step, Table, played, sample_of_tables, seed_of, tables

GAMES = amount(1, soak=3)
PLAYED = [
    pytest.param(table, number, id=f"{table}#{number}")
    for table in sample_of_tables(24)
    for number in range(GAMES)
]
every_game = pytest.mark.parametrize(("table", "number"), PLAYED)


def some(steps: tuple[Step, ...], name: str, number: int = 40) -> list[Step]:
    """A sample of steps, half of them from the last fifth of the game."""
    rng = random.Random(name)
    late = steps[-len(steps) // 5 :]
    picked = rng.sample(steps, min(len(steps), number // 2))
    return picked + rng.sample(late, min(len(late), number // 2))


def chance_at(recording: Played, step: Step) -> Chance:
    """The chance of this step's move."""
    number = next(at for at, other in enumerate(recording.steps, 1) if other is step)
    return Chance(recording.game.secret, recording.game.id, number)


def rounds(value: object) -> object:
    """Write a value as JSON text, and parse it again."""
    return json.loads(json.dumps(value))


def refusal_of(table: Table, step: Step, action: Action) -> Refusal | None:
    """The refusal of this action for the seat of this step, or None."""
    decision = decision_of(step.state.awaiting, step.seat)
    assert decision is not None
    try:
        check(table.rules, step.state, decision, action)
    except Refusal as refusal:
        return refusal
    return None


def texts_of(listed: Options) -> list[tuple[str, str, str]]:
    """The texts, labels and groups of these options."""
    return [(option.text, option.label, option.group) for option in listed]


@every_game
def test_replay_gives_the_state_that_was_reached(table: Table, number: int) -> None:
    """Law 1: folding the recorded events gives the state that the moves led to."""
    recording = played(table, number)
    events = [event for move in recording.game.moves[:1] for event in move.events]

    assert recording.steps[0].state == replay(table.rules, events)
    assert recording.game.state == replay(table.rules, recording.game.events)
    for step in some(recording.steps, "law 1"):
        state = step.state
        for event in step.events:
            state = evolve(table.rules, state, event)
        assert step.after == state == replay(table.rules, step.events, step.state)


@every_game
def test_every_option_is_accepted(table: Table, number: int) -> None:
    """Law 2: there is always an option, and every option is accepted."""
    recording = played(table, number)
    for step in some(recording.steps, "law 2", 12):
        for decision in step.state.awaiting:
            listed = options(table.rules, step.state, decision.seat)
            assert listed
            for action in listed.actions:
                assert decide(
                    table.rules, step.state, decision.seat, action, chance_at(recording, step)
                )


@every_game
def test_nothing_else_is_accepted(table: Table, number: int) -> None:
    """Law 2: other actions than options and their variations are refused, with rule and reason."""
    recording = played(table, number)
    pool = list({repr(step.action): step.action for step in recording.steps}.values())
    for step in some(recording.steps, "law 2b", 12):
        listed = options(table.rules, step.state, step.seat).actions
        for action in random.Random(1).sample(pool, min(len(pool), 30)):
            if action in listed:
                continue
            refusal = refusal_of(table, step, action)
            if refusal is None:  # a variation that an option stands for
                assert any(other.kind == action.kind for other in listed)
                continue
            assert refusal.code == "illegal"
            assert str(refusal.rule).startswith("R-")
            assert refusal.sentence.endswith(".")
    for seat in range(table.seats):
        with pytest.raises(Refusal) as caught:
            decide(table.rules, recording.game.state, seat, pool[0], Chance(b"", "", 0))
        assert caught.value.code == "game_over"


@every_game
def test_a_view_gives_the_same_options(table: Table, number: int) -> None:
    """Law 3: a seat's redacted log gives it the same options as the full state."""
    recording = played(table, number)
    rules, picked = table.rules, {id(step) for step in some(recording.steps, "law 3")}
    setup = recording.game.moves[0].events
    views: dict[int | None, State] = {
        seat: replay(rules, [seen_by(event, seat) for event in setup])
        for seat in (None, *range(table.seats))
    }
    for step in recording.steps:
        if id(step) in picked:
            for seat in range(table.seats):
                full = options(rules, step.state, seat)
                assert texts_of(full) == texts_of(options(rules, views[seat], seat))
                assert repr(menu(rules, step.state, seat)) == repr(menu(rules, views[seat], seat))
            assert step.state.awaiting == views[None].awaiting
        views = {
            seat: replay(rules, [seen_by(event, seat) for event in step.events], view)
            for seat, view in views.items()
        }


@every_game
def test_deciding_twice_agrees(table: Table, number: int) -> None:
    """Law 4: deciding a move twice in the same position gives the same events and state."""
    recording = played(table, number)
    for step in some(recording.steps, "law 4"):
        again = decide(table.rules, step.state, step.seat, step.action, chance_at(recording, step))
        assert (step.events, step.after) == (again.events, again.state)


@every_game
def test_nothing_is_lost(table: Table, number: int) -> None:
    """Law 5, R-DECK-4: cards, trains, tickets and tokens are all accounted for after every move."""
    recording = played(table, number)
    accounts = table.rules.all("accounts")

    assert accounts
    for step in recording.steps:
        for run in accounts:
            run(table.rules, step.after)


@every_game
def test_evolver_order_does_not_matter(table: Table, number: int) -> None:
    """Law 6: rule modules may fold an event in any order."""
    rules = table.rules
    straight = dict(rules.evolvers)
    backwards = {kind: (awaits, touches[::-1]) for kind, (awaits, touches) in straight.items()}
    recording = played(table, number)
    rules.evolvers.update(backwards)
    try:
        reached = replay(rules, recording.game.events)
    finally:
        rules.evolvers.update(straight)

    assert recording.game.state == reached


@every_game
def test_text_and_json_read_back(table: Table, number: int) -> None:
    """Law 7: an action reads back from its text and its JSON, an event from its JSON."""
    recording = played(table, number)
    for step in some(recording.steps, "law 7", 20):
        listed = list(options(table.rules, step.state, step.seat))
        for option in listed[:: len(listed) // 25 + 1]:
            assert option.action == read(table.rules, step.state, step.seat, option.text)
            assert option.action == read_action(rounds(write(option.action)))
    events = recording.game.events
    assert events == [read_event(rounds(write(event))) for event in events]
    assert events == read_rows([json.dumps(write(event)) for event in events])


@every_game
def test_redacted_events_read_back(table: Table, number: int) -> None:
    """Law 7: an event as a spectator sees it reads back from its JSON."""
    events = [seen_by(event, None) for event in played(table, number).game.events]

    assert events == [read_event(rounds(write(event))) for event in events]


@every_game
def test_the_end_adds_up(table: Table, number: int) -> None:
    """Law 8: every game ends, and each total is the sum of its score lines (R-FINAL-1)."""
    (end,) = [event for event in played(table, number).game.events if event.kind == "game_ended"]
    body = write(end)
    best = max(result["total"] for result in body["results"])

    for result in body["results"]:
        assert result["total"] == sum(line["points"] for line in result["lines"])
        assert (result["rank"] == 1) == (result["seat"] in body["winners"])
    assert {best} == {body["results"][seat]["total"] for seat in body["winners"]}


@every_game
def test_audit_knows_the_seed(table: Table, number: int) -> None:
    """Law 9: the audit passes with the true seed, and fails with another."""
    game = played(table, number).game
    log = read_log(game.lines())

    assert game.state == audit(table.rules, log)
    other = seed_of("another seed")
    forged = log._replace(seed=other, opening=log.opening._replace(commitment=commitment(other)))
    lines = tuple(chained(forged, secret_of(other, game.nonces)))
    with pytest.raises(LogError, match=r"line 2: .* where the rules give "):
        audit(table.rules, forged._replace(lines=lines))


@every_game
def test_the_default_is_an_option(table: Table, number: int) -> None:
    """Law 10: the default of every decision is one of its options."""
    for step in played(table, number).steps:
        for decision in step.state.awaiting:
            default = default_for(table.rules, step.state, decision.seat)
            assert default in options(table.rules, step.state, decision.seat).actions


def test_decks_run_out() -> None:
    """In at least a tenth of the card games on the USA board the deck was reshuffled."""
    cards = [table for table in tables("usa") if "dice" not in table.variants]
    games = [
        played(table, number).game
        for table in sample_of_tables(8, among=cards)
        for number in range(GAMES)
    ]
    reshuffled = [
        game for game in games if any(event.kind == "deck_reshuffled" for event in game.events)
    ]

    assert len(reshuffled) >= len(games) / 10
