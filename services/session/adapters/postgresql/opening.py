"""The database: where it is, its connections, and what every one of them keeps to."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import psycopg
import structlog
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from services.session.adapters.unusable import DatabaseUnusable

CONNECT_SECONDS = 5
"""How long a connection may take to be made."""
STATEMENT_SECONDS = 10.0
"""How long a statement may take, with everything that it waits for."""
ANSWER_SECONDS = STATEMENT_SECONDS + 2.0
"""How long an answer is waited for. The database ends a statement before, and says so, if it is still there."""
LOCK_SECONDS = 5
"""How long a statement may wait for a lock."""
START_SECONDS = 30.0
"""How long a start waits for a database that is not there."""
PAUSE = 0.5
"""In seconds, between two attempts to connect."""
PARAMETERS = {
    "application_name": "lair",
    "connect_timeout": str(CONNECT_SECONDS),
    "client_encoding": "UTF8",
    # A server or a network that is gone without a word is found out while a statement waits for it, too.
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
    # Of several hosts the one that can be written.
    "target_session_attrs": "read-write",
}
"""What libpq is told where the address says nothing else."""
SET_UP = (
    f"SELECT set_config('statement_timeout', '{int(STATEMENT_SECONDS * 1000)}', false),"
    f" set_config('lock_timeout', '{LOCK_SECONDS * 1000}', false),"
    " set_config('idle_in_transaction_session_timeout', '30000', false),"
    " current_setting('synchronous_commit'), current_setting('server_encoding'), pg_backend_pid()"
)
PREPARE_AFTER = 2
"""Runs of a statement."""
FINAL = (
    "password authentication failed",
    "no password supplied",
    "does not exist",
    "no pg_hba.conf entry",
    "authentication failed",
    "permission denied",
    "invalid",
)
"""What PostgreSQL, or libpq, says to what will not get better by waiting."""
FATAL = "FATAL:"
"""What comes before the reason for which a server takes no connection."""
ELSEWHERE = "set LAIR_DATABASE to a database that can be used"

Connection = psycopg.AsyncConnection[Any]

log = structlog.get_logger()


def address_for_libpq(given: Mapping[str, Any], **ours: str) -> str:
    """An address with what is ours where it says nothing else."""
    return make_conninfo("", **{**PARAMETERS, **ours, **given})


class Database:
    """Where it is, and how to connect to it. Raises DatabaseUnusable for an address that is none."""

    def __init__(self, url: str, *, prepared: bool | None = None) -> None:
        """Statements are prepared or not; None: where no pooler stands between that may share connections."""
        try:
            given = conninfo_to_dict(url)
            ports = str(given.get("port") or "0").split(",")
            if not all(port.isdecimal() for port in ports):  # else a password may be told as a port
                raise psycopg.ProgrammingError("the port is no number")
        except psycopg.Error:
            # What libpq says of it has the whole address in it, and so the password.
            cure = "LAIR_DATABASE has to be like postgresql://USER@HOST:5432/NAME, with %XX for special characters"
            raise DatabaseUnusable("PostgreSQL", "its address can't be read", cure) from None
        self._prepared = prepared
        self._conninfo = address_for_libpq(given)
        host, port = given.get("host") or given.get("hostaddr") or "the local socket", given.get("port")
        self.place = f"PostgreSQL at {host}{f':{port}' if port else ''}/{given.get('dbname') or ''}"
        """For people, without the password."""

    async def connect(self) -> Connection:
        """A connection of its own, on which each statement is a transaction. Raises psycopg.Error, DatabaseUnusable."""
        connection = await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True, prepare_threshold=None)
        try:
            found = await (await connection.execute(SET_UP)).fetchone()
            self._check(found or ())
            if self._prepares(connection, found or ()):
                connection.prepare_threshold = PREPARE_AFTER
        except BaseException:
            await connection.close()
            raise
        return connection

    def connect_alone(self) -> psycopg.Connection[Any]:
        """A connection for a program that does nothing else meanwhile. Raises psycopg.Error."""
        return psycopg.connect(self._conninfo, prepare_threshold=None)

    async def connect_patiently(self, patience: float = START_SECONDS) -> Connection:
        """The same at a start, when the database may start as well. Raises DatabaseUnusable."""
        loop = asyncio.get_running_loop()
        until, told = loop.time() + patience, False
        while True:
            try:
                return await self.connect()
            except psycopg.Error as error:
                if is_final(error) or loop.time() > until:
                    raise self.unusable(error) from error
                if not told:
                    log.warning("waiting for the database", place=self.place, seconds=patience, why=reason_of(error))
                    told = True
            await asyncio.sleep(PAUSE)

    def unusable(self, error: psycopg.Error) -> DatabaseUnusable:
        """What to do when it can't be connected to."""
        why = reason_of(error)
        cure = "start it, or set LAIR_DATABASE to another one"
        if "password" in why or "authentication" in why:
            cure = "set LAIR_DATABASE to an address with the right user and password (or PGPASSWORD, or ~/.pgpass)"
        elif "does not exist" in why:
            cure = "make it, or set LAIR_DATABASE to another one"
        return DatabaseUnusable(self.place, why, cure)

    def _prepares(self, connection: Connection, found: Sequence[Any]) -> bool:
        """Whether statements are prepared. A pooler makes up the number of the process that serves a connection."""
        *_, process = found
        return process == connection.info.backend_pid if self._prepared is None else self._prepared

    def _check(self, found: Sequence[Any]) -> None:
        """Raise DatabaseUnusable where sessions would be lost, or not be what they were."""
        *_, commits, encoding, _ = found
        if commits == "off":
            cure = "set it to on, such as by ALTER ROLE ... SET synchronous_commit = on"
            raise DatabaseUnusable(self.place, "synchronous_commit is off, so moves would be lost", cure)
        if encoding != "UTF8":
            cure = "make one with ENCODING 'UTF8', and set LAIR_DATABASE to it"
            raise DatabaseUnusable(self.place, f"its encoding is {encoding}", cure)


class Link:
    """The connection of one task, which is made again once it was lost."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Connection | None = None

    async def connection(self) -> Connection:
        """The one that there is, or a new one. Raises psycopg.Error, DatabaseUnusable."""
        if self._connection is None or self._connection.closed:
            self._connection = await self._database.connect()
        return self._connection

    async def drop(self) -> None:
        """Close it: the next one is new."""
        if self._connection is not None:
            with suppress(psycopg.Error):
                await self._connection.close()
            self._connection = None


def is_final(error: psycopg.Error) -> bool:
    """Whether it will not get better by waiting."""
    text = str(error)
    return any(sign in text for sign in FINAL)


def reason_of(error: BaseException) -> str:
    """What went wrong, in one line without an address."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    said = next((line for line in lines if FATAL in line), lines[0])
    return said.rpartition(FATAL)[2].strip()
