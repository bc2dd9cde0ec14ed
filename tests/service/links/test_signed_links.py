"""Signed links: payloads, signatures and expiry."""

import base64
import dataclasses
import itertools
import secrets

import pytest

from api.http.request import LONGEST_PATH
from service.desk import Desk
from service.links import signed_links
from service.settings import Settings
from store.people import signed_links as link_rows
from tests.service.support.tables import player, table
from tests.support.mail_links import action_link, path

OTHER = "another key in no less than 32 characters"


def _token(link: str) -> str:
    return link.rsplit("/", 1)[1].removesuffix(".ics")


def _all(desk: Desk) -> dict[str, str]:
    """A link of every purpose."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    return {
        "action": action_link(desk, game, 0, 0, "keep"),
        "letter": signed_links.confirm_letter(desk, game, 0, 0, ["keep all", "draw"], desk.now()),
        "commands": signed_links.confirm_commands(desk, ada, "ada@example.org", ["open usa 2"]),
        "turn": signed_links.turn(desk, game, 0, 0),
        "forwarded": signed_links.forwarded(desk, game, 0),
        "address": signed_links.confirm_address(desk, ada, "ada@example.org"),
        "sign_in": signed_links.sign_in(desk, ada, "ada@example.org", {"key": "k"}, desk.now()),
        "unsubscribe": signed_links.unsubscribe(desk, ada, game),
        "invitation": signed_links.invitation(desk, "some"),
        "opt_out": signed_links.opt_out(desk, "f" * 64),
        "table": signed_links.table(desk, game, 0),
        "calendar": signed_links.calendar(desk, ada, 0),
    }


def test_links_say_what_they_are_for(each_desk: Desk) -> None:
    """A link of every purpose can be read again, and begins with PUBLIC_URL."""
    links = _all(each_desk)

    assert set(signed_links.FIELDS) == set(links)
    for purpose, link in links.items():
        assert link.startswith(f"{each_desk.settings.public_url}/")
        payload = signed_links.read(each_desk, purpose, _token(link))
        assert payload is not None
        assert set(signed_links.FIELDS[purpose]) == set(payload)
    payload = signed_links.read(each_desk, "letter", _token(links["letter"]))
    assert payload is not None
    assert ["keep all", "draw"] == payload["lines"]


def test_links_serve_one_purpose(desk: Desk) -> None:
    """A link of one kind is not accepted as another kind."""
    links = _all(desk)

    for purpose, other in itertools.permutations(signed_links.FIELDS, 2):
        assert signed_links.read(desk, purpose, _token(links[other])) is None


def test_a_changed_link_is_nothing(desk: Desk) -> None:
    """A link with any character changed, removed or doubled is not accepted."""
    token = _token(_all(desk)["action"])

    for at, char in enumerate(token[:-1]):  # the last one has unused bits
        other = "A" if char != "A" else "B"
        for text in (token[:at] + other + token[at + 1 :], token[:at] + token[at + 1 :]):
            assert signed_links.read(desk, "action", text) is None
    for text in ("", ".", "a.b", token + "A", token.lower(), "é" * 40, "=" * 200):
        assert signed_links.read(desk, "action", text) is None


def test_guesses_never_hit(desk: Desk) -> None:
    """None of 100,000 guessed signatures for a real payload is accepted."""
    words, _ = _token(_all(desk)["forwarded"]).rsplit(".", 1)

    for _ in range(100_000):
        guess = f"{words}.{secrets.token_urlsafe(32)}"
        assert signed_links.read(desk, "forwarded", guess) is None


def test_signatures_are_long(desk: Desk) -> None:
    """A signature has 256 bits."""
    for link in _all(desk).values():
        signature = _token(link).rsplit(".", 1)[1]
        assert 32 == len(base64.urlsafe_b64decode(f"{signature}="))


def test_keys_rotate(desk: Desk) -> None:
    """Old links are valid as long as the old key is listed, and no longer."""
    old = desk.settings.secret_keys[0]
    links = _all(desk)
    settings = {
        keys: desk._replace(settings=_with_keys(desk, *keys)) for keys in ((OTHER, old), (OTHER,))
    }

    for purpose, link in links.items():
        assert signed_links.read(settings[OTHER, old], purpose, _token(link)) is not None
        assert signed_links.read(settings[(OTHER,)], purpose, _token(link)) is None
    ada = player(desk, "Cem")
    fresh = signed_links.calendar(settings[OTHER, old], ada, 0)
    assert signed_links.read(settings[(OTHER,)], "calendar", _token(fresh)) is not None
    assert signed_links.read(desk, "calendar", _token(fresh)) is None


def _with_keys(desk: Desk, *keys: str) -> Settings:
    return dataclasses.replace(desk.settings, secret_keys=keys)


def test_links_are_made_alike_again(each_desk: Desk) -> None:
    """Making a link for the same decision again gives the same link."""
    game, _ = table(each_desk, "Ada", "Ben")

    links = {action_link(each_desk, game, 1, 0, "keep") for _ in range(5)}
    assert 1 == len(links)


def test_renewed_links_are_others(each_desk: Desk) -> None:
    """After a seat's links were made void, new ones have the next generation number."""
    game, _ = table(each_desk, "Ada", "Ben")
    before = action_link(each_desk, game, 0, 0, "keep")
    with each_desk.database.writing() as tx:
        assert link_rows.void_links(tx, game, 0, 0)
        assert not link_rows.void_links(tx, game, 0, 0)
    after = action_link(each_desk, game, 0, 0, "keep")

    assert before != after
    payload = signed_links.read(each_desk, "action", _token(after))
    assert payload is not None
    assert 1 == payload["links"]


def test_no_address_stands_in_a_link(desk: Desk) -> None:
    """The payload of a link that confirms an address does not contain the address."""
    link = signed_links.confirm_address(desk, player(desk, "Ada"), "ada@example.org")

    words = _token(link).split(".")[0]
    assert b"ada" not in base64.urlsafe_b64decode(words + "=" * (-len(words) % 4))


@pytest.mark.parametrize("lines", [0, 1, 20, 400])
def test_links_are_short_enough(desk: Desk, lines: int) -> None:
    """The link to confirm a reply fits into the longest path, however long the reply is."""
    game, _ = table(desk, "Ada", "Ben")
    reply_lines = [secrets.token_urlsafe(60) for _ in range(lines)]
    link = signed_links.confirm_letter(desk, game, 0, 0, reply_lines, desk.now())

    assert LONGEST_PATH >= len(path(link))
    read = signed_links.read(desk, "letter", _token(link))
    assert read is not None
    assert reply_lines[: len(read["lines"])] == read["lines"]
    assert bool(lines) == bool(read["lines"])


def test_links_of_another_make_are_nothing(desk: Desk) -> None:
    """A signed payload with other fields, as of an older version, is not read."""
    token = signed_links._serializer(desk.settings.secret_keys, "action").dumps(["game", 1])

    assert signed_links.read(desk, "action", str(token)) is None


def test_links_expire(desk: Desk) -> None:
    """A link expires at the time in its payload."""
    for until, over in (("2026-01-01T00:00:00.000Z", True), ("2026-01-01T00:00:00.001Z", False)):
        payload = {"until": until}
        at = desk._replace(now=lambda: "2026-01-01T00:00:00.000Z")
        assert over == signed_links.is_expired(at, payload)


def test_links_need_a_seat(desk: Desk) -> None:
    """A link for a seat that does not exist is a programming error."""
    game, _ = table(desk, "Ada", "Ben")

    with pytest.raises(LookupError):
        action_link(desk, game, 7, 0, "keep")
