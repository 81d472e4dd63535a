"""The service's own time, alarms by their games, and how long a session is kept counts from its last touch."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

OVER, ABORTED = 3, 4
HUMAN, BOT = 1, 2


def upgrade() -> None:
    """Change them. The last time that was seen is that of the latest change, as far as anybody knows."""
    op.drop_index("alarms", "sessions")
    op.create_index("alarms", "sessions", ["game", "alarm"])
    op.create_table(
        "service_time",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
    op.execute("INSERT INTO service_time (id, seen) SELECT 1, max(updated) FROM sessions HAVING count(*) > 0")
    op.execute(f"UPDATE sessions SET touched = updated WHERE state IN ({OVER}, {ABORTED})")  # noqa: S608  constants
    # A bot was whoever had the token of its seat. The server shall not play what somebody plays.
    op.execute(f"UPDATE seats SET kind = {HUMAN} WHERE kind = {BOT}")  # noqa: S608  constants


def downgrade() -> None:
    """Change them back."""
    op.drop_table("service_time")
    op.drop_index("alarms", "sessions")
    op.create_index("alarms", "sessions", ["alarm"])
