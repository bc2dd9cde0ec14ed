"""Boards as clients see them: the list of boards, and each board with its variants applied."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

import pictures
from engine import MODULES, Board, MapError, decks_of
from engine.display import all_help, published
from engine.route_names import route_names
from engine.ruleset import Ruleset
from engine.text import clean, shortened
from engine.translate import say, speaking
from engine.values import City, Place, Ticket
from pictures import Scene, Theme
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
    """Return the JSON list of all boards, with their variants."""
    return _tagged({"boards": summaries()})


def summaries() -> list[Document]:
    """Return the list of all boards as plain data, for pages."""
    return [_summary(atlas.board(name)) for name in atlas.board_ids()]


def board(name: str, variants: Sequence[str]) -> TaggedBody:
    """Return the JSON document of a board with these variants."""
    _check_known(name)
    try:
        varied = atlas.board(name, variants)
    except MapError as error:
        raise refusals.unreadable(f"{shortened(clean(error.reason), 300)}.", "variant") from None
    return _board(name, varied.variants)


def board_data(name: str, variants: Sequence[str]) -> Document:
    """Return the document of a board as plain data, with help texts in the reader's language."""
    data: Document = orjson.loads(board(name, variants).text)
    return data | _rule_fields(atlas.ruleset(name, tuple(data["chosen"]), data["seats"][0]))


def board_name(name: str) -> str:
    """Return the name of a board in the reader's language."""
    return say(atlas.board(name).name)


def variant_names(name: str, variants: Sequence[str]) -> list[str]:
    """Return the names of some variants of a board in the reader's language."""
    names = {variant.id: variant.name for variant in atlas.board(name).catalogue}
    return [say(names[variant]) for variant in variants]


def picture(name: str, theme: Theme) -> TaggedBody:
    """Return a picture of a board as a game begins, as SVG."""
    _check_known(name)
    drawn = pictures.svg(atlas.board(name), scene_at_start(name), theme=theme).encode()
    return TaggedBody(hashlib.sha256(drawn).hexdigest()[:16], drawn)


def scene_at_start(name: str) -> Scene:
    """Return what lies on a board before the first move, whatever chance brings."""
    rules = atlas.ruleset(name)
    return pictures.scene_of(rules, rules.initial, ())


def _check_known(name: str) -> None:
    if name not in atlas.board_ids():
        boards = ", ".join(atlas.board_ids())
        raise refusals.Refused(
            "not_found", say("There is no such board. The boards are: {known}.", known=boards)
        )


@lru_cache(maxsize=256)
def _board(name: str, variants: tuple[str, ...]) -> TaggedBody:
    """Return the cached document of a board; `variants` are in the order of the map."""
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
            "tickets": _tickets(rules),
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
        "description": board.summary,
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
        "stand_in": board.stand_in and board.stand_in._asdict(),
    }


def _routes(board: Board) -> list[Document]:
    """Return the routes, named in English because readers of all languages share the cache."""
    names = route_names(board)
    with speaking(catalogue.catalogue(catalogue.ENGLISH)):
        return [
            {"name": names[route.id].spoken, **route._asdict()} for route in board.routes.values()
        ]


def _tickets(rules: Ruleset) -> list[Document]:
    """Return the tickets that these variants deal; the map has those of other variants, too."""
    decks, tickets = set(decks_of(rules.board)), rules.board.tickets.values()
    return [_ticket(rules, ticket) for ticket in tickets if decks.intersection(ticket.decks)]


def _ticket(rules: Ruleset, ticket: Ticket) -> Document:
    ends: dict[str, City | Place] = {**rules.board.cities, **rules.board.places}
    ways = rules.completions[ticket.id]
    return {
        "id": ticket.id,
        "name": "–".join(ends[end].name for end in ticket.ends),
        "ends": ticket.ends,
        "points": ticket.points,
        "options": [{"to": way.to, "points": way.points} for way in ways] if ways[1:] else [],
        "decks": ticket.decks,
    }


def _rule_fields(rules: Ruleset) -> Document:
    """Return the fields that rules add to a board.

    Those of rules that are not in play are empty lists.
    """
    empty: Document = {
        name: [] for rule in MODULES.values() for name in _field_names(rule.shape.board)
    }
    return empty | published(rules) | {"help": [text._asdict() for text in all_help(rules)]}


def _field_names(shape: type[Any] | None) -> tuple[str, ...]:
    return tuple(shape.__annotations__) if shape else ()
