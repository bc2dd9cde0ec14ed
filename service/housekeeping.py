"""Deletes rows that are no longer needed, and passes on seats; run by the workers hourly."""

from service import idempotency, sealed_keys
from service.desk import Desk
from service.games import commitments
from service.games.seating import reservations
from service.links import seat_sessions
from service.notify import mail_providers, outbox
from service.notify.destinations import push_keys, sending
from service.people import address_fingerprints, addresses, mail_limits
from service.people.oauth import connected_apps
from service.replies import held_mail, mailboxes
from store import recorded_answers, timestamps


def tidy(desk: Desk) -> None:
    """Delete old notices, addresses, mail, counts, commitments, sessions and recorded answers.

    Seats whose reservations have ended are reserved for guests who wait for one.
    """
    outbox.tidy(desk)
    sending.tidy(desk)
    mail_providers.tidy(desk)
    mailboxes.tidy(desk)
    held_mail.tidy(desk)
    addresses.tidy(desk)
    mail_limits.tidy(desk)
    for name in (address_fingerprints.KEY_NAME, push_keys.KEY_NAME):
        sealed_keys.reseal(desk, name)
    commitments.tidy(desk)
    seat_sessions.tidy(desk)
    connected_apps.tidy(desk)
    reservations.tidy(desk)
    with desk.database.writing() as tx:
        recorded_answers.forget(tx, before=timestamps.later(desk.now(), -idempotency.RETENTION))
