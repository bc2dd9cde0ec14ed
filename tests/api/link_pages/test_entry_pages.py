"""The pages of the menu behind links in emails: one entry with its ways or things, or all."""

import re
from html import unescape

import pytest

from engine import Entry, text_of
from engine.text import points
from service.boards import atlas
from service.games import lobby
from service.links import signed_links
from store.games import games
from tests.promises.support.database_checks import rows
from tests.service.support.tables import play
from tests.support.mail_links import Place, choices

Form = dict[str, list[str]]
RULES = atlas.ruleset("usa", ("dice",), 2)


def _awaited(place: Place) -> int:
    return 0 if place.seat(0).decision_version is not None else 1


def _entry(place: Place, **traits: bool) -> tuple[Entry, int]:
    """An entry of the seat whose turn it is, after enough draws, with ways or a range of them."""
    for _ in range(80):
        number = _awaited(place)
        for entry in place.entries(number):
            ways = len(entry.ways) > 1
            ranged = any(len(way.actions) > 1 for way in entry.ways)
            if {"ways": ways, "ranged": ranged}.items() >= traits.items() and entry.field:
                return entry, number
        play(place.desk, place.game, place.players[number], "draw")
    raise AssertionError("no such entry")


@pytest.fixture
def turn(tunnels: Place) -> Place:
    """A game in which somebody has a turn."""
    return tunnels


def test_an_entry_offers_its_ways(turn: Place) -> None:
    """The page has a choice for each way, the thriftiest first, and plays the one chosen."""
    entry, number = _entry(turn, ways=True)
    link = turn.action(entry.text, number)
    page = turn.web.get(link)
    offered = choices(page)
    number_in_menu = turn.entries(number).index(entry) + 1
    assert [f"{number_in_menu}:{way.text}" for way in entry.ways] == offered[:-1]
    assert entry.title in page.text

    assert 200 == turn.web.post(link, data={"choice": offered[1]}).status_code
    with turn.desk.database.reading() as tx:
        (last,) = games.moves_between(tx, turn.game, turn.version(), turn.version())
    assert f'"{entry.about}"' in last.record


def _details(entry: Entry) -> list[str]:
    """What pages say of an entry beside its title."""
    scores = points(entry.points) if entry.points else ""
    return [text for text in (entry.costs, entry.note, scores) if text]


def _noted(place: Place) -> tuple[Entry, int]:
    """An entry with a note, after enough draws."""
    for _ in range(80):
        number = _awaited(place)
        for entry in place.entries(number):
            if entry.note:
                return entry, number
        play(place.desk, place.game, place.players[number], "draw")
    raise AssertionError("no such entry")


def test_costs_notes_and_points_are_shown(turn: Place) -> None:
    """The page of an entry, and the page of all, say what it costs, its note and its points."""
    entry, number = _noted(turn)
    details = " · ".join(_details(entry))
    page = unescape(turn.web.get(turn.action(entry.text, number)).text)
    all_ = unescape(turn.web.get(turn.action(signed_links.WHOLE_MENU, number)).text)

    assert 3 == len(_details(entry))
    assert f'<p class="soft">{details}</p>' in page
    assert entry.reveals == ("cannot be undone" in page)
    assert f'{entry.title}</a><span class="soft">{details}</span>' in all_


def test_more_locomotives_can_be_paid(turn: Place) -> None:
    """A number of locomotives is taken within the range of the way, and refused outside it."""
    entry, number = _entry(turn, ranged=True)
    link = turn.action(entry.text, number)
    at, way = next(pair for pair in enumerate(entry.ways) if len(pair[1].actions) > 1)
    choice = choices(turn.web.get(link))[at]
    before = rows(turn.desk.database)
    for wrong in (str(way.most_locomotives + 1), "99", "many"):
        refused = turn.web.post(link, data={"choice": choice, "locomotives": wrong})
        assert 400 == refused.status_code
        assert f"with {way.locomotives} to {way.most_locomotives}" in refused.text
    assert before == rows(turn.desk.database)

    most = {"choice": choice, "locomotives": str(way.most_locomotives)}
    assert 200 == turn.web.post(link, data=most).status_code
    with turn.desk.database.reading() as tx:
        (last,) = games.moves_between(tx, turn.game, turn.version(), turn.version())
    assert f'"locomotive":{way.most_locomotives}' in last.record


def _wrong_forms(place: Place) -> dict[str, tuple[Form, str]]:
    tickets = [value for value in choices(place.web.get(place.action())) if value != "later"]
    wrong = {
        "too few": (tickets[:1], "Choose 2 to 3 of them. You chose 1."),
        "none": ([], "Choose 2 to 3 of them."),
        "foreign": ([tickets[0], "nowhere-never"], "“nowhere-never” is not one of"),
        "repeated": ([*tickets[:2], tickets[0]], f"“{tickets[0]}” is named twice"),
        "too many": ([*tickets, "a", "b"], "“a” is not one of the things"),
        "unknown none": (["none"], "“none” is not one of the things"),
    }
    forms: dict[str, tuple[Form, str]] = {
        kind: ({"things": things}, reason) for kind, (things, reason) in wrong.items()
    }
    return forms | {
        "empty": ({}, "Choose 2 to 3 of them."),
        "other entry": ({"choice": ["2"], "things-2": tickets}, "Choose 2 to 3 of them."),
        "older page": ({"thing": tickets}, "Choose 2 to 3 of them."),
    }


def test_wrong_things_are_refused(place: Place) -> None:
    """Too few, foreign and repeated things are refused with the reason; nothing changes."""
    link = place.action()
    before = rows(place.desk.database)
    for name, (form, reason) in _wrong_forms(place).items():
        page = place.web.post(link, data=form)
        assert (400, name) == (page.status_code, name)
        assert reason in unescape(page.text), name
        assert "Nothing has been played." in page.text
        again = re.findall(r'value="([^"]*)" checked', page.text)
        known = [value for value in form.get("things", []) if value in choices(page)]
        assert set(known) == set(again), name
    assert before == rows(place.desk.database)


def test_later_wins_over_things(place: Place) -> None:
    """A form in which everything is ticked, the last box included, plays nothing."""
    link = place.action()
    *things, last = choices(place.web.get(link))
    before = rows(place.desk.database)
    page = place.web.post(link, data={"things": things, "choice": last})

    assert (200, "later") == (page.status_code, last)
    assert "Nothing was played" in page.text
    assert before == rows(place.desk.database)


def test_things_are_chosen_by_boxes(place: Place) -> None:
    """The ticked tickets are kept, in one move."""
    link = place.action()
    things = choices(place.web.get(link))[:2]
    assert 200 == place.web.post(link, data={"things": things}).status_code
    with place.desk.database.reading() as tx:
        (last,) = games.moves_between(tx, place.game, place.version(), place.version())
    assert all(f'"{thing}"' in last.record for thing in things)


def test_the_whole_menu_leads_to_every_entry(turn: Place) -> None:
    """The page lists every entry with its number, and each link plays that entry."""
    number = _awaited(turn)
    page = turn.web.get(turn.action(signed_links.WHOLE_MENU, number))
    entries = turn.entries(number)
    listed = re.findall(r'<li value="(\d+)"><a href="(/a/[^"]+)">([^<]+)</a>', page.text)

    assert 200 == page.status_code
    assert [*range(1, len(entries) + 1)] == [int(n) for n, _, _ in listed]
    assert all(
        unescape(title).startswith(entry.title)
        for (_, _, title), entry in zip(listed, entries, strict=True)
    )
    for (_, link, _), entry in list(zip(listed, entries, strict=True))[:12]:
        assert f"<h1>{entry.title}" in unescape(turn.web.get(link).text)
    assert 200 == turn.web.post(listed[0][1], data={"choice": "1:"}).status_code
    gone = turn.web.get(turn.action(signed_links.WHOLE_MENU, number))
    assert "take" not in gone.text or turn.seat(number).decision_version is not None


def test_the_whole_menu_plays_nothing(turn: Place) -> None:
    """Nothing that is posted to the page of all entries changes anything, and it says so."""
    link = turn.action(signed_links.WHOLE_MENU, _awaited(turn))
    before = rows(turn.desk.database)
    for form in ({}, {"choice": "draw"}, {"things": ["1"]}, {"choice": "later"}):
        page = turn.web.post(link, data=form)
        if form == {"choice": "later"}:
            assert (200, True) == (page.status_code, "Nothing was played" in page.text)
            continue
        alert = '<p class="alert" role="alert">Please choose an option first. Nothing has been'
        assert (400, True) == (page.status_code, alert in page.text)
        assert "All your moves" in page.text
        assert '<li value="1"><a href="/a/' in page.text
    assert before == rows(turn.desk.database)


def test_the_link_of_an_older_letter_leads_to_the_menu(turn: Place) -> None:
    """A link whose text names no entry shows all of them."""
    page = turn.web.get(turn.action("roll", _awaited(turn)))
    assert (200, True) == (page.status_code, "All your moves" in page.text)


def _with_dice(place: Place) -> Place:
    """A game with dice, of the same players."""
    new_game = lobby.NewGame("usa", ("dice",), 2)
    game = lobby.open_game(place.desk, place.players[0], new_game, None)["id"]
    lobby.join(place.desk, place.players[1], game, "", None)
    with place.desk.database.reading() as tx:
        table = games.table(tx, game)
    assert table is not None
    other = place._replace(game=game, players=[str(seat.account) for seat in table.seated])
    other.past_tickets()
    return other


def _until_any_ticket_may_be_kept(place: Place) -> int:
    """Draw tickets for dice, as soon as there are such dice; the seat that has to choose."""
    for _ in range(200):
        number = _awaited(place)
        entries = place.entries(number)
        if entries[0].choice and not entries[0].choice.least:
            return number
        entry = next((entry for entry in entries if entry.group == "tickets"), entries[0])
        if entry.choice:
            text = f"{entry.lead} {entry.choice.things[0].value}"
        else:
            text = text_of(RULES, entry.ways[0].action)
        play(place.desk, place.game, place.players[number], text)
    raise AssertionError("nobody had to choose")


def test_none_of_the_things_is_a_choice_of_its_own(place: Place) -> None:
    """Where nothing has to be chosen, an empty form plays nothing, and “none” is a box."""
    here = _with_dice(place)
    number = _until_any_ticket_may_be_kept(here)
    link = here.action(number=number)
    *_, none, later = choices(here.web.get(link))
    before = rows(here.desk.database)

    assert ("none", "later") == (none, later)
    assert 400 == here.web.post(link).status_code
    assert before == rows(here.desk.database)
    assert 200 == here.web.post(link, data={"things": "none"}).status_code
    with here.desk.database.reading() as tx:
        log = games.moves_between(tx, here.game, 0, here.version())
    assert any('"keep":[]' in move.record and '"source":"link"' in move.record for move in log)
