"""Saving changes: one statement for one of them, or for all that wait; and finding out whether a lost one was saved.

A change is a compare-and-swap on the version of its session. Rows are locked in the order of ids, so that no two
statements wait for each other. Each change brings a request of its own, which tells it from all others: the caller's,
or one that is made here.
"""

import os
from collections.abc import Sequence
from typing import Any

from services.session.adapters import rows
from services.session.adapters.postgresql.opening import ANSWER_SECONDS, Connection
from services.session.ports import Change

REQUEST_BYTES = 16
"""Of a request that is made here. A caller's is a hash, and longer."""

SESSION = (
    ("id", "text"),
    ("version", "bigint"),
    ("state", "int"),
    ("revision", "bigint"),
    ("updated", "bigint"),
    ("touched", "bigint"),
    ("rematch", "text"),
    ("alarm", "bigint"),
    ("moves_alarm", "bool"),
)
RECORD = (
    ("seat", "int"),
    ("step", "bytea"),
    ("committed", "bigint"),
    ("deadline", "bigint"),
    ("rules_version", "text"),
)
REQUEST = (("request", "bytea"), ("body", "bytea"))
BEGUN = (("options", "bytea"), ("started_with", "text"))
"""What becomes of a session whose last seat is taken: it has the options as the rules have read them, and its rules."""
REMEMBERED = (("in_record", "bool"), ("scope", "text"), ("number", "bigint"), ("nonce", "bytea"))
SEATED = (
    ("seat_number", "int"),
    ("name", "text"),
    ("token_hash", "bytea"),
    ("entropy", "bytea"),
    ("has_left", "bool"),
)
MOVE = (("ordinal", "int"), *SESSION, *RECORD, *REQUEST)
"""Columns of a change that is a move, a time-out or an alarm. Nearly all are."""
WHOLE = (*MOVE, *BEGUN, *REMEMBERED, *SEATED)
"""Columns of any change."""

MOVED = (
    "moved AS (UPDATE sessions AS s SET version = m.version, state = m.state, revision = m.revision,"
    " updated = m.updated, touched = m.touched, rematch = m.rematch, claimed_until = 0,{begun}"
    # What stays as it was leaves the indexes alone.
    " alarm = CASE WHEN m.moves_alarm THEN m.alarm ELSE s.alarm END"
    " FROM m{locked} WHERE s.id = m.id AND s.version = m.version - 1"
    # A request is there once, whether it was a move or something else. That it is no second move an index sees to.
    " AND NOT EXISTS (SELECT FROM requests q WHERE q.scope = {scope} AND q.request = m.request){unasked}"
    " RETURNING m.ordinal)"
)
KEPT = (
    f"kept AS (INSERT INTO records ({rows.RECORD})"  # noqa: S608  constants
    " SELECT m.id, m.revision, m.seat, m.step, m.committed, m.deadline, m.rules_version, {request}, {body}"
    " FROM m JOIN moved USING (ordinal) WHERE m.step IS NOT NULL)"
)
ASKED = (
    f"asked AS (INSERT INTO requests ({rows.REQUEST})"  # noqa: S608  constants
    " SELECT {scope}, m.request, m.body, m.id, {number}, {nonce}"
    " FROM m JOIN moved USING (ordinal) WHERE m.request IS NOT NULL AND NOT {in_record})"
)
SEAT_TAKEN = (
    "taken AS (UPDATE seats AS t SET name = m.name, token_hash = m.token_hash, entropy = m.entropy,"
    " has_left = m.has_left FROM m JOIN moved USING (ordinal)"
    " WHERE t.session_id = m.id AND t.seat = m.seat_number)"
)
PLAIN = {
    "begun": "",
    "scope": "m.id",
    "number": "0",
    "nonce": "''::bytea",
    "in_record": "(m.step IS NOT NULL)",
    "request": "m.request",
    "body": "m.body",
    "unasked": "",
}
ANY = {
    "begun": " options = m.options, rules_version = m.started_with,",
    "scope": "m.scope",
    "number": "m.number",
    "nonce": "m.nonce",
    "in_record": "m.in_record",
    "request": "CASE WHEN m.in_record THEN m.request END",
    "body": "CASE WHEN m.in_record THEN m.body END",
    "unasked": " AND NOT EXISTS (SELECT FROM records r WHERE r.session_id = m.scope AND r.request = m.request)",
}
ARRAYS = ", ".join(f"%b::{kind}[]" for _, kind in MOVE)
SAVE_TOGETHER = (
    f"WITH m AS (SELECT * FROM unnest({ARRAYS}) AS m({', '.join(name for name, _ in MOVE)})),"  # noqa: S608  constants
    " locked AS (SELECT s.id FROM sessions AS s JOIN m ON m.id = s.id AND s.version = m.version - 1"
    " ORDER BY s.id FOR UPDATE OF s),"
    f" {MOVED.format(locked=' JOIN locked USING (id)', **PLAIN)}, {KEPT.format(**PLAIN)}, {ASKED.format(**PLAIN)}"
    " SELECT ordinal FROM moved"
)


def _alone(columns: Sequence[tuple[str, str]], words: dict[str, str], more: str = "") -> str:
    values = ", ".join(f"%b::{kind} AS {name}" for name, kind in columns)
    return (
        f"WITH m AS (SELECT {values}), {MOVED.format(locked='', **words)},"  # noqa: S608  constants
        f" {KEPT.format(**words)}, {ASKED.format(**words)}{more} SELECT ordinal FROM moved"
    )


SAVE_MOVE = _alone(MOVE, PLAIN)
SAVE_ANY = _alone(WHOLE, ANY, f", {SEAT_TAKEN}")

LOCK = "SELECT id FROM sessions WHERE id = ANY(%b::text[]) ORDER BY id FOR UPDATE"
FOUND = (
    "SELECT m.ordinal FROM unnest(%b::int[], %b::text[], %b::bigint[], %b::bigint[], %b::bytea[], %b::bytea[])"
    " AS m(ordinal, id, version, updated, request, body) JOIN sessions AS s ON s.id = m.id"
    " WHERE s.version >= m.version AND (s.version > m.version OR s.updated = m.updated) AND ("
    " EXISTS (SELECT FROM records r WHERE r.session_id = m.id AND r.request = m.request"
    " AND r.request_body = m.body AND r.committed = m.updated)"
    " OR EXISTS (SELECT FROM requests q WHERE q.scope = m.id AND q.request = m.request AND q.body = m.body))"
)
FENCE = (
    "UPDATE sessions AS s SET version = s.version + 1 FROM unnest(%b::text[], %b::bigint[]) AS m(id, version)"
    " WHERE s.id = m.id AND s.version = m.version - 1"
)


class Saving:
    """A change on its way, with the request that tells it from all others."""

    seconds = ANSWER_SECONDS

    def __init__(self, change: Change, *, alarm_alone: bool = False) -> None:
        self.change = change
        self.key = change.after.id
        remember, move = change.remember, change.move_request
        self.plain = change.seat is None and (remember is None or move is not None)
        """Whether MOVE has all of it."""
        self._in_record = change.record is not None and (remember is None or move is not None)
        self.request: bytes | None = None
        """What tells it from all others. An alarm has none: it may be lost, and is set again."""
        self.body = b""
        if remember:
            self.request, self.body = remember.request, remember.body
        elif not alarm_alone:
            self.request = os.urandom(REQUEST_BYTES)

    def move_row(self, ordinal: int) -> rows.Row:
        """The values of MOVE."""
        after, record = self.change.after, self.change.record
        return (
            ordinal,
            after.id,
            after.version,
            after.state.value,
            after.head.revision if after.head else -1,
            after.updated,
            after.touched,
            after.rematch,
            after.alarm,
            self.change.moves_alarm,
            *(
                (record.seat, record.step.SerializeToString(), record.committed, record.deadline, record.rules_version)
                if record
                else (None, None, None, None, None)
            ),
            self.request,
            self.body,
        )

    async def run(self, connection: Connection) -> bool:
        """Save it alone. False: somebody was faster. Raises psycopg.Error."""
        if self.plain:
            statement, values = SAVE_MOVE, self.move_row(0)
        else:
            statement, values = SAVE_ANY, self._whole_row()
        return await (await connection.execute(statement, values, binary=True)).fetchone() is not None

    def _whole_row(self) -> rows.Row:
        after, remember, number = self.change.after, self.change.remember, self.change.seat
        seat = None if number is None else after.seats[number]
        return (
            *self.move_row(0),
            after.options,
            after.rules_version,
            self._in_record,
            remember.scope if remember else self.key,
            remember.number if remember else 0,
            remember.nonce if remember else b"",
            number,
            *((seat.name, seat.token_hash, seat.entropy, seat.left) if seat else (None, None, None, None)),
        )

    async def find_out(self, connection: Connection) -> bool:
        """Whether it was saved, over a connection that was lost. If not, it never will be. Raises psycopg.Error."""
        return await find_out([self], connection) == [True]


async def save_together(savings: Sequence[Saving], connection: Connection) -> list[bool]:
    """Save plain changes, each of another session, and say of each whether it was. Raises psycopg.Error."""
    columns: list[Sequence[Any]] = list(zip(*(saving.move_row(at) for at, saving in enumerate(savings)), strict=True))
    cursor = await connection.execute(SAVE_TOGETHER, [list(column) for column in columns], binary=True)
    saved = {ordinal for (ordinal,) in await cursor.fetchall()}
    return [at in saved for at in range(len(savings))]


async def find_out(savings: Sequence[Saving], connection: Connection) -> list[bool]:
    """Which of them were saved, by a statement whose end was not heard. Raises psycopg.Error.

    It may still be running: then it has the locks of its rows, which are waited for. It may not even have begun: so
    each session is given a new version where the change was not saved, and it can't be any more.
    """
    ids = [saving.key for saving in savings]
    afters = [saving.change.after for saving in savings]
    values = (
        list(range(len(savings))),
        ids,
        [after.version for after in afters],
        [after.updated for after in afters],
        [saving.request for saving in savings],
        [saving.body for saving in savings],
    )
    async with connection.transaction():
        await connection.execute(LOCK, (ids,))
        found = {row[0] for row in await (await connection.execute(FOUND, values)).fetchall()}
        missing = [after for at, after in enumerate(afters) if at not in found]
        await connection.execute(FENCE, ([after.id for after in missing], [after.version for after in missing]))
    return [at in found for at in range(len(savings))]
