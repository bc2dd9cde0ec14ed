"""Deliveries without an account: answers to mail from addresses that have none."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    with op.batch_alter_table("deliveries") as batch:
        batch.alter_column("account", existing_type=sa.Text(), nullable=True)
