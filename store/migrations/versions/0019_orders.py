"""Standing orders."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    # The release before knows no orders: it asks the player, as if there were none.
    op.create_table(
        "orders",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at_once", sa.Integer(), nullable=False),
        sa.Column("given", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("ended", sa.Text(), nullable=True),
        sa.Column("steps_done", sa.Integer(), nullable=False),
        sa.Column("turns_used", sa.Integer(), nullable=False),
        sa.Column("pending", sa.Integer(), nullable=True),
        sa.Column("locomotives", sa.Integer(), nullable=False),
        sa.Column("played", sa.Text(), nullable=False),
        sa.Column("due", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_orders_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name=op.f("fk_orders_game"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game", "account", name=op.f("pk_orders")),
    )
    op.create_index(op.f("ix_orders_account"), "orders", ["account"], unique=False)
    op.create_index(
        "ix_orders_due",
        "orders",
        ["due"],
        unique=False,
        sqlite_where=sa.text("due IS NOT NULL"),
        postgresql_where=sa.text("due IS NOT NULL"),
    )
