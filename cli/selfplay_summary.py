"""Summarises many games as text: lengths, endings, scores and victories."""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean, quantiles

from cli.terminal import grid
from engine.text import count, signed
from service.games.bots.selfplay import Figures

BINS = 12
BAR = 40
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)


def summary(tallies: Sequence[Figures], names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the summary."""
    moves = [tally.moves for tally in tallies]
    yield f"{count(len(tallies), 'game')}, {count(sum(moves), 'move')}"
    yield f"Length: {fmean(moves):.1f} moves on average, {min(moves)} to {max(moves)}"
    ends = Counter(tally.reason for tally in tallies)
    yield "Endings: " + ", ".join(
        f"{reason.replace('_', ' ')} {number} ({number / len(tallies):.1%})"
        for reason, number in ends.most_common()
    )
    yield ""
    yield from _scores([total for tally in tallies for total in tally.totals])
    yield ""
    yield from _victories(tallies, names)


def _scores(totals: Sequence[int]) -> Iterator[str]:
    lower, median, upper = quantiles(totals, n=4, method="inclusive")
    yield (
        f"Scores: {signed(min(totals))} to {signed(max(totals))}, median {_round(median)}, "
        f"half of them {_round(lower)} to {_round(upper)}, mean {_round(fmean(totals))}"
    )
    yield from histogram(totals)


def _round(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0").replace("-", "−")


def histogram(totals: Sequence[int]) -> Iterator[str]:
    """Yield a histogram of scores, in bins of a round size."""
    span = max(totals) - min(totals)
    step = next((step for step in STEPS if span / step < BINS), span // BINS + 1)
    bins = Counter(total // step for total in totals)
    tallest = max(bins.values())
    rows = []
    for at in range(min(bins), max(bins) + 1):
        low, high = signed(at * step), signed(at * step + step - 1)
        rows.append((low if step == 1 else f"{low} to {high}", str(bins[at])))
    for line, at in zip(grid([("", *row) for row in rows], 2), _range(bins), strict=True):
        yield f"{line}  {bar(bins[at] / tallest * BAR)}".rstrip()


def _range(bins: Counter[int]) -> range:
    return range(min(bins), max(bins) + 1)


def bar(size: float) -> str:
    """Return a bar of this many columns, exact to an eighth."""
    whole, eighths = divmod(round(size * 8), 8)
    return "█" * whole + " ▏▎▍▌▋▊▉"[eighths].strip()


def _victories(tallies: Sequence[Figures], names: Sequence[str]) -> Iterator[str]:
    """Return victories by seat; a shared victory counts in part in the percentage."""
    rows = [("Victories", "alone", "shared", "percent", "mean score")]
    for seat, name in enumerate(names):
        won = [len(tally.winners) for tally in tallies if seat in tally.winners]
        share = sum(1 / number for number in won) / len(tallies)
        mean = fmean(tally.totals[seat] for tally in tallies)
        alone = won.count(1)
        rows.append((name, str(alone), str(len(won) - alone), f"{share:.1%}", _round(mean)))
    yield from grid(rows)
