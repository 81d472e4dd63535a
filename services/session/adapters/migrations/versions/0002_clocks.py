"""Clocks: limits and deadlines, the seats that were left, and when the timekeeper looks at a session next."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

DAY = 86_400_000_000
"""In microseconds."""


def upgrade() -> None:
    """Add the columns. A session from before is idle after a week, and kept for a month."""
    op.add_column("sessions", sa.Column("idle_limit", sa.BigInteger, nullable=False, server_default=str(7 * DAY)))
    op.add_column("sessions", sa.Column("keep_limit", sa.BigInteger, nullable=False, server_default=str(30 * DAY)))
    op.add_column("sessions", sa.Column("turn_limit", sa.BigInteger))
    op.add_column("sessions", sa.Column("touched", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("sessions", sa.Column("alarm", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("sessions", sa.Column("created_by", sa.LargeBinary))
    op.execute("UPDATE sessions SET touched = updated")
    op.create_index("alarms", "sessions", ["alarm"])
    op.add_column("seats", sa.Column("has_left", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("records", sa.Column("deadline", sa.BigInteger))


def downgrade() -> None:
    """Take them away."""
    op.drop_column("records", "deadline")
    op.drop_column("seats", "has_left")
    op.drop_index("alarms", "sessions")
    for column in ("created_by", "alarm", "touched", "turn_limit", "keep_limit", "idle_limit"):
        op.drop_column("sessions", column)
