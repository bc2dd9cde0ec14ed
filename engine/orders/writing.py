"""Orders as text, in one form for all languages; reading it gives the same orders again."""

from collections.abc import Iterable

from engine.orders.values import Orders, Step, Task
from engine.wishes import Wish


def written(orders: Orders) -> str:
    """All steps, separated by semicolons."""
    return "; ".join(map(written_step, orders.steps))


def written_step(step: Step) -> str:
    """One step with its alternatives and limits."""
    first, *others = step.tasks
    parts = [_task(first), *(f"{other.tried} {_task(other)}" for other in others)]
    return ", ".join([*parts, *_limits(step)])


def _limits(step: Step) -> Iterable[str]:
    if step.turns is not None:
        yield f"for {step.turns} turn{'' if step.turns == 1 else 's'}"
    if step.bound is not None:
        yield f"until {step.bound.text}"


def _task(task: Task) -> str:
    if task.wish is None:
        return "ask me"
    terms = task.terms
    text = _collecting(task.wish) if task.only_collects else task.wish.text
    if terms.paying:
        text += f" with {terms.paying}"
    if terms.locomotives is not None:
        ending = "" if terms.locomotives == 1 else "s"
        text += f" with at most {terms.locomotives} locomotive{ending}"
    if terms.surcharge is not None:
        text += f" paying up to {terms.surcharge} more"
    if task.waits:
        text += " when I can"
    if task.meanwhile is not None:
        text += f", meanwhile {_task(task.meanwhile)}"
    return text


def _collecting(wish: Wish) -> str:
    """What is collected for, without the verb: “collect for paris-dieppe”."""
    _, _, about = wish.text.partition(" ")
    return f"collect for {about}"
