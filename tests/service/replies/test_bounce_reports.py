"""Bounces as the common mail servers write them, kept in the folder `reports`."""

from pathlib import Path

import pytest
from sqlalchemy import select

from service.desk import Desk
from store.tables import accounts, mail_providers
from tests.service.support.addresses import bounce_address
from tests.service.support.post import Post, opened

REPORTS = Path(__file__).with_name("reports")
GONE = ["without_status", *(path.stem for path in REPORTS.glob("*_gone*.eml"))]
POLICY = [path.stem for path in REPORTS.glob("*_policy.eml")]
OTHER = sorted({path.stem for path in REPORTS.glob("*.eml")} - {*GONE, *POLICY})


def _report(name: str, letter: str = "letter-1") -> bytes:
    text = (REPORTS / f"{name}.eml").read_text().replace("letter-1", letter)
    return text.replace("\n", "\r\n").encode()


def _take_twice(post: Post, name: str) -> None:
    """Receive the report about two letters, an hour apart."""
    back = bounce_address(post.desk, post.players[0], "seat0@example.org")
    for hour, letter in ((12, "letter-1"), (13, "letter-2")):
        assert not _is_muted(post)
        then = post.at(f"2026-03-02T{hour}:00:00.000Z")
        assert then.take(_report(name, letter), back, sender="") in ("bounced", "automatic")


def _is_muted(post: Post) -> bool:
    with post.desk.database.reading() as tx:
        rows = tx.scalars(select(accounts.c.bounced)).all()
    return any(rows)


def _refusals(post: Post) -> int:
    with post.desk.database.reading() as tx:
        return sum(tx.scalars(select(mail_providers.c.refused)))


def test_there_are_reports_of_every_common_server() -> None:
    """Each of the common servers has a report about a missing address."""
    servers = {name.partition("_")[0] for name in GONE}
    assert servers >= {"postfix", "exim", "qmail", "exchange", "outlook", "gmail", "sendmail"}
    assert servers >= {"yahoo", "icloud"}


@pytest.mark.parametrize("name", sorted(GONE))
def test_a_missing_address_is_recognised(desk: Desk, name: str) -> None:
    """Two reports that there is no such address stop mail to it, and count as no refusal."""
    post = opened(desk)
    _take_twice(post, name)
    assert (True, 0) == (_is_muted(post), _refusals(post))


@pytest.mark.parametrize("name", sorted(POLICY))
def test_a_refusal_for_policy_mutes_nobody(desk: Desk, name: str) -> None:
    """Reports of a refusal for policy stop no mail, and are counted for the operator."""
    post = opened(desk)
    _take_twice(post, name)
    assert (False, 2) == (_is_muted(post), _refusals(post))


@pytest.mark.parametrize("name", OTHER)
def test_other_reports_change_nothing(desk: Desk, name: str) -> None:
    """A full mailbox, a large letter, a delay and an absence neither stop mail nor count."""
    post = opened(desk)
    _take_twice(post, name)
    assert (False, 0) == (_is_muted(post), _refusals(post))
