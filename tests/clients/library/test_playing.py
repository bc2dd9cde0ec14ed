from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import anyio
import pytest

from nightmail_client import (
    AmbiguousMove,
    AsyncGame,
    AsyncNightmail,
    BadRequest,
    Forbidden,
    Game,
    IllegalMove,
    InvalidLog,
    Nightmail,
    NotAwaited,
    NotFound,
    Stale,
    Unauthenticated,
    models,
)
from service.games.log_files import checked
from tests.clients.library.playing import claiming, token_of_newcomer
from tests.clients.running import Service


@pytest.fixture
def ada(service: Service) -> Iterator[Nightmail]:
    """A client with an account of its own."""
    with Nightmail(service.url, token_of_newcomer(service)) as nightmail:
        yield nightmail


@pytest.fixture
def ben(service: Service) -> Iterator[Nightmail]:
    """Another client with an account of its own."""
    with Nightmail(service.url, token_of_newcomer(service)) as nightmail:
        yield nightmail


def started(ada: Nightmail, ben: Nightmail, board: str = "usa") -> tuple[Game, Game]:
    """Start a game of two players, and return it as each of them sees it."""
    game = ada.open_game(board=board, seats=2)
    other = ben.game(game.id)
    other.join(nonce="a text of Ben")
    return game, other


async def _play_async(service: Service, token: str, game: str) -> list[str]:
    """Play with the asynchronous client until no game is left; return the heads."""
    async with AsyncNightmail(service.url, token) as nightmail:
        table = nightmail.game(game)
        async with leaving(table):
            heads = [
                (await table.choose(decision, claiming(decision)))["head"]
                async for decision in nightmail.decisions()
            ]
            await table.verify(heads[0])
            with pytest.raises(InvalidLog, match="head"):
                await table.verify("0" * 64)
    return heads


@asynccontextmanager
async def leaving(table: AsyncGame) -> AsyncIterator[None]:
    """Resign if something fails, so that the other player does not wait for ever."""
    try:
        yield
    except BaseException:
        await table.leave()
        raise


def test_both_clients_play_a_whole_game(service: Service, ada: Nightmail) -> None:
    """A blocking and an asynchronous client play by decisions alone, and the log verifies."""
    token = token_of_newcomer(service)
    game = ada.open_game(board="usa", seats=2)
    with Nightmail(service.url, token) as ben:
        ben.game(game.id).join(nonce="a text")
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(anyio.run, _play_async, service, token, game.id)
        receipts = [game.choose(each, claiming(each)) for each in ada.decisions()]
        heads = [receipts[-1]["head"], *other.result()]

    assert "finished" == game.read()["status"]
    log = game.verify(heads[0])
    report = checked(game.log())
    assert (game.id, "usa", 2) == (log.game, log.board, log.seats)
    assert {game.nonce, "a text"} == set(log.nonces)
    assert {*heads} <= set(log.heads)
    assert log.moves == len(report.log.moves) - 1
    assert not log.is_abandoned


def test_a_stream_of_a_game_brings_its_events_and_decisions(ada: Nightmail) -> None:
    """Whoever plays by the stream of a game sees every event once, and then that it is over."""
    game = ada.open_game(board="usa", seats=2, bots={"easy": 1})
    seen, names, moves = list[int](), list[str](), 0
    for event in game.stream():
        names.append(event.name)
        if event.name == "message":
            seen.append(event.data["seq"])
        elif event.name == "decision":
            moves += 1
            game.choose(event.data, claiming(event.data))
            if moves == 4:
                game.leave()  # no player is left, so the game is abandoned

    assert "over" == names[-1]
    assert "abandoned" == game.read()["status"]
    assert [*range(1, len(seen) + 1)] == seen
    assert len(seen) > 8
    assert game.verify().is_abandoned


def test_the_stream_of_an_account_brings_decisions_and_messages(
    ada: Nightmail, ben: Nightmail
) -> None:
    """The stream begins with the open decisions, and brings what happens then."""
    game, other = started(ada, ben)
    stream = ada.stream()
    first = next(event for event in stream if event.name == "decision")
    other.say("Good luck!")
    message = next(event for event in stream if event.name == "message")

    assert game.id == first.data["game"]
    assert "Good luck!" == message.data["text"]
    assert ["Good luck!"] == [message["text"] for message in game.messages()]


def test_moves_are_made_in_every_form(ada: Nightmail, ben: Nightmail) -> None:
    """A choice, a text and an action are moves, and the receipt says what happened."""
    game, other = started(ada, ben)
    decision = game.decision(every_option=True)
    assert decision is not None
    assert decision["options"]
    assert [game.id] == [each["game"] for each in ada.open_decisions()]
    entry = decision["menu"][0]
    values = [thing["value"] for thing in entry["choice"]["things"]]
    receipt = game.choose(decision, entry, things=[values[0], values[2]])
    other.play("keep all")
    awaited = game if game.decision() else other
    awaited.play({"type": "draw_blind"})
    second = awaited.decision()
    assert second is not None
    awaited.play("draw", second)

    event = receipt["events"][0]["event"]
    assert event["type"] == "opening_tickets_chosen"
    assert 2 == len(event["kept"] or [])
    assert awaited.decision() is None


def test_a_decision_stays_the_same_while_others_choose(ada: Nightmail, ben: Nightmail) -> None:
    """A move at an older version is made all the same, if the decision with its menu is open."""
    game, other = started(ada, ben)
    decision = game.decision()
    assert decision is not None
    other.play("keep all")
    receipt = game.choose(decision, decision["menu"][0])

    assert decision["version"] + 2 == receipt["version"]


def test_refusals_are_exceptions(service: Service, ada: Nightmail, ben: Nightmail) -> None:
    """Each refusal has its class, a stable code, a sentence and, for a move, the rule."""
    game, other = started(ada, ben)
    decision = game.decision()
    assert decision is not None
    with pytest.raises(IllegalMove) as illegal:
        game.play({"type": "keep_tickets", "keep": []})
    game.play("keep all", decision)
    with pytest.raises(Stale) as stale:
        other.play("keep all", decision)
    other.play("keep all")
    waiting = other if game.decision() else game
    with pytest.raises(NotAwaited):
        waiting.play("draw")
    with pytest.raises(NotFound):
        ada.game("nowhere").read()
    with pytest.raises(Forbidden):
        ada.game(ben.open_game(board="usa", seats=2).id).decision()
    with pytest.raises(BadRequest) as bad:
        ada.call("POST", "/v1/games", json={"board": "usa", "seats": "two"})
    with Nightmail(service.url, "nm_wrong") as stranger, pytest.raises(Unauthenticated):
        stranger.me()

    assert ("illegal", 422) == (illegal.value.code, illegal.value.status)
    assert str(illegal.value).endswith(f"[{illegal.value.rule}]")
    assert illegal.value.rule
    assert illegal.value.sentence.endswith(".")
    assert decision["version"] < (stale.value.version or 0)
    assert "seats" == bad.value.faults[0]["at"]


def test_an_ambiguous_move_names_its_candidates(ada: Nightmail, ben: Nightmail) -> None:
    """A text that fits several moves is refused with all of them, and one of them is legal."""
    game, other = started(ada, ben)
    game.play("keep all")
    other.play("keep all")
    awaited = game if game.decision() else other
    ambiguous = None
    while ambiguous is None:
        decision = awaited.decision()
        if decision is None:
            awaited = other if awaited is game else game
            continue
        ambiguous = _ambiguity(awaited, decision)
    awaited.play(ambiguous.candidates[0])

    assert len(ambiguous.candidates) > 1


def _ambiguity(game: Game, decision: models.Decision) -> AmbiguousMove | None:
    """Claim a route that several colours can pay for, or draw a card if there is none."""
    for entry in decision["menu"]:
        colours = {way.split()[1] for way in entry["ways"] if way.split()[0] != "1"}
        if entry["group"] == "claim" and len(colours) > 1:
            try:
                game.play(entry["text"])
            except AmbiguousMove as ambiguous:
                return ambiguous
            return None
    game.play("draw")
    return None


def test_boards_and_lists_can_be_read(ada: Nightmail, ben: Nightmail) -> None:
    """Boards, games page by page, the ladder and any other operation are within reach."""
    for _ in range(3):
        ada.open_game(board="usa", seats=2)

    assert "usa" in [board["id"] for board in ada.boards()]
    assert ada.board("usa")["routes"]
    assert 3 == len(list(ada.games(mine="true", limit=2)))
    assert ada.call("GET", "/v1/ladder")["bots"] == list(ada.ladder(limit=100))
    assert [] == ada.call("GET", "/v1/me/webhooks")["webhooks"]
    assert not ben.has_games()
    assert [] == list(ben.decisions())
