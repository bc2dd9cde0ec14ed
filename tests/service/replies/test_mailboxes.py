"""Reply and bounce addresses."""

import re
from dataclasses import replace

from sqlalchemy import select, update

from service.desk import Desk
from service.replies import mailboxes
from service.replies.mailboxes import LetteredDecision, Mailbox
from store.tables import mailbox_decisions, seats
from store.tables import mailboxes as mailboxes_table
from tests.service.support.addresses import bounce_address, reply_address
from tests.service.support.post import opened
from tests.service.support.threads import at_once


def test_an_address_is_the_same_each_time(each_desk: Desk) -> None:
    """A decision has one reply address, also if four threads create it at once."""
    post = opened(each_desk)
    address = post.address()

    assert re.fullmatch(r"[a-z2-7]{26}@nightmail\.localhost", address)
    assert address == post.address()
    assert {address} == set(at_once(4, lambda _: post.address()))
    assert 1 == len(_hashes(each_desk))


def _hashes(desk: Desk) -> list[bytes]:
    with desk.database.reading() as tx:
        return list(tx.scalars(select(mailboxes_table.c.hash)))


def test_every_seat_and_every_decision_has_its_own(desk: Desk) -> None:
    """Each decision of each seat has its own reply address, each account its own bounce address."""
    post = opened(desk)
    addresses = [
        reply_address(desk, post.players[seat], post.game, seat, decision)
        for seat in (0, 1)
        for decision in (0, 1, 2)
    ]
    addresses += [bounce_address(desk, player, "a@example.org") for player in post.players]

    assert 8 == len(set(addresses))


def test_an_address_leads_to_its_decision(each_desk: Desk) -> None:
    """An address is found in lower case and in capitals; any other address is unknown."""
    post = opened(each_desk)
    address = post.address(1)
    expected = Mailbox("reply", post.players[1], post.game, 1, 0)

    assert expected == mailboxes.find(each_desk, address)
    assert expected == mailboxes.find(each_desk, address.upper())
    assert mailboxes.find(each_desk, address[1:]) is None
    assert mailboxes.find(each_desk, address.replace("@", "@x.")) is None


def test_the_address_itself_is_not_stored(desk: Desk) -> None:
    """No database file contains the local part of a reply address."""
    post = opened(desk)
    local_part = post.address().partition("@")[0]
    desk.close()
    files = [path for path in desk.settings.data_dir.iterdir() if path.is_file()]

    assert files
    assert not any(local_part.encode() in path.read_bytes() for path in files)


def test_another_key_breaks_no_address(desk: Desk) -> None:
    """Addresses stay valid under new SECRET_KEYS, and stay the same while their key is listed."""
    post = opened(desk)
    address = post.address()
    old = desk.settings.secret_keys
    rotated = desk._replace(settings=replace(desk.settings, secret_keys=("n" * 32, *old)))
    dropped = desk._replace(settings=replace(desk.settings, secret_keys=("n" * 32,)))

    assert address == post._replace(desk=rotated).address()
    assert mailboxes.find(dropped, address) is not None
    assert address != post._replace(desk=dropped).address()


def test_what_is_made_void_stays_void(each_desk: Desk) -> None:
    """A void address stays void, even if a letter composed before stores it again."""
    post = opened(each_desk)
    old = mailboxes.reply(each_desk, post.players[0], post.game, 0, 0, links=0)
    with each_desk.database.writing() as tx:
        tx.execute(update(seats).where(seats.c.number == 0).values(links=1))
        mailboxes.void(tx, post.game, 0)
    mailboxes.store(each_desk, [old])

    assert mailboxes.find(each_desk, old.email) is None
    assert mailboxes.find(each_desk, post.address()) is not None


def test_mail_comes_back_to_one_address_of_an_account(desk: Desk) -> None:
    """Each address of an account has a bounce address of its own."""
    post = opened(desk)
    account = post.players[0]
    old = bounce_address(desk, account, "seat0@example.org")
    assert mailboxes.is_bounce_address(desk, old, account, "seat0@example.org")

    assert old != bounce_address(desk, account, "new@example.org")
    assert not mailboxes.is_bounce_address(desk, old, account, "new@example.org")


def test_old_addresses_are_forgotten(desk: Desk) -> None:
    """`tidy` deletes an old address and keeps a new one."""
    post = opened(desk)
    address = post.address()
    mailboxes.tidy(desk)
    assert mailboxes.find(desk, address) is not None
    mailboxes.tidy(desk._replace(now=lambda: "2099-01-01T00:00:00.000Z"))

    assert mailboxes.find(desk, address) is None


def test_an_address_for_several_games_is_the_same_each_time(each_desk: Desk) -> None:
    """The same decisions with the same letters have one address; others have another."""
    post = opened(each_desk)
    account = post.players[0]
    two = [LetteredDecision("A", post.game, 0, 0), LetteredDecision("B", post.game, 1, 0)]
    swapped = [two[0]._replace(letter="B"), two[1]._replace(letter="A")]
    address = mailboxes.reply_to_several(each_desk, account, two, [0, 0])
    mailboxes.store(each_desk, [address])
    again = mailboxes.reply_to_several(each_desk, account, two, [0, 0])

    assert (address.email, True) == (again.email, again.is_stored)
    mailbox = mailboxes.find(each_desk, address.email)
    assert Mailbox("reply", account, decisions=tuple(two)) == mailbox
    others = [
        mailboxes.reply_to_several(each_desk, account, swapped, [0, 0]),
        mailboxes.reply_to_several(each_desk, account, two, [0, 1]),
        mailboxes.reply_to_several(each_desk, post.players[1], two, [0, 0]),
    ]
    assert 4 == len({address.email, *(other.email for other in others)})


def test_a_seat_that_is_void_is_not_stored_again(each_desk: Desk) -> None:
    """A letter composed before a seat made its addresses void is stored for the other seats."""
    post = opened(each_desk)
    two = [LetteredDecision("A", post.game, 0, 0), LetteredDecision("B", post.game, 1, 0)]
    address = mailboxes.reply_to_several(each_desk, post.players[0], two, [0, 0])
    with each_desk.database.writing() as tx:
        tx.execute(update(seats).where(seats.c.number == 0).values(links=1))
        mailboxes.void(tx, post.game, 0)
    mailboxes.store(each_desk, [address])
    mailbox = mailboxes.find(each_desk, address.email)

    assert mailbox is not None
    assert (two[1],) == mailbox.decisions


def test_forgotten_addresses_leave_no_decisions(each_desk: Desk) -> None:
    """`tidy` deletes the decisions of an old address with it."""
    post = opened(each_desk)
    address = mailboxes.reply_to_several(
        each_desk, post.players[0], [LetteredDecision("A", post.game, 0, 0)], [0]
    )
    mailboxes.store(each_desk, [address])
    mailboxes.tidy(each_desk._replace(now=lambda: "2099-01-01T00:00:00.000Z"))

    with each_desk.database.reading() as tx:
        assert [] == list(tx.execute(select(mailbox_decisions)))
