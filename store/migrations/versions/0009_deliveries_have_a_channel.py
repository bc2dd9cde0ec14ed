"""Deliveries name their channel; until now a hook meant a webhook, and none meant mail."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    # The default is for processes of the release before, which leave the column out.
    channel = sa.Column("channel", sa.Text(), server_default="mail", nullable=False)
    op.add_column("deliveries", channel)
    op.execute("UPDATE deliveries SET channel = 'webhook' WHERE hook IS NOT NULL")
    waiting = sa.text("state = 'waiting'")
    op.create_index(
        "ix_deliveries_channel_due",
        "deliveries",
        ["channel", "not_before", "id"],
        unique=False,
        sqlite_where=waiting,
        postgresql_where=waiting,
    )
