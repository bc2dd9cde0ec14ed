"""Refresh tokens, access tokens that end, and revoking both."""

from datetime import timedelta

import pytest

from service import housekeeping
from service.people.oauth import grants
from service.people.tokens import SCOPES, Caller, revoke
from store import tables
from store.people import accounts
from tests.api.oauth.playing_apps import (
    ISSUER,
    PlayingApp,
    Service,
    error_in,
    guest_token,
    player,
    tokens_in,
)
from tests.service.support.newcomers import rows
from tests.site.visiting import Guest


def test_tokens_are_renewed(service: Service, ada: Guest, board: PlayingApp) -> None:
    """A refresh gives both tokens anew, with the same scopes; requests on their way still pass."""
    first = board.tokens(ada)
    service.hands.on(seconds=1)
    second = tokens_in(board.refresh(first["refresh_token"]))
    assert first["access_token"] != second["access_token"]
    assert first["refresh_token"] != second["refresh_token"]
    assert "read play" == second["scope"]
    assert [200, 200] == [board.call(tokens).status_code for tokens in (first, second)]
    service.hands.on(seconds=1)
    third = tokens_in(board.refresh(second["refresh_token"]))
    assert [401, 200, 200] == [board.call(tokens).status_code for tokens in (first, second, third)]


def test_an_access_token_expires(service: Service, ada: Guest, board: PlayingApp) -> None:
    """An access token lasts for eight hours, and its refresh token for ninety days of silence."""
    tokens = board.tokens(ada)
    service.hands.on(seconds=tokens["expires_in"] - 1)
    assert 200 == board.call(tokens).status_code
    service.hands.on(seconds=1)
    assert 401 == board.call(tokens).status_code
    service.hands.on(days=89)
    tokens = tokens_in(board.refresh(tokens["refresh_token"]))
    service.hands.on(days=89)
    tokens = tokens_in(board.refresh(tokens["refresh_token"]))
    service.hands.on(days=90)
    assert "invalid_grant" == error_in(board.refresh(tokens["refresh_token"]))


def test_an_old_refresh_token_ends_the_grant(ada: Guest, board: PlayingApp) -> None:
    """If a refresh token comes twice, nobody knows who is the thief: nothing works any more."""
    stolen = board.tokens(ada)
    tokens = tokens_in(board.refresh(stolen["refresh_token"]))
    assert "invalid_grant" == error_in(board.refresh(stolen["refresh_token"]))
    assert 401 == board.call(tokens).status_code
    assert "invalid_grant" == error_in(board.refresh(tokens["refresh_token"]))


def test_a_refresh_token_belongs_to_its_app(
    service: Service, ada: Guest, board: PlayingApp
) -> None:
    """Another app can neither use nor revoke it, and does no harm by trying."""
    tokens, other = board.tokens(ada), PlayingApp(service, "Other")
    assert "invalid_grant" == error_in(other.refresh(tokens["refresh_token"]))
    for text in (tokens["refresh_token"], tokens["access_token"]):
        assert "invalid_grant" == error_in(
            other.post("/oauth/revoke", client_id="Other", token=text)
        )
    assert 200 == board.call(tokens).status_code
    assert 200 == board.refresh(tokens["refresh_token"]).status_code


@pytest.mark.parametrize("asked", ["read play", "play", "manage", "read manage", "session", "app"])
def test_a_refresh_widens_nothing(ada: Guest, board: PlayingApp, asked: str) -> None:
    """A refresh token for `read` gives no other scope, and stays good."""
    tokens = board.tokens(ada, scope="read")
    assert "invalid_scope" == error_in(board.refresh(tokens["refresh_token"], scope=asked))
    renewed = tokens_in(board.refresh(tokens["refresh_token"]))
    assert "read" == renewed["scope"]
    answer = board.call(renewed, "/v1/games", method="POST", json={"board": "usa", "seats": 2})
    assert 403 == answer.status_code


def test_a_refresh_may_narrow(ada: Guest, board: PlayingApp) -> None:
    """An app may take a token for less, and have the rest back with the next one."""
    tokens = tokens_in(board.refresh(board.tokens(ada)["refresh_token"], scope="read"))
    assert "read" == tokens["scope"]
    assert 403 == board.call(tokens, "/v1/commitments", method="POST").status_code
    tokens = tokens_in(board.refresh(tokens["refresh_token"]))
    assert "read play" == tokens["scope"]
    assert 201 == board.call(tokens, "/v1/commitments", method="POST").status_code


@pytest.mark.parametrize("name", ["access_token", "refresh_token"])
@pytest.mark.parametrize("hint", [None, "access_token", "refresh_token"])
def test_revoking_either_token_ends_the_grant(
    ada: Guest, board: PlayingApp, name: str, hint: str | None
) -> None:
    """An app that signs its user out leaves nothing behind; doing it again is no error."""
    tokens, other = board.tokens(ada), board.tokens(ada)
    for _ in range(2):
        answer = board.post(
            "/oauth/revoke", client_id=board.client, token=tokens[name], token_type_hint=hint
        )
        assert (200, {}) == (answer.status_code, answer.json)
    assert 401 == board.call(tokens).status_code
    assert "invalid_grant" == error_in(board.refresh(tokens["refresh_token"]))
    assert 200 == board.call(other).status_code


def test_a_token_of_the_account_is_not_revoked_here(ada: Guest, board: PlayingApp) -> None:
    """Neither a session nor a token from the settings ends at this endpoint."""
    fields = {"csrf_token": guest_token(ada, "/settings"), "label": "bot", "scopes": "read"}
    page = ada.web.post("/settings/tokens", data=fields, base_url=ISSUER).text
    token = page.partition("<code>nm_")[2].partition("<")[0]
    assert (
        200 == board.post("/oauth/revoke", client_id=board.client, token=f"nm_{token}").status_code
    )
    assert 200 == board.call({"access_token": f"nm_{token}"}).status_code


def test_a_refresh_token_is_no_access_token(ada: Guest, board: PlayingApp) -> None:
    """Neither a code nor a refresh token opens the API, nor does an access token refresh."""
    code, tokens = board.code(ada), board.tokens(ada)
    for text in (code, tokens["refresh_token"]):
        assert 401 == board.call({"access_token": text}).status_code
    assert "invalid_grant" == error_in(board.refresh(tokens["access_token"]))
    assert "invalid_grant" == error_in(board.exchange(tokens["access_token"]))


def test_nothing_is_stored_in_plain_text(service: Service, ada: Guest, board: PlayingApp) -> None:
    """The database holds no code, no token and no user code, only hashes."""
    code = board.code(ada)
    texts = [code, *(text for text in tokens_in(board.exchange(code)).values())]
    device = board.device_codes()
    texts += [device["device_code"], device["user_code"], device["user_code"].replace("-", "")]
    path = service.desk.database.url.database
    assert path is not None
    with service.desk.database.reading() as tx:
        tx.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    with open(path, "rb") as stored:  # noqa: PTH123  # the path is a URL's
        content = stored.read()
    secret = [
        text for text in texts if isinstance(text, str) and text not in ("Bearer", "read play")
    ]
    assert [] == [text for text in secret if text.encode() in content]


def test_deleting_the_account_ends_everything(ada: Guest, board: PlayingApp) -> None:
    """After the account is deleted, its apps have no access, and no row of them is left."""
    waiting, tokens = board.code(ada), board.tokens(ada)
    for sure in ("", "yes"):
        fields = {"csrf_token": guest_token(ada, "/settings"), "name": "Ada", "sure": sure}
        ada.web.post("/settings/delete", data=fields, base_url=ISSUER)
    assert 401 == board.call(tokens).status_code
    assert "invalid_grant" == error_in(board.refresh(tokens["refresh_token"]))
    assert "invalid_grant" == error_in(board.exchange(waiting))


def test_signing_out_keeps_apps_and_signing_out_elsewhere_ends_them(
    service: Service, ada: Guest, board: PlayingApp
) -> None:
    """Whoever signs out stays in their apps; a session that is revoked takes its apps along."""
    tokens = board.tokens(ada)
    fields = {"csrf_token": guest_token(ada, "/settings"), "sure": "yes"}
    ada.web.post("/sign-out", data=fields, base_url=ISSUER)
    assert 200 == board.call(tokens).status_code

    ben = player(service, "Ben")
    taken, waiting = board.tokens(ben), board.code(ben)
    with service.desk.database.reading() as tx:
        account = board.read(taken)["id"]
        (session,) = [row for row in accounts.tokens_of(tx, account) if row.parent is None]
    caller = Caller(account, "", frozenset(SCOPES))
    assert 2 == revoke(service.desk, caller, session.id)
    assert 401 == board.call(taken).status_code
    assert "invalid_grant" == error_in(board.refresh(taken["refresh_token"]))
    assert "invalid_grant" == error_in(board.exchange(waiting))


def test_old_rows_are_deleted(service: Service, ada: Guest, board: PlayingApp) -> None:
    """Grants end with their last day; codes are kept for a day, to notice their reuse."""
    tokens = board.tokens(ada)
    board.device_codes()
    codes = tables.oauth_codes, tables.oauth_devices
    housekeeping.tidy(service.desk)
    assert [1, 1] == [len(rows(service.desk, table, "client")) for table in codes]
    service.hands.on(days=2)
    housekeeping.tidy(service.desk)
    assert [0, 0] == [len(rows(service.desk, table, "client")) for table in codes]
    assert 200 == board.refresh(tokens["refresh_token"]).status_code
    service.hands.on(seconds=grants.LIFETIME / timedelta(seconds=1))
    housekeeping.tidy(service.desk)
    assert [] == rows(service.desk, tables.oauth_grants, "client")
