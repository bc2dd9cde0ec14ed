"""Boards as clients see them: the catalogue, and each board with the variants worked in."""

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


class Page(NamedTuple):
    """An answer as it goes out, and what tells it from any other."""

    tag: str
    text: bytes


@lru_cache(maxsize=1)
def listed() -> Page:
    """Every board, with the variants it can be played with."""
    return _page({"boards": summaries()})


def summaries() -> list[Document]:
    """The same as plain data, for whoever shows it in another way."""
    return [_summary(atlas.board(name)) for name in atlas.board_ids()]


def board(name: str, variants: Sequence[str]) -> Page:
    """A board as it is played with these variants."""
    _check(name)
    try:
        found = atlas.board(name, variants)
    except MapError as error:
        raise refusals.unreadable(f"{shortened(clean(error.reason), 300)}.", "variant") from None
    return _board(name, found.variants)


def described(name: str, variants: Sequence[str]) -> Document:
    """The same as plain data, with help in the language that is spoken now."""
    found: Document = orjson.loads(board(name, variants).text)
    return found | _of_rules(atlas.ruleset(name, tuple(found["chosen"]), found["seats"][0]))


def board_name(name: str) -> str:
    """What a board is called, in the language that is spoken now."""
    return say(atlas.board(name).name)


def variant_names(name: str, variants: Sequence[str]) -> list[str]:
    """What variants of a board are called, in the language that is spoken now."""
    known = {variant.id: variant.name for variant in atlas.board(name).catalogue}
    return [say(known[variant]) for variant in variants]


def picture(name: str, theme: Theme) -> Page:
    """A board with nothing on it, as SVG."""
    _check(name)
    drawn = pictures.svg(atlas.board(name), EMPTY, theme=theme).encode()
    return Page(hashlib.sha256(drawn).hexdigest()[:16], drawn)


def _check(name: str) -> None:
    if name not in atlas.board_ids():
        known = ", ".join(atlas.board_ids())
        raise refusals.Refused(
            "not_found", say("There is no such board; there are: {known}.", known=known)
        )


@lru_cache(maxsize=256)
def _board(name: str, variants: tuple[str, ...]) -> Page:
    """The same, by the variants in their own order; written once."""
    found = atlas.board(name, variants)
    rules = atlas.ruleset(name, variants, found.seats[0])
    with speaking(catalogue.catalogue(catalogue.ENGLISH)):
        told = _of_rules(rules)
    return _page(
        _summary(found)
        | {
            "chosen": list(variants),
            "digest": found.digest,
            "modules": list(found.modules),
            "parameters": {name: asdict(values) for name, values in rules.parameters.items()},
            "cities": [city._asdict() for city in found.cities.values()],
            "places": [place._asdict() for place in found.places.values()],
            "routes": _routes(found),
            "tickets": _tickets(found),
        }
        | told
    )


def _page(document: Document) -> Page:
    """Tagged by what is written: a board's own digest does not change with a city's name."""
    text = orjson.dumps(document, option=orjson.OPT_NON_STR_KEYS)
    return Page(hashlib.sha256(text).hexdigest()[:16], text)


def _summary(found: Board) -> Document:
    return {
        "id": found.id,
        "name": found.name,
        "seats": found.seats,
        "variants": [
            {
                "id": variant.id,
                "name": variant.name,
                "description": variant.summary,
                "excludes": variant.excludes,
            }
            for variant in found.catalogue
        ],
    }


def _routes(found: Board) -> list[Document]:
    """In English, whoever asks first: the document is kept for everybody."""
    names = route_names(found)
    with speaking(catalogue.catalogue(catalogue.ENGLISH)):
        return [
            {"name": names[route.id].spoken, **route._asdict()} for route in found.routes.values()
        ]


def _tickets(found: Board) -> list[Document]:
    """The tickets that this game can deal; a map holds those of other variants, too."""
    decks = set(decks_of(found))
    return [_ticket(found, one) for one in found.tickets.values() if decks.intersection(one.decks)]


def _ticket(found: Board, ticket: Ticket) -> Document:
    ends: dict[str, City | Place] = {**found.cities, **found.places}
    return {
        "id": ticket.id,
        "name": "–".join(ends[end].name for end in ticket.ends),
        "ends": ticket.ends,
        "points": ticket.points,
        "decks": ticket.decks,
    }


def _of_rules(rules: Ruleset) -> Document:
    """What the rules say of a board; what no rule in play says is an empty list."""
    known: Document = {name: [] for one in MODULES.values() for name in _fields(one.shape.board)}
    return known | published(rules) | {"help": [one._asdict() for one in all_help(rules)]}


def _fields(shape: type[Any] | None) -> tuple[str, ...]:
    return tuple(shape.__annotations__) if shape else ()
