"""Signing in with an authorization code, and the ways to steal or bend one."""

import pytest

from service.people.oauth import codes
from tests.api.oauth.playing_apps import (
    REDIRECT,
    VERIFIER,
    PlayingApp,
    Service,
    challenge_of,
    error_in,
    fields_of,
    player,
    tokens_in,
)
from tests.site.visiting import Guest

WRONG_VERIFIERS = (
    *(None, "", "short", VERIFIER + "x", VERIFIER[:-1], VERIFIER.upper()),
    *(challenge_of(VERIFIER), "x" * 129, "é" * 50),
)


def test_a_code_is_exchanged_for_tokens(ada: Guest, board: PlayingApp) -> None:
    """An app gets tokens for the player who agreed, and its state comes back to it."""
    answer = board.answer(ada, state='a "quoted" state')
    assert 303 == answer.status_code
    assert answer.headers["Location"].startswith(f"{REDIRECT}?code=")
    came_back = fields_of(answer.headers["Location"])
    assert 'a "quoted" state' == came_back["state"]
    exchanged = board.exchange(came_back["code"])
    tokens = tokens_in(exchanged)
    assert ("Bearer", 8 * 3600, "read play") == (
        tokens["token_type"],
        tokens["expires_in"],
        tokens["scope"],
    )
    assert "no-store" == exchanged.headers["Cache-Control"]
    assert "Ada" == board.read(tokens)["name"]


def test_a_code_works_once_and_takes_its_tokens_with_it(ada: Guest, board: PlayingApp) -> None:
    """A code that comes again ends the grant: both tokens of the first exchange are dead."""
    code = board.code(ada)
    tokens = tokens_in(board.exchange(code))
    assert 200 == board.call(tokens).status_code
    assert "invalid_grant" == error_in(board.exchange(code))
    assert 401 == board.call(tokens).status_code
    assert "invalid_grant" == error_in(board.refresh(tokens["refresh_token"]))


@pytest.mark.parametrize("verifier", WRONG_VERIFIERS)
def test_a_code_is_worth_nothing_without_its_verifier(
    ada: Guest, board: PlayingApp, verifier: str | None
) -> None:
    """Whoever has stolen a code lacks the verifier; the app itself can still use the code."""
    code = board.code(ada)
    assert error_in(board.exchange(code, code_verifier=verifier)).startswith("invalid_")
    assert 200 == board.call(tokens_in(board.exchange(code))).status_code


@pytest.mark.parametrize(
    "redirect",
    [
        *(None, "http://127.0.0.1:5174/back", f"{REDIRECT}/", f"{REDIRECT}?x=1", REDIRECT[:-1]),
        *("http://localhost:5173/back", "http://127.0.0.1:5173/BACK", "https://evil.example/back"),
    ],
)
def test_the_redirect_address_is_the_same_in_both_requests(
    ada: Guest, board: PlayingApp, redirect: str | None
) -> None:
    """Any port will do when the player is asked, but then the address is fixed."""
    code = board.code(ada)
    assert "invalid_grant" == error_in(board.exchange(code, redirect_uri=redirect))
    assert 200 == board.exchange(code).status_code


def test_a_code_belongs_to_its_app(service: Service, ada: Guest, board: PlayingApp) -> None:
    """Another app cannot use a code, even with the verifier, and does not use it up."""
    code = board.code(ada)
    assert "invalid_grant" == error_in(PlayingApp(service, "Other").exchange(code))
    assert 200 == board.exchange(code).status_code


def test_a_code_belongs_to_who_agreed(service: Service, ada: Guest, board: PlayingApp) -> None:
    """A code of Ada's gives Ada's tokens, and Ben's code Ben's, whoever exchanges them."""
    ben = player(service, "Ben")
    codes_of = {"Ada": board.code(ada), "Ben": board.code(ben)}
    for name, code in codes_of.items():
        assert name == board.read(tokens_in(board.exchange(code)))["name"]


def test_a_code_is_injected_in_vain(service: Service, ada: Guest, board: PlayingApp) -> None:
    """An attacker's code in the victim's app fails: the victim's app has another verifier."""
    mallory = player(service, "Mallory")
    stolen = board.code(mallory, code_challenge=challenge_of("m" * 43))
    assert "invalid_grant" == error_in(board.exchange(stolen))
    assert "Ada" == board.read(board.tokens(ada))["name"]


def test_a_code_expires(service: Service, ada: Guest, board: PlayingApp) -> None:
    """After two minutes a code is void."""
    soon, late = board.code(ada), board.code(ada)
    service.hands.on(seconds=codes.LIFETIME.total_seconds() - 1)
    assert 200 == board.exchange(soon).status_code
    service.hands.on(seconds=1)
    assert "invalid_grant" == error_in(board.exchange(late))


@pytest.mark.parametrize(
    "changes",
    [
        {"code_challenge": None},
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge_method": None},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": "plain", "code_challenge": VERIFIER},
        {"code_challenge_method": "s256"},
        {"code_challenge": "short"},
        {"code_challenge": challenge_of(VERIFIER) + "="},
        {"code_challenge": challenge_of(VERIFIER) + "x"},
        {"code_challenge": "~" * 43},
        {"code_challenge": challenge_of(VERIFIER) + "\n"},
    ],
)
def test_a_challenge_is_a_hash(
    ada: Guest, board: PlayingApp, changes: dict[str, str | None]
) -> None:
    """A request without a challenge, or with a plain one, gets no code."""
    answer = board.answer(ada, **changes)
    assert 400 == answer.status_code
    assert "Location" not in answer.headers
