"""Mailboxes for replies to table talk, beside those for replies about a game and for bounces."""

from alembic import op

revision = "0014"
down_revision = "0013"

PURPOSES = "purpose in ('reply', 'talk', 'bounce')"


def upgrade() -> None:
    name = op.f("ck_mailboxes_purpose")
    # SQLite copies the table, without its checks; PostgreSQL changes the constraint in place.
    with op.batch_alter_table("mailboxes") as batch:
        if op.get_context().dialect.name != "sqlite":
            batch.drop_constraint(name, type_="check")
        batch.create_check_constraint(name, PURPOSES)
