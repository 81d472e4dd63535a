"""What a call can end with, in this service's words. The reasons are documented in the proto."""

from services.kernel.refusals import Flaw
from services.runtime.failure import SHARED, Code, Failure, malformed

DOMAIN = "monsters.session.v1"
RETRY_AFTER = 1.0


def _failure(code: Code, reason: str, message: str, retry_after: float | None = None, **metadata: str) -> Failure:
    return Failure(code, DOMAIN, reason, message, metadata, retry_after=retry_after)


class BrokenPosition(RuntimeError):
    """A position of our own store is none for its rules any more: a defect of ours."""


def hide_position(failure: Failure) -> None:
    """Raise BrokenPosition when the rules find a flaw in the position that they were sent.

    It came from the store and not from the caller, who must not hear what is in it.
    """
    if any(flaw.field.startswith("position") for flaw in failure.flaws):
        raise BrokenPosition("the rules refuse a stored position") from None


def invalid_field(field: str, description: str) -> Failure:
    """One field is wrong whatever the session."""
    return malformed(Flaw(field, description))


def wrong_game(game: str, type_name: str) -> Failure:
    """The move or the options are another game's."""
    message = f"{type_name or 'a message without a type'} is not of the game {game}"
    return Failure(Code.INVALID_ARGUMENT, SHARED, "WRONG_GAME", message, {"game": game, "type": type_name})


def session_not_found(name: str) -> Failure:
    """There is no such session."""
    return _failure(Code.NOT_FOUND, "SESSION_NOT_FOUND", f"there is no {name}", name=name)


def join_code_not_found() -> Failure:
    """No session has this join code."""
    return _failure(Code.NOT_FOUND, "JOIN_CODE_NOT_FOUND", "no session has this join code")


def game_not_found(game: str) -> Failure:
    """There is no such game."""
    return _failure(Code.NOT_FOUND, "GAME_NOT_FOUND", f"there is no game {game}", game=game)


def rematch_not_found(name: str) -> Failure:
    """The host has not asked for a rematch."""
    message = f"the host of {name} has not asked for a rematch"
    return _failure(Code.NOT_FOUND, "REMATCH_NOT_FOUND", message, name=name)


def join_code_required(name: str) -> Failure:
    """The session is in no list, so nobody joins it by its name."""
    message = f"{name} is not listed: only who has its join code can join it"
    return _failure(Code.PERMISSION_DENIED, "JOIN_CODE_REQUIRED", message, name=name)


def revision_not_found(revision: int) -> Failure:
    """The session has not come to this revision."""
    message = f"the session has no revision {revision}"
    return _failure(Code.NOT_FOUND, "REVISION_NOT_FOUND", message, revision=str(revision))


def bad_token() -> Failure:
    """The token is missing, or opens nothing here."""
    return _failure(Code.UNAUTHENTICATED, "BAD_TOKEN", "the token is missing, or it opens nothing in this session")


def not_your_seat(seat: int) -> Failure:
    """The token is another seat's."""
    message = f"the token is not the one of seat {seat}"
    return _failure(Code.PERMISSION_DENIED, "NOT_YOUR_SEAT", message, seat=str(seat))


def host_only() -> Failure:
    """Only the host may do this."""
    return _failure(Code.PERMISSION_DENIED, "HOST_ONLY", "only the host may do this")


def request_id_reused(request_id: str) -> Failure:
    """The request id was used for something else."""
    message = f"request {request_id} was something else"
    return _failure(Code.INVALID_ARGUMENT, "REQUEST_ID_REUSED", message, request_id=request_id)


def stale_session(current_etag: str) -> Failure:
    """The session has moved on."""
    message = f"the session has moved on to {current_etag}"
    return _failure(Code.ABORTED, "STALE_SESSION", message, current_etag=current_etag)


def game_over(name: str) -> Failure:
    """The game is over."""
    return _failure(Code.FAILED_PRECONDITION, "GAME_OVER", f"the game of {name} is over", name=name)


def session_aborted(name: str) -> Failure:
    """The host has ended the session."""
    return _failure(Code.FAILED_PRECONDITION, "SESSION_ABORTED", f"the host has ended {name}", name=name)


def session_not_started(name: str) -> Failure:
    """The session still waits for players."""
    return _failure(Code.FAILED_PRECONDITION, "SESSION_NOT_STARTED", f"{name} still waits for players", name=name)


def session_not_over(name: str) -> Failure:
    """What comes after the end does not come before it."""
    return _failure(Code.FAILED_PRECONDITION, "SESSION_NOT_OVER", f"{name} goes on: that is for later", name=name)


def seat_taken(name: str) -> Failure:
    """Every seat is taken, or the one that was asked for."""
    return _failure(Code.FAILED_PRECONDITION, "SEAT_TAKEN", f"that seat of {name} is taken", name=name)


def too_many_watchers(limit: int) -> Failure:
    """Too many streams are open."""
    message = f"{limit} streams are open, and no more are taken"
    return _failure(Code.RESOURCE_EXHAUSTED, "TOO_MANY_WATCHERS", message, RETRY_AFTER, limit=str(limit))


def rules_unavailable(game: str) -> Failure:
    """The game's rules don't answer. Nothing was changed."""
    message = f"the rules of {game} don't answer; nothing was changed"
    return _failure(Code.UNAVAILABLE, "RULES_UNAVAILABLE", message, RETRY_AFTER, game=game)


def store_unavailable() -> Failure:
    """The store doesn't answer. Nothing was changed."""
    return _failure(Code.UNAVAILABLE, "STORE_UNAVAILABLE", "the store doesn't answer; nothing was changed", RETRY_AFTER)


def store_outcome_unknown() -> Failure:
    """The store was asked, and has not answered. Asked again with the same request id it says what has become."""
    message = "the store doesn't answer, and may have done it; ask again with the same request id"
    return _failure(Code.UNAVAILABLE, "STORE_UNAVAILABLE", message, RETRY_AFTER)
