"""Which sessions are listed and which are played again, and the rules of every revision.

A session from before is listed nowhere. Its rematch was found by a remembered request, and its revisions were made
under the rules that it started with, as far as anybody knows.
"""

from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

LISTED = sa.text("state = 1 AND listed")
REMATCH = sha256(b"rematch").digest()


def upgrade() -> None:
    """Add the columns, and the indexes of lobbies for those that are listed."""
    op.add_column("sessions", sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("sessions", sa.Column("rematch", sa.Text, nullable=False, server_default=""))
    op.add_column("records", sa.Column("rules_version", sa.Text, nullable=False, server_default=""))
    found = "SELECT session_id FROM requests WHERE scope = sessions.id AND request = :rematch"
    rematches = sa.text(f"UPDATE sessions SET rematch = coalesce(({found}), '')")  # noqa: S608  a constant
    op.execute(rematches.bindparams(rematch=REMATCH))
    started_with = "SELECT rules_version FROM sessions WHERE sessions.id = records.session_id"
    op.execute(f"UPDATE records SET rules_version = ({started_with})")  # noqa: S608  a constant
    op.drop_index("lobbies", "sessions")
    for name, columns in (("lobbies", ["created", "id"]), ("lobbies_of_games", ["game", "created", "id"])):
        op.create_index(name, "sessions", columns, sqlite_where=LISTED, postgresql_where=LISTED)


def downgrade() -> None:
    """Take them away."""
    op.drop_index("lobbies_of_games", "sessions")
    op.drop_index("lobbies", "sessions")
    waiting = sa.text("state = 1")
    op.create_index("lobbies", "sessions", ["state", "created", "id"], sqlite_where=waiting, postgresql_where=waiting)
    op.drop_column("records", "rules_version")
    op.drop_column("sessions", "rematch")
    op.drop_column("sessions", "listed")
