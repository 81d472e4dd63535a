"""Clocks: limits and deadlines, the seats that were left, and when the timekeeper looks at a session next."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

DAY = 86_400_000_000
"""In microseconds."""
OVER = 3
"""The first of the states in which a session has ended."""


def upgrade() -> None:
    """Add the columns. A session from before is idle after a week, and kept for a month."""
    sessions = (
        sa.Column("idle_limit", sa.BigInteger, nullable=False, server_default=str(7 * DAY)),
        sa.Column("keep_limit", sa.BigInteger, nullable=False, server_default=str(30 * DAY)),
        sa.Column("turn_limit", sa.BigInteger),
        sa.Column("touched", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("alarm", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("created_by", sa.LargeBinary),
    )
    # Some may be there: this was not always done all or nothing.
    there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("sessions")}
    for column in sessions:
        if column.name not in there:
            op.add_column("sessions", column)
    op.execute("UPDATE sessions SET touched = updated")
    # When each of them is due, as the domain has it: deleted once it has ended and was kept, ended once it is idle.
    limit = sa.case((sa.column("state") >= OVER, sa.column("keep_limit")), else_=sa.column("idle_limit"))
    op.execute(sa.table("sessions", sa.column("alarm")).update().values(alarm=sa.column("touched") + limit))
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
