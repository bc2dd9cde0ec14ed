"""Creating, reading and changing accounts."""

from datetime import datetime, timedelta

import pytest

from service.desk import Desk
from service.i18n import times
from service.idempotency import Document
from service.links import signed_links
from service.people import accounts
from service.people.addresses import MOST_CHANGES
from service.people.tokens import Caller, caller_of
from service.refusals import Refused
from store import tables, timestamps
from tests.service.support.newcomers import KEY, code, newcomer, rows
from tests.service.support.threads import at_once


def _confirm(desk: Desk, caller: Caller) -> None:
    with desk.database.writing() as tx:
        tx.execute(tables.accounts.update().values(email_confirmed=timestamps.now()))
    assert accounts.me(desk, caller)["email_confirmed"]


def test_account_with_defaults(desk: Desk) -> None:
    """A name is enough: a person who reads English, in UTC, with mail about each turn."""
    answer = accounts.create(desk, {"name": " Ada "}, None)
    account = answer["account"]

    assert {
        "id": account["id"],
        "name": "Ada",
        "kind": "person",
        "locale": "en",
        "time_zone": "UTC",
        "email": None,
        "email_confirmed": False,
        "bounced": None,
        "new_email": None,
        "new_email_until": None,
        "notifications": {"mode": "each_turn", "quiet_hours": None},
        "absences": [],
        "challenges": False,
        "calendar": signed_links.calendar(desk, account["id"], 0),
        "created": account["created"],
    } == account
    assert {"first", "read play manage"} == {
        answer["token"]["label"],
        " ".join(answer["token"]["scopes"]),
    }
    assert [] == rows(desk, tables.notices, "kind")


def test_account_with_everything(desk: Desk) -> None:
    """All fields are stored in their usual spelling, and the owner reads them."""
    request = {
        "name": "Zoe\u0308",
        "email": "Zoe.B+mail@EXAMPLE.org",
        "kind": "bot",
        "locale": "zh-hant-tw",
        "time_zone": "Europe/Paris",
    }
    answer = accounts.create(desk, request, KEY)
    caller = caller_of(desk, answer["token"]["token"])
    assert caller is not None
    account = accounts.me(desk, caller)

    assert answer["account"] == account
    assert {
        "name": "Zoë",
        "email": "Zoe.B+mail@example.org",
        "kind": "bot",
        "locale": "zh-Hant-TW",
        "time_zone": "Europe/Paris",
    } == {name: account[name] for name in request}


def test_address_is_to_be_confirmed(desk: Desk) -> None:
    """Creating an account with an address causes a letter that asks to confirm the address."""
    ada = newcomer(desk, email="ada@example.org")

    assert [(ada.account, "confirm_address")] == rows(desk, tables.notices, "account", "kind")
    assert not accounts.me(desk, ada)["email_confirmed"]


def test_addresses_of_others_are_not_told(desk: Desk) -> None:
    """An address of another account, even a confirmed one, is accepted like any other."""
    _confirm(desk, newcomer(desk, email="ada@example.org"))
    answer = accounts.create(desk, {"name": "Ben", "email": "ada@example.org"}, None)

    assert ("ada@example.org", False) == (
        answer["account"]["email"],
        answer["account"]["email_confirmed"],
    )


@pytest.mark.parametrize("name", ["Ada", "ADA", "\u0410da", "A.d.a", "Ádà"])
def test_names_are_unique(desk: Desk, name: str) -> None:
    """A name that looks like that of another account is refused, and nothing is stored."""
    newcomer(desk)

    assert "name_taken" == code(desk, {"name": name, "email": "x@example.org"}, KEY)
    assert 1 == len(rows(desk, tables.accounts, "id"))
    assert [] == rows(desk, tables.notices, "id")
    assert [] == rows(desk, tables.answers, "key")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "a\nb"),
        ("name", "x" * 41),
        ("locale", "english please"),
        ("locale", "e"),
        ("locale", "en_GB"),
        ("locale", "en-"),
        ("locale", "en-GB\n"),
        ("locale", "en" + "-abcdefgh" * 4),
        ("time_zone", "Mars/Olympus"),
        ("time_zone", "europe/paris"),
        ("time_zone", "../etc/passwd"),
        ("time_zone", "localtime"),
        ("time_zone", ""),
    ],
)
def test_what_cannot_be_is_refused(desk: Desk, field: str, value: str) -> None:
    """A wrong field is refused by its name, in a new account and in a change."""
    with pytest.raises(Refused) as coming:
        accounts.create(desk, {"name": "Ben", field: value}, None)
    with pytest.raises(Refused) as changing:
        accounts.change(desk, newcomer(desk), {field: value})

    for refused in (coming.value, changing.value):
        assert ("unreadable", field) == (refused.code, refused.more["errors"][0]["at"])


def test_kind_is_person_or_bot(desk: Desk) -> None:
    """Any other kind is refused."""
    assert "unreadable" == code(desk, {"name": "Ada", "kind": "house"})


def test_creating_takes_a_long_key(desk: Desk) -> None:
    """Repeating the request with its key returns the token, so a short key is refused."""
    assert "unreadable" == code(desk, {"name": "Ada"}, KEY[:-1])


def test_same_answer_after_changes(desk: Desk) -> None:
    """A repeated request gets the same answer, although the account has changed since."""
    answer = accounts.create(desk, {"name": "Ada", "email": "a@example.org"}, KEY)
    caller = caller_of(desk, answer["token"]["token"])
    assert caller is not None
    accounts.change(desk, caller, {"name": "Ben", "email": None})

    assert answer == accounts.create(desk, {"name": "Ada", "email": "a@example.org"}, KEY)


def test_changing_leaves_the_rest(desk: Desk) -> None:
    """A change leaves alone the fields that it does not name."""
    ada = newcomer(desk, locale="de", time_zone="Asia/Tokyo")
    before = accounts.me(desk, ada)
    after = accounts.change(desk, ada, {"locale": "pt-br"})

    assert before | {"locale": "pt-BR"} == after == accounts.me(desk, ada)
    assert after == accounts.change(desk, ada, {})


def test_name_can_change(desk: Desk) -> None:
    """A name can change, also only in its spelling, but not to one that is taken."""
    ada = newcomer(desk)
    newcomer(desk, "Ben")

    assert "ADA" == accounts.change(desk, ada, {"name": "ADA"})["name"]
    with pytest.raises(Refused, match="very much like it, is taken"):
        accounts.change(desk, ada, {"name": "BEN"})
    assert "Cem" == accounts.change(desk, ada, {"name": "Cem"})["name"]
    assert newcomer(desk, "Ada")


def test_name_is_taken_at_the_last_moment(each_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that another request takes at the same moment is refused like any taken name."""
    ada = newcomer(each_desk)
    newcomer(each_desk, "Ben")
    monkeypatch.setattr("store.people.accounts.id_by_name", lambda *_: None)

    with pytest.raises(Refused) as refused:
        accounts.change(each_desk, ada, {"name": "Ben"})
    assert "name_taken" == refused.value.code


def test_one_name_for_many_at_once(each_desk: Desk) -> None:
    """Of many concurrent changes to one name, one succeeds and the others are refused."""
    callers = [newcomer(each_desk, f"Bot {n * 7}") for n in range(8)]

    def act(n: int) -> str:
        try:
            accounts.change(each_desk, callers[n], {"name": "Ada"})
        except Refused as refused:
            return refused.code
        return "changed"

    assert ["changed"] + ["name_taken"] * 7 == sorted(at_once(8, act))


def test_changes_at_once_are_not_lost(each_desk: Desk) -> None:
    """Concurrent changes to different settings do not undo each other."""
    ada = newcomer(each_desk)
    changes: list[Document] = [
        {"notifications": {"mode": "digest"}},
        {"notifications": {"quiet_hours": {"from": "22:00", "to": "07:00"}}},
        {"absences": [{"from": "2099-01-01", "to": "2099-01-03"}]},
        {"email": "ada@example.org"},
    ]
    at_once(4, lambda n: accounts.change(each_desk, ada, changes[n]))
    account = accounts.me(each_desk, ada)

    assert {"mode": "digest", "quiet_hours": {"from": "22:00", "to": "07:00"}} == account[
        "notifications"
    ]
    assert [{"from": "2099-01-01", "to": "2099-01-03"}] == account["absences"]
    assert "ada@example.org" == account["email"]


def test_address_can_be_removed(desk: Desk) -> None:
    """Null removes the address and its confirmation at once; the old address gets a letter."""
    ada = newcomer(desk, email="ada@example.org")
    _confirm(desk, ada)
    account = accounts.change(desk, ada, {"email": None})

    assert (None, False) == (account["email"], account["email_confirmed"])
    assert {("confirm_address",), ("address_replaced",)} == {*rows(desk, tables.notices, "kind")}


def test_nobody_floods_strangers(desk: Desk) -> None:
    """Confirmation letters are limited by day, however often an account changes its address."""
    ada = newcomer(desk, email="a0@example.org")
    for n in range(1, MOST_CHANGES):
        accounts.change(desk, ada, {"email": None})
        accounts.change(desk, ada, {"email": f"a{n}@example.org"})
    with pytest.raises(Refused) as refused:
        accounts.change(desk, ada, {"email": "one@more.example.org"})

    assert "rate_limited" == refused.value.code
    assert 0 < refused.value.more["retry_after"] <= 24 * 3600
    assert MOST_CHANGES == len(rows(desk, tables.notices, "id"))


def test_next_day_addresses_change_again(desk: Desk) -> None:
    """A day later an address can be changed again."""
    ada = newcomer(desk, email="a0@example.org")
    for n in range(1, MOST_CHANGES):
        accounts.change(desk, ada, {"email": f"a{n}@example.org"})
    tomorrow = timestamps.later(timestamps.now(), timedelta(hours=24))

    assert accounts.change(desk._replace(now=lambda: tomorrow), ada, {"email": "b@example.org"})


def test_notification_settings(desk: Desk) -> None:
    """Mode and quiet hours are set one by one or together; null takes the hours away."""
    ada = newcomer(desk)
    hours = {"from": "22:00", "to": "07:00"}

    def stored_settings(settings: Document) -> Document:
        document: Document = accounts.change(desk, ada, {"notifications": settings})[
            "notifications"
        ]
        return document

    assert {"mode": "off", "quiet_hours": None} == stored_settings({"mode": "off"})
    assert {"mode": "off", "quiet_hours": hours} == stored_settings({"quiet_hours": hours})
    assert {"mode": "merged", "quiet_hours": None} == stored_settings(
        {"mode": "merged", "quiet_hours": None}
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"mode": "loud"},
        {"mode": None},
        {"quiet_hours": {"from": "24:00", "to": "07:00"}},
        {"quiet_hours": {"from": "7:00", "to": "08:00"}},
        {"quiet_hours": {"from": "07:00", "to": "07:00"}},
        {"quiet_hours": {"from": "07:00\n", "to": "08:00"}},
        {"quiet_hours": {"from": "\u0660\u0667:00", "to": "08:00"}},
    ],
)
def test_settings_that_cannot_be(desk: Desk, settings: Document) -> None:
    """Unknown modes and wrong hours are refused and change nothing."""
    ada = newcomer(desk)
    with pytest.raises(Refused) as refused:
        accounts.change(desk, ada, {"name": "Ben", "notifications": settings})

    assert "unreadable" == refused.value.code
    assert "Ada" == accounts.me(desk, ada)["name"]


def test_absences_are_kept(desk: Desk) -> None:
    """An absence is read as it was sent, and can be sent back unchanged."""
    ada = newcomer(desk, time_zone="Pacific/Auckland")
    day = (datetime.now(times.zone("Pacific/Auckland")).date() + timedelta(days=400)).isoformat()
    account = accounts.change(desk, ada, {"absences": [{"from": day, "to": day}]})

    assert [{"from": day, "to": day}] == account["absences"]
    assert account == accounts.change(desk, ada, {"absences": account["absences"]})
