"""The names of cards, colours and dice faces in sentences; data and notation use their keys.

Every form is a whole text, since in many languages a colour changes with the noun it belongs to.
"""

from collections.abc import Callable

from engine.translate import say, says

_CALLED: dict[str, Callable[[], str]] = {
    "purple": lambda: say("purple"),
    "blue": lambda: say("blue"),
    "orange": lambda: say("orange"),
    "white": lambda: say("white"),
    "green": lambda: say("green"),
    "yellow": lambda: say("yellow"),
    "black": lambda: say("black"),
    "red": lambda: say("red"),
    "pink": lambda: say("pink"),
    "turquoise": lambda: say("turquoise"),
    "gray": lambda: say("gray"),
    "locomotive": lambda: say("locomotive"),
    "plus4": lambda: say("“+4” locomotive"),
    "passenger": lambda: say("passenger card"),
    "single": lambda: say("single"),
    "double": lambda: say("double"),
    "station": lambda: say("station"),
    "joker": lambda: say("joker"),
    "tunnel": lambda: say("tunnel"),
    "blank": lambda: say("blank"),
    "?": lambda: say("hidden"),
}
_ONE_CARD: dict[str, Callable[[], str]] = {
    "purple": lambda: say("a purple card"),
    "blue": lambda: say("a blue card"),
    "orange": lambda: say("an orange card"),
    "white": lambda: say("a white card"),
    "green": lambda: say("a green card"),
    "yellow": lambda: say("a yellow card"),
    "black": lambda: say("a black card"),
    "red": lambda: say("a red card"),
    "locomotive": lambda: say("a locomotive"),
    "plus4": lambda: say("a “+4” locomotive"),
    "passenger": lambda: say("a passenger card"),
}
_SEVERAL_CARDS: dict[str, Callable[[int], str]] = {
    "purple": lambda n: says("{n} purple", "{n} purple", n),
    "blue": lambda n: says("{n} blue", "{n} blue", n),
    "orange": lambda n: says("{n} orange", "{n} orange", n),
    "white": lambda n: says("{n} white", "{n} white", n),
    "green": lambda n: says("{n} green", "{n} green", n),
    "yellow": lambda n: says("{n} yellow", "{n} yellow", n),
    "black": lambda n: says("{n} black", "{n} black", n),
    "red": lambda n: says("{n} red", "{n} red", n),
    "locomotive": lambda n: says("{n} locomotive", "{n} locomotives", n),
    "plus4": lambda n: says("{n} “+4” locomotive", "{n} “+4” locomotives", n),
    "passenger": lambda n: says("{n} passenger card", "{n} passenger cards", n),
}
_LETTERS = {
    "purple": "P",
    "blue": "B",
    "orange": "O",
    "white": "W",
    "green": "G",
    "yellow": "Y",
    "black": "K",
    "red": "R",
    "locomotive": "L",
    "plus4": "+4",
    "passenger": "Pa",
}
"""What tells cards apart for those who cannot tell their colours, the same in every language."""


def letter(card: str) -> str:
    """The letter on a card; a question mark on a hidden one."""
    return _LETTERS.get(card, "?")


def called(key: str) -> str:
    """The name of a card, a colour or a dice face: red, locomotive, joker."""
    return _CALLED[key]()


def die(number: int, face: str) -> str:
    """A die and its face, as “die 2: joker”; “2 joker” would read as two jokers."""
    return say("die {number}: {face}", number=number, face=called(face))


def one_card(card: str) -> str:
    """A red card, an orange card, a locomotive."""
    return _ONE_CARD[card]()


def some_cards(card: str, number: int) -> str:
    """3 red, 2 locomotives."""
    return _SEVERAL_CARDS[card](number)
