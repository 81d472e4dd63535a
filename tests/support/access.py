"""Who may do what: what each method of the sessions says to each caller, as data, and as docs/access.md.

`python -m tests.support.access` writes the page. tests/contract/test_session_access.py calls each of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "access.md"
YES = "yes"
NONE = "-"
"""The request has nothing by which the caller could claim that."""


@dataclass(frozen=True)
class Column:
    """A caller, and how the session stands."""

    name: str
    says: str


LOBBY = Column("nobody, lobby", "no token; the session is listed and waits for players")
NOBODY = Column("nobody", "no token")
WRONG = Column("wrong token", "a token of another session")
SEAT = Column("seat", "the token of a seat")
OTHER = Column("other seat", "the token of a seat, and another seat's number in the request")
HOST = Column("host", "the token of the host")
LEFT = Column("left seat", "the token of a seat that was left")
OVER_NOBODY = Column("nobody, over", "no token; the game is over")
OVER_SEAT = Column("seat, over", "the token of a seat; the game is over")
OVER_HOST = Column("host, over", "the token of the host; the game is over")
AGAIN = Column("seat, rematch open", "the token of a seat; the game is over, and the host has opened its rematch")
BEFORE = Column("old seat, at the rematch", "the token of a seat of the session before, in a call to the rematch")
PLAYING = (LOBBY, NOBODY, WRONG, SEAT, OTHER, HOST, LEFT)
OVER = (OVER_NOBODY, OVER_SEAT, OVER_HOST, AGAIN, BEFORE)

BAD = "UNAUTHENTICATED BAD_TOKEN"
OTHERS = "PERMISSION_DENIED NOT_YOUR_SEAT"
HOSTS = "PERMISSION_DENIED HOST_ONLY"
EARLY = "FAILED_PRECONDITION SESSION_NOT_OVER"
TAKEN = "FAILED_PRECONDITION SEAT_TAKEN"
ENDED = "FAILED_PRECONDITION GAME_OVER"
CODE = "PERMISSION_DENIED JOIN_CODE_REQUIRED"
SEATS = "FAILED_PRECONDITION SEAT_ONLY"
LATER = "NOT_FOUND REMATCH_NOT_FOUND"

MATRIX: Mapping[str, Sequence[str]] = {
    "ListGames": (YES, YES, YES, YES, NONE, YES, YES, YES, YES, YES, YES, YES),
    "CreateSession": (YES, YES, YES, YES, NONE, YES, YES, YES, YES, YES, YES, YES),
    "GetSession": (YES, YES, YES, YES, NONE, YES, YES, YES, YES, YES, YES, YES),
    "ListSessions": (YES, YES, YES, YES, NONE, YES, YES, YES, YES, YES, YES, YES),
    "BatchGetStandings": (YES, YES, BAD, YES, NONE, YES, BAD, YES, YES, YES, YES, BAD),
    "LeaveSession": (BAD, BAD, BAD, YES, NONE, BAD, BAD, BAD, ENDED, BAD, ENDED, BAD),
    "JoinSession": (YES, TAKEN, TAKEN, TAKEN, TAKEN, TAKEN, TAKEN, TAKEN, TAKEN, TAKEN, TAKEN, CODE),
    "SubmitMove": (BAD, BAD, BAD, YES, OTHERS, SEATS, BAD, BAD, ENDED, ENDED, ENDED, BAD),
    "GetView": (YES, YES, BAD, YES, OTHERS, YES, BAD, YES, YES, YES, YES, BAD),
    "WatchSession": (YES, YES, BAD, YES, OTHERS, YES, BAD, YES, YES, YES, YES, BAD),
    "PlaySeat": (BAD, BAD, BAD, YES, NONE, YES, BAD, BAD, YES, YES, YES, BAD),
    "ListEvents": (YES, YES, BAD, YES, NONE, YES, BAD, YES, YES, YES, YES, BAD),
    "RevealSession": (EARLY, EARLY, BAD, EARLY, NONE, EARLY, BAD, YES, YES, YES, YES, BAD),
    "AbortSession": (BAD, BAD, BAD, HOSTS, NONE, YES, BAD, BAD, HOSTS, ENDED, HOSTS, BAD),
    "CreateRematch": (BAD, BAD, BAD, HOSTS, NONE, EARLY, BAD, BAD, HOSTS, YES, HOSTS, BAD),
    "JoinRematch": (BAD, BAD, BAD, LATER, NONE, BAD, BAD, BAD, LATER, BAD, YES, BAD),
}
"""What each method answers, in the order of the columns: yes, or with which code and reason it refuses."""

HEAD = """# Who may do what

What each method of `monsters.session.v1.SessionService` says to each caller. Calls are complete but for the token:
where a cell has a reason, nothing else is wrong with them. "-" stands where a request names no seat. What a cell
refuses is said in [errors.md](errors.md). Of `BatchGetStandings` it is what is said of one seat, whose token is in the
request: the others have their answers.

This page is rendered: `.venv/bin/python -m tests.support.access` writes it from what
`tests/contract/test_session_access.py` calls. A method without a row fails that test.
"""


def page() -> str:
    """The page."""
    first, second = len(PLAYING), len(PLAYING) + len(OVER)
    return "\n".join(
        (
            HEAD,
            "## While it is played\n",
            *_table(PLAYING, {method: cells[:first] for method, cells in MATRIX.items()}),
            "\n## After the end, and in a rematch\n",
            *_table(OVER, {method: cells[first:second] for method, cells in MATRIX.items()}),
            "\n## Codes\n",
            "| reason | code |\n|---|---|",
            *(f"| `{reason}` | `{code}` |" for reason, code in sorted(_reasons())),
            "",
        )
    )


def _table(columns: Sequence[Column], rows: Mapping[str, Sequence[str]]) -> Sequence[str]:
    return (
        *(f"- **{column.name}**: {column.says}." for column in columns),
        "",
        f"| method | {' | '.join(column.name for column in columns)} |",
        f"|---|{'---|' * len(columns)}",
        *(f"| `{method}` | {' | '.join(map(_cell, cells))} |" for method, cells in rows.items()),
    )


def _reasons() -> set[tuple[str, str]]:
    refused = {cell for cells in MATRIX.values() for cell in cells} - {YES, NONE}
    return {(reason, code) for code, reason in map(str.split, refused)}


def _cell(answer: str) -> str:
    return answer if answer in (YES, NONE) else f"`{answer.split()[1]}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
