"""Nothing secret is heard by anybody who may not know it, and nothing at all is in the log."""

import contextlib
import io
import logging
import sys
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path

import structlog

from services.games import Entry
from services.runtime.logs import configure
from services.runtime.settings import Settings
from tests.support import servers
from tests.support.leaks.evening import SHORT, Evening, Host

WRONG = {
    # What has to be refused on the way, so that errors of every kind are heard.
    "SubmitMove FAILED_PRECONDITION",
    "SubmitMove INVALID_ARGUMENT",
    "SubmitMove UNAUTHENTICATED",
    "SubmitMove PERMISSION_DENIED",
    "SubmitMove ABORTED",
    "GetView NOT_FOUND",
    "GetView PERMISSION_DENIED",
    "AbortSession PERMISSION_DENIED",
    "RevealSession FAILED_PRECONDITION",
    "JoinSession NOT_FOUND",
    "CreateRematch PERMISSION_DENIED",
    "JoinRematch UNAUTHENTICATED",
}


def assert_nothing_is_overheard(
    entry: Entry, folder: Path, seed: int = 0, turns: int = SHORT, *, incidents: bool = False
) -> None:
    """Play the canary game through a whole server, and search everything that comes out of it.

    Raises AssertionError with what was heard where. With `incidents` the game has a defect, and nothing is refused in
    its own words.
    """
    with log_of_everything() as log:
        with servers.running(folder / f"{seed}.db", [entry]) as stubs:
            evening = Host(stubs, seed, turns, sound=not incidents).lead()
        written = log.getvalue().encode()
    assert_no_card_is_heard(evening)
    assert_no_secret_is_heard(evening)
    assert_nothing_is_logged(evening, written)
    assert (b'"event": "incident"' in written) == incidents, "defects are logged, and there is none"
    assert_everybody_heard(evening, set() if incidents else WRONG)


def assert_everybody_heard(evening: Evening, wrong: AbstractSet[str]) -> None:
    """Fail when the search would prove nothing: everybody has to hear what it may know, and be refused the rest."""
    for ear in evening.ears:
        raws = [heard.raw for heard in evening.table.heard if heard.ear == ear]
        for card in evening.cards.known_at_the_end(ear):
            assert any(card.encode() in raw for raw in raws), f"{ear.name} never heard {card}"
    refused = {said.removeprefix(f"{ear.name} ") for said in evening.table.refused for ear in evening.ears}
    assert refused >= wrong, f"never refused: {wrong - refused}"


def assert_no_card_is_heard(evening: Evening) -> None:
    """Fail where somebody heard a card that it might not know at that revision."""
    cards = evening.cards
    for heard in evening.table.heard:
        if heard.over and heard.method == "RevealSession":
            continue
        for card in cards.spellings.keys() - cards.known(heard.ear, heard.revision):
            for spelling in cards.spellings[card]:
                assert spelling not in heard.raw, (
                    f"{heard.ear.name} heard {card} in {heard.method} of revision {heard.revision}: {heard.raw!r}"
                )


def assert_no_secret_is_heard(evening: Evening) -> None:
    """Fail where a token, a code, a seed or an entropy was heard anywhere but where it belongs."""
    for secret in evening.secrets:
        for heard in evening.table.heard:
            if not secret.may_be_in(heard):
                for spelling in secret.spellings:
                    assert spelling not in heard.raw, f"{heard.ear.name} heard {secret.name} in {heard.method}"


def assert_nothing_is_logged(evening: Evening, written: bytes) -> None:
    """Fail where anything secret is in the log, also a card that somebody may know."""
    assert written.count(b'"event": "call"') > len(evening.table.refused), "the log tells of every call"
    for card, spellings in evening.cards.spellings.items():
        assert not [spelling for spelling in spellings if spelling in written], f"{card} is in the log"
    for secret in evening.secrets:
        assert not [spelling for spelling in secret.spellings if spelling in written], f"{secret.name} is in the log"


@contextlib.contextmanager
def log_of_everything() -> Iterator[io.StringIO]:
    """All that is logged, at the lowest level: our own events, and whatever a library says."""
    servers._loop()  # it has settings of its own for the log, which are to be ours now
    before, level = structlog.get_config(), logging.root.level
    with contextlib.redirect_stderr(io.StringIO()) as log:
        configure(Settings(log_level="debug", log_format="json"))
        structlog.configure(cache_logger_on_first_use=False)
        handler = logging.StreamHandler(sys.stderr)
        logging.root.addHandler(handler)
        logging.root.setLevel(logging.DEBUG)
        try:
            yield log
        finally:
            logging.root.removeHandler(handler)
            logging.root.setLevel(level)
            structlog.configure(**before)
