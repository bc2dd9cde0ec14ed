"""Pages on which a player moves, by a link or a reply by email, and voids links."""

import re

from api.site.boards import drawn
from service import account_deletion
from service.games import lobby
from service.links import signed_links
from service.people import tokens
from service.views import story
from service.views.board_marks import Marks
from store.games import games
from store.tables import mailboxes, notices
from tests.promises.support.database_checks import rows
from tests.service.support.addresses import reply_address
from tests.service.support.newcomers import rows as desk_rows
from tests.service.support.tables import owed, play
from tests.support.mail_links import Place, answer, choices, path


def test_an_action_page_shows_what_is_asked(place: Place) -> None:
    """The page shows the game, the things of the entry with their number, and the deadline."""
    (entry,) = place.entries()
    assert entry.choice is not None
    page = place.web.get(place.action())

    assert 200 == page.status_code
    assert "United States" in page.text or "USA" in page.text
    assert [thing.value for thing in entry.choice.things] == choices(page)[:-1]
    assert all(thing.title in page.text for thing in entry.choice.things)
    assert "Choose 2 to 3 of them." in page.text
    assert "Deadline: " in page.text


def test_an_action_page_shows_the_board(tunnels: Place) -> None:
    """The page shows the board as a spectator sees it, and no board once the link is used."""
    number = 0 if tunnels.seat(0).decision_version is not None else 1
    link = tunnels.action("draw", number)
    shown = tunnels.web.get(link).text
    own_story = story.of_account(tunnels.desk, tunnels.game, tunnels.players[number])
    assert own_story is not None
    assert own_story.goals
    assert 'data-route="' in shown
    assert drawn(own_story.board, own_story.scene, Marks(frozenset(own_story.fresh))) in shown
    assert 'data-route="' not in tunnels.web.post(link, data=answer(tunnels.web.get(link))).text


def test_an_action_page_shows_one_entry(tunnels: Place) -> None:
    """The page shows neither the hand nor other entries, and says what cannot be undone."""
    number = 0 if tunnels.seat(0).decision_version is not None else 1
    page = tunnels.web.get(tunnels.action("tickets", number))

    assert ["later"] == choices(page)[1:]
    assert "cannot be undone" in page.text
    assert "Hand" not in page.text
    assert "claim" not in page.text.partition("<figure")[0].lower()


def test_a_choice_is_played(tunnels: Place) -> None:
    """The choice becomes a move of source `link`, and the page says what comes next."""
    number = 0 if tunnels.seat(0).decision_version is not None else 1
    link = tunnels.action("draw", number)
    opened = tunnels.web.get(link)
    played = tunnels.web.post(link, data=answer(tunnels.web.get(link)))

    assert 200 == played.status_code
    for page in (opened, played, tunnels.web.get(link)):
        assert f'<a href="/games/{tunnels.game}">Go to the table</a>' in page.text
    assert "What happened" in played.text
    assert not choices(played)
    assert "It is still your turn to draw a second card" in played.text
    with tunnels.desk.database.reading() as tx:
        last = games.moves_between(tx, tunnels.game, tunnels.version(), tunnels.version())[0]
    assert '"source":"link"' in last.record


def test_pages_tell_no_secrets(tunnels: Place) -> None:
    """Neither the response to a draw nor its link opened later reveals the card."""
    number = 0 if tunnels.seat(0).decision_version is not None else 1
    link = tunnels.action("draw", number)
    played = tunnels.web.post(link, data=answer(tunnels.web.get(link)))
    again = tunnels.web.get(link)

    drawn = _drawn(tunnels)
    for page in (played, again):
        assert 200 == page.status_code
        assert "draws a card from the deck" in page.text
        assert drawn not in page.text
        assert "/a/" not in page.text


def test_a_link_shows_no_options_after_a_resignation(place: Place) -> None:
    """After a resignation the link shows no options, since the caretaker decides."""
    link = place.action()
    assert choices(place.web.get(link))
    lobby.leave(place.desk, place.players[0], place.game)
    page = place.web.get(link)

    assert 409 == page.status_code
    assert [] == choices(page)


def test_a_letter_played_tells_no_secrets(tunnels: Place) -> None:
    """A reply that is played on a page does not reveal the card drawn."""
    number = 0 if tunnels.seat(0).decision_version is not None else 1
    played = tunnels.web.post(tunnels.letter("draw", number=number), data={"choice": "play"})

    assert 200 == played.status_code
    assert "draws a card from the deck" in played.text
    assert _drawn(tunnels) not in played.text
    assert "/a/" not in played.text


def _drawn(place: Place) -> str:
    """The card that was drawn last."""
    with place.desk.database.reading() as tx:
        (last,) = games.moves_between(tx, place.game, place.version(), place.version())
    match = re.search(r'"card":"(\w+)"', last.record)
    assert match is not None
    return match[1]


def test_links_stand_for_their_seat_only(place: Place) -> None:
    """A link is refused with the token of another account, and accepted with the player's own."""

    def bearer(account: str) -> dict[str, str]:
        made = tokens.create(
            place.desk,
            tokens.Caller(account, "", frozenset(tokens.SCOPES)),
            {"label": "x", "scopes": ["play"]},
            None,
        )
        return {"Authorization": f"Bearer {made['token']}"}

    ada, ben = (bearer(player) for player in place.players)
    link = place.action()
    chosen = answer(place.web.get(link))
    before = rows(place.desk.database)

    assert 403 == place.web.get(link, headers=ben).status_code
    assert 403 == place.web.post(link, headers=ben, data=chosen).status_code
    assert 401 == place.web.get(link, headers={"Authorization": "Bearer nm_x"}).status_code
    assert before == rows(place.desk.database)
    assert 200 == place.web.post(link, headers=ada, data=chosen).status_code


def test_a_letter_is_played_line_by_line(place: Place) -> None:
    """The lines of a reply are played once, in order, until one is refused."""
    link = place.letter("keep all", "fly to the moon", "draw")
    page = place.web.get(link)

    assert ["play", "no", "later"] == choices(page)
    assert "fly to the moon" in page.text
    played = place.web.post(link, data={"choice": "play"})
    assert 200 == played.status_code
    assert 1 == played.text.count('class="done"')
    assert "fly to the moon" in played.text
    version = place.version()
    again = place.web.post(link, data={"choice": "play"})
    assert (200, version) == (again.status_code, place.version())
    assert "Already done" in again.text


def test_a_letter_of_somebody_else_is_dropped(place: Place) -> None:
    """Disowning a reply plays nothing, and the page links to voiding the reply address."""
    before = place.version()
    response = place.web.post(place.letter("keep all"), data={"choice": "no"})

    assert (200, before) == (response.status_code, place.version())
    void = re.findall(r'href="(http[^"]+/forwarded/[^"]+)"', response.text)
    assert 200 == place.web.get(path(void[0])).status_code


def test_a_letter_dies_with_its_decision(place: Place) -> None:
    """A reply to a decision that is over is not played any more."""
    link = place.letter("keep all")
    place.move()
    before = place.version()
    response = place.web.post(link, data={"choice": "play"})

    assert (409, before) == (response.status_code, place.version())


def test_a_forwarded_mail_is_made_void(place: Place) -> None:
    """Voiding revokes the links and reply addresses of a seat, and sends the decision again."""
    action, void = place.action(), path(signed_links.forwarded(place.desk, place.game, 0))
    reply_address(place.desk, place.players[0], place.game, 0, 0)
    before = len(owed(place.desk, "decision_opened"))

    assert 200 == place.web.post(void, data={"choice": "void"}).status_code
    assert 403 == place.web.get(action).status_code
    assert 403 == place.web.post(action, data={"choice": "keep all"}).status_code
    assert [] == desk_rows(place.desk, mailboxes, "game")
    assert before + 1 == len(owed(place.desk, "decision_opened"))
    assert 200 == place.web.get(place.action()).status_code
    again = place.web.post(void, data={"choice": "void"})
    assert (200, True) == (again.status_code, "Already done" in again.text)
    assert (1, before + 1) == (place.seat().links, len(owed(place.desk, "decision_opened")))


def test_other_seats_keep_their_links(place: Place) -> None:
    """Voiding the links of a seat affects neither other seats nor its unsubscribe link."""
    other = place.action(number=1)
    stop = path(signed_links.unsubscribe(place.desk, place.players[0], place.game))
    void = path(signed_links.forwarded(place.desk, place.game, 0))
    place.web.post(void, data={"choice": "void"})

    assert 200 == place.web.get(other).status_code
    assert 200 == place.web.get(stop).status_code


def test_nobody_is_asked_again_for_nothing(place: Place) -> None:
    """Voiding the links of a seat without an open decision sends no mail."""
    void = path(signed_links.forwarded(place.desk, place.game, 0))
    place.move()  # the other player still has to choose tickets
    assert place.seat().decision_version is None
    with place.desk.database.writing() as tx:
        tx.execute(notices.delete())
    assert 200 == place.web.post(void, data={"choice": "void"}).status_code

    assert (1, []) == (place.seat().links, owed(place.desk))


def test_a_deserted_seat_has_no_links(place: Place) -> None:
    """After an account is deleted, its links get 410."""
    links = [
        place.action(),
        place.letter("keep all"),
        path(signed_links.forwarded(place.desk, place.game, 0)),
    ]
    links.append(path(signed_links.unsubscribe(place.desk, place.players[0], place.game)))
    account_deletion.delete(place.desk, tokens.Caller(place.players[0], "", frozenset()))

    for link in links:
        assert 410 == place.web.get(link).status_code
        assert 410 == place.web.post(link, data={"choice": "void"}).status_code


def test_a_resigned_seat_plays_no_links(place: Place) -> None:
    """After a resignation, a link of the seat gets 409 and plays nothing."""
    link = place.action()
    lobby.leave(place.desk, place.players[0], place.game)
    before = place.version()
    response = place.web.post(link, data={"choice": "keep all"})

    assert (409, before) == (response.status_code, place.version())


def test_a_stale_link_names_who_has_moved(tunnels: Place) -> None:
    """A link whose decision was answered elsewhere says who has played what, in plain words."""
    number = 0 if tunnels.seat(0).decision_version is not None else 1
    link = tunnels.action("draw", number)
    form = answer(tunnels.web.get(link))
    play(tunnels.desk, tunnels.game, tunnels.players[number], "draw")
    before = rows(tunnels.desk.database)
    late = tunnels.web.post(link, data=form)

    assert 409 == late.status_code
    assert "nothing was played" in late.text
    assert "What has happened since" in late.text
    assert f"{tunnels.seat(number).name} draws a card from the deck." in late.text
    assert "dempotency" not in late.text
    assert before == rows(tunnels.desk.database)
