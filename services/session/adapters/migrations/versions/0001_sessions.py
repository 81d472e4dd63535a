"""Sessions, their seats, their revisions, and the requests that have had an answer.

Keys are composite and none is a serial, so that the schema also fits a distributed PostgreSQL.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

LOBBY = 1
BYTES = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
"""Text that is compared byte by byte, as SQLite does, whatever the language of the database."""


def upgrade() -> None:
    """Make the tables. Some may be there: this was not always done all or nothing."""
    # On PostgreSQL each revision would lock the row of its session for it, and a distributed one has none.
    distributed = op.get_bind().dialect.name == "postgresql"

    def owned() -> tuple[sa.ForeignKey, ...]:
        return () if distributed else (sa.ForeignKey("sessions.id"),)

    op.create_table(
        "sessions",
        sa.Column("id", BYTES, primary_key=True),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("game", BYTES, nullable=False),
        sa.Column("state", sa.Integer, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("options", sa.LargeBinary, nullable=False),
        sa.Column("rules_version", sa.Text, nullable=False),
        sa.Column("server_seed", sa.LargeBinary, nullable=False),
        sa.Column("host_hash", sa.LargeBinary, nullable=False),
        sa.Column("join_hash", sa.LargeBinary, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )
    # Only lobbies are listed: a session that is being played costs this index nothing.
    waiting = sa.text(f"state = {LOBBY}")
    op.create_index(
        "lobbies",
        "sessions",
        ["state", "created", "id"],
        sqlite_where=waiting,
        postgresql_where=waiting,
        if_not_exists=True,
    )
    op.create_table(
        "seats",
        sa.Column("session_id", BYTES, *owned(), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("kind", sa.Integer, nullable=False),
        sa.Column("token_hash", sa.LargeBinary),
        sa.Column("entropy", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )
    op.create_table(
        "records",
        sa.Column("session_id", BYTES, *owned(), primary_key=True),
        sa.Column("revision", sa.BigInteger, primary_key=True),
        sa.Column("seat", sa.Integer),
        sa.Column("step", sa.LargeBinary, nullable=False),
        sa.Column("committed", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )
    op.create_table(
        "requests",
        sa.Column("scope", BYTES, primary_key=True),
        sa.Column("request", sa.LargeBinary, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("session_id", BYTES, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("nonce", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in ("requests", "records", "seats", "sessions"):
        op.drop_table(table)
