"""Boards as clients see them: the list of boards, and each board with its variants applied."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

import pictures
from engine import MODULES, Board, MapError, decks_of
from engine.board import route_names
from engine.display import all_help, published
from engine.ruleset import Ruleset
from engine.text import clean, shortened
from engine.translate import say, speaking
from engine.values import City, Place, Ticket
from pictures import EMPTY, Theme
from service import refusals
from service.boards import atlas
from service.i18n import catalogue

Document = dict[str, Any]


class TaggedBody(NamedTuple):
    """The body of a response, with its entity tag."""

    tag: str
    text: bytes


@lru_cache(maxsize=1)
def board_list() -> TaggedBody:
    """The JSON list of all boards, with their variants."""
    return _tagged({"boards": summaries()})


def summaries() -> list[Document]:
    """The list of all boards as plain data, for pages."""
    return [_summary(atlas.board(name)) for name in atlas.board_ids()]


def board(name: str, variants: Sequence[str]) -> TaggedBody:
    """The JSON document of a board with these variants."""
    _check_known(name)
    try:
        varied = atlas.board(name, variants)
    except MapError as error:
        raise refusals.unreadable(f"{shortened(clean(error.reason), 300)}.", "variant") from None
    return _board(name, varied.variants)


def board_data(name: str, variants: Sequence[str]) -> Document:
    """The document of a board as plain data, with help texts in the reader's language."""
    data: Document = orjson.loads(board(name, variants).text)
    return data | _rule_fields(atlas.ruleset(name, tuple(data["chosen"]), data["seats"][0]))


def board_name(name: str) -> str:
    """The name of a board in the reader's language."""
    return say(atlas.board(name).name)


def variant_names(name: str, variants: Sequence[str]) -> list[str]:
    """The names of some variants of a board in the reader's language."""
    names = {variant.id: variant.name for variant in atlas.board(name).catalogue}
    return [say(names[variant]) for variant in variants]


def picture(name: str, theme: Theme) -> TaggedBody:
    """A picture of an empty board, as SVG."""
    _check_known(name)
    drawn = pictures.svg(atlas.board(name), EMPTY, theme=theme).encode()
    return TaggedBody(hashlib.sha256(drawn).hexdigest()[:16], drawn)


def _check_known(name: str) -> None:
    if name not in atlas.board_ids():
        boards = ", ".join(atlas.board_ids())
        raise refusals.Refused(
            "not_found", say("There is no such board. The boards are: {known}.", known=boards)
        )


@lru_cache(maxsize=256)
def _board(name: str, variants: tuple[str, ...]) -> TaggedBody:
    """The cached document of a board; `variants` are in the order of the map."""
    varied = atlas.board(name, variants)
    rules = atlas.ruleset(name, variants, varied.seats[0])
    with speaking(catalogue.catalogue(catalogue.ENGLISH)):
        from_rules = _rule_fields(rules)
    return _tagged(
        _summary(varied)
        | {
            "chosen": list(variants),
            "digest": varied.digest,
            "modules": list(varied.modules),
            "parameters": {name: asdict(values) for name, values in rules.parameters.items()},
            "cities": [city._asdict() for city in varied.cities.values()],
            "places": [place._asdict() for place in varied.places.values()],
            "routes": _routes(varied),
            "tickets": _tickets(varied),
        }
        | from_rules
    )


def _tagged(document: Document) -> TaggedBody:
    """Encode a document, tagged by a hash of the text.

    The digest of the board would not do: it stays the same when a city is renamed.
    """
    text = orjson.dumps(document, option=orjson.OPT_NON_STR_KEYS)
    return TaggedBody(hashlib.sha256(text).hexdigest()[:16], text)


def _summary(board: Board) -> Document:
    return {
        "id": board.id,
        "name": board.name,
        "seats": board.seats,
        "variants": [
            {
                "id": variant.id,
                "name": variant.name,
                "description": variant.summary,
                "excludes": variant.excludes,
            }
            for variant in board.catalogue
        ],
    }


def _routes(board: Board) -> list[Document]:
    """The routes, named in English, because the document is cached for readers of all languages."""
    names = route_names(board)
    with speaking(catalogue.catalogue(catalogue.ENGLISH)):
        return [
            {"name": names[route.id].spoken, **route._asdict()} for route in board.routes.values()
        ]


def _tickets(board: Board) -> list[Document]:
    """The tickets that these variants deal; the map has those of other variants, too."""
    decks = set(decks_of(board))
    dealt = (ticket for ticket in board.tickets.values() if decks.intersection(ticket.decks))
    return [_ticket(board, ticket) for ticket in dealt]


def _ticket(board: Board, ticket: Ticket) -> Document:
    ends: dict[str, City | Place] = {**board.cities, **board.places}
    return {
        "id": ticket.id,
        "name": "–".join(ends[end].name for end in ticket.ends),
        "ends": ticket.ends,
        "points": ticket.points,
        "decks": ticket.decks,
    }


def _rule_fields(rules: Ruleset) -> Document:
    """The fields that rules add to a board; those of rules that are not in play are empty lists."""
    empty: Document = {
        name: [] for rule in MODULES.values() for name in _field_names(rule.shape.board)
    }
    return empty | published(rules) | {"help": [text._asdict() for text in all_help(rules)]}


def _field_names(shape: type[Any] | None) -> tuple[str, ...]:
    return tuple(shape.__annotations__) if shape else ()
