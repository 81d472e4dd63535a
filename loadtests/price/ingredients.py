"""What means something to the server, by the name of a field: it gets a request past the first checks."""

import random
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.field_mask_pb2 import FieldMask
from monsters.rules.v1 import rules_pb2 as words
from monsters.session.v1 import session_pb2 as wire
from monsters.session.v1 import session_pb2_grpc

from loadtests.measuring.filling import TOKENS, session_id
from services.games import Entry, find_games
from services.kernel.chance import Dice, seeded
from services.rules.chains import FIELDS
from services.session.wire.pages import write_token

LONG_ONES = 3
"""Sessions of many moves that lie in the database from the start. The first one is ended."""
MOST_STEPS = 80
TYPE_URL = "type.googleapis.com/"
Hints = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Ingredients:
    """Values for fields, and the tokens of those who may do something."""

    shared: Hints
    games: Mapping[str, Hints]
    """Those of one game alone, by its token."""
    tokens: Sequence[str | None]

    def of(self, token: str) -> Hints:
        """What fits a service: that of a game, or that of sessions."""
        return {**self.shared, **self.games.get(token, {})}


def gather(channel: grpc.Channel, chance: random.Random) -> Ingredients:
    """Open sessions at a server, and play games of every kind beside it."""
    stub = session_pb2_grpc.SessionServiceStub(channel)
    games = {token: _of_game(entry, chance) for token, entry in find_games().items()}
    names, tokens = [f"sessions/{session_id(number)}" for number in range(LONG_ONES)], [*TOKENS, None, "", "no token"]
    codes = ["7f3k-9mqa"]
    for token, entry in find_games().items():
        for everybody in (True, False):
            seats = [wire.SeatRequest(name=f"Seat {number}") for number in range(entry.game.seats[0])]
            asked = wire.CreateSessionRequest(game=token, seats=seats, all_tokens=everybody, listed=not everybody)
            created = stub.CreateSession(asked)
            names.append(created.session.name)
            tokens += [*created.seat_tokens]  # not the host's: it would end them all
            codes += [created.join_code] if created.join_code else []
    packed = [each for hints in games.values() for each in hints["move"][:20] + hints["options"]]
    shared: dict[str, Sequence[Any]] = {
        "name": names,
        "game": [*games, "nogame"],
        "seats": [wire.SeatRequest(name="Ann"), wire.SeatRequest(name="Bot", kind=wire.SEAT_KIND_BOT), 0, 1, 2, 3],
        "join_code": codes,
        "token": [token for token in tokens if token],
        "request_id": ["", str(uuid.UUID(int=chance.getrandbits(128)))],
        "etag": ["", '"0"', '"3"'],
        "page_token": ["", write_token(1), write_token(1, "a")],
        "page_size": [0, 1, 100, 1000],
        "seat": [0, 1, 2],
        "revision": [0, 1, 1000],
        "after_revision": [-1, 0, 1000],
        "text": [text for hints in games.values() for text in hints["move_text"][:20]],
        "move": [_pack(message) for message in packed],
        "options": [_pack(message) for message in packed],
        "chance": [words.Chance(seed=bytes(32)), words.Chance(script=words.Script(results=[1, 2, 3]))],
        "view_for": [words.ViewFor(seats=range(6), spectator=True, moves=True), words.ViewFor(seats=[0, 1])],
        "read_mask": [FieldMask(paths=["*"]), FieldMask(paths=FIELDS), FieldMask(paths=["standing"])],
        "chain": [0, 1, 255],
    }
    return Ingredients(shared, games, tokens)


def _pack(message: Any) -> Packed:
    packed = Packed()
    packed.Pack(message, TYPE_URL)
    return packed


def _of_game(entry: Entry, chance: random.Random) -> Hints:
    """Positions of random games from the start to the end, with moves, texts and options."""
    game, codec = entry.game, entry.codec
    positions, texts, moves, seen = [], [], [], set[str]()
    for seats in (game.seats[0], game.seats[-1]):
        position = game.start(game.options, seats, _dice(chance)).position
        for _ in range(MOST_STEPS):
            positions.append(position)
            standing = game.standing(position)
            if standing.over:
                break
            seat = chance.choice(standing.may_act)
            for move in (legal := game.moves(position, seat)):
                if (text := game.write_move(move)) not in seen:
                    seen.add(text)
                    texts.append(text)
                    moves.append(codec.write_move(move))
            position = game.play(position, seat, chance.choice(legal), _dice(chance)).position
    return {
        "position": [codec.write_position(position) for position in positions],
        "position_text": [game.write(position) for position in positions],
        "move_text": [*texts, "timeout"],
        "move": moves,
        "options": [codec.spell_options(game.options)],
        "seats": [*game.seats],
    }


def _dice(chance: random.Random) -> Dice:
    return Dice(seeded(chance.randbytes(32)))
