"""How the seeds of each session are derived: those from before in version 1 of docs/chance.md."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("sessions", sa.Column("chance_version", sa.Integer, nullable=False, server_default="1"))


def downgrade() -> None:
    """Take it away. A session that was made since then can't be verified any more."""
    op.drop_column("sessions", "chance_version")
