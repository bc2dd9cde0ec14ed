"""When somebody wants to have mail: each turn, merged, once a day or never; and not at night."""

from datetime import datetime, time, timedelta

from service.i18n import times
from service.notify.notice_kinds import ABOUT_ADDRESSES, ANYWAY
from service.people import addresses
from store import timestamps
from store.people.accounts import Account

MERGED_AFTER = timedelta(minutes=30)
"""So long more may come before one letter tells of everything."""
DIGEST_AT = time(7, 0)


def merges(account: Account) -> bool:
    """Whether several decisions go into one letter."""
    return account.settings["notifications"]["mode"] in ("merged", "digest")


def mail_time(account: Account, kind: str, now: str) -> str | None:
    """When a letter of this kind may go to somebody; None if never."""
    if kind in ABOUT_ADDRESSES:
        return now
    if addresses.deliverable_address(account, kind) is None:
        return None
    if kind in ANYWAY:
        return now
    wanted = account.settings["notifications"]
    if wanted["mode"] == "off":
        return None
    moment = timestamps.read(now).astimezone(times.zone(account.time_zone))
    if wanted["mode"] == "merged":
        moment += MERGED_AFTER
    if wanted["mode"] == "digest":
        moment = _next(moment, DIGEST_AT)
    return timestamps.written(_awake(moment, wanted["quiet_hours"]))


def _next(moment: datetime, at: time) -> datetime:
    """The next time that the clock on the wall says so."""
    there = moment.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    return there if there > moment else there + timedelta(days=1)


def _awake(moment: datetime, quiet: dict[str, str] | None) -> datetime:
    """The moment itself, or the end of the quiet hours in which it lies."""
    if quiet is None:
        return moment
    begins, ends = time.fromisoformat(quiet["from"]), time.fromisoformat(quiet["to"])
    now = moment.time()
    asleep = begins <= now < ends if begins < ends else now >= begins or now < ends
    return _next(moment, ends) if asleep else moment
