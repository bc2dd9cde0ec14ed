"""The pages of tables and games, used without JavaScript."""

import re
from pathlib import Path

from flask import Flask

from service.desk import Desk
from service.games import table_lookup
from service.views import game_page
from service.views.game_page import GamePage
from service.views.menu_sections import Item
from tests.api.serving import fresh_app
from tests.promises.support.database_checks import rows
from tests.site.visiting import Guest


def _id(path: str) -> str:
    return path.rsplit("/", 1)[1]


def _player(desk: Desk, game: str) -> str:
    """The account that plays against the house."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, _id(game), None)
    (player,) = [seat.account for seat in table.seated if seat.account]
    return player


def _page(desk: Desk, game: str, account: str | None) -> GamePage:
    """The page of a game that has begun, as an account sees it."""
    page = game_page.visit(desk, _id(game), account).page
    assert page is not None
    return page


def _thriftiest(item: Item) -> dict[str, object]:
    """The answer that plays an entry in its thriftiest way."""
    return {"choice": f"{item.n}:{item.entry.ways[0].text}"}


def test_a_game_against_a_bot_begins_at_once(app: Flask) -> None:
    """A game against a bot starts with the tickets, and a move redirects back to its page."""
    ada = Guest(app, "Ada")
    game = ada.game()
    assert "Keep at least 2" in ada.web.get(game).text
    answer = ada.play(game, ada.choices(game)[0])
    assert (303, game) == (answer.status_code, answer.headers["Location"])
    text = ada.web.get(game).text
    assert "Your turn." in text
    assert "Draw cards" in text
    assert "Since your last move" in text


def test_sending_twice_is_one_move(app: Flask, desk: Desk) -> None:
    """The same move sent twice redirects both times; another choice gets 412."""
    ada = Guest(app, "Ada")
    game = ada.game()
    first, second = ada.choices(game)[:2]
    form = dict(re.findall(r'name="(asked|seen)" value="(\d+)"', ada.web.get(game).text))
    for _ in range(2):
        assert 303 == ada.play(game, first, **form).status_code
    version = game_page.table(desk, _id(game), None)["version"]
    answer = ada.play(game, second, **form)
    assert (412, True) == (answer.status_code, 'role="alert"' in answer.text)
    assert version == game_page.table(desk, _id(game), None)["version"]


def test_who_is_asked_the_same_again_can_go_on(app: Flask, desk: Desk) -> None:
    """After buying a technology, which keeps the decision open, the next choice is accepted."""
    ada = Guest(app, "Ada")
    game = ada.game(board="uk")
    bought = 0
    for _ in range(60):
        decision = _page(desk, game, _player(desk, game)).decision
        assert decision is not None
        bought_now = [section for section in decision.sections if section.verb == "buy"]
        buying = [_thriftiest(section.items[0]) for section in bought_now]
        assert 303 == ada.play(game, [*buying, *ada.choices(game)][0]).status_code
        bought += bool(buying)
        if bought and not buying:
            return
    raise AssertionError("nothing could be bought")


def test_what_cannot_be_played_changes_nothing(app: Flask, desk: Desk) -> None:
    """A wrong choice or a wrong `asked` field is refused with the reason, and stores nothing."""
    ada = Guest(app, "Ada")
    game = ada.game()
    good, before = ada.choices(game)[0], rows(desk.database)
    wrong: list[tuple[str | None, str | dict[str, object]]] = [
        *((None, ""), (None, "draw"), (None, "\x1b"), (None, "\N{SNOWMAN}" * 500)),
        *(("x", good), ("", good), ("99999", good), ("-1", good)),
    ]
    for version, choice in wrong:
        answer = ada.play(game, choice, **({} if version is None else {"asked": version}))
        assert answer.status_code in (400, 412, 422), choice
        assert 'role="alert"' in answer.text
    assert before == rows(desk.database)


def test_spectators_look_and_cannot_touch(app: Flask) -> None:
    """Spectators see the story, but no hand, no decision and no form for table talk.

    Their moves and messages get 403, and a private table gets 404.
    """
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    game = ada.game()
    ada.play(game, "keep all")
    for guest in (Guest(app), ben):
        text = guest.web.get(game).text
        assert "What happened recently" in text
        assert not re.search(r'id="(hand|asked)"|name="text"', text)
    assert 403 == ben.play(game, "draw").status_code
    assert 403 == ben.send(f"{game}/say", text="let me in").status_code
    private = ada.game(visibility="private", seats="3")
    assert 404 == ben.web.get(private).status_code
    assert 404 == ben.send(f"{private}/join").status_code


def test_people_sit_down_and_talk(app: Flask) -> None:
    """A second player finds an open table, joins it, and posts a message that the host reads."""
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    game = ada.game(easy="0", title="A quiet evening", board="uk")
    assert "A quiet evening" in ben.web.get("/games/open").text
    for page in ("/", "/games/open", game):
        assert re.search(r"(soft|uk)\">United Kingdom[ <]", ben.web.get(page).text), page
    assert 303 == ben.send(f"{game}/join", "/games/open").status_code
    ben.send(f"{game}/say", game, text="Good <luck>!")
    text = ada.web.get(game).text
    assert "Good &lt;luck&gt;!" in text
    assert "Your move" in ada.web.get("/games").text
    assert 409 == ben.send(f"{game}/join", "/games").status_code


def test_who_talks_too_much_is_told_when_again(tmp_path: Path) -> None:
    """Too many messages get 429 with Retry-After, and the form keeps the text."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db", RATE_LIMIT_MESSAGES="1/day")
    ada = Guest(app, "Ada")
    table = ada.game(seats="3")
    assert 303 == ada.send(f"{table}/say", table, text="hello").status_code
    answer = ada.send(f"{table}/say", table, text="hello again")
    assert (429, True) == (answer.status_code, 'value="hello again"' in answer.text)
    assert int(answer.headers["Retry-After"]) > 0
    desk.close()


def test_people_are_invited_and_leave(app: Flask) -> None:
    """Guests are invited by name or address, and leaving a table must be confirmed."""
    ada = Guest(app, "Ada")
    Guest(app, "Ben")
    game = ada.game(easy="0", seats="4", guests="ben\ncem@example.org")
    text = ada.web.get(game).text
    assert "Ben" in text
    assert "cem@example.org" in text
    answer = ada.send(f"{game}/guests", game, guests="nobody here")
    assert 'value="nobody here" aria-invalid="true"' in answer.text
    assert (400, True) == (answer.status_code, "There is no such player" in answer.text)
    assert 400 == ada.send(f"{game}/leave", game).status_code
    assert 303 == ada.send(f"{game}/leave", game, sure="yes").status_code
    assert 404 == ada.web.get(game).status_code


def test_only_public_games_are_found_by_search(app: Flask) -> None:
    """X-Robots-Tag forbids indexing the pages of unlisted games, but not of public ones."""
    ada = Guest(app, "Ada")
    for seats in ("2", "3"):
        for visibility, robots in {"public": None, "unlisted": "noindex, nofollow"}.items():
            answer = ada.web.get(ada.game(seats=seats, visibility=visibility))
            assert robots == answer.headers.get("X-Robots-Tag")


def test_a_beginner_finds_the_way(app: Flask) -> None:
    """One bot is preselected, and the game page shows the hand, the decision and the rules."""
    ada = Guest(app, "Ada")
    easy = re.search(r'<select name="easy">.*?</select>', ada.web.get("/games/new").text, re.DOTALL)
    assert easy is not None
    assert "<option selected>1</option>" in easy[0]
    game = ada.game()
    ada.play(game, ada.choices(game)[0])
    text = ada.web.get(game).text
    assert 0 < text.index('id="hand"') < text.index('id="asked"')
    assert "<legend>Draw cards</legend>" in text
    assert '<a href="/rules">How to play</a>' in text[text.index('id="asked"') :]


def test_who_plays_with_dice_has_no_hand(app: Flask) -> None:
    """A dice game shows tickets but no hand, and names each die by its number."""
    ada = Guest(app, "Ada")
    game = ada.game(variants="dice")
    ada.play(game, "keep all")
    ada.play(game, "roll")
    text = ada.web.get(game).text
    assert (False, True) == ("Your hand" in text, ">Your tickets</h2>" in text)
    assert re.search(r"die 1: (single|double|station|joker), die 2: ", text)


def test_who_was_not_invited_is_said(app: Flask) -> None:
    """The response names guests who could not be invited, and says that ten is the limit."""
    ada = Guest(app, "Ada")
    body = {"board": "usa", "seats": "3", "guests": "Nobody\nben@example.org"}
    answer = ada.send("/games/new", "/games/new", **body)
    assert (200, True) == (answer.status_code, "Nobody: " in answer.text)
    (table,) = re.findall(r'href="(/games/[^"/]{22})"', answer.text)
    assert "invited" in ada.web.get(table).text
    many = "\n".join(f"p{n}@example.org" for n in range(11))
    answer = ada.send("/games/new", "/games/new", **body | {"guests": many})
    assert "You can invite ten people at once" in answer.text
    answer = ada.send(f"{table}/guests", table, guests=many)
    assert "You can invite ten people at once" in answer.text


def test_a_form_that_is_sent_twice_counts_once(app: Flask, desk: Desk) -> None:
    """A form sent again with the same key stores nothing; with other fields it is new."""
    ada = Guest(app, "Ada")
    table = ada.game(seats="3")
    forms: dict[str, tuple[str, dict[str, str]]] = {
        "/games/new": ("/games/new", {"board": "usa", "seats": "3"}),
        f"{table}/say": (table, {"text": "hello"}),
        "/settings/tokens": ("/settings", {"label": "bot", "scopes": "read"}),
        "/settings/webhooks": (
            "/settings/webhooks",
            {"url": "http://127.0.0.1:9/", "types": "game.started"},
        ),
    }
    for path, (page, fields) in forms.items():
        key = re.search(r'name="key" value="([^"]+)"', ada.web.get(page).text)
        assert key is not None, page
        ada.send(path, page, **fields, key=key[1])
        before = rows(desk.database)
        ada.send(path, page, **fields, key=key[1])
        assert before == rows(desk.database), path
    inputs = (
        ada.csrf_token(table),
        re.search(r'name="key" value="([^"]+)"', ada.web.get(table).text),
    )
    assert inputs[1] is not None
    for text in ("one", "two"):
        ada.send(f"{table}/say", table, text=text, key=inputs[1][1])
        assert f"<p>{text}</p>" in ada.web.get(table).text


def test_a_table_that_cannot_be_is_refused(app: Flask, desk: Desk) -> None:
    """A new table with a wrong field gets 400 with the reason, and nothing is stored."""
    ada = Guest(app, "Ada")
    before = rows(desk.database)
    for fields in (
        *({"board": "atlantis"}, {"seats": "9"}, {"easy": "5"}, {"variants": "nonsense"}),
        *({"visibility": "loud"}, {"pace": "never"}, {"title": "x" * 500}),
    ):
        body = {"board": "usa", "seats": "2", "easy": "1", **fields}
        answer = ada.send("/games/new", "/games/new", **body)
        assert (400, True) == (answer.status_code, 'role="alert"' in answer.text), fields
    assert before == rows(desk.database)


def test_the_past_can_be_looked_at(app: Flask) -> None:
    """A past version is shown without a decision; a wrong version number shows the present."""
    ada = Guest(app, "Ada")
    game = ada.game()
    ada.play(game, "keep all")
    then = ada.web.get(f"{game}?at=0").text
    assert "You had not chosen your tickets yet." in then
    assert "The game after move 0" in then
    assert 'id="asked"' not in then
    for odd in ("99999", "x", "-1", "9" * 30):
        assert 'id="asked"' in ada.web.get(f"{game}?at={odd}").text


def test_a_player_resigns(app: Flask) -> None:
    """The page says what resigning does, and shows no hand or talk form afterwards."""
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    game = ada.game(seats="3")
    ben.send(f"{game}/join", game)
    assert "The house takes over your seat" in ben.web.get(game).text
    ben.send(f"{game}/leave", game, sure="yes")
    left = ben.web.get(game).text
    assert "now see what spectators see" in left
    assert "Your hand" not in left
    assert (True, False) == tuple(
        "Say something to the table" in player.web.get(game).text for player in (ada, ben)
    )
    assert "the game ends at once" in ada.web.get(game).text
    assert 303 == ada.send(f"{game}/leave", game, sure="yes").status_code
    assert "Everybody has left this game" in ada.web.get(game).text


def test_news_is_a_tag(app: Flask) -> None:
    """The event stream sends a game's id and tag, and `gone` for a game that cannot be read."""
    ada = Guest(app, "Ada")
    id = ada.game().removeprefix("/games/")
    first, *events = ada.web.get(f"/news?game={id}&game=nothing").text.split("\n\n")[:-1]
    assert "retry: 1000" == first
    assert re.fullmatch(f'data: {{"game":"{id}","tag":"[\\w-]+"}}', events[0])
    assert ['event: gone\ndata: {"game":"nothing","tag":null}'] == events[1:]


def test_a_route_that_cannot_be_claimed_says_why(app: Flask, desk: Desk) -> None:
    """The reason is given for routes that the player cannot claim, and is empty for others."""
    ada = Guest(app, "Ada")
    game = ada.game(board="uk")

    def why(route: str, who: Guest = ada) -> tuple[int, str]:
        answer = who.web.get(f"{game}/why", query_string={"route": route})
        return answer.status_code, answer.text

    board = _page(desk, game, None).board
    assert {(200, "You can claim a route only as the action of your turn.")} == set(
        map(why, board.routes)
    )
    ada.play(game, "keep all")
    reasons = {route: why(route)[1] for route in board.routes}
    decision = _page(desk, game, _player(desk, game)).decision
    assert decision is not None
    offered = {item.place for section in decision.sections for item in section.items if item.place}
    assert offered == {route for route, reason in reasons.items() if not reason}
    reason = " ".join(reasons.values())
    assert re.search(r"To claim [^.]+ you need ", reason)
    assert "You still need " in reason
    assert [(200, "")] * 2 == [why("nowhere"), why(next(iter(board.routes)), Guest(app, "Ben"))]
    assert 303 == why("nowhere", Guest(app))[0]


def test_a_choice_is_explained_where_it_is_made(app: Flask) -> None:
    """Sections have a help text beside them, which unfolds without JavaScript."""
    ada = Guest(app, "Ada")
    game = ada.game(board="europe")
    first = ada.web.get(game).text
    ada.play(game, "keep all")
    text = ada.web.get(game).text
    shown = re.findall(r'class="help"><summary>What is this\?<span class="unseen"> (.*?)</', text)

    assert "A ticket names two cities." in first
    assert {"Draw cards", "Draw tickets", "Build a station"} <= set(shown)
    assert "Each station that you do not build is worth 4 points." in text


def test_a_board_explains_its_technologies(app: Flask) -> None:
    """The page of the UK board explains a technology, the Booster."""
    text = Guest(app, "Ada").web.get("/boards/uk").text

    assert "Booster: Any 3 cards count as a locomotive, instead of 4." in text


def test_what_is_not_known_is_told_before_a_game(app: Flask) -> None:
    """The page of a board and the page for a new game name its stand-ins, as the API does."""
    ada = Guest(app, "Ada")
    stand_in = ada.web.get("/v1/boards/marklin").get_json()["stand_in"]

    assert ("2026", 2) == (stand_in["edition"], len(stand_in["notes"]))
    for path in ("/boards/{}", "/games/new?board={}"):
        text = ada.web.get(path.format("marklin")).text
        assert all(note in text for note in stand_in["notes"])
        assert "Not everything about this board is known." in text
        assert "Not everything" not in ada.web.get(path.format("germany")).text
    assert ada.web.get("/v1/boards/germany").get_json()["stand_in"] is None
