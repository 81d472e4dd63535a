"""The request of a move stands in the row of its revision; those from before stay where they are, and count as well."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

ASKED = sa.text("request IS NOT NULL")


def upgrade() -> None:
    """Add the columns, and the index in which a request is there once for each session."""
    op.add_column("records", sa.Column("request", sa.LargeBinary))
    op.add_column("records", sa.Column("request_body", sa.LargeBinary))
    columns = ["session_id", "request"]
    op.create_index("asked", "records", columns, unique=True, sqlite_where=ASKED, postgresql_where=ASKED)


def downgrade() -> None:
    """Put the requests where they were, and take the columns away."""
    moved = sa.text(
        "INSERT INTO requests (scope, request, body, session_id, number, nonce)"
        " SELECT session_id, request, request_body, session_id, revision, :nonce FROM records WHERE request IS NOT NULL"
    )
    op.execute(moved.bindparams(nonce=b""))
    op.drop_index("asked", "records")
    op.drop_column("records", "request_body")
    op.drop_column("records", "request")
