"""Recorded games: what the rules answered to every move, so that no answer changes unnoticed within a version.

`python -m tests.support.corpus` (`make corpus`) records what has no recording yet: for each game in the version that it
has now, one game with the defaults for the fewest and for the most seats, and one for every value of an option. What is
there is never overwritten, and recordings of other versions go: nothing here can replay them.

A recording is a file of lines. The first one says what was played, each other one is a revision: its number, seat and
move, and the digests of what was answered; now and then, and at the end, also the position as a line of text.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as words

from services.games import Entry, find_games
from services.rules.handler import RulesHandler
from tests.support.walks import candidates

FOLDER = Path(__file__).parents[1] / "corpus"
PARTS = ("position", "standing", "events", "draws", "views")
MOST_MOVES = 60
"""A game that is longer is recorded up to there."""
MOST_VALUES = 2
"""Of an option with many values."""
TEXT_EVERY = 25
DIGEST = 8


@dataclass(frozen=True)
class Step:
    """One revision: who moved, how, and what was answered."""

    revision: int
    seat: str
    """Empty: the start."""
    move: str
    digests: tuple[str, ...]
    """One for each of PARTS."""
    position: str
    """As a line of text."""

    def line(self, *, last: bool) -> str:
        """The line of a recording."""
        shown = self.position if last or self.revision % TEXT_EVERY == 0 else ""
        return "\t".join((str(self.revision), self.seat, self.move, *self.digests, shown))


@dataclass(frozen=True)
class Setting:
    """What is played: the game's options as JSON has them, how many seats, and the seed of everything that is drawn."""

    name: str
    seats: int
    options: Mapping[str, Any]
    seed: str


def settings_of(entry: Entry) -> Iterator[Setting]:
    """Every game that is recorded."""
    fewest, most = entry.game.seats[0], entry.game.seats[-1]
    for seats in sorted({fewest, most}):
        yield _setting(entry, f"defaults-{seats}", seats, {})
    usual = entry.codec.spell_options(entry.game.options)
    for seats, (name, values) in zip(
        _alternating(fewest, most), candidates(entry.game.token, most).items(), strict=False
    ):
        others = [value for value in values if not (usual.HasField(name) and getattr(usual, name) == value)]
        fitting = [value for value in others if value in candidates(entry.game.token, seats).get(name, ())]
        for value in fitting[:MOST_VALUES]:
            yield _setting(entry, f"{name}-{value}", seats, {name: value})


def _alternating(fewest: int, most: int) -> Iterator[int]:
    while True:
        yield fewest
        yield most


def _setting(entry: Entry, name: str, seats: int, options: Mapping[str, Any]) -> Setting:
    return Setting(name, seats, options, sha256(f"{entry.game.token} {name}".encode()).hexdigest())


def play(entry: Entry, setting: Setting, moves: Sequence[tuple[int, str]] | None = None) -> Iterator[Step]:
    """Play these moves, or without any random ones, through the handler that answers on the wire."""
    handler, messages = RulesHandler(entry), entry.codec.messages
    view_for = words.ViewFor(seats=range(setting.seats), spectator=True, moves=True)
    options = messages.Options(**setting.options).SerializeToString()
    answer: Any = handler.start_game(
        opaque.StartGameRequest(options=options, seats=setting.seats, chance=_chance(setting, 0), view_for=view_for)
    )
    yield _step(entry, 0, "", "", answer)
    for revision in range(1, (MOST_MOVES if moves is None else len(moves)) + 1):
        if answer.standing.HasField("outcome"):
            return
        seat, text = moves[revision - 1] if moves is not None else _choose(setting, revision, answer)
        answer = handler.apply_move(
            opaque.ApplyMoveRequest(
                position=answer.position,
                seat=seat,
                move_text=text,
                chance=_chance(setting, revision),
                view_for=view_for,
            )
        )
        yield _step(entry, revision, str(seat), text, answer)


def _chance(setting: Setting, revision: int) -> words.Chance:
    return words.Chance(seed=sha256(f"{setting.seed} {revision}".encode()).digest())


def _choose(setting: Setting, revision: int, answer: Any) -> tuple[int, str]:
    """A random seat that may act, a random kind of move by its first word, and one of those."""
    chance = Random(f"{setting.seed} {revision}")
    seat = chance.choice(answer.standing.may_act)
    kinds: dict[str, list[str]] = {}
    for move in answer.views[seat].moves:
        kinds.setdefault(move.text.split()[0], []).append(move.text)
    return seat, chance.choice(kinds[chance.choice(list(kinds))])


def _step(entry: Entry, revision: int, seat: str, move: str, answer: Any) -> Step:
    messages = entry.codec.messages
    position = messages.Position.FromString(answer.position)
    parts = (
        _plain(position),
        _plain(answer.standing),
        [_plain(messages.Event.FromString(event)) for event in answer.events],
        [_plain(draw) for draw in answer.draws],
        [
            [_plain(messages.View.FromString(view.view)), [_legal(messages, legal) for legal in view.moves]]
            for view in answer.views
        ],
    )
    digests = tuple(sha256(json.dumps(part, sort_keys=True).encode()).hexdigest()[:DIGEST] for part in parts)
    return Step(revision, seat, move, digests, entry.game.write(entry.codec.read_position(position)))


def _legal(messages: Any, legal: opaque.LegalMove) -> list[Any]:
    return [legal.text, _plain(messages.Move.FromString(legal.move))]


def _plain(message: Message) -> Any:
    """What a message says, whatever bytes say it: encodings are not canonical."""
    return MessageToDict(message, preserving_proto_field_name=True)


def folder_of(entry: Entry) -> Path:
    """Where the recordings of a game in its present version lie."""
    return FOLDER / entry.game.token / entry.game.version


def record(entry: Entry) -> int:
    """Record what has no recording yet, and remove other versions; give how many were recorded."""
    folder = folder_of(entry)
    for other in folder.parent.glob("*"):
        if other != folder:
            shutil.rmtree(other)
    folder.mkdir(parents=True, exist_ok=True)
    recorded = 0
    for setting in settings_of(entry):
        file = folder / f"{setting.name}.txt"
        if not file.exists():
            steps = list(play(entry, setting))
            said = {"seats": setting.seats, "options": setting.options, "seed": setting.seed}
            lines = [json.dumps(said), *(step.line(last=step is steps[-1]) for step in steps)]
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            recorded += 1
    return recorded


def difference(entry: Entry, file: Path) -> str:
    """What is answered otherwise than it was recorded, at the first revision where anything is; or nothing."""
    first, *lines = file.read_text(encoding="utf-8").splitlines()
    said = json.loads(first)
    recorded = [line.split("\t") for line in lines]
    setting = Setting(file.stem, said["seats"], said["options"], said["seed"])
    moves = [(int(seat), move) for _, seat, move, *_ in recorded[1:]]
    steps = play(entry, setting, moves)
    for revision, seat, move, *then in recorded:
        where = f"{entry.game.token} version {entry.game.version}, {file.stem}: revision {revision}"
        where += f", seat {seat} plays {move!r}" if seat else ", the start"
        try:
            (step,) = islice(steps, 1)
        except Exception as error:  # noqa: BLE001  whatever it is, the move is to be named
            return f"{where}: is refused now: {error or 'the game is over before it'}"
        changed = [part for part, was, now in zip(PARTS, then, step.digests, strict=False) if was != now]
        if changed:
            shown = f"\n  was {then[-1]}\n  is  {step.position}" if then[-1] else f"\n  is  {step.position}"
            return f"{where}: has another {', '.join(changed)}{shown}"
    return ""


if __name__ == "__main__":
    for game in find_games().values():
        print(f"{game.game.token} {game.game.version}: {record(game)} recorded")  # noqa: T201  for the one who runs it
