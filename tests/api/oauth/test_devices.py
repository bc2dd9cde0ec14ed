"""Devices: two codes, a page, and polls that must not be too quick."""

import pytest

from service.people.oauth import devices
from service.people.tokens import SCOPES, Caller, revoke
from store.people import accounts
from tests.api.oauth.playing_apps import (
    ISSUER,
    PlayingApp,
    Service,
    enter,
    error_in,
    open_service,
    player,
    tokens_in,
)
from tests.site.visiting import Guest


@pytest.fixture
def television(service: Service) -> PlayingApp:
    """An app without a browser."""
    return PlayingApp(service, "Television")


def test_a_device_is_connected(service: Service, ada: Guest, television: PlayingApp) -> None:
    """A device gets tokens once its user has entered its code, in whatever spelling, and agreed."""
    codes = television.device_codes()
    assert (600, 5) == (codes["expires_in"], codes["interval"])
    assert f"{ISSUER}/device" == codes["verification_uri"]
    complete = codes["verification_uri_complete"].removeprefix(ISSUER)
    assert f'value="{codes["user_code"]}"' in ada.web.get(complete, base_url=ISSUER).text
    assert "authorization_pending" == error_in(television.poll(codes["device_code"]))
    asked = enter(ada, f" {codes['user_code'].lower().replace('-', ' ')}")
    for text in ("Television", codes["user_code"], "Ada", "Play for you"):
        assert text in asked.text
    service.hands.on(seconds=5)
    assert "authorization_pending" == error_in(television.poll(codes["device_code"]))
    assert 200 == enter(ada, codes["user_code"], "allow").status_code
    tokens = tokens_in(television.poll(codes["device_code"]))
    assert "Ada" == television.read(tokens)["name"]
    assert 200 == television.refresh(tokens["refresh_token"]).status_code


def test_a_device_code_works_once(ada: Guest, television: PlayingApp) -> None:
    """Neither of its codes is good for anything after the device has its tokens."""
    codes = television.device_codes()
    enter(ada, codes["user_code"], "allow")
    tokens_in(television.poll(codes["device_code"]))
    assert "invalid_grant" == error_in(television.poll(codes["device_code"]))
    for choice in (None, "allow", "deny"):
        assert 404 == enter(ada, codes["user_code"], choice).status_code


def test_a_device_is_denied(service: Service, ada: Guest, television: PlayingApp) -> None:
    """Who denies a device gives it nothing, and nobody else can approve it any more."""
    codes = television.device_codes()
    assert "denied" in enter(ada, codes["user_code"], "deny").text
    assert "access_denied" == error_in(television.poll(codes["device_code"]))
    assert 404 == enter(player(service, "Ben"), codes["user_code"], "allow").status_code
    assert "access_denied" == error_in(television.poll(codes["device_code"]))


def test_codes_of_devices_expire(service: Service, ada: Guest, television: PlayingApp) -> None:
    """After ten minutes neither code is good, whether or not somebody has agreed."""
    waiting, approved = television.device_codes(), television.device_codes()
    enter(ada, approved["user_code"], "allow")
    service.hands.on(seconds=devices.LIFETIME.total_seconds())
    for codes in (waiting, approved):
        assert "expired_token" == error_in(television.poll(codes["device_code"]))
    assert 404 == enter(ada, waiting["user_code"], "allow").status_code


def test_quick_polls_are_slowed_down(service: Service, television: PlayingApp) -> None:
    """Each poll that comes too early makes the interval longer by five seconds."""
    code = television.device_codes()["device_code"]
    errors = []
    for pause in (0, 5, 4, 9, 14, 20, 19):  # the interval is 5, 5, 5, then 10, 15, 20, 20
        service.hands.on(seconds=pause)
        errors.append(error_in(television.poll(code)))
    pending, slow = "authorization_pending", "slow_down"
    assert [pending, pending, slow, slow, slow, pending, slow] == errors


def test_a_device_code_belongs_to_its_app(
    service: Service, ada: Guest, television: PlayingApp
) -> None:
    """Another app cannot fetch the tokens of a device."""
    codes = television.device_codes()
    enter(ada, codes["user_code"], "allow")
    other = PlayingApp(service, "Other")
    assert "unauthorized_client" == error_in(other.poll(codes["device_code"]))
    assert 200 == television.poll(codes["device_code"]).status_code


@pytest.mark.parametrize("scope", ["manage", "read manage", "session", "app", "x"])
def test_a_device_gets_no_other_scopes(television: PlayingApp, scope: str) -> None:
    """A device asks for the same scopes as other apps."""
    answer = television.post("/oauth/device-authorization", client_id="Television", scope=scope)
    assert "invalid_scope" == error_in(answer)
    assert television.device_codes(scope=None)["user_code"]


def test_a_device_may_ask_for_less(ada: Guest, television: PlayingApp) -> None:
    """A device that names no scope may only read."""
    codes = television.device_codes(scope=None)
    enter(ada, codes["user_code"], "allow")
    assert "read" == tokens_in(television.poll(codes["device_code"]))["scope"]


def test_user_codes_are_not_guessed(service: Service, television: PlayingApp) -> None:
    """Codes are limited by account, the right one, too; there are 25 thousand million."""
    limited = open_service(f"{service.desk.database.url}x", RATE_LIMIT_FAILURES="3/minute")
    try:
        ada = player(limited)
        wrong = [enter(ada, "BBBB-BBBB", choice) for choice in (None, "allow", None)]
        assert [404, 404, 404] == [answer.status_code for answer in wrong]
        codes = PlayingApp(limited, television.client).device_codes()
        blocked = enter(ada, codes["user_code"], "allow")
        assert 429 == blocked.status_code
        assert "authorization_pending" == error_in(
            PlayingApp(limited, television.client).poll(codes["device_code"])
        )
        assert 1 <= int(blocked.headers["Retry-After"]) <= 60
    finally:
        limited.desk.close()


def test_device_codes_are_limited_by_address(service: Service) -> None:
    """Who asks for many codes is told to wait, in the words of RFC 6749."""
    limited = open_service(f"{service.desk.database.url}x", RATE_LIMIT_SIGN_INS="2/minute")
    try:
        fields = {"client_id": "Television"}
        web = limited.app.test_client()
        answers = [web.post("/oauth/device-authorization", data=fields) for _ in range(3)]
        assert [200, 200, 429] == [answer.status_code for answer in answers]
        assert isinstance(answers[2].json, dict)
        assert "temporarily_unavailable" == answers[2].json["error"]
        assert 1 <= int(answers[2].headers["Retry-After"]) <= 60
    finally:
        limited.desk.close()


def test_wrong_codes_and_tokens_are_limited(service: Service) -> None:
    """Guesses at the token endpoint count like wrong tokens of the API."""
    limited = open_service(f"{service.desk.database.url}x", RATE_LIMIT_FAILURES="2/minute")
    try:
        board, codes = PlayingApp(limited), ["nmc_x", "nmc_y", "nmc_z"]
        assert [400, 400, 429] == [board.exchange(code).status_code for code in codes]
        ada = player(limited)
        assert 200 == board.exchange(board.code(ada)).status_code  # a valid one is not
    finally:
        limited.desk.close()


def test_entering_a_code_takes_a_session_and_its_csrf_token(
    service: Service, ada: Guest, television: PlayingApp
) -> None:
    """Strangers sign in first, and no other site can enter or approve a code."""
    codes = television.device_codes()
    stranger = Guest(service.app).web.get(f"/device?user_code={codes['user_code']}")
    assert (303, True) == (
        stranger.status_code,
        stranger.headers["Location"].startswith("/sign-in?next=/device"),
    )
    fields = {"user_code": codes["user_code"], "choice": "allow"}
    assert 403 == ada.web.post("/device", data=fields, base_url=ISSUER).status_code
    assert "authorization_pending" == error_in(television.poll(codes["device_code"]))


def test_a_revoked_session_takes_its_devices_along(
    service: Service, ada: Guest, television: PlayingApp
) -> None:
    """If the session in which a device was approved is revoked, the device gets nothing."""
    first, second = television.device_codes(), television.device_codes()
    for codes in (first, second):
        enter(ada, codes["user_code"], "allow")
    account = television.read(tokens_in(television.poll(first["device_code"])))["id"]
    with service.desk.database.reading() as tx:
        (session,) = [row for row in accounts.tokens_of(tx, account) if row.parent is None]
    revoke(service.desk, Caller(account, "", frozenset(SCOPES)), session.id)
    assert "invalid_grant" == error_in(television.poll(second["device_code"]))
