"""The commands `absence 3 Jul - 10 Jul`, `absence` and `absence cancel`."""

from datetime import date
from operator import itemgetter
from typing import Any

from engine.text import listed
from engine.translate import say
from service.i18n import dates, times
from service.people import accounts
from service.people.tokens import Caller
from service.replies.commands.absence_dates import read_days
from service.replies.commands.conversation import Conversation, Line
from store import timestamps

CANCEL = ("cancel", "off", "none")


def record(conversation: Conversation, line: Line) -> str:
    """Store an absence, list those to come, or cancel them; return a sentence that says so."""
    desk, caller = conversation.desk, Caller(conversation.reply.account, "", frozenset())
    me = accounts.me(desk, caller)
    today = timestamps.read(desk.now()).astimezone(times.zone(me["time_zone"])).date()
    if not line.arguments:
        return _listed(me["absences"], today)
    if line.arguments in CANCEL:
        conversation.changes += 1
        accounts.change(desk, caller, {"absences": []})
        return say("Your absences are cancelled. Days that are over still count for your clocks.")
    first, last = read_days(line.text.strip().partition(" ")[2], today)
    absence = {"from": first.isoformat(), "to": last.isoformat()}
    if absence not in me["absences"]:  # the same letter may be read a second time
        absences = sorted([*me["absences"], absence], key=itemgetter("from"))
        accounts.change(desk, caller, {"absences": absences})
    conversation.changes += 1
    days = {"first": dates.day(first), "last": dates.day(last)}
    return say("You are away from {first} to {last}, including both days.", **days)


def _listed(absences: list[dict[str, Any]], today: date) -> str:
    """Return the absences that are not over."""
    texts = [
        say(
            "{first} to {last}",
            first=dates.day(date.fromisoformat(days["from"])),
            last=dates.day(date.fromisoformat(days["to"])),
        )
        for days in absences
        if date.fromisoformat(days["to"]) >= today
    ]
    if not texts:
        return say("You have no absences. Write one as “absence 3 Jul - 10 Jul”.")
    return say("Your absences: {absences}. “absence cancel” deletes them.", absences=listed(texts))
