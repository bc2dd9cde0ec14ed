"""Reserved seats, links to tables, and rematches."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    # The release before leaves the new columns out: its invitations reserve nothing.
    op.add_column("invitations", sa.Column("reserved_until", sa.Text(), nullable=True))
    op.add_column("invitations", sa.Column("waits_since", sa.Text(), nullable=True))
    op.add_column(
        "games",
        sa.Column("default_visibility", sa.Integer(), nullable=False, server_default="0"),
    )
    op.add_column("games", sa.Column("link", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("games", sa.Column("rematch_of", sa.Text(), nullable=True))
    op.create_index(op.f("ix_games_rematch_of"), "games", ["rematch_of"], unique=False)
