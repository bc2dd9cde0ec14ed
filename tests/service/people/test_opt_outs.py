"""Opt-outs: letters that they stop, and those of older versions."""

from pathlib import Path

from alembic import command
from sqlalchemy import MetaData, Table, insert, text

from service.desk import Desk
from service.games import lobby
from service.games.inviting import invitations
from service.links import signed_links
from service.people import address_fingerprints, opt_outs
from store import schema
from store.database import Database
from store.tables import mail_opt_outs
from tests.service.support.newcomers import rows
from tests.service.support.owing import on_its_way, reachable
from tests.workers.correspondence import composed, delivery

EMAIL = "dan@example.org"


def test_a_letter_that_waits_is_stopped(desk: Desk) -> None:
    """A letter that is queued when its reader opts out is not sent."""
    host = reachable(desk, "Host")
    game = lobby.open_game(desk, host, lobby.NewGame("usa", (), 2), None)["id"]
    id = invitations.invite(desk, host, game, {"email": EMAIL}, None)["id"]
    assert ["invited"] == on_its_way(desk, "kind")
    about = delivery(host, "invited", data={"invitation": id})
    assert composed(desk, about) is not None
    with desk.database.writing() as tx:
        opt_outs.add(desk, tx, EMAIL)
    assert composed(desk, about) is None


def test_opt_outs_of_old_are_kept(tmp_path: Path, desk: Desk) -> None:
    """Opt-outs of older versions are kept, and get a keyed fingerprint when they match."""
    old = Database(f"sqlite:///{tmp_path}/old.db")
    config = schema._config()
    with old.writing() as tx:
        config.attributes["connection"] = tx
        command.upgrade(config, "0004")
        tx.execute(
            text(
                "INSERT INTO accounts (id, name, name_key, kind, locale, time_zone, hooks, "
                "settings, created) VALUES ('a', 'A', 'a', 'person', 'en', 'UTC', 0, '{}', '')"
            )
        )
        games = Table("games", MetaData(), autoload_with=tx)
        blank = {column.name: "" for column in games.c if not column.nullable}
        numbers = dict.fromkeys(("seats", "version", "changes", "said", "rules", "rated"), 0)
        row = {**blank, **numbers, "id": "g", "status": "open", "seed": b""}
        tx.execute(insert(games), [row])
        marks = (" never 5d4a1c3b2e7f8091", " declined 1111222233334444", EMAIL)
        for n, email in enumerate(marks):
            tx.execute(
                text("INSERT INTO invitations VALUES (:id, 'g', 'a', NULL, :email, '2026')"),
                {"id": str(n), "email": email},
            )
    schema.upgrade(old)
    with old.reading() as tx:
        assert [("5d4a1c3b2e7f8091", "2026")] == [
            tuple(row) for row in tx.execute(mail_opt_outs.select())
        ]
    old.close()

    plain = signed_links.fingerprint(EMAIL)
    with desk.database.writing() as tx:
        tx.execute(insert(mail_opt_outs), [{"mailbox": plain, "at": "2026"}])
        assert opt_outs.opted_out(desk, tx, EMAIL)
        assert not opt_outs.opted_out(desk, tx, "eve@example.org")
    assert [(address_fingerprints.find_fingerprint(desk, EMAIL),)] == rows(
        desk, mail_opt_outs, "mailbox"
    )


def test_a_link_to_sign_in_that_waits_is_stopped(desk: Desk) -> None:
    """A queued sign-in letter is stopped only if the reader opted out of these, too."""
    about = delivery(reachable(desk, "Ada"), "sign_in", data={"key": "k", "next": ""})
    mailbox = {"mailbox": address_fingerprints.find_fingerprint(desk, "ada@example.org")}
    opt_outs.opt_out_page(desk, mailbox, "never")
    assert composed(desk, about) is not None
    opt_outs.opt_out_page(desk, mailbox, "all")
    assert composed(desk, about) is None
