"""`python -m services.demo`: a whole Lair from start to stop. One game of each game there is is played and verified.

With LAIR_SERVER, the word of the command line, they are played at that server, which stays as it is.

The only module of the servers that knows the client: it does what a user would do, from outside, over the wire.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Timer

import lair

START_SECONDS = 30.0
STOP_SECONDS = 30.0
SERVER = "LAIR_SERVER"
ADDRESS = re.compile(r"gRPC +(\S+:\d+)")
"""What the server's banner says."""


class DemoFailed(Exception):
    """Something is not as it should be. The text is a sentence for people."""


def main() -> None:
    """Play, and say how it went: a line for each session, or one sentence and exit code 1."""
    given = os.environ.get(SERVER)
    try:
        with nullcontext(given) if given else serving() as address, lair.connect(address) as client:
            if given:
                say(f"at {given}, as {SERVER} says")
            played = play_all(client)
    except (DemoFailed, lair.LairError, OSError) as error:
        sys.exit(f"the demo failed: {error}")
    say(f"{played} of {played} sessions verified")


@contextmanager
def serving() -> Iterator[str]:
    """Serve in a process of its own, on a free port and a database that is gone afterwards. Raises DemoFailed."""
    with tempfile.TemporaryDirectory(prefix="lair-demo-") as folder:
        database = Path(folder) / "lair.db"
        command = [sys.executable, "-m", "services", "--address", "127.0.0.1:0", "--database", str(database)]
        environment = {**os.environ, "LAIR_LOG_LEVEL": "warning"}
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)  # noqa: S603 - ours
        try:
            yield find_address(server)
        finally:
            code = stop(server)
    if code:
        raise DemoFailed(f"the server ended with exit code {code}")


def find_address(server: "subprocess.Popen[str]") -> str:
    """Where it listens, as its banner says. Raises DemoFailed when it ends before, or takes too long."""
    impatience = Timer(START_SECONDS, server.kill)
    impatience.start()
    try:
        for line in server.stdout or ():
            if found := ADDRESS.search(line):
                return found[1]
    finally:
        impatience.cancel()
    raise DemoFailed("the server did not start")


def stop(server: "subprocess.Popen[str]") -> int:
    """Ask it to end, and give its exit code."""
    server.terminate()
    try:
        server.communicate(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.communicate()
    return server.returncode


def play_all(client: lair.Client) -> int:
    """Play a game of each game there is, and give their number. Raises DemoFailed."""
    games = client.games()
    if not games:
        raise DemoFailed("the server has no game")
    for game in games:
        say(play(client, game))
    return len(games)


def play(client: lair.Client, game: lair.GameFacts) -> str:
    """Play a game to its end with random legal moves for every seat, verify it, and say so. Raises DemoFailed."""
    seats = game.min_seats
    session = client.create(game.token, seats=[f"Player {number}" for number in range(1, seats + 1)])
    session.play_out("random")
    verification = session.verify()
    if not verification.ok:
        raise DemoFailed(f"{session.name} of {game.token}: {verification}")
    return f"{session.name}  {game.token}  {seats} seats  {session.facts().revision} moves  {verification}"


def say(line: str) -> None:
    """Show it at once, also through a pipe."""
    print(line, flush=True)  # noqa: T201 - what a person who started it reads


if __name__ == "__main__":
    main()
