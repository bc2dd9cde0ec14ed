"""The Python client of openapi-generator."""

import json
import random
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from service.games.log_files import checked
from tests.amounts import amount
from tests.clients.generating import by_openapi_generator, imported, with_times
from tests.clients.running import Service

PACKAGE = "made_by_openapi_generator"
TABLES: list[tuple[str, list[str]]] = [
    ("usa", []),
    ("europe", []),
    ("uk", []),
    ("usa", ["dice"]),
    ("europe", ["dice"]),
    ("uk", ["dice"]),
]
LOOKS = 25
"""Rounds between two looks at the whole game."""
BOUND = 3000

Generated = Any
"""Anything from the generated package, which the type checker does not know."""

numbers = count(1)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Generated]:
    """The package that openapi-generator has made from the document."""
    folder = tmp_path_factory.mktemp("openapi-generator")
    by_openapi_generator(folder, "python", packageName=PACKAGE, generateSourceCodeOnly="true")
    with imported(folder, PACKAGE) as package:
        yield package


def chosen(made: Generated, decision: Generated, rng: random.Random) -> Generated:
    """Choose a move: a claim if possible, so that games end soon."""
    claims = [entry for entry in decision.menu if entry.group == "claim"]
    entry = rng.choice(claims or decision.menu)
    answer = made.ChooseRequest(entry=entry.n)
    if entry.ways:
        answer.way = rng.choice(entry.ways)
    if entry.choice:
        values = [thing.value for thing in entry.choice.things]
        answer.things = rng.sample(values, rng.randint(entry.choice.least, entry.choice.most))
    return made.MoveRequest(choose=answer)


class Player:
    """A player who calls the service with the generated client alone."""

    def __init__(self, made: Generated, service: Service, rng: random.Random) -> None:
        self.made, self.rng = made, rng
        nobody = made.ApiClient(made.Configuration(host=service.url))
        request = made.AccountRequest(name=f"Generated {next(numbers)}", kind="bot")
        token = made.AccountsApi(nobody).create_account(request).token.token
        client = made.ApiClient(made.Configuration(host=service.url, access_token=token))
        self.games, self.moves = made.GamesApi(client), made.MovesApi(client)
        self.events = made.EventsApi(client)

    def moved(self, game: str) -> bool:
        """Answer the open decision of this game, if there is one."""
        decision = read(self.moves.read_decision_with_http_info(game))
        if decision is None:
            return False
        body = chosen(self.made, decision, self.rng)
        version = f'"{decision.version}"'
        read(self.moves.make_move_with_http_info(game, body, if_match=version))
        return True


def read(answer: Generated) -> Generated:
    """Return what the client has read, after checking that it has lost nothing on the way."""
    if answer.data is not None:
        again = json.loads(answer.data.to_json())
        assert with_times(json.loads(answer.raw_data)) == with_times(again)
    return answer.data


@pytest.mark.parametrize(("board", "variants"), TABLES[: amount(3, soak=len(TABLES))])
def test_its_client_plays_a_whole_game(
    service: Service, made: Generated, board: str, variants: list[str]
) -> None:
    """Clients play both seats of a game, reading every field, and the log verifies."""
    rng = random.Random(f"{board} {variants}")
    ada, ben = Player(made, service, rng), Player(made, service, rng)
    request = made.GameRequest(board=board, variants=variants, seats=2)
    game = read(ada.games.open_game_with_http_info(request)).id
    read(ben.games.take_seat_with_http_info(game, seat_request=made.SeatRequest(nonce="tea")))
    for round_ in range(BOUND):
        if round_ % LOOKS == 0:  # some of what happened is hidden
            read(ben.events.list_events_with_http_info(game))
            read(ben.games.read_game_with_http_info(game))
        if not any([ada.moved(game), ben.moved(game)]):
            break
    seen = read(ada.games.read_game_with_http_info(game))
    page = read(ben.events.list_events_with_http_info(game))
    replay = checked(bytes(ada.games.read_log(game)))
    assert ("finished", board) == (seen.status, replay.log.opening.board)
    assert replay.ended is not None
    assert seen.result.winners == list(replay.ended.winners)
    assert "EventGameStarted" == type(page.events[0].event.actual_instance).__name__


def test_it_reads_a_refusal(service: Service, made: Generated) -> None:
    """A refused call raises an exception with the problem in it."""
    ada = Player(made, service, random.Random(0))
    with pytest.raises(made.exceptions.NotFoundException) as refused:
        ada.games.read_game("nowhere")
    assert (made.Problem, "not_found") == (type(refused.value.data), refused.value.data.code)


def test_a_clock_is_asked_for(service: Service, made: Generated) -> None:
    """A clock is an object of its own, and is shown as it was sent."""
    ada = Player(made, service, random.Random(0))
    window = made.ClockWindowRequest(var_from="08:00", to="22:00")
    clock = made.ClockRequest(per_decision=3600, window=window, time_zone="Europe/Paris")
    opened = ada.games.open_game(made.GameRequest(board="usa", seats=2, clock=clock))
    assert ("custom", 3600, "08:00") == (
        opened.pace,
        opened.clock.per_decision,
        opened.clock.window.var_from,
    )
