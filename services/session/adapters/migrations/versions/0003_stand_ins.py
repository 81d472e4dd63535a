"""How long a stand-in waits before it moves in a seat that was left."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

SECOND = 1_000_000
"""In microseconds."""


def upgrade() -> None:
    """Add the column. In a session from before it is a second."""
    # It may be there: this was not always done all or nothing.
    if not any(column["name"] == "stand_in_limit" for column in sa.inspect(op.get_bind()).get_columns("sessions")):
        column = sa.Column("stand_in_limit", sa.BigInteger, nullable=False, server_default=str(SECOND))
        op.add_column("sessions", column)


def downgrade() -> None:
    """Take it away."""
    op.drop_column("sessions", "stand_in_limit")
