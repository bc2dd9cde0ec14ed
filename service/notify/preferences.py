"""How often an account wants messages about its games: each turn, merged, daily, or never."""

from datetime import datetime, time, timedelta

from service.i18n import times
from store import timestamps
from store.people.accounts import Account

MERGED_AFTER = timedelta(minutes=30)
"""How long a merged message waits for more events."""
DIGEST_AT = time(7, 0)
"""When a digest is sent, in the account's time zone."""


def merges(account: Account) -> bool:
    """Return whether several decisions go into one message."""
    return account.settings["notifications"]["mode"] in ("merged", "digest")


def time_for(account: Account, now: str, *, or_never: bool = True) -> str | None:
    """Return when to notify an account of an event that happens now; None for never.

    Without `or_never` an account that wants no mail is notified of every event.
    """
    chosen = account.settings["notifications"]
    if chosen["mode"] == "off" and or_never:
        return None
    moment = timestamps.read(now).astimezone(times.zone(account.time_zone))
    if chosen["mode"] == "merged":
        moment += MERGED_AFTER
    if chosen["mode"] == "digest":
        moment = _next(moment, DIGEST_AT)
    return timestamps.written(_awake(moment, chosen["quiet_hours"]))


def _next(moment: datetime, at: time) -> datetime:
    """Return the next moment at which a clock in this time zone shows this time of day."""
    candidate = moment.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    return candidate if candidate > moment else candidate + timedelta(days=1)


def _awake(moment: datetime, quiet: dict[str, str] | None) -> datetime:
    """Return the moment itself, or the end of the quiet hours that it falls into."""
    if quiet is None:
        return moment
    begins, ends = time.fromisoformat(quiet["from"]), time.fromisoformat(quiet["to"])
    now = moment.time()
    asleep = begins <= now < ends if begins < ends else now >= begins or now < ends
    return _next(moment, ends) if asleep else moment
