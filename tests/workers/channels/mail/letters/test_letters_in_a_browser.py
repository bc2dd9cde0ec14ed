"""Letters as they look: on a wide and a narrow screen, by day and night, with images blocked."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from service.desk import Desk
from tests.random_games import Table
from tests.service.support.owing import reachable
from tests.workers.channels.mail.letters.positions import (
    Letters,
    shown_html,
    turn_with_cards,
    turn_with_most_tickets,
)
from tests.workers.correspondence import mail, room, sat_down

WIDTHS = (600, 360)
SCHEMES = ("light", "dark")
FIRST_SCREENS = 1_500
"""Pixels within which board, hand and tickets are seen, on a screen 600 pixels wide."""
READABLE = 4.5
"""The contrast of text that WCAG 2 asks for."""
ORDER = [
    *("Open my turn", "Your hand", "Your tickets", "What happened since your last move"),
    *("Score so far", "What you can do", "How to answer"),
]
LONG_NAMES = (
    "Ada-Lovelace the Great of Piccadilly",
    "Ben",
    "Cemalettin-Nakipoglu-van-der-Bergstrasse",
    "Dorotheamaximilianeelisabethinadererste",
    "Eli",
)
TABLES = [
    Table("usa", (), 5),
    Table("usa", ("usa_1910_mega",), 5),
    Table("europe", (), 5),
    Table("uk", ("advanced_technologies",), 4),
]
CONTRASTS = """() => {
  const light = (colour) => {
    const parts = colour.match(/[0-9.]+/g).map(Number).slice(0, 3).map((n) => {
      const part = n / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const ground = (element) => {
    const colour = getComputedStyle(element).backgroundColor;
    return colour === "rgba(0, 0, 0, 0)" ? ground(element.parentElement) : colour;
  };
  const written = (element) => [...element.childNodes].some(
    (node) => node.nodeType === 3 && node.textContent.trim());
  return [...document.querySelectorAll("body *")]
    .filter((element) => written(element) && element.getClientRects().length)
    .map((element) => {
      const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      return [ratio, element.textContent.trim().slice(0, 40)];
    });
}"""


@contextmanager
def opened(browser: Browser, html: str, width: int, scheme: str = "light") -> Iterator[Page]:
    """A letter in a browser window of this width."""
    page = browser.new_page(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    try:
        page.set_content(html)
        yield page
    finally:
        page.close()


def _box(page: Page, words: str) -> dict[str, Any]:
    """Where the heading or link with these words stands."""
    box = page.locator("h2, a.big").filter(has_text=words).first.bounding_box()
    assert box is not None, words
    return dict(box)


def _width(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth"))


def _several(desk: Desk) -> Iterator[str]:
    """Letters of other kinds: about two games, a beginning, an end, and an expired decision."""
    people = [reachable(desk, name) for name in ("Ada", "Ben-with-a-long-name", "Cem")]
    rooms = [sat_down(desk, people, "europe", title=f"Game {n}") for n in range(2)]
    seats = [here.players.index(people[0]) for here in rooms]
    decisions = [here.about("decision_opened", n) for here, n in zip(rooms, seats, strict=True)]
    yield shown_html(mail(desk, *decisions, pictures=True))
    begun = rooms[0].about("game_started", 0, version=0)
    yield shown_html(mail(desk, begun, pictures=True))
    late = rooms[0].about("decision_expired", data={"deadline": "2026-03-01T12:00:00.000Z"})
    rooms[0].play(3)
    yield shown_html(mail(desk, late, pictures=True))
    over = sat_down(desk, people, "usa", ("dice",))
    over.play(4000)
    end = over.about("game_finished", 0, version=over.table.version)
    yield shown_html(mail(desk, end, pictures=True))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_nothing_stands_out_or_cannot_be_read(
    tmp_path: Path, browser: Browser, width: int, scheme: str
) -> None:
    """A turn letter fits the screen, all its text has contrast, also when images are blocked."""
    table = Table("europe", (), 3)
    message = Letters(tmp_path, table).about(*turn_with_cards(table, 16), pictures=True)
    for pictures in (True, False):
        with opened(browser, shown_html(message, pictures=pictures), width, scheme) as page:
            assert _width(page) <= width
            faint = [contrast for contrast in page.evaluate(CONTRASTS) if contrast[0] < READABLE]
            assert [] == faint
            assert "Board Europe; routes claimed" in (
                page.locator("img").get_attribute("alt") or ""
            )
            board = page.locator("img").bounding_box()
            assert board is not None
            assert board["height"] > (200 if pictures else 20)


@pytest.mark.parametrize("width", WIDTHS)
def test_other_letters_fit_the_screen(desk: Desk, browser: Browser, width: int) -> None:
    """Letters of other kinds are no wider than the screen."""
    for html in _several(desk):
        with opened(browser, html, width) as page:
            assert _width(page) <= width, page.locator("h1").first.text_content()


@pytest.mark.parametrize("kind", ["decision_opened", "game_finished"])
@pytest.mark.parametrize(
    ("board", "variants", "seats"),
    [("europe", (), 5), ("uk", ("advanced_technologies",), 4), ("usa", ("dice",), 5)],
    ids=["stations", "technologies", "dice"],
)
def test_score_tables_fit_without_rules_for_screens(
    desk: Desk, browser: Browser, board: str, variants: tuple[str, ...], seats: int, kind: str
) -> None:
    """Score tables fit 360 pixels with long names, also in programs that drop `<style>`."""
    people = [reachable(desk, name) for name in LONG_NAMES[:seats]]
    here = sat_down(desk, people, board, variants)
    here.play(60 if kind == "decision_opened" else 4000)
    seat, version = (here.awaited, None) if kind == "decision_opened" else (0, here.table.version)
    about = here.about(kind, seat, **({"version": version} if version else {}))
    html = re.sub(r"<style>.*?</style>", "", shown_html(mail(desk, about)), flags=re.DOTALL)
    with opened(browser, html, WIDTHS[1]) as page:
        assert _width(page) <= WIDTHS[1]
        assert page.locator("table").count()


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_what_matters_comes_first(table: Table, tmp_path: Path, browser: Browser) -> None:
    """Board, hand and tickets stand within 1,500 pixels, even with the most tickets ever held."""
    letters = Letters(tmp_path, table)
    for log, seat in (turn_with_cards(table, 16), turn_with_most_tickets(table)):
        html = shown_html(letters.about(log, seat, pictures=True))
        with opened(browser, html, WIDTHS[0]) as page:
            tops = [_box(page, words)["y"] for words in ORDER]
            assert sorted(tops) == tops
            board = page.locator("img").bounding_box()
            link = _box(page, "Open my turn")
            assert board is not None
            assert link["y"] < board["y"] < tops[1]
            assert link["height"] >= 44
            tickets = page.locator("h2:has-text('Your tickets') + ul").bounding_box()
            assert tickets is not None
            assert tickets["y"] + tickets["height"] <= FIRST_SCREENS


def test_the_preheader_is_not_seen(desk: Desk, browser: Browser) -> None:
    """The preheader takes no room in the letter."""
    html = shown_html(mail(desk, room(desk).about("decision_opened")))
    with opened(browser, html, WIDTHS[0]) as page:
        hidden = page.locator(".nm_preheader")
        assert "You have 3 days." in (hidden.text_content() or "")
        assert not hidden.is_visible()
