"""Cards, colours and faces of dice as people call them; in data and notation they keep their keys.

Each has whole texts of its own, since many languages bend a colour after what it is the colour of.
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
    "gray": lambda: say("gray"),
    "locomotive": lambda: say("locomotive"),
    "single": lambda: say("single"),
    "double": lambda: say("double"),
    "station": lambda: say("station"),
    "joker": lambda: say("joker"),
    "tunnel": lambda: say("tunnel"),
    "blank": lambda: say("blank"),
}
_ONE: dict[str, Callable[[], str]] = {
    "purple": lambda: say("a purple card"),
    "blue": lambda: say("a blue card"),
    "orange": lambda: say("an orange card"),
    "white": lambda: say("a white card"),
    "green": lambda: say("a green card"),
    "yellow": lambda: say("a yellow card"),
    "black": lambda: say("a black card"),
    "red": lambda: say("a red card"),
    "locomotive": lambda: say("a locomotive"),
}
_SOME: dict[str, Callable[[int], str]] = {
    "purple": lambda n: says("{n} purple", "{n} purple", n),
    "blue": lambda n: says("{n} blue", "{n} blue", n),
    "orange": lambda n: says("{n} orange", "{n} orange", n),
    "white": lambda n: says("{n} white", "{n} white", n),
    "green": lambda n: says("{n} green", "{n} green", n),
    "yellow": lambda n: says("{n} yellow", "{n} yellow", n),
    "black": lambda n: says("{n} black", "{n} black", n),
    "red": lambda n: says("{n} red", "{n} red", n),
    "locomotive": lambda n: says("{n} locomotive", "{n} locomotives", n),
}


def called(key: str) -> str:
    """Red, locomotive, joker: what a card, a colour or the face of a die is called."""
    return _CALLED[key]()


def die(number: int, face: str) -> str:
    """Die 2: joker; with the number alone it would read as two jokers."""
    return say("die {number}: {face}", number=number, face=called(face))


def one_card(card: str) -> str:
    """A red card, an orange card, a locomotive."""
    return _ONE[card]()


def some_cards(card: str, number: int) -> str:
    """3 red, 2 locomotives."""
    return _SOME[card](number)
