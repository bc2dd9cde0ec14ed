"""Connected apps: grants, authorization codes and device codes."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    # The release before knows no grants: it lists and revokes an app's access token like others.
    op.create_table(
        "oauth_grants",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("client", sa.Text(), nullable=False),
        sa.Column("returns_to", sa.Text(), nullable=True),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("refreshed", sa.Text(), nullable=False),
        sa.Column("expires", sa.Text(), nullable=False),
        sa.Column("family", sa.LargeBinary(), nullable=False),
        sa.Column("refresh", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_oauth_grants_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oauth_grants")),
        sa.UniqueConstraint("family", name=op.f("uq_oauth_grants_family")),
    )
    op.create_table(
        "oauth_codes",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("client", sa.Text(), nullable=False),
        sa.Column("redirect_uri", sa.Text(), nullable=False),
        sa.Column("challenge", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("expires", sa.Text(), nullable=False),
        sa.Column("grant", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_oauth_codes_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_oauth_codes")),
    )
    op.create_table(
        "oauth_devices",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("user_code", sa.LargeBinary(), nullable=False),
        sa.Column("client", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("expires", sa.Text(), nullable=False),
        sa.Column("interval", sa.Integer(), nullable=False),
        sa.Column("polled", sa.Text(), nullable=True),
        sa.Column("account", sa.Text(), nullable=True),
        sa.Column("session", sa.Text(), nullable=True),
        sa.Column("approved", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_oauth_devices_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_oauth_devices")),
        sa.UniqueConstraint("user_code", name=op.f("uq_oauth_devices_user_code")),
    )
    for table in ("oauth_grants", "oauth_codes", "oauth_devices"):
        for column in ("account", "expires"):
            op.create_index(op.f(f"ix_{table}_{column}"), table, [column], unique=False)
