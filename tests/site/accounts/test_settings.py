"""The settings pages: profile, address, mail, absences, tokens, webhooks and the calendar."""

import re

import pytest
from flask import Flask

from service.desk import Desk
from service.people import addresses, sessions, tokens
from store.people import accounts
from tests.api.serving import signed_in
from tests.promises.support.database_checks import rows
from tests.service.support.tables import owed
from tests.site.visiting import Guest


def _saved(desk: Desk, address: str = "ada@example.org") -> accounts.Account:
    with desk.database.reading() as tx:
        (account,) = accounts.with_address(tx, address)
    return account


@pytest.mark.parametrize("url", ["/", "/settings"])
def test_the_address_of_the_service_is_named(app: Flask, desk: Desk, url: str) -> None:
    """The front page and the settings say where to write to play by mail."""
    address = desk.settings.service_address
    page = Guest(app, "Ada").web.get(url).text
    assert "write <code>help</code>" in page
    assert f'to <a href="mailto:{address}">{address}</a>' in page


def test_everything_is_saved(app: Flask, desk: Desk) -> None:
    """The forms store name, time zone, language, mail mode, quiet hours and absences."""
    ada = Guest(app, "Ada")
    ada.send("/settings/profile", name="Ada L", time_zone="Europe/Paris", locale="pt-br")
    ada.send("/settings/mail", mode="digest", quiet_from="22:00", quiet_to="07:00")
    ada.send("/settings/absences", **{"from": "2031-07-01", "to": "2031-07-10"})
    ada.send("/settings/absences", **{"from": "2030-07-01"})
    saved = _saved(desk)
    assert ("Ada L", "Europe/Paris", "pt-BR") == (saved.name, saved.time_zone, saved.locale)
    assert "digest" == saved.settings["notifications"]["mode"]
    assert {"from": "22:00", "to": "07:00"} == saved.settings["notifications"]["quiet_hours"]
    days = [absence["from"] for absence in saved.settings["absences"]]
    assert ["2030-07-01", "2031-07-01"] == days
    ada.send("/settings/absences", drop="2031-07-01 2031-07-10")
    assert ["2030-07-01"] == [absence["from"] for absence in _saved(desk).settings["absences"]]
    assert "Remove 1 Jul 2030<" in ada.web.get("/settings").text


def test_a_form_leads_to_what_became_of_it(app: Flask) -> None:
    """A form redirects to its own section of the page, which says that it was saved."""
    ada = Guest(app, "Ada")
    page = ada.web.get("/settings").text
    assert "Saved." not in page
    for part, fields in {
        "profile": {"name": "Ada"},
        "address": {"email": "new@example.org"},
        "mail": {"mode": "off"},
        "absences": {"from": "2030-07-01", "to": "2030-07-03"},
    }.items():
        assert f'action="/settings/{part}#{part}"' in page
        where = ada.send(f"/settings/{part}", **fields).headers["Location"]
        assert f"/settings?saved={part}#{part}" == where
        text = ada.web.get(where).text.partition(f'id="{part}"')[2]
        assert text.index("Saved.") < text.index(f'action="/settings/{part}#{part}"')
    assert "Remove 1 Jul 2030 to 3 Jul 2030" in ada.web.get("/settings").text


WRONG: list[tuple[str, dict[str, str]]] = [
    ("profile", {"name": ""}),
    ("profile", {"name": "Ben"}),
    ("profile", {"time_zone": "Moon"}),
    ("mail", {"mode": "loud"}),
    ("mail", {"mode": "off", "quiet_from": "22:00"}),
    ("address", {"email": "nonsense"}),
    ("absences", {"from": "2030-07-02", "to": "2030-07-01"}),
    ("absences", {"from": "soon"}),
    ("tokens", {"label": "", "scopes": "read"}),
    ("tokens", {"label": "x"}),
    ("webhooks", {"url": "nonsense", "types": "game.started"}),
    ("delete", {"name": "Eve"}),
]


def test_what_cannot_be_is_said_and_not_saved(app: Flask, desk: Desk) -> None:
    """A form with a wrong field is refused with the reason, and nothing is stored."""
    ada = Guest(app, "Ada")
    Guest(app, "Ben")
    before = rows(desk.database)
    for path, fields in WRONG:
        answer = ada.send(f"/settings/{path}", **fields)
        status = 409 if fields == {"name": "Ben"} else 400
        assert (status, True) == (answer.status_code, 'role="alert"' in answer.text), path
    assert before == rows(desk.database)


def test_letters_that_ask_for_confirmation_are_rare(app: Flask, desk: Desk) -> None:
    """An address gets five confirmation letters at most, from the settings or by signing up."""
    ada = Guest(app, "Ada")  # owes the first letter
    answers = [ada.send("/settings/confirm") for _ in range(5)]
    assert [303] * 4 + [429] == [answer.status_code for answer in answers]
    assert re.search(r"try again in \d+ (hour|minute)", answers[-1].text)
    before = rows(desk.database)
    given = {"name": "Eve", "email": "ADA@example.org"}
    assert 429 == Guest(app).send("/sign-up", "/sign-in", **given).status_code
    assert before == rows(desk.database)


def test_a_token_is_shown_once(app: Flask) -> None:
    """A new token is shown once, and opens the API until it is revoked."""
    ada = Guest(app, "Ada")
    shown = ada.send("/settings/tokens", label="my bot", scopes=["read", "play"]).text
    token = re.search(r"nm_[A-Za-z0-9]{32}", shown)
    assert token is not None
    bearer = {"Authorization": f"Bearer {token[0]}"}
    assert 200 == app.test_client().get("/v1/me/decisions", headers=bearer).status_code
    page = ada.web.get("/settings").text
    assert token[0] not in page
    revoke = re.findall(r'action="(/settings/tokens/[^"]+/revoke)#tokens"', page)
    assert 303 == ada.send(revoke[0]).status_code
    assert 401 == app.test_client().get("/v1/me/decisions", headers=bearer).status_code


def test_tokens_outlive_signing_out_and_not_a_stolen_session(app: Flask, desk: Desk) -> None:
    """A token survives its browser's sign-out, but not a sign-out from another browser."""
    ada = Guest(app, "Ada")
    account = _saved(desk).id
    callers = []
    for browser in ("Phone", "Laptop"):
        session = tokens.session_of(desk, signed_in(desk, account, browser))
        assert session is not None
        body = {"label": f"by {browser}", "scopes": ["read"]}
        made = tokens.create(desk, session, body, None, outlives=True)
        callers.append((session, tokens.caller_of(desk, made["token"])))
    (phone, by_phone), (laptop, by_laptop) = callers
    tokens.sign_out(desk, phone)
    answer = ada.send(f"/settings/tokens/{laptop.token}/revoke", part="browsers")

    assert "created with it: 2 in all" in ada.web.get(answer.location).text
    assert by_phone is not None
    assert by_laptop is not None
    assert (True, False) == (
        tokens.is_valid(desk, by_phone),
        tokens.is_valid(desk, by_laptop),
    )


def test_another_browser_is_signed_out(app: Flask, desk: Desk) -> None:
    """The list offers to sign out the other browser only, and that ends its session."""
    ada = Guest(app, "Ada")
    cookie = signed_in(desk, _saved(desk).id, "Phone")
    page = ada.web.get("/settings").text
    (other,) = re.findall(r'action="(/settings/tokens/[^"]+/revoke)#tokens"', page)
    ada.send(other, part="browsers")
    assert sessions.visitor_of(desk, cookie) is None
    assert 200 == ada.web.get("/settings").status_code


def test_a_hook_is_made_pinged_and_deleted(app: Flask) -> None:
    """A webhook can be pinged, changed and deleted; its page does not repeat the secret."""
    ada = Guest(app, "Ada")
    types = ["game.started", "decision.opened"]
    made = ada.send("/settings/webhooks", url="http://127.0.0.1:9/", types=types).text
    assert "whsec_" in made
    (path,) = re.findall(
        r'href="(/settings/webhooks/[^"]+)"', ada.web.get("/settings/webhooks").text
    )
    assert "whsec_" not in ada.web.get(path).text
    for choice in ("ping", "off", "on"):
        assert 303 == ada.send(path, choice=choice).status_code
    assert "webhook.ping" in ada.web.get(path).text
    assert 404 == ada.send(path, choice="again", delivery="nothing").status_code
    assert "whsec_" in ada.send(path, choice="rotate").text
    assert 404 == Guest(app, "Ben").web.get(path).status_code
    assert 200 == ada.send(path, choice="delete").status_code
    assert 200 == ada.web.get(path).status_code
    assert 303 == ada.send(path, choice="delete", sure="yes").status_code
    assert 404 == ada.web.get(path).status_code


def test_an_account_goes(app: Flask, desk: Desk) -> None:
    """The form with the account's name asks once more, and then deletes account and session."""
    ada = Guest(app, "Ada")
    question = ada.send("/settings/delete", name="Ada")
    assert (200, True) == (question.status_code, "there is no way back" in question.text)
    assert 200 == ada.web.get("/settings").status_code
    assert 303 == ada.send("/settings/delete", name="Ada", sure="yes").status_code
    assert [] == rows(desk.database)["accounts"]
    assert 303 == ada.web.get("/settings").status_code


def _confirmed(desk: Desk, address: str = "ada@example.org") -> str:
    account = _saved(desk, address).id
    with desk.database.writing() as tx:
        accounts.change(tx, account, {"email_confirmed": desk.now()})
    return account


def test_a_new_address_waits(app: Flask, desk: Desk) -> None:
    """A new address stays pending, whatever else is saved, until the old one is saved again."""
    ada = Guest(app, "Ada")
    account = _confirmed(desk)
    for _ in range(2):
        ada.send("/settings/address", email="new@example.org")
    ada.send("/settings/mail", mode="off", email="ada@example.org")  # as old pages send it
    shown = ada.web.get("/settings").text
    assert "<strong>new@example.org</strong> is not confirmed yet" in shown
    assert 'value="new@example.org"' in shown
    assert 303 == ada.send("/settings/confirm").status_code
    kinds = [kind for kind, _, _ in owed(desk)]
    assert ["confirm_address"] * 3 == kinds  # one of them for the first address
    assert 303 == ada.send("/settings/address", email="ada@example.org").status_code
    assert "new@example.org" not in ada.web.get("/settings").text
    assert ("ada@example.org", None) == (_saved(desk).email, _saved(desk).new_email)
    assert account == _saved(desk).id


@pytest.mark.parametrize("way", ["/settings/address", "/settings/confirm"])
@pytest.mark.parametrize("stood", ["confirmed", "open"])
def test_an_address_that_mail_came_back_from_is_no_dead_end(
    app: Flask, desk: Desk, way: str, stood: str
) -> None:
    """The page names an address that bounced, and saving it or asking again owes a letter."""
    ada = Guest(app, "Ada")
    account = _confirmed(desk) if stood == "confirmed" else _saved(desk).id
    addresses.record_complaint(desk, account, "ada@example.org")
    assert "Mail to <strong>ada@example.org</strong> bounced" in ada.web.get("/settings").text
    before = len(owed(desk))
    assert 303 == ada.send(way, email="ada@example.org").status_code
    assert [("confirm_address", account, None)] == owed(desk)[before:]
    shown = ada.web.get("/settings").text
    assert (True, False) == ("is not confirmed yet" in shown, "came back" in shown)


def test_mail_does_not_go_where_it_came_back_from(app: Flask, desk: Desk) -> None:
    """While a new address is pending, the page does not say that mail goes to a bounced one."""
    ada = Guest(app, "Ada")
    account = _confirmed(desk)
    ada.send("/settings/address", email="new@example.org")
    assert "Until then your mail goes to ada@example.org" in ada.web.get("/settings").text
    addresses.record_complaint(desk, account, "ada@example.org")
    shown = ada.web.get("/settings").text
    assert "new@example.org</strong> is not confirmed yet" in shown
    assert "your mail goes to ada@example.org" not in shown


def test_a_new_address_that_mail_came_back_from_can_be_saved_again(app: Flask, desk: Desk) -> None:
    """A pending address that bounced can be saved again, and then waits for confirmation."""
    ada = Guest(app, "Ada")
    account = _confirmed(desk)
    ada.send("/settings/address", email="new@example.org")
    addresses.record_complaint(desk, account, "new@example.org")
    assert "Our email to <strong>new@example.org</strong> bounced" in ada.web.get("/settings").text
    ada.send("/settings/address", email="new@example.org")
    assert "new@example.org</strong> is not confirmed yet" in ada.web.get("/settings").text


KEPT: list[tuple[str, str, dict[str, str], str]] = [
    ("/settings", "profile", {"name": "", "time_zone": "Asia/Tokyo", "locale": "ro"}, "name"),
    ("/settings", "profile", {"name": "Ben", "locale": "ro"}, "name"),
    ("/settings", "address", {"email": "non@sense"}, "email"),
    ("/settings", "mail", {"mode": "off", "quiet_from": "22:00"}, "quiet_to"),
    ("/settings", "absences", {"from": "2030-07-02", "to": "2030-07-01"}, "from"),
    ("/settings", "tokens", {"label": "my bot"}, "scopes"),
    ("/settings", "delete", {"name": "Eve"}, "name"),
    ("/settings/webhooks", "webhooks", {"url": "nonsense", "types": "game.started"}, "url"),
    ("/games/new", "new", {"seats": "2", "easy": "2", "title": "Sunday"}, "easy"),
    ("/games/new", "new", {"seats": "3", "title": "x" * 90, "guests": "ben"}, "title"),
]


@pytest.mark.parametrize(("page", "form", "fields", "wrong"), KEPT)
def test_what_was_typed_stays(
    app: Flask, page: str, form: str, fields: dict[str, str], wrong: str
) -> None:
    """A refused form keeps what was typed, and marks the wrong field with its message."""
    ada = Guest(app, "Ada")
    Guest(app, "Ben")
    where = page if form in ("webhooks", "new") else f"{page}/{form}"
    shown = ada.send(where, page, **({"board": "usa"} if form == "new" else {}), **fields).text
    named = re.findall(r"<(?:input|select|textarea)[^>]*>", shown)
    meant = [tag for tag in named if "aria-invalid" in tag]
    assert any(f'name="{wrong}"' in tag for tag in meant), shown
    described = {re.findall(r'aria-describedby="([^"]+)"', tag)[0] for tag in meant}
    assert all(f'role="alert" id="{id}"' in shown for id in described)
    for name, value in fields.items():
        held = re.escape(value)
        assert re.search(
            rf'name="{name}" value="{held}"|name="{name}"[^>]*>{held}<|<option selected>{held}<'
            rf'|value="{held}"[^>]* (checked|selected)',
            shown,
        ), name


def test_a_calendar_gets_a_new_address(app: Flask) -> None:
    """After the form for a new calendar URL, even sent twice, the old URL gets 404."""
    ada = Guest(app, "Ada")

    def address() -> str:
        match = re.search(r"/calendar/[^<]+\.ics", ada.web.get("/settings").text)
        assert match is not None
        return match[0]

    token, old = ada.csrf_token("/settings"), address()
    pressed = [
        ada.web.post("/settings/calendar", data={"csrf_token": token, "key": "k"}) for _ in "ab"
    ]
    assert [303, 303] == [answer.status_code for answer in pressed]
    assert [404, 200] == [ada.web.get(url).status_code for url in (old, address())]
