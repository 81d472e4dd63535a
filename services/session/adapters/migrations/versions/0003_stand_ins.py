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
    op.add_column("sessions", sa.Column("stand_in_limit", sa.BigInteger, nullable=False, server_default=str(SECOND)))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("sessions", "stand_in_limit")
