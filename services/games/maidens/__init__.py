"""Monsters & Maidens, a dice game for two to six players.

In your turn you roll nine dice that show Heroes, Monsters and Maidens. Maidens come to your Hero card. The Heroes and
Monsters of the roll fight: Monsters that are left take Maidens to the Monster card, Heroes that are left bring them
back. Then you stop and score your Hero card, or roll the other dice again. All Maidens, only Heroes or only Monsters,
or nobody left on the Hero card end the turn by themselves. Who has nobody after the first roll gets a chip, which
changes a die of the next turn's first roll. The Adventure Die, with a King, a Dragon and a Re-Roll, may roll with them.

A turn waits for its roll; then, while the chip or a Re-Roll leaves a choice, in the window; then for a decision.

position   options, dice, Maidens, the position, the moves
events     what can happen
moves      what can be done, what can't and why
turn       how a turn goes
battle     what a roll brings
ending     when the game ends, and who wins then
rules      how all of this is played
possible   options and positions that can't be
telling    what happens, in sentences
notation   a position as one line
codec      to and from the wire
"""

from services.games.maidens import moves, notation, rules
from services.games.maidens.codec import CODEC
from services.games.maidens.events import Fact
from services.games.maidens.position import DEFAULTS, SEATS, Move, Options, Position, View
from services.games.maidens.possible import check, flaws
from services.games.maidens.telling import tell
from services.kernel.game import Game

__all__ = ["CODEC", "GAME"]

GAME: Game[Options, Position, Move, View, Fact] = Game(
    token="maidens",  # noqa: S106 - the name of the game, no password
    version="2",
    seats=SEATS,
    options=DEFAULTS,
    flaws=flaws,
    start=rules.start,
    check=check,
    seat_count=rules.seat_count,
    standing=rules.standing,
    moves=moves.moves,
    refuse=moves.refuse,
    play=rules.play,
    view=rules.view,
    resample=rules.resample,
    suggest=rules.suggest,
    tell=tell,
    write_move=moves.write_move,
    read_move=moves.read_move,
    write=notation.write,
    read=notation.read,
)
