"""Events as sentences."""

from collections.abc import Iterable, Iterator, Sequence

from engine.kinds import Event
from engine.ruleset import Ruleset


def tell(rules: Ruleset, event: Event, names: Sequence[str]) -> str:
    """An event as a sentence; empty if it needs none."""
    sentence: str = rules.word("tells", type(event))(rules, event, names)
    return sentence


def story(rules: Ruleset, events: Iterable[Event], names: Sequence[str]) -> Iterator[str]:
    """Several events as sentences."""
    return (sentence for event in events if (sentence := tell(rules, event, names)))
