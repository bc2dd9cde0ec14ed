"""Events as sentences."""

from collections.abc import Iterable, Iterator, Sequence

from engine.kinds import Event
from engine.ruleset import Ruleset


def tell(rules: Ruleset, event: Event, names: Sequence[str]) -> str:
    """What happened, as one sentence; empty when it goes without saying."""
    said: str = rules.word("tells", type(event))(rules, event, names)
    return said


def story(rules: Ruleset, events: Iterable[Event], names: Sequence[str]) -> Iterator[str]:
    """The sentences of a stretch of log."""
    return (said for event in events if (said := tell(rules, event, names)))
