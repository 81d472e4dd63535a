"""Checking a finished game: every seed, every draw, every position. Pure, once for both shells.

The stream of chance is recomputed here, from the contract; what the rules make of it is asked of a rules service, which
may be another server's than the one that kept the game. The checks, in this order:

1. The commitment is the one seen before the game ("commitment") and the SHA-256 of the revealed seed, seeds are derived
   in a version that is known here, and what players have added to them is there ("seed").
2. Every revision is there, in order, from the start ("revision") to an end ("outcome").
3. For each revision, every receipt shows what its seed gives ("draw"), whatever version of the rules made it.
4. A revision that was made under the version of the rules that is asked is replayed: the rules, given its seed, take
   the move ("move") and lead to the recorded draws, position, events and standing.
   One that was made under another version can't be replayed. It is checked by its record alone: whoever moved could
   act as things stood before, and the game was not over then ("move"); there is a position after it ("position"). What
   the rules made of the move stays their word, and the result says of how many moves that holds. The same goes for
   every revision where no rules of the game are served.
5. The outcome that was told is the one of the last position ("outcome").
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from google.protobuf.message import Message

from lair import _rules_calls as rules
from lair import _simulation as simulation
from lair import chance
from lair._calls import Call
from lair._translation import invalid, wrong_game
from lair.errors import IllegalMove, InvalidRequest, LairError, NotServed
from lair.games import module_of
from lair.types import Applied, NextMove, Reveal, Simulated, Started, State, Step

MOST_TOGETHER = 500
"""Moves that are replayed by one message."""
MOST_BYTES = 64_000
"""Of that message, but for its last move: half of what a server takes."""
What = Literal["commitment", "seed", "revision", "draw", "move", "position", "events", "standing", "outcome"]


@dataclass(frozen=True, slots=True)
class Problem:
    """The first thing that does not agree."""

    what: What
    sentence: str
    revision: int | None = None
    """The move that it is about: 0 is the start, None the whole game."""
    draw: int | None = None
    """Which draw of the move, from 1."""

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked, and the first thing that does not agree, if any."""

    session: str
    moves: int
    """How many moves agree, those by their record included."""
    draws: int
    """How many draws agree: rolls, picks and shuffles."""
    problem: Problem | None = None
    by_record: Mapping[str, int] = field(default_factory=dict)
    """How many of the moves were not replayed, by the version of the rules that made them, which is not served any
    more; 0 when that is only the start."""
    rules_served: bool = True
    """Whether any rules of the game are served where it was verified. Else no move was replayed."""

    @property
    def ok(self) -> bool:
        """Whether everything agrees."""
        return self.problem is None

    def __str__(self) -> str:
        if self.problem is not None:
            return self.problem.sentence
        agree = f"verified: {_count(self.moves, 'move')}, {_count(self.draws, 'draw')}"
        recorded = [_by_record(version, moves) for version, moves in self.by_record.items()]
        return "; ".join([agree, *recorded, *([] if self.rules_served else ["no rules of this game are served here"])])


Replayed = Started[Any, Any] | Applied[Any, Any, Any] | Simulated[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Batch:
    """Moves to be replayed at once, each from the position that it brings."""

    module: Any
    moves: Sequence[NextMove]


Question = Call[Any] | Batch
Check = Generator[Question, Any, Verification]
"""Yields calls of the rules, and batches, is sent their results, or thrown their errors."""
Look = Generator[Question, Any, Problem | None]
"""A part of it."""


def check(
    reveal: Reveal,
    commitment_seen: bytes | None = None,
    entropies_seen: Mapping[int, bytes] | None = None,
    game: str | None = None,
) -> Check:
    """Check a revealed game, also against what the caller knows from before it began.

    That is the commitment, and what seats have added to the seeds, by seat. Raises WrongGame when the game is not this.
    """
    if not isinstance(reveal, Reveal):
        raise invalid("reveal", f"must be what Session.reveal gives, is {reveal!r}")
    if game is not None and game != reveal.session.game:
        raise wrong_game("reveal.session.game", game, reveal.session.game)
    name = reveal.session.name
    problem = _check_secrets(reveal, commitment_seen, entropies_seen or {}) or _check_revisions(reveal)
    if problem is not None:
        return Verification(name, 0, 0, problem)
    served = (yield from _served(reveal)) if reveal.steps else None
    by_record: dict[str, int] = {}
    problem = yield from _check_steps(reveal, served, by_record)
    if problem is not None:
        before = problem.revision or 0
        return Verification(name, max(before - 1, 0), _draws(reveal.steps[:before]), problem)
    problem, there = _check_outcome(reveal), served is not None or not reveal.steps
    return Verification(name, max(len(reveal.steps) - 1, 0), _draws(reveal.steps), problem, by_record, there)


def _served(reveal: Reveal) -> Generator[Question, Any, str | None]:
    """The version of the rules that can replay. None where there are none of this game."""
    try:
        description = yield rules.describe(module_of(reveal.session.game))
    except NotServed:
        return None
    version: str = description.rules_version
    return version


def _check_steps(reveal: Reveal, served: str | None, by_record: dict[str, int]) -> Look:
    """Check each revision. Moves that can be replayed wait for each other, and what is wrong first is told."""
    waiting: list[tuple[Step, NextMove]] = []
    size, before = 0, None
    for step in reveal.steps:
        version = step.rules_version or reveal.session.rules_version  # older servers don't say it of each revision
        problem = _check_draws(step, _seed_of(reveal, step))
        if problem is None and version != served:
            problem = _check_record(reveal, before, step)
            by_record[version] = by_record.get(version, 0) + (before is not None)
        elif problem is None and before is None:
            problem = yield from _replay_start(reveal, step)
        elif problem is None and before is not None:
            move = _move_of(reveal, before, step)
            if isinstance(move, Problem):
                problem = move
            else:
                waiting.append((step, move))
                size += before.position.ByteSize() + step.move.ByteSize()
        if waiting and (problem or version != served or len(waiting) == MOST_TOGETHER or size > MOST_BYTES):
            problem = (yield from _replay_moves(reveal, waiting)) or problem
            waiting, size = [], 0
        if problem is not None:
            return problem
        before = step
    return (yield from _replay_moves(reveal, waiting)) if waiting else None


def _draws(steps: Sequence[Step]) -> int:
    return sum(len(step.draws) for step in steps)


def _check_secrets(
    reveal: Reveal, commitment_seen: bytes | None, entropies_seen: Mapping[int, bytes]
) -> Problem | None:
    published = reveal.session.commitment
    if commitment_seen is not None and commitment_seen != published:
        said = f"it was {commitment_seen.hex()} before the game, and is {published.hex()} now"
        return Problem("commitment", f"the commitment has changed: {said}")
    if chance.commitment_of(reveal.server_seed) != published:
        return Problem("seed", f"the revealed seed is not the one of the commitment {published.hex()}")
    if reveal.session.chance_version not in chance.VERSIONS:
        said = f"version {reveal.session.chance_version} of docs/chance.md, which this client does not know"
        return Problem("seed", f"the seeds are derived in {said}: take a newer one")
    for seat, entropy in entropies_seen.items():
        if seat >= len(reveal.entropies) or reveal.entropies[seat] != entropy:
            return Problem("seed", f"the entropy of seat {seat} is not the one that it brought")
    return None


def _check_revisions(reveal: Reveal) -> Problem | None:
    last, aborted = reveal.session.revision, reveal.session.state is State.ABORTED
    if aborted and not reveal.steps:  # it was never started
        return None
    for expected, step in enumerate(reveal.steps):
        if step.revision != expected:
            sentence = f"{_name(expected)} is missing: {_name(step.revision)} stands in its place"
            return Problem("revision", sentence, expected)
    if len(reveal.steps) != last + 1:
        wrong = min(len(reveal.steps), last + 1)
        is_what = "is missing" if wrong <= last else "is one too many"
        return Problem("revision", f"{_name(wrong)} {is_what}: the game has {last}", wrong)
    if not aborted and not reveal.steps[-1].standing.over:
        return Problem("outcome", f"the game is not over after its last move, {last}", last)
    return None


def _seed_of(reveal: Reveal, step: Step) -> bytes:
    facts = reveal.session
    return chance.seed_of(reveal.server_seed, facts.name, step.revision, reveal.entropies, facts.chance_version)


def _check_draws(step: Step, seed: bytes) -> Problem | None:
    source = chance.stream(seed)
    for number, draw in enumerate(step.draws, start=1):
        where = f"{_name(step.revision)}: draw {number} ({draw.purpose})"
        try:
            given = chance.redraw(source, draw)
        except ValueError as error:
            return Problem("draw", f"{where} can't be: {error}", step.revision, number)
        if given != draw.results:
            shows, gives = _differing(draw.results, given)
            return Problem("draw", f"{where} shows {shows}, the seed gives {gives}", step.revision, number)
    return None


def _differing(shown: tuple[int, ...], given: tuple[int, ...]) -> tuple[object, object]:
    """The first result that differs, or everything when there are not as many."""
    if len(shown) != len(given):
        return list(shown), list(given)
    return next(pair for pair in zip(shown, given, strict=True) if pair[0] != pair[1])


def _replay_start(reveal: Reveal, step: Step) -> Look:
    facts, seed = reveal.session, _seed_of(reveal, step)
    try:
        started = yield rules.start(module_of(facts.game), len(facts.seats), options=facts.options, seed=seed)
    except (IllegalMove, InvalidRequest) as error:
        return _refused(step, error)
    return _compare(step, started)


def _move_of(reveal: Reveal, before: Step, step: Step) -> NextMove | Problem:
    """The move of a revision as it is replayed, from the position that is recorded before it."""
    if step.move is None:
        return Problem("move", f"{_name(step.revision)} says nothing of what was played", step.revision)
    move = NextMove(step.seat, step.move, before.position, seed=_seed_of(reveal, step))
    try:
        simulation.check_move(module_of(reveal.session.game), move)
    except InvalidRequest as error:
        return _refused(step, error)
    return move


def _replay_moves(reveal: Reveal, moves: Sequence[tuple[Step, NextMove]]) -> Look:
    """Replay moves by one message; where the rules take none with many moves, by a call each."""
    module = module_of(reveal.session.game)
    try:
        results = yield Batch(module, [move for _, move in moves])
    except NotServed:
        results = None
    for number, (step, move) in enumerate(moves):
        try:
            replayed = (yield _apply(module, move)) if results is None else results[number]
            if isinstance(replayed, LairError):
                raise replayed
        except (IllegalMove, InvalidRequest) as error:
            return _refused(step, error)
        problem = _compare(step, replayed)
        if problem is not None:
            return problem
    return None


def _apply(module: Any, move: NextMove) -> Call[Applied[Any, Any, Any]]:
    position: Any = move.position
    return rules.apply(module, position, move.seat, move.move, seed=move.seed)


def _refused(step: Step, error: LairError) -> Problem:
    return Problem("move", f"{_name(step.revision)}: the rules refuse what was played: {error}", step.revision)


def _check_record(reveal: Reveal, before: Step | None, step: Step) -> Problem | None:
    """Check a revision that can't be replayed by what is recorded of it, and of the one before."""
    module, where = module_of(reveal.session.game), _name(step.revision)
    if before is not None:
        if not isinstance(step.move, module.Move):
            return Problem("move", f"{where} says nothing of what was played", step.revision)
        if before.standing.over:
            return Problem("move", f"{where} comes after the end of the game", step.revision)
        if step.seat is not None and step.seat not in before.standing.may_act:
            return Problem("move", f"{where} was made by seat {step.seat}, which could not act then", step.revision)
    if not isinstance(step.position, module.Position):
        return Problem("position", f"{where} leads to no position of this game", step.revision)
    return None


def _compare(step: Step, replayed: Replayed) -> Problem | None:
    """Compare what is recorded with what the rules give. Where position and events differ, the move is to blame."""
    differing: list[What] = []
    if replayed.draws != step.draws:
        differing.append("draw")
    if _encoded(replayed.position) != _encoded(step.position):
        differing.append("position")
    if [_encoded(event) for event in replayed.events] != [_encoded(event) for event in step.events]:
        differing.append("events")
    if replayed.standing.outcome != step.standing.outcome:
        differing.append("outcome")
    elif replayed.standing != step.standing:
        differing.append("standing")
    if not differing:
        return None
    what: What = "move" if {"position", "events"} <= set(differing) else differing[0]
    words = ", ".join("draws" if part == "draw" else part for part in differing)
    led = "what was played leads elsewhere" if what == "move" else "what is recorded is not what the rules give"
    return Problem(what, f"{_name(step.revision)}: {led} ({words})", step.revision)


def _check_outcome(reveal: Reveal) -> Problem | None:
    told = reveal.session.standing
    led = reveal.steps[-1].standing if reveal.steps else None
    if told == led:
        return None
    return Problem("outcome", f"the outcome that was told is not the last move's: {told}, not {led}")


def _encoded(message: Message | None) -> bytes | None:
    return None if message is None else message.SerializeToString(deterministic=True)


def _name(revision: int) -> str:
    return f"move {revision}" if revision else "the start"


def _by_record(version: str, moves: int) -> str:
    whose = "their" if moves > 1 else "its"
    return f"{_count(moves, 'move') if moves else 'the start'} under rules version {version} by {whose} record"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
