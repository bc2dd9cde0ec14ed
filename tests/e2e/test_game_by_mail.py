"""A whole game that is played from mail programs only, over real sockets."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest

from service.games import log_files
from tests.e2e.reader import (
    MX,
    OfferedOption,
    link_for,
    links_in,
    open_form,
    options_in,
    reply,
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

NAMES = ("ada", "ben", "cem")


class Mailed(NamedTuple):
    """A running service, the SMTP server that gets its letters, and the port of its inbox."""

    web: Web
    office: PostOffice
    inbox: int


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
            yield Mailed(web, office, inbox)


@pytest.mark.long
def test_three_play_europe_by_mail(postgres_cluster: Cluster) -> None:
    """Three people play to the end by replies and links; the log is valid and fits the letters."""
    with mailed(postgres_cluster) as there:
        players = [_newcomer(there, name) for name in NAMES]
        game = game_opened(there.web, *players, board="europe")
        by = _play(there)

        log = ask(there.web, "GET", f"/v1/games/{game}/log", None, players[0].token)
        assert 200 == log.status
        checked = log_files.checked(log.body)
        sources = Counter(str(line.get("source")) for line in checked.log.lines if "action" in line)
        assert {"mail", "link"} == set(sources) - {"house", "None"}
        assert min(by["mail"], by["link"]) > 20
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


def _play(there: Mailed) -> Counter[str]:
    """Answer each decision once, by reply or link, until all are told that the game is over."""
    answered: set[str] = set()
    seen, by = 0, Counter[str]()
    over: set[str] = set()
    while len(over) < len(NAMES):
        letter = there.office.nth(seen)
        seen += 1
        if "is over" in _subject(letter):
            over.add(letter.recipient)
        listed, to = options_in(letter), str(letter.message["Reply-To"])
        if not listed or to in answered:
            continue
        answered.add(to)
        chosen = _best(listed)
        if len(answered) % 2:
            reply(letter, str(chosen.n) if len(answered) % 3 else chosen.text, port=there.inbox)
            by["mail"] += 1
        else:
            link = link_for(letter, chosen)
            form = open_form(link)
            value = next(
                value for _, value in form.choices if value in (str(chosen.n), chosen.text)
            )
            assert submit_form(link, form, value) in (200, 409)
            by["link"] += 1
    return by


def _best(listed: list[OfferedOption]) -> OfferedOption:
    """The claim that takes most cards, so that the game ends; else a draw or the first option."""
    claims = [option for option in listed if option.text.startswith("claim")]
    if claims:
        return max(
            claims, key=lambda option: sum(map(int, re.findall(r" (\d+) ", option.text + " ")))
        )
    drawing = [option for option in listed if option.text in ("draw", "draw tickets")]
    return drawing[0] if drawing else listed[0]
