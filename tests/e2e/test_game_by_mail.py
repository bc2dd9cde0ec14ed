"""A whole game that is played from mail programs only, over real sockets."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser

from service.games import log_files
from service.views.menu_entries import MOST
from tests.amounts import amount
from tests.e2e.late_start import advance
from tests.e2e.reader import (
    MX,
    OfferedEntry,
    entries_in,
    html_of,
    links_in,
    open_form,
    reply,
    submit_first,
    submit_form,
    text_of,
)
from tests.promises.support.http_calls import ask
from tests.promises.support.processes import running
from tests.promises.support.web_server import Player, Web, newcomer
from tests.promises.support.web_server import opened as game_opened
from tests.support.child_servers import free_port
from tests.support.servers import Cluster, own_redis
from tests.support.smtp_server import Letter, PostOffice, post_office
from tests.support.waiting import until
from tests.workers.channels.mail.letters.positions import shown_html

NAMES = ("ada", "ben", "cem")
MOST_HTML = 80_000
MOST_TEXT = 20_000
LEAST = amount(5, soak=20)
"""Moves that are more than made by reply, and by link."""
HEIGHT = 750
"""Pixels of a small window."""


class Mailed(NamedTuple):
    """A running service, the SMTP server that gets its letters, and the port of its inbox."""

    web: Web
    office: PostOffice
    inbox: int
    redis: str


@contextmanager
def mailed(cluster: Cluster) -> Iterator[Mailed]:
    """Web, worker, clock and inbox on PostgreSQL and Redis, with a real mail server outside."""
    with post_office() as office, own_redis() as redis, cluster.fresh_database() as url:
        inbox = free_port()
        environ = {
            "REDIS_URL": redis.url(),
            "SMTP_URL": office.url,
            "INBOX_BIND": f"127.0.0.1:{inbox}",
            "MAIL_AUTHSERV": MX,
        }
        with running(url, "worker", "clock", "inbox", **environ) as (web, _):
            yield Mailed(web, office, inbox, redis.url())


@pytest.mark.long
def test_three_play_europe_by_mail(postgres_cluster: Cluster, browser: Browser) -> None:
    """Three people play to the end by replies and links; the log is valid and fits the letters.

    In `make test` they begin late in the game.

    No letter is long, and nobody has to scroll more than once for board, hand and tickets.
    """
    with mailed(postgres_cluster) as there:
        players = [_newcomer(there, name) for name in NAMES]
        game = game_opened(there.web, *players, board="europe")
        start = advance(there.web.url, there.redis, game, there.office)
        by = _play(there, browser, start.letter)

        log = ask(there.web, "GET", f"/v1/games/{game}/log", None, players[0].token)
        assert 200 == log.status
        checked = log_files.checked(log.body)
        played = [line for line in checked.log.lines if line.get("move", 0) > start.moves]
        sources = {str(line.get("source")) for line in played if "action" in line}
        assert {"mail", "link"} == sources - {"house", "None"}
        assert min(by["mail"], by["link"]) > LEAST
        for name in NAMES:
            (last,) = [
                letter
                for letter in there.office.to(_address(name))
                if "is over" in _subject(letter)
            ]
            assert str(checked.log.lines[-2]["hash"]) in text_of(last)


def _address(name: str) -> str:
    return f"{name}@example.org"


def _subject(letter: Letter) -> str:
    return str(letter.message["Subject"]).lower()


def _newcomer(there: Mailed, name: str) -> Player:
    """Create a player, and confirm the address by the link in the letter."""
    player = newcomer(there.web, f"{name.title()} of Mail", email=_address(name))
    until(lambda: bool(there.office.to(_address(name))), "a letter that asks")
    (letter,) = there.office.to(_address(name))
    (link,) = links_in(letter, "/confirm/")
    form = open_form(link)
    assert 200 == submit_form(link, form, "yes")
    assert ask(there.web, "GET", "/v1/me", None, player.token).json["email_confirmed"]
    return player


def _play(there: Mailed, browser: Browser, seen: int) -> Counter[str]:
    """Answer each decision once, by reply or link, until all are told that the game is over."""
    answered: set[str] = set()
    by = Counter[str]()
    over: set[str] = set()
    while len(over) < len(NAMES):
        letter = there.office.nth(seen)
        seen += 1
        if "is over" in _subject(letter):
            over.add(letter.recipient)
        listed, to = entries_in(letter), str(letter.message["Reply-To"])
        if not listed or to in answered:
            continue
        answered.add(to)
        _fits(letter, listed)
        if len(answered) % 20 == 1:
            _takes_one_scroll(browser, letter)
        chosen = best_of(listed)
        if len(answered) % 2:
            reply(letter, answer_of(chosen, in_words=not len(answered) % 3), port=there.inbox)
            by["mail"] += 1
        else:
            form = open_form(chosen.link)
            assert submit_first(chosen.link, form) in (200, 409)
            by["link"] += 1
    return by


def _fits(letter: Letter, listed: list[OfferedEntry]) -> None:
    """Check that a letter is short: nothing of it is cut, and nobody has to scroll for long."""
    assert len(listed) <= MOST
    assert len(html_of(letter).encode()) <= MOST_HTML
    assert len(text_of(letter).encode()) <= MOST_TEXT


def _takes_one_scroll(browser: Browser, letter: Letter) -> None:
    """Check that the tickets, below board and hand, are on the second screen at the latest."""
    page = browser.new_page(viewport={"width": 600, "height": HEIGHT})
    page.set_content(shown_html(letter.message))
    tickets = page.locator("h2:has-text('Your tickets') + *").bounding_box()
    page.close()
    assert tickets is not None
    assert tickets["y"] + tickets["height"] <= 2 * HEIGHT


def answer_of(entry: OfferedEntry, *, in_words: bool) -> str:
    """What a person writes: the number, with what is paid if there are several ways, or words."""
    if entry.title == "Keep tickets":
        return "keep all"
    if in_words and entry.title.startswith("Claim "):
        cities = entry.title.removeprefix("Claim ").partition(" (")[0]
        return f"claim {cities.replace('ø', 'o')} with {entry.ways[0]}"
    return f"{entry.number} with {entry.ways[0]}" if len(entry.ways) > 1 else str(entry.number)


def best_of(listed: list[OfferedEntry]) -> OfferedEntry:
    """The claim for most points, so that the game ends; else a draw or the first entry."""
    claims = [entry for entry in listed if entry.title.startswith("Claim")]
    if claims:
        return max(claims, key=lambda entry: entry.points)
    drawing = [entry for entry in listed if entry.title.startswith("Draw ")]
    return drawing[0] if drawing else listed[0]
