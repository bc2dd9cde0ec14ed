"""A new email address is stored beside the current one until it is confirmed."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("accounts", sa.Column("new_email", sa.Text(), nullable=True))
    op.add_column("accounts", sa.Column("new_email_until", sa.Text(), nullable=True))
