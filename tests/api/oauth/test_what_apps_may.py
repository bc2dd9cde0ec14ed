"""What the token of a connected app opens, and what it does not."""

import re
import threading

import pytest

from api.http.auth import BEARER
from service.people.oauth import grants
from tests.api.oauth.playing_apps import (
    ISSUER,
    PlayingApp,
    Service,
    guest_token,
    json_in,
    player,
    tokens_in,
)
from tests.api.serving import newcomer
from tests.site.visiting import Guest

GAME = {"board": "usa", "seats": 2, "bots": {"easy": 1}}
FOREIGN = (
    ("PATCH", "/v1/me", {"name": "Mallory"}),
    ("DELETE", "/v1/me", None),
    ("POST", "/v1/me/confirmation", None),
    ("POST", "/v1/me/calendar", None),
    ("GET", "/v1/me/tokens", None),
    ("POST", "/v1/me/tokens", {"label": "x", "scopes": ["read"]}),
    ("DELETE", "/v1/me/tokens/x", None),
    ("GET", "/v1/me/webhooks", None),
    ("POST", "/v1/me/webhooks", {"url": "https://x.example/"}),
    ("GET", "/v1/me/webhooks/x", None),
    ("PATCH", "/v1/me/webhooks/x", {"on": False}),
    ("DELETE", "/v1/me/webhooks/x", None),
    ("POST", "/v1/me/webhooks/x/ping", None),
    ("POST", "/v1/me/webhooks/x/secret", None),
    ("GET", "/v1/me/webhooks/x/deliveries", None),
    ("GET", "/v1/me/webhooks/x/deliveries/x", None),
    ("POST", "/v1/me/webhooks/x/deliveries/x/redeliver", None),
    ("GET", "/v1/me/destinations", None),
    ("POST", "/v1/me/destinations", {"channel": "discord", "address": "https://x.example/"}),
    ("GET", "/v1/me/destinations/x", None),
    ("PATCH", "/v1/me/destinations/x", {"on": False}),
    ("DELETE", "/v1/me/destinations/x", None),
    ("POST", "/v1/me/destinations/x/test", None),
    ("GET", "/v1/me/held-mail", None),
)
"""Operations on the account; whether it exists is not looked up."""


def test_an_app_plays(ada: Guest, board: PlayingApp) -> None:
    """With both scopes an app opens a game, sees the decision and makes a move."""
    tokens = board.tokens(ada)
    game = board.read(tokens, "/v1/games", method="POST", json=GAME)["id"]
    assert 200 == board.call(tokens, f"/v1/games/{game}/decision").status_code
    played = board.call(tokens, f"/v1/games/{game}/moves", method="POST", json={"text": "keep all"})
    assert 201 == played.status_code, played.text


def test_an_app_gives_orders_and_writes_notes(ada: Guest, board: PlayingApp) -> None:
    """What the consent page says beside moves: with `play`, and not with `read` alone."""
    tokens, reader = board.tokens(ada), board.tokens(ada, scope="read")
    game = board.read(tokens, "/v1/games", method="POST", json=GAME)["id"]
    board.call(tokens, f"/v1/games/{game}/moves", method="POST", json={"text": "keep all"})
    for name, body in (
        ("orders", {"text": "draw"}),
        ("notebook", {"notes": "Blue!", "sketch": []}),
    ):
        path = f"/v1/games/{game}/{name}"
        assert 403 == board.call(reader, path, method="PUT", json=body).status_code
        answer = board.call(tokens, path, method="PUT", json=body)
        assert 200 == answer.status_code, answer.text
        assert 200 == board.call(reader, path).status_code


def test_an_app_does_not_touch_the_account(ada: Guest, board: PlayingApp) -> None:
    """No app manages the account, or sees its tokens, webhooks, channels and mail."""
    tokens = board.tokens(ada)
    for method, path, body in FOREIGN:
        answer = board.call(tokens, path, method=method, json=body)
        assert (403, method, path) == (answer.status_code, method, path)


def test_every_operation_says_whether_apps_may(service: Service) -> None:
    """The document lists `oauth2` for the operations that the previous test does not know."""
    document = service.app.test_client().get("/openapi.json").json
    assert isinstance(document, dict)
    closed = {
        (method.upper(), re.sub(r"\{[^}]+\}", "x", path))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method != "parameters"
        and {"token"} == {scheme for way in operation["security"] for scheme in way}
        and {} not in operation["security"]
    }
    assert {(method, path) for method, path, _ in FOREIGN} == closed
    flow = document["components"]["securitySchemes"]["oauth2"]["flows"]["authorizationCode"]
    assert {"read", "play"} == set(flow["scopes"])


def test_an_app_sees_no_addresses(ada: Guest, board: PlayingApp) -> None:
    """Neither the player's own addresses, nor the calendar link, nor those of invited guests."""
    tokens = board.tokens(ada)
    me = board.read(tokens)
    hidden = ("email", "bounced", "new_email", "new_email_until", "calendar")
    assert dict.fromkeys(hidden) == {name: me[name] for name in hidden}
    game = board.read(tokens, "/v1/games", method="POST", json={"board": "usa", "seats": 3})
    path = f"/v1/games/{game['id']}/invitations"
    board.call(tokens, path, method="POST", json={"email": "guest@example.org"})
    listed = board.call(tokens, path)
    assert 1 == len(json_in(listed)["invitations"])
    assert "guest@example.org" not in listed.text
    assert "ada@example.org" not in board.call(tokens).text


def test_read_only_apps_change_nothing(ada: Guest, board: PlayingApp) -> None:
    """An app with `read` cannot play, and one with `play` alone cannot read."""
    reader, hand = board.tokens(ada, scope="read"), board.tokens(ada, scope="play")
    assert 403 == board.call(reader, "/v1/games", method="POST", json=GAME).status_code
    assert 403 == board.call(hand).status_code
    game = board.read(hand, "/v1/games", method="POST", json=GAME)["id"]
    for path in ("decision", "notebook", "orders"):
        assert 403 == board.call(hand, f"/v1/games/{game}/{path}").status_code
    assert 200 == board.call(reader, f"/v1/games/{game}/decision").status_code


def test_tokens_of_apps_are_not_listed_as_programs(ada: Guest, board: PlayingApp) -> None:
    """The settings list an app once, under connected apps, with what it may do."""
    board.tokens(ada, scope="read")
    page = ada.web.get("/settings", base_url=ISSUER).text
    programs, _, apps = page.partition('id="apps"')
    assert "<strong>Board</strong>" not in programs
    apps = apps.partition("</section>")[0]
    for text in ("<strong>Board</strong>", "http://127.0.0.1:5173", "See what you see"):
        assert text in apps
    assert "Play for you: move" not in apps


def test_an_app_is_disconnected_in_the_settings(
    service: Service, ada: Guest, board: PlayingApp
) -> None:
    """Disconnecting ends the tokens of this app at once, and of no other one."""
    tokens = board.tokens(ada)
    service.hands.on(seconds=1)
    other = PlayingApp(service, "Other").tokens(ada)
    page = ada.web.get("/settings", base_url=ISSUER).text
    newest, path = re.findall(r'action="(/settings/apps/[^"]+)"', page)
    assert newest != path
    fields = {"csrf_token": guest_token(ada, "/settings")}
    assert 403 == ada.web.post(path, data={}, base_url=ISSUER).status_code
    ended = ada.web.post(path, data=fields, base_url=ISSUER)
    assert "/settings?saved=apps#apps" == ended.headers["Location"]
    assert "Disconnected." in ada.web.get(ended.headers["Location"], base_url=ISSUER).text
    assert 401 == board.call(tokens).status_code
    assert 400 == board.refresh(tokens["refresh_token"]).status_code
    assert 200 == board.call(other).status_code
    assert 404 == ada.web.post(path, data=fields, base_url=ISSUER).status_code


def test_nobody_disconnects_the_apps_of_others(
    service: Service, ada: Guest, board: PlayingApp
) -> None:
    """The id of a grant is no use to another account."""
    tokens = board.tokens(ada)
    page = ada.web.get("/settings", base_url=ISSUER).text
    (path,) = re.findall(r'action="(/settings/apps/[^"]+)"', page)
    ben = player(service, "Ben")
    fields = {"csrf_token": guest_token(ben, "/settings")}
    assert 404 == ben.web.post(path, data=fields, base_url=ISSUER).status_code
    assert 200 == board.call(tokens).status_code


def test_a_session_is_no_token_and_a_token_no_session(
    service: Service, ada: Guest, board: PlayingApp
) -> None:
    """The cookie of a browser opens no API, and an app's token in a cookie opens no page."""
    tokens = board.tokens(ada)
    cookie = ada.web.get_cookie("__Host-nightmail", domain="trains.example")
    assert cookie is not None
    assert 401 == board.call({"access_token": cookie.value}).status_code
    thief = Guest(service.app)
    thief.web.set_cookie("__Host-nightmail", tokens["access_token"], domain="trains.example")
    assert 303 == thief.web.get("/settings", base_url=ISSUER).status_code


def test_the_oldest_grant_ends_when_there_are_too_many(
    service: Service, ada: Guest, board: PlayingApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one grant too many, the one that was renewed longest ago ends."""
    monkeypatch.setattr(grants, "MOST_GRANTS", 2)
    second, first = board.tokens(ada), board.tokens(ada)
    service.hands.on(seconds=1)
    second = tokens_in(board.refresh(second["refresh_token"]))
    last = board.tokens(ada)
    assert [401, 200, 200] == [board.call(tokens).status_code for tokens in (first, second, last)]


def test_pages_of_any_site_may_call_the_endpoints(service: Service) -> None:
    """The endpoints for apps answer preflights and share their answers; the pages do not."""
    web = service.app.test_client()
    ask = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    for path in ("/oauth/token", "/oauth/revoke", "/oauth/device-authorization"):
        preflight = web.options(path, headers=ask)
        assert 204 == preflight.status_code
        assert "*" == preflight.headers["Access-Control-Allow-Origin"]
        assert "Access-Control-Allow-Credentials" not in preflight.headers
        answer = web.post(path, data={}, headers={"Origin": "https://app.example"})
        assert (400, "*") == (answer.status_code, answer.headers["Access-Control-Allow-Origin"])
    for path in ("/oauth/authorize", "/device", "/settings"):
        for answer in (web.options(path, headers=ask), web.get(path)):
            assert "Access-Control-Allow-Origin" not in answer.headers
            assert "Access-Control-Allow-Methods" not in answer.headers


def test_refresh_tokens_do_not_look_like_tokens() -> None:
    """The pattern of bearer tokens matches neither codes nor refresh tokens."""
    for text in ("nmr_", "nmc_", "nmd_"):
        assert BEARER.fullmatch(f"Bearer {text}{'x' * 40}") is None


def test_two_requests_with_one_code_give_one_grant(
    service: Service, ada: Guest, board: PlayingApp
) -> None:
    """Of two requests at the same moment one fails, and no token of the code is left."""
    code, answers = board.code(ada), []
    barrier = threading.Barrier(2)

    def run() -> None:
        app = PlayingApp(service)
        barrier.wait()
        answers.append(app.exchange(code))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [200, 400] == sorted(answer.status_code for answer in answers)
    (first,) = [json_in(answer) for answer in answers if answer.status_code == 200]
    assert 401 == board.call(first).status_code


def test_own_tokens_still_see_everything(service: Service) -> None:
    """A token of the account's own sees its address and its calendar link."""
    web = service.app.test_client()
    _, header = newcomer(web, "Ben", email="ben@example.org")
    me = web.get("/v1/me", headers=header).json
    assert isinstance(me, dict)
    assert "ben@example.org" == me["email"]
    assert me["calendar"].startswith("https://")
