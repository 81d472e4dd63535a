"""A position of the canary game as one line: its message as JSON; and its moves as texts."""

import json

from google.protobuf.json_format import MessageToDict, ParseDict, ParseError

from tests.support.canary.codec import read_position, wire, write_position
from tests.support.canary.position import Draw, Move, Play, Position, Show, Timeout


def write(position: Position) -> str:
    """A position's line."""
    return json.dumps(MessageToDict(write_position(position)), sort_keys=True)


def read(text: str) -> Position:
    """The position of a line. Raises ValueError when it can't be read."""
    try:
        return read_position(ParseDict(json.loads(text), wire.Position()))
    except (ParseError, AttributeError, TypeError) as error:
        raise ValueError("this is no position of the canary game") from error


def write_move(move: Move) -> str:
    """A move's text."""
    match move:
        case Draw():
            return "draw"
        case Play(card):
            return f"play {card}"
        case Show(card, seat):
            return f"show {card} to seat {seat}"
        case Timeout():
            return "timeout"


def read_move(text: str) -> Move:
    """The move of a text. Raises ValueError when there is none."""
    match text.split(" "):
        case ["draw"]:
            return Draw()
        case ["play", card]:
            return Play(card)
        case ["show", card, "to", "seat", seat] if len(seat) == 1 and seat in "0123456789":
            return Show(card, int(seat))
        case ["timeout"]:
            return Timeout()
        case _:
            raise ValueError("moves are draw, play CARD, show CARD to seat N, timeout")
