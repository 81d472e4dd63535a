"""What holds for moves over a stream, in every game: they are what ApplyMove makes of them, one by one.

So all that is proven of ApplyMove, also what it hides, is proven of the stream.
"""

from collections.abc import Mapping
from typing import Any

from google.protobuf.field_mask_pb2 import FieldMask
from hypothesis import given
from hypothesis import strategies as st
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as words

from services.games import Entry
from services.rules.chains import FIELDS, MOST_CHAINS, Chains, ChainsHandler, Places
from services.runtime.failure import Failure
from services.runtime.status import to_status
from tests.support.games import actors, every_game
from tests.support.laws import examples
from tests.support.stream import seed_of_revision
from tests.support.walks import Walk, walks

law = examples(15)
SEED = bytes(range(32))
CHAINS = st.sampled_from([0, 0, 0, 1, MOST_CHAINS - 1, MOST_CHAINS, -1])


def packed(walk: Walk, revision: int) -> bytes:
    """The position of one revision of a walk."""
    raw: bytes = walk.entry.codec.write_position(walk.plies[revision].played.position).SerializeToString()
    return raw


def next_move(walk: Walk, revision: int) -> dict[str, Any]:
    """The move of a walk that leads to this revision."""
    ply = walk.plies[revision]
    return {
        "seat": ply.seat,
        "move": walk.entry.codec.write_move(ply.move).SerializeToString(),
        "chance": words.Chance(seed=seed_of_revision(walk.seed, revision)),
    }


def everything_of(walk: Walk) -> words.ViewFor:
    return words.ViewFor(seats=range(walk.seats), spectator=True, moves=True)


def streamed(handler: ChainsHandler, chains: Chains, request: opaque.ApplyMovesRequest) -> list[opaque.AppliedMove]:
    """The answers to one message, as they come over the wire."""
    raw = [answer.SerializeToString() for answer in handler.apply_moves(request, chains)]
    return [applied for each in raw for applied in opaque.ApplyMovesResponse.FromString(each).moves]


class OneByOne:
    """What a stream should answer, from ApplyMove and EnumerateMoves alone."""

    def __init__(self, handler: ChainsHandler) -> None:
        self.handler = handler
        self.positions: dict[int, bytes] = {}

    def answer(self, request: opaque.ApplyMovesRequest) -> list[opaque.AppliedMove]:
        broken: set[int] = set()
        return [self._answer(move, request.view_for, broken) for move in request.moves]

    def _answer(self, move: opaque.NextMove, view_for: words.ViewFor, broken: set[int]) -> opaque.AppliedMove:
        chain = move.chain
        reason = field = None
        if not 0 <= chain < MOST_CHAINS:
            field = "chain"
        elif move.position:
            self.positions.pop(chain, None)
            broken.discard(chain)
            if self._is_possible(move.position):
                self.positions[chain] = move.position
        elif chain in broken:
            reason = "CHAIN_BROKEN"
        elif chain not in self.positions:
            field = "position"
        if reason or field:
            broken.add(chain)
            return opaque.AppliedMove(error={"code": 10 if reason else 3, "message": reason or field})  # type: ignore[arg-type]  # as a dict
        given = {name.name: value for name, value in move.ListFields() if name.name != "chain"}
        asked = opaque.ApplyMoveRequest(
            **{**given, "position": move.position or self.positions[chain]}, view_for=view_for
        )
        try:
            answer = self.handler.apply_move(asked)
        except Failure as failure:
            broken.add(chain)
            return opaque.AppliedMove(error=to_status(failure))
        self.positions[chain] = answer.position
        answer.ClearField("rules_version")  # which is told once for many moves
        applied = opaque.AppliedMove.FromString(answer.SerializeToString())
        for seat in answer.standing.may_act:
            moves = self.handler.enumerate_moves(opaque.EnumerateMovesRequest(position=answer.position, seat=seat))
            applied.moves.add(seat=seat, moves=moves.moves)
        return applied

    def _is_possible(self, position: bytes) -> bool:
        try:
            self.handler.enumerate_moves(opaque.EnumerateMovesRequest(position=position))
        except Failure:
            return False
        return True


def assert_alike(given: opaque.AppliedMove, expected: opaque.AppliedMove) -> None:
    """Equal; of what only a stream can refuse, the code and what the message is about."""
    if expected.error.message in {"CHAIN_BROKEN", "chain", "position"}:
        word = "a move before it" if expected.error.message == "CHAIN_BROKEN" else f"{expected.error.message}: "
        assert given.error.code == expected.error.code
        assert given.error.message.startswith(word)
        given.ClearField("error")
        assert given == opaque.AppliedMove()
    else:
        assert given == expected


@every_game
@given(data=st.data())
@law
def test_a_stream_answers_what_apply_move_answers(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry))
    moves = [opaque.NextMove(**next_move(walk, revision)) for revision in range(1, len(walk.plies))]
    if moves:
        moves[0].position = packed(walk, 0)
    request = opaque.ApplyMovesRequest(moves=moves, view_for=everything_of(walk))
    answers = streamed(ChainsHandler(entry), Chains(Places()), request)
    assert answers == OneByOne(ChainsHandler(entry)).answer(request)
    assert not any(answer.HasField("error") for answer in answers)
    assert len(answers) == len(moves)


@st.composite
def batches(draw: st.DrawFn, walk: Walk) -> opaque.ApplyMovesRequest:
    """Moves that go on, that were meant for another position, that are nobody's, or that are no moves."""
    write = walk.entry.codec.write_move
    seen = [write(move).SerializeToString() for move in walk.moves_seen()]
    revisions = st.integers(0, len(walk.plies) - 1)
    moves = []
    for _ in range(draw(st.integers(1, 8))):
        revision = draw(revisions)
        if revision and draw(st.booleans()):
            fields = {"position": packed(walk, revision - 1), **next_move(walk, revision)}
            if draw(st.booleans()):
                del fields["position"]
        else:
            fields = {
                "seat": draw(st.sampled_from(actors(walk.entry.game, walk.position)) | st.just(99)),
                "move": draw(st.sampled_from([*seen, b"", b"\xff"])),
                "move_text": draw(st.sampled_from(["", "", "nonsense"])),
                "position": draw(st.sampled_from([b"", b"", b"\xff"]) | st.builds(packed, st.just(walk), revisions)),
                "chance": words.Chance(seed=draw(st.sampled_from([SEED, SEED, SEED[:5]]))),
            }
        moves.append(opaque.NextMove(**fields, chain=draw(CHAINS)))
    view_for = draw(st.sampled_from([words.ViewFor(), everything_of(walk), words.ViewFor(seats=[0, 99])]))
    return opaque.ApplyMovesRequest(moves=moves, view_for=view_for)


@every_game
@given(data=st.data())
@law
def test_whatever_comes_a_refusal_is_apply_moves_and_a_chain_stays_where_it_was(
    entry: Entry, data: st.DataObject
) -> None:
    walk = data.draw(walks(entry))
    handler, chains, expected = ChainsHandler(entry), Chains(Places()), OneByOne(ChainsHandler(entry))
    for request in data.draw(st.lists(batches(walk), min_size=1, max_size=3)):
        for answer, wanted in zip(streamed(handler, chains, request), expected.answer(request), strict=True):
            assert_alike(answer, wanted)


@every_game
@given(data=st.data(), wanted=st.sets(st.sampled_from(sorted(FIELDS)), min_size=1))
@law
def test_a_mask_leaves_out_and_changes_nothing(entry: Entry, data: st.DataObject, wanted: set[str]) -> None:
    walk = data.draw(walks(entry))
    request = data.draw(batches(walk))
    request.ClearField("view_for")
    everything = streamed(ChainsHandler(entry), Chains(Places()), request)
    request.read_mask.CopyFrom(FieldMask(paths=wanted))
    for answer, whole in zip(streamed(ChainsHandler(entry), Chains(Places()), request), everything, strict=True):
        for field in FIELDS - wanted:
            whole.ClearField(field)
        assert answer == whole


@every_game
@given(data=st.data())
@law
def test_games_side_by_side_do_not_touch_each_other(entry: Entry, data: st.DataObject) -> None:
    games: Mapping[int, Walk] = {chain: data.draw(walks(entry)) for chain in range(3)}
    queues = {chain: list(range(1, len(walk.plies))) for chain, walk in games.items()}
    moves = []
    while going := [chain for chain, queue in queues.items() if queue]:
        chain = data.draw(st.sampled_from(going))
        revision = queues[chain].pop(0)
        first = {"position": packed(games[chain], 0)} if revision == 1 else {}
        moves.append(opaque.NextMove(**next_move(games[chain], revision), **first, chain=chain))
    if not moves:
        return
    answers = streamed(ChainsHandler(entry), Chains(Places()), opaque.ApplyMovesRequest(moves=moves))
    for chain, walk in games.items():
        positions = [answer.position for move, answer in zip(moves, answers, strict=True) if move.chain == chain]
        read = [entry.codec.read_position(entry.codec.messages.Position.FromString(raw)) for raw in positions]
        assert read == [ply.played.position for ply in walk.plies[1:]]
