"""What can go wrong, and whose business it is."""

from collections.abc import Sequence

from engine.translate import say


class Refusal(Exception):
    """The seat may not do this: a stable code, the rule behind it, and a sentence to act on."""

    def __init__(self, code: str, sentence: str, rule: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.rule = rule


class NotAwaited(Refusal):
    """Nothing is asked of this seat now."""

    def __init__(self, sentence: str | None = None) -> None:
        super().__init__("not_awaited", sentence or say("Nothing is asked of this seat now."))


class GameOver(Refusal):
    """The game has ended; nothing more can be played."""

    def __init__(self) -> None:
        super().__init__("game_over", say("The game is over."), "R-END-2")


class Illegal(Refusal):
    """Understood, and against the rules."""

    def __init__(self, sentence: str, rule: str) -> None:
        super().__init__("illegal", sentence, rule)


class Unreadable(Refusal):
    """Text or data that cannot be understood; the sentence says where."""

    def __init__(self, sentence: str) -> None:
        super().__init__("unreadable", sentence)


class Ambiguous(Refusal):
    """Text that fits several options; they are listed."""

    def __init__(self, text: str, candidates: Sequence[str]) -> None:
        few = "; ".join(candidates[:6]) + ("; …" if len(candidates) > 6 else "")
        super().__init__("ambiguous", say("“{said}” could mean: {few}", said=text, few=few))
        self.candidates = tuple(candidates)


class MapError(ValueError):
    """A map file says something that cannot be; names the place and the reason."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class LogError(ValueError):
    """A log cannot be read or does not hold; names the line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class RulesBroken(Exception):
    """Our own mistake: a rule module or a ruleset that contradicts itself."""
