"""Page sizes and page tokens (AIP-158). A token is opaque to the caller, and nonsense is refused."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode

from services.session.domain import failures

MOST_TOKEN = 256


def read_size(size: int, default: int, most: int) -> int:
    """How many to give. Raises Failure MALFORMED_REQUEST when the size is absurd."""
    if not 0 <= size <= most:
        raise failures.invalid_field("page_size", f"must be 0 to {most}, is {size}")
    return size or default


def write_token(*key: int | str) -> str:
    """The token of the page that begins after this key."""
    return urlsafe_b64encode(json.dumps(key).encode()).decode()


def read_revision(token: str) -> int:
    """The revision that a page begins after; -1 on the first page. Raises Failure MALFORMED_REQUEST."""
    if not token:
        return -1
    match _read(token):
        case [int(revision)] if 0 <= revision < 2**63:
            return revision
        case _:
            raise _absurd()


def read_lobby(token: str) -> tuple[int, str] | None:
    """The lobby that a page begins after: when it was created, and its id. Raises Failure MALFORMED_REQUEST."""
    if not token:
        return None
    match _read(token):
        case [int(created), str(session_id)] if 0 <= created < 2**63 and session_id.isalnum():
            return created, session_id
        case _:
            raise _absurd()


def _read(token: str) -> object:
    if len(token) > MOST_TOKEN:
        raise _absurd()
    try:
        return json.loads(urlsafe_b64decode(token.encode()))
    except (ValueError, RecursionError):
        raise _absurd() from None


def _absurd() -> Exception:
    return failures.invalid_field("page_token", "is not the next_page_token of a page")
