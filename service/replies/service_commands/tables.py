"""Commands about games: `games`, `open`, `join`, `invite`, `leave` and `rematch`."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from engine.notation import plain
from engine.text import listed, shown
from engine.translate import say, says
from service.boards import atlas
from service.boards.board_documents import variant_names
from service.clocks.paces import PACES
from service.games import lobby, rematches
from service.games.inviting import invitations
from service.games.lobby import STRENGTHS, VISIBILITIES, NewGame
from service.i18n import dates, times
from service.idempotency import once
from service.refusals import Refused, not_found, unreadable
from service.replies.commands.conversation import Line
from service.replies.service_commands import people
from service.replies.service_commands.writer import Answer, Writer
from service.views import game_lists

Document = dict[str, Any]

CODE = 8
"""Characters of a game's id that letters show, and that are enough to name it."""
MOST_LISTED = 12
"""Games of each kind in a list."""


class NamedTable(NamedTuple):
    """A table that a line names."""

    id: str
    name: str
    """Its title and board, in the writer's language."""


def list_games(writer: Writer, _: Line) -> Answer:
    """List the writer's games, and tables that wait for players."""
    own = game_lists.own_games(writer.desk, writer.player.id)
    free = game_lists.open_to(writer.desk, writer.player.id, MOST_LISTED)
    items = [
        *(_awaiting(writer, game) for game in own.your_turn[:MOST_LISTED]),
        *(_waiting_for_others(game) for game in own.others[:MOST_LISTED]),
        *(_not_full(game) for game in own.waiting[:MOST_LISTED]),
        *(_joinable(game) for game in free),
    ]
    sentence = say("Your games, and tables that wait for players:")
    if not items:
        sentence = say("You play no games, and no table waits for players.")
    return Answer(sentence, tuple(items), changed=False)


def _awaiting(writer: Writer, game: Document) -> str:
    if game["deadline"] == game_lists.NO_DEADLINE:
        return say("{game}: your turn", game=_named(game))
    moment = dates.letter_time(times.read(game["deadline"]), writer.player.time_zone)
    return say("{game}: your turn, until {moment}", game=_named(game), moment=moment)


def _waiting_for_others(game: Document) -> str:
    names = [game["players"][seat["seat"]]["name"] for seat in game["awaited"]]
    return say("{game}: waiting for {names}", game=_named(game), names=listed(names))


def _not_full(game: Document) -> str:
    return says(
        "{game}: {n} seat free; others join with “join {code}”",
        "{game}: {n} seats free; others join with “join {code}”",
        game["seats"] - len(game["players"]),
        game=_named(game),
        code=game["id"][:CODE],
    )


def _joinable(game: Document) -> str:
    return say(
        "{game} with {names}: to play, write “join {code}”",
        game=_named(game),
        names=listed([player["name"] for player in game["players"]]),
        code=game["id"][:CODE],
    )


def _named(game: Document) -> str:
    board = atlas.board(game["board"], game["variants"]).spoken
    variants = ", ".join(variant_names(game["board"], game["variants"]))
    about = ", ".join(filter(None, (board, variants)))
    return say("“{title}” ({about})", title=game["title"], about=about)


def open_table(writer: Writer, line: Line) -> Answer:
    """Open a game, such as `open europe 3 daily`."""
    new = _new_game(line.arguments)
    opened = lobby.open_game(writer.desk, writer.player.id, new, writer.key_of(line.number))
    if opened["status"] != "open":
        return Answer(say("The game {game} has begun.", game=_named(opened)))
    begins = say(
        "Your table {game} is open. It begins when all seats are taken.", game=_named(opened)
    )
    return Answer(begins, tuple(_how_others_join(opened)))


def _how_others_join(opened: Document) -> Iterator[str]:
    """Yield what others write to join a table; a private one needs an invitation."""
    code = opened["id"][:CODE]
    # Only public tables are listed, so an unlisted one has to be named by its whole id.
    by_visibility = {"public": code, "unlisted": opened["id"]}
    if joined_by := by_visibility.get(opened["visibility"]):
        yield say("Others join by writing “join {code}” to this address.", code=joined_by)
    yield say("You invite someone with “invite {code}” and a name or an address.", code=code)


def _new_game(words: str) -> NewGame:
    """Return the game that the words after `open` describe: board, seats, and any of the others."""
    board, rest = _board(words.split())
    chosen: dict[str, Any] = {"seats": 2, "variants": [], "bots": {}}
    for word in rest:
        name = word.replace("-", "_")
        if word.isascii() and word.isdigit() and len(word) == 1:
            chosen["seats"] = int(word)
        elif word in PACES:
            chosen["pace"] = word
        elif word in VISIBILITIES:
            chosen["visibility"] = word
        elif word in STRENGTHS:
            chosen["bots"][word] = chosen["bots"].get(word, 0) + 1
        elif name in {variant.id for variant in atlas.board(board).catalogue}:
            chosen["variants"].append(name)
        else:
            raise unreadable(_how_to_open(word, board))
    return NewGame(board, tuple(chosen.pop("variants")), **chosen)


def _board(words: list[str]) -> tuple[str, list[str]]:
    """Return the board that the first words name, and the words after it."""
    for id in atlas.board_ids():
        for name in (id, plain(atlas.board(id).spoken)):
            spelled = name.split()
            if spelled and words[: len(spelled)] == spelled:
                return id, words[len(spelled) :]
    raise unreadable(
        say(
            "Name a board first: {boards}. For example: open {example} 3",
            boards=", ".join(atlas.board_ids()),
            example=atlas.board_ids()[0],
        )
    )


def _how_to_open(word: str, board: str) -> str:
    variants = [variant.id for variant in atlas.board(board).catalogue]
    return say(
        "“{word}” is not understood. After the board you can write the number of seats, a pace "
        "({paces}), who may see it ({visibilities}), a bot for each of these words ({bots}), and "
        "variants of this board ({variants}).",
        word=shown(word),
        paces=", ".join(PACES),
        visibilities=", ".join(VISIBILITIES),
        bots=", ".join(STRENGTHS),
        variants=", ".join(variants) or say("none"),
    )


def join(writer: Writer, line: Line) -> Answer:
    """Take a seat at a table, or accept an invitation."""
    code, *words = line.raw_arguments.split() or [""]
    if words and words[0].casefold() == "as":
        del words[0]
    invited = people.join_as_guest(writer, code, " ".join(words)) if code else None
    if invited is not None:
        return invited
    game = _same_table(writer, line, lambda: _joinable_table(writer, line.raw_arguments))
    joined = lobby.join(writer.desk, writer.player.id, game.id, "", writer.key_of(line.number))
    if joined["status"] == "open":
        waits = says(
            "You have a seat at {game}. It begins when one more player has joined.",
            "You have a seat at {game}. It begins when {n} more players have joined.",
            joined["seats"] - len(joined["players"]),
            game=_named(joined),
        )
        return Answer(waits)
    return Answer(say("You have a seat at {game}, which begins now.", game=_named(joined)))


def _joinable_table(writer: Writer, name: str) -> NamedTable:
    free = game_lists.open_to(writer.desk, writer.player.id, game_lists.MOST)
    matching = list(_matching(free, name))
    # An id that is written out may be of a table that is not listed, which its guests may join.
    return matching[0] if matching else NamedTable(name, "")


def invite(writer: Writer, line: Line) -> Answer:
    """Invite a player by name, or anybody by address, to a table of the writer's."""
    code, _, guest = line.raw_arguments.partition(" ")
    guest = guest.strip()
    if not guest:
        raise unreadable(say("Write “invite”, the code of the table, and a name or an address."))
    game = _same_table(writer, line, lambda: _own(writer, code, "waiting"))
    body = {"email" if "@" in guest else "name": guest}
    key = writer.key_of(line.number)
    invitations.invite(writer.desk, writer.player.id, game.id, body, key, writer.source)
    return Answer(say("{guest} is invited.", guest=guest))


def leave(writer: Writer, line: Line) -> Answer:
    """Leave a table before its game begins, if the line says that its writer is sure."""
    *words, last = line.raw_arguments.split() or [""]
    is_sure = bool(words) and plain(last) == "yes"
    name = " ".join(words) if is_sure else line.raw_arguments
    if not name or plain(name) == "yes":
        raise unreadable(say("Write “leave”, the code of the table, and “yes”."))
    if not is_sure:
        game = _own(writer, name, "waiting")
        raise Refused(
            "illegal",
            say(
                "If you are sure that you want to leave {game}, write “leave {code} yes”.",
                game=game.name,
                code=game.id[:CODE],
            ),
        )
    game = _same_table(writer, line, lambda: _own(writer, name, "waiting"))
    if game_lists.has_seat(writer.desk, writer.player.id, game.id):  # or it was left already
        lobby.leave(writer.desk, writer.player.id, game.id, may_resign=False)
    return Answer(say("You have left the table {game}.", game=game.name))


def open_rematch(writer: Writer, line: Line) -> Answer:
    """Open a table like that of a game that is over, and invite the others who played there."""
    game = _same_table(writer, line, lambda: _over(writer, line.raw_arguments))
    key = writer.key_of(line.number)
    opened = rematches.open_rematch(writer.desk, writer.player.id, game.id, key)
    return Answer(rematches.sentence(opened), opened.refused)


def _same_table(writer: Writer, line: Line, find: Callable[[], NamedTable]) -> NamedTable:
    """Return the table that a line names: the one that it named first, if the mail is read again.

    Once a command is carried out, its table may be in another list, or no longer exist.
    """
    key, body = f"{writer.key_of(line.number)}-table", {"line": line.text}
    account = writer.player.id
    game, _ = once(writer.desk, account, "name_table", key, body, lambda _: find()._asdict())
    return NamedTable(**game)


def _over(writer: Writer, name: str) -> NamedTable:
    """Return the writer's game that is over and has this code or title; without one the latest."""
    latest = game_lists.own_games(writer.desk, writer.player.id).over[:1]
    if not name and latest:
        return _table(latest[0])
    return _own(writer, name, "over")


def _own(writer: Writer, name: str, group: str) -> NamedTable:
    """Return the writer's game of a group that a code or a title names."""
    own: list[Document] = getattr(game_lists.own_games(writer.desk, writer.player.id), group)
    matching = list(_matching(own, name))
    if not matching:
        raise not_found(say("You have no such game: {name}", name=shown(name)))
    return matching[0]


def _matching(games: Iterable[Document], name: str) -> Iterator[NamedTable]:
    """Yield the games that a code or a title names; refused if they are several."""
    if not name:
        return
    by_code = [game for game in games if _is_code(name, game["id"])]
    by_title = [game for game in games if game["title"].casefold() == name.casefold()]
    matching = by_code or by_title
    if len(matching) > 1:
        codes = ", ".join(game["id"][:CODE] for game in matching)
        raise Refused(
            "ambiguous", say("Several games match. Write one of these codes: {codes}", codes=codes)
        )
    yield from map(_table, matching)


def _table(game: Document) -> NamedTable:
    return NamedTable(game["id"], _named(game))


def _is_code(name: str, id: str) -> bool:
    return len(name) >= CODE and id.casefold().startswith(name.casefold())
