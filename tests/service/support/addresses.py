"""Addresses of ours that are stored, as after sending a letter that names them."""

from service.desk import Desk
from service.replies import mailboxes
from store.people import signed_links


def reply_address(desk: Desk, account: str, game: str, seat: int, version: int) -> str:
    """The address for replies to a decision, stored."""
    with desk.database.reading() as tx:
        seat_links = signed_links.seat_links(tx, game, seat)
    links = seat_links.links if seat_links else 0
    address = mailboxes.reply(desk, account, game, seat, version, links)
    mailboxes.store(desk, [address])
    return address.email


def bounce_address(desk: Desk, account: str, email: str) -> str:
    """The address for bounces of mail to an account, stored."""
    address = mailboxes.bounce(desk, account, email)
    mailboxes.store(desk, [address])
    return address.email
