"""What several servers on one PostgreSQL need: claims that all of them see, and which of them may still run.

A SQLite file has one server, which keeps its claims in memory and migrates the file itself: it stays as it is.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

OLDEST = "0008"
"""The schema of the oldest servers that may run on this one."""
ROOM = {"fillfactor": 50}
"""A page keeps room for the next state of its sessions: then no index hears of a move (HOT updates)."""
SWEPT = {"autovacuum_vacuum_scale_factor": 0.02, "autovacuum_vacuum_cost_delay": 1}
"""Each move leaves a dead row, so they are swept early."""


def upgrade() -> None:
    """Add them."""
    if op.get_bind().dialect.name != "postgresql":
        return
    op.add_column("sessions", sa.Column("claimed_until", sa.BigInteger, nullable=False, server_default="0"))
    settings = ", ".join(f"{name} = {value}" for name, value in {**ROOM, **SWEPT}.items())
    op.execute(f"ALTER TABLE sessions SET ({settings})")
    op.create_table(
        "compatibility",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("oldest_server", sa.Text, nullable=False),
    )
    op.execute(f"INSERT INTO compatibility (id, oldest_server) VALUES (1, '{OLDEST}')")  # noqa: S608  a constant


def downgrade() -> None:
    """Take them away."""
    if op.get_bind().dialect.name != "postgresql":
        return
    op.drop_table("compatibility")
    op.execute(f"ALTER TABLE sessions RESET ({', '.join([*ROOM, *SWEPT])})")
    op.drop_column("sessions", "claimed_until")
