"""Standing orders: what a seat wants to be played later, read from text and judged move by move.

read_orders(rules, text)                        the orders that a text means, or a Refusal
check_orders(rules, view, seat, orders, text)   refuses what is lost already
judge(rules, view, seat, orders, progress, …)   the next move, or why the orders stop
"""

from engine.orders.judge import check_orders, judge
from engine.orders.reading import read_orders, without_order_words
from engine.orders.values import (
    LONGEST_ORDERS,
    Finished,
    Orders,
    Play,
    Progress,
    Step,
    Stop,
    Task,
    Terms,
    Verdict,
)
from engine.orders.writing import written, written_step

__all__ = [
    "LONGEST_ORDERS",
    "Finished",
    "Orders",
    "Play",
    "Progress",
    "Step",
    "Stop",
    "Task",
    "Terms",
    "Verdict",
    "check_orders",
    "judge",
    "read_orders",
    "without_order_words",
    "written",
    "written_step",
]
