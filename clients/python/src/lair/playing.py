"""Playing a session out: what to ask and what to play, pure, once for both shells.

A policy is given the snapshot of a seat that may act, with the view and the legal moves, and chooses one of them.
"""

import random
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lair._calls import Call, get, look, submit
from lair._translation import invalid, wrong_state
from lair.errors import StaleSession
from lair.types import LegalMove, Outcome, SessionFacts, Snapshot, State, Update
from lair.watching import FROM_THE_START

Policy = Callable[[Snapshot[Any]], LegalMove[Any]]


class Player(Protocol):
    """A seat, as far as playing it out needs one."""

    @property
    def index(self) -> int:
        """Its number."""

    @property
    def token(self) -> str:
        """Its key."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait for the revision after this one, which others must bring about: for its update, or the facts at the end."""

    after: int


Play = Generator[Call[Any] | Wait, Any, Outcome]
"""Yields calls and is sent their results; yields waits and is sent the update that came, or how the session ended."""


def play_out(
    name: str,
    players: Sequence[Player],
    policy: Policy | str = "random",
    seed: int | None = None,
    on_move: Callable[[Update[Any]], None] | None = None,
) -> Play:
    """Play these seats until the session ends. A move that somebody has overtaken is decided anew.

    Seats that have been left are not played here: their stand-ins play them, and their tokens open nothing.
    Raises InvalidRequest without seats or with an unknown policy, WrongState when the session is aborted.
    """
    if not players:
        raise invalid("seats", f"this handle of {name} holds no seat")
    if seed is not None and not isinstance(seed, int):
        raise invalid("seed", f"must be a whole number, is {seed!r}")
    chance = random.Random(seed)  # noqa: S311  it plays, it hides nothing
    choose = _policy(policy, chance)
    facts: SessionFacts = yield get(name)
    players = [player for player in players if not facts.seats[player.index].left]
    now: SessionFacts | Snapshot[Any] = facts
    while (outcome := outcome_of(now)) is None:
        able = [player for player in players if _may_act(player, now)]
        if not able:
            heard = yield Wait(FROM_THE_START if now.standing is None else now.revision)
            now = after(heard, None) if isinstance(heard, Update) else heard
            continue
        player = chance.choice(able)
        seen = now if isinstance(now, Snapshot) and now.seat == player.index else None
        if seen is None:
            now = seen = yield look(name, player.token, player.index)
            if not _may_act(player, seen):
                continue
        try:
            update = yield submit(name, player.token, player.index, choose(seen), etag=seen.etag)
        except StaleSession:
            now = yield get(name)
            continue
        if on_move is not None:
            on_move(update)
        now = after(update, player.index)
    return outcome


def _policy(policy: Policy | str, chance: random.Random) -> Policy:
    if policy == "random":
        return lambda snapshot: chance.choice(snapshot.moves)
    if callable(policy):
        return policy
    raise invalid("policy", f'must be "random" or a function, is {policy!r}')


def outcome_of(now: SessionFacts | Snapshot[Any]) -> Outcome | None:
    """How the game ended, if it has. Raises WrongState when it was aborted."""
    if now.state is State.ABORTED:
        raise wrong_state("the session was ended without a result", "SESSION_ABORTED")
    return now.standing.outcome if now.standing is not None else None


def _may_act(player: Player, now: SessionFacts | Snapshot[Any]) -> bool:
    return now.standing is not None and player.index in now.standing.may_act


def after(update: Update[Any], seat: int | None) -> Snapshot[Any]:
    """How things stand for the reader of an update: it has the view and the moves of a snapshot."""
    state = State.OVER if update.standing.over else State.PLAYING
    return Snapshot(
        state=state,
        revision=update.revision,
        etag=update.etag,
        seat=seat,
        view=update.view,
        moves=update.moves,
        standing=update.standing,
        deadline=update.deadline,
        server_time=None if update.deadline is None else update.commit_time,
    )
