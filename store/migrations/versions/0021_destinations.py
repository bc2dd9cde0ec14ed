"""Destinations of channels, what their places were told, and deliveries to them."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    # The release before has no channel with destinations, so it claims no delivery to one.
    op.create_table(
        "destinations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("address", sa.LargeBinary(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("located", sa.Integer(), server_default="0", nullable=False),
        sa.Column("shared", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=True),
        sa.Column("types", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("code_until", sa.Text(), nullable=True),
        sa.Column("last_success", sa.Text(), nullable=True),
        sa.Column("last_failure", sa.Text(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("failing_since", sa.Text(), nullable=True),
        sa.Column("held_until", sa.Text(), nullable=True),
        sa.Column("off_since", sa.Text(), nullable=True),
        sa.Column("off_reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_destinations_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_destinations")),
        sa.UniqueConstraint("code", name=op.f("uq_destinations_code")),
    )
    op.create_index(op.f("ix_destinations_account"), "destinations", ["account"], unique=False)
    op.create_index(
        "ix_destinations_channel_game",
        "destinations",
        ["channel", "game"],
        unique=False,
        sqlite_where=sa.text("off_since IS NULL"),
        postgresql_where=sa.text("off_since IS NULL"),
    )
    op.create_table(
        "told_places",
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("delivery", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("sent", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("place", "event", name=op.f("pk_told_places")),
    )
    op.create_index(op.f("ix_told_places_at"), "told_places", ["at"], unique=False)
    with op.batch_alter_table("deliveries") as deliveries:
        deliveries.add_column(sa.Column("destination", sa.Text(), nullable=True))
        deliveries.create_foreign_key(
            op.f("fk_deliveries_destination"),
            "destinations",
            ["destination"],
            ["id"],
            ondelete="CASCADE",
        )
    op.create_index(
        "ix_deliveries_destination_at", "deliveries", ["destination", "at"], unique=False
    )
