"""Many moves over one stream: chains of moves, each played on the position that the one before it has led to.

A refused move is told in its place, as ApplyMove would tell it, and its chain stays where it was. What follows it on
its chain in the same message was meant for another position, so that is not tried; the next message goes on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from google.protobuf.field_mask_pb2 import FieldMask
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as wire

from services.kernel.refusals import Flaw, Malformed
from services.rules.failures import chain_broken
from services.rules.handler import REFUSALS, RulesHandler, seat_of, viewers_of
from services.rules.memory import Known
from services.rules.words import Chance, fill_standing, write_draws
from services.runtime.failure import Failure, malformed, rate_limited
from services.runtime.status import to_status

MOST_MOVES = 1000
"""Of one message."""
MOST_PATHS = 64
"""Of a mask: there are fewer fields."""
MOST_CHAINS = 256
"""Of one stream: a position of each is kept."""
MOST_BYTES = 1_000_000
"""What an answer may have before its last move: gRPC's clients take 4 MiB unless told otherwise."""
MOST_SECONDS = 0.002
"""Of work without a pause, but for the last move: others wait meanwhile."""
FIELDS = frozenset(opaque.AppliedMove.DESCRIPTOR.fields_by_name) - {"error"}
EVERYTHING = "*"

MOST_KEPT = 25_000
"""Positions that all streams keep together, of a kilobyte each."""
RETRY_AFTER = 1.0


@dataclass(slots=True)
class Places:
    """How many positions all streams keep, and may keep."""

    limit: int = MOST_KEPT
    taken: int = 0


class Chains(dict[int, Known]):
    """The position of each chain of one stream, and how many seats it has. Each takes one of the places of all."""

    def __init__(self, places: Places) -> None:
        super().__init__()
        self._places = places

    def begin(self, chain: int, known: Known) -> None:
        """Give a chain that has none a position. Raises Failure RATE_LIMITED when no place is left."""
        places = self._places
        if places.taken >= places.limit:
            raise rate_limited(places.limit, RETRY_AFTER, "positions kept for the chains of all streams")
        places.taken += 1
        self[chain] = known

    def end(self, chain: int) -> None:
        """Forget a chain, if there is one."""
        if self.pop(chain, None) is not None:
            self._places.taken -= 1

    def end_all(self) -> None:
        """Forget them all: the stream is over."""
        self._places.taken -= len(self)
        self.clear()


@dataclass(slots=True)
class Batch:
    """The moves of one message while they are played."""

    chains: Chains
    view_for: wire.ViewFor
    wanted: frozenset[str]
    """The fields that the answers shall have."""
    broken: set[int]
    """The chains on which a move was refused."""


class ChainsHandler(RulesHandler):
    """One game's rules for callers on the wire, also many moves at a time."""

    def apply_moves(self, request: opaque.ApplyMovesRequest, chains: Chains) -> Iterator[opaque.ApplyMovesResponse]:
        """Play moves on these chains, and give the answers: each after a little work, and not too large.

        Raises Failure when the request is malformed as a whole; then nothing was played.
        """
        if len(request.moves) > MOST_MOVES:
            raise malformed(Flaw("moves", f"has {len(request.moves)}; a message takes {MOST_MOVES} at most"))
        batch = Batch(chains, request.view_for, _wanted(request.read_mask), set())
        answer, size, pause = self._empty(), 0, perf_counter() + MOST_SECONDS
        for move in request.moves:
            applied = answer.moves.add()
            self._answer(move, batch, applied)
            size += applied.ByteSize()
            if size > MOST_BYTES or perf_counter() > pause:
                yield answer
                answer, size, pause = self._empty(), 0, perf_counter() + MOST_SECONDS
        if answer.moves:
            yield answer

    def _empty(self) -> opaque.ApplyMovesResponse:
        """An answer to moves that are still to be played."""
        return opaque.ApplyMovesResponse(rules_version=self._game.version)

    def _answer(self, request: opaque.NextMove, batch: Batch, applied: opaque.AppliedMove) -> None:
        """Play a move on its chain, or say why not."""
        try:
            self._apply_next(request, batch, applied)
        except REFUSALS as error:
            failure = self._failure(error)
        except Failure as error:
            failure = error
        else:
            return
        batch.broken.add(request.chain)
        applied.error.CopyFrom(to_status(failure))

    def _apply_next(self, request: opaque.NextMove, batch: Batch, applied: opaque.AppliedMove) -> None:
        """What apply_move does. The answer is filled when nothing can fail any more, and only with what is wanted."""
        before, seats = self._position_of(request, batch)
        move = self._messages.read_move(request.move, request.move_text)
        chance = Chance(request.chance)
        played = self._game.play(before, seat_of(request, seats), move, chance.dice)
        draws = chance.used()
        position, wanted = played.position, batch.wanted
        viewers = viewers_of(batch.view_for, seats) if "views" in wanted else ()
        batch.chains[request.chain] = position, seats
        standing = self._game.standing(position)
        if "position" in wanted:
            applied.position = self._messages.write_position(position)
        if "move" in wanted:
            applied.move = self._messages.write_move(move).move
        if "standing" in wanted:
            fill_standing(applied.standing, standing)
        if "chance" in wanted:
            applied.chance.CopyFrom(chance.message)
        if "events" in wanted:
            applied.events.extend(self._messages.write_events(played.events))
        if "draws" in wanted:
            applied.draws.extend(write_draws(draws))
        self._add_views(applied.views, position, viewers, moves=batch.view_for.moves)
        if "moves" in wanted:
            for seat in standing.may_act:
                applied.moves.add(seat=seat, moves=self._moves(position, seat))

    def _position_of(self, request: opaque.NextMove, batch: Batch) -> Known:
        """The position that a move is played on."""
        chain, chains = request.chain, batch.chains
        if not 0 <= chain < MOST_CHAINS:
            raise Malformed(Flaw("chain", f"must be 0 to {MOST_CHAINS - 1}, is {chain}"))
        if request.position:
            chains.end(chain)
            chains.begin(chain, self._messages.read_position(request.position))
            batch.broken.discard(chain)
        elif chain in batch.broken:
            raise chain_broken(chain)
        elif chain not in chains:
            raise Malformed(Flaw("position", f"is required: chain {chain} has none"))
        return chains[chain]


def _wanted(mask: FieldMask) -> frozenset[str]:
    """The fields that answers shall have. Raises Failure when there is no such field."""
    if len(mask.paths) > MOST_PATHS:
        raise malformed(Flaw("read_mask.paths", f"must be at most {MOST_PATHS}, are {len(mask.paths)}"))
    wanted: frozenset[str] = frozenset(mask.paths)
    if EVERYTHING in wanted or not wanted:
        return FIELDS
    flaws = [
        Flaw(f"read_mask.paths[{index}]", f"must be one of {', '.join(sorted(FIELDS))}")
        for index, path in enumerate(mask.paths)
        if path not in FIELDS
    ]
    if flaws:
        raise malformed(*flaws)
    return wanted
