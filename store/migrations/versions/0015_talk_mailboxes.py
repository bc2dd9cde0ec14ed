"""Mailboxes for replies to table talk, beside those for replies about a game and for bounces."""

from alembic import op

revision = "0015"
down_revision = "0014"

PURPOSES = "purpose in ('reply', 'talk', 'bounce')"


def upgrade() -> None:
    name = op.f("ck_mailboxes_purpose")
    if op.get_context().dialect.name != "sqlite":
        op.drop_constraint(name, "mailboxes", type_="check")
        op.create_check_constraint(name, "mailboxes", PURPOSES)
        return
    # SQLite copies the table, without its checks, and drops the old one: rows that refer to it
    # would be deleted with it.
    op.execute("CREATE TEMPORARY TABLE kept_decisions AS SELECT * FROM mailbox_decisions")
    with op.batch_alter_table("mailboxes") as batch:
        batch.create_check_constraint(name, PURPOSES)
    op.execute("DELETE FROM mailbox_decisions")
    op.execute("INSERT INTO mailbox_decisions SELECT * FROM kept_decisions")
    op.execute("DROP TABLE kept_decisions")
