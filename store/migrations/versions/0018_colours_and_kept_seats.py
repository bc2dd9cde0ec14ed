"""Colours that players have chosen, and rematches that keep their seats."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    # The release before leaves both out: its seats have the default colours, drawn by lot.
    op.add_column("seats", sa.Column("colour", sa.Text(), nullable=True))
    op.add_column(
        "games", sa.Column("kept_seats", sa.Integer(), nullable=False, server_default="0")
    )
