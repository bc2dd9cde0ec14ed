"""The pages about channels, without JavaScript."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from service.desk import Desk
from tests.api.serving import fresh_app
from tests.site.visiting import Guest
from tests.support.destinations import base, deliver
from tests.support.hook_receiver import Receiver, Reply, receiving

PAGE = "/settings/channels"


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[Flask, Desk]]:
    """A service that may call this machine."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db", WEBHOOK_TARGETS="any")
    yield app, desk
    desk.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver that takes everything."""
    with receiving() as made:
        yield made


def added(ada: Guest, url: str, **more: object) -> str:
    """Add a topic with the form, and return the path of its page."""
    fields = {"channel": "ntfy", "url": url, "types": "game.finished", **more}
    answer = ada.send(PAGE, PAGE, **fields)
    assert 303 == answer.status_code, answer.text
    return answer.headers["Location"].partition("?")[0]


def test_a_topic_is_added_and_tested(both: tuple[Flask, Desk], receiver: Receiver) -> None:
    """The form adds a destination; its page looks again by itself until the test has arrived."""
    app, desk = both
    ada = Guest(app, "Ada")
    assert f'href="{PAGE}"' in ada.web.get("/settings").text
    page = added(ada, f"{base(receiver)}/my-topic", label="My phone")
    ada.send(page, page, choice="test")
    waiting = ada.web.get(page).text
    assert "The test is on its way" in waiting
    assert 'http-equiv="refresh"' in waiting
    deliver(desk, "ntfy")
    arrived = ada.web.get(page).text
    assert "The test has arrived." in arrived
    assert 'http-equiv="refresh"' not in arrived
    assert "My phone" in ada.web.get(PAGE).text
    assert "my-topic" not in ada.web.get(PAGE).text + arrived


def test_only_channels_that_the_operator_has_set_up_are_listed(app: Flask, tmp_path: Path) -> None:
    """Telegram is in the settings of a service with a bot, and only there."""
    has_bot = {"TELEGRAM_BOT": "trains_bot", "TELEGRAM_TOKEN": "123456:" + 35 * "x"}
    with_bot, desk = fresh_app(f"sqlite:///{tmp_path}/bot.db", **has_bot)
    pages = [Guest(each, "Ada").web.get("/settings").text for each in (app, with_bot)]
    desk.close()
    assert [False, True] == ["<strong>Telegram</strong>" in page for page in pages]
    assert all("<strong>Discord</strong>" in page for page in pages)


def test_a_failed_test_says_why(both: tuple[Flask, Desk], receiver: Receiver) -> None:
    """The page shows the reason; a destination that was ended is named on “My games”, too."""
    app, desk = both
    ada = Guest(app, "Ada")
    page = added(ada, f"{base(receiver)}/my-topic", label="My phone")
    receiver.usually = lambda _: Reply(404)
    ada.send(page, page, choice="test")
    deliver(desk, "ntfy")
    text = ada.web.get(page).text
    assert "The test did not arrive:" in text
    assert text.count("The other side does not know this address any more.") >= 2
    assert "Messages no longer arrive at My phone." in ada.web.get("/games").text

    ada.send(page, page, choice="on")
    assert "Messages no longer arrive" not in ada.web.get("/games").text


def test_a_refused_form_keeps_what_was_typed(both: tuple[Flask, Desk]) -> None:
    """A wrong address is explained beside the form, which stays open and filled in."""
    app, _ = both
    ada = Guest(app, "Ada")
    answer = ada.send(PAGE, PAGE, channel="ntfy", url="nonsense", types="game.finished", label="x")
    assert 400 == answer.status_code
    form = answer.text.partition('id="ntfy"')[2].partition("</details>")[0]
    assert 'role="alert"' in form
    assert 'value="nonsense" aria-invalid="true"' in form
    assert re.search(r'value="game.finished" checked', form)
    assert not re.search(r'value="game.started" checked', form)
    assert " open>" in answer.text.partition('id="ntfy"')[2][:20]


def test_it_is_changed_and_removed(both: tuple[Flask, Desk], receiver: Receiver) -> None:
    """Types and label are saved; removing asks first."""
    app, _ = both
    ada = Guest(app, "Ada")
    page = added(ada, f"{base(receiver)}/t")
    ada.send(page, page, choice="save", types=["game.started"], label="Two", game="")
    text = ada.web.get(page).text
    assert 'value="game.started" checked' in text
    assert 'value="game.finished" checked' not in text
    asked = ada.send(page, page, choice="remove")
    assert "Remove “Two”?" in asked.text
    assert "Two" in ada.web.get(PAGE).text
    ada.send(page, page, choice="remove", sure="yes")
    assert 404 == ada.web.get(page).status_code


def test_strangers_and_others_see_nothing(both: tuple[Flask, Desk], receiver: Receiver) -> None:
    """The pages are for their owner, and a form without a CSRF token changes nothing."""
    app, _ = both
    ada, eve = Guest(app, "Ada"), Guest(app, "Eve")
    page = added(ada, f"{base(receiver)}/t")
    assert 404 == eve.web.get(page).status_code
    assert 404 == eve.send(page, PAGE, choice="test").status_code
    assert 303 == app.test_client().get(PAGE).status_code
    assert 403 == ada.web.post(page, data={"choice": "remove", "sure": "yes"}).status_code
    assert 200 == ada.web.get(page).status_code


def test_what_is_not_set_up_is_not_offered(both: tuple[Flask, Desk]) -> None:
    """Without a bot and an account on a homeserver, the page does not offer them."""
    app, _ = both
    text = Guest(app, "Ada").web.get(PAGE).text
    assert 'id="discord"' in text
    assert 'id="telegram"' not in text
    assert 'id="matrix"' not in text
