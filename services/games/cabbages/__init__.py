"""Monster in the Cabbages, a dice game for two to five players.

In your turn you harvest or you feed. Who harvests rolls two dice and takes their sum in cabbages. Who feeds takes a die
out of the Monster Cup, marks a Feeding, and rolls the dice that are left in the cup. The cup starts empty on the left
of the last player. After the turn of the player on whose left it stands it takes a turn itself: a die comes in, all
its dice are rolled, and it moves to that player's right.

A roll of the cup's dice ends the game with a total of 25, which eats everybody, or with three of a kind. Ones and twos
make the most cabbages win, threes and fours the most Feedings, fives and sixes the biggest product of the two. So the
cup has to be fed, but whoever feeds does not harvest, and everybody watches which row the dice are coming to.

position   options, rolls, the position, the moves
events     what can happen
rules      how it is played
ending     when it ends, and who wins then
possible   options and positions that can't be
telling    what happens, in sentences
notation   a position as one line
codec      to and from the wire
"""

from services.games.cabbages import notation, rules
from services.games.cabbages.codec import CODEC
from services.games.cabbages.events import Fact
from services.games.cabbages.position import DEFAULTS, SEATS, Move, Options, Position, View
from services.games.cabbages.possible import check, flaws
from services.games.cabbages.telling import tell
from services.kernel.game import Game

__all__ = ["CODEC", "GAME"]

GAME: Game[Options, Position, Move, View, Fact] = Game(
    token="cabbages",  # noqa: S106 - the name of the game, no password
    version="3",
    seats=SEATS,
    options=DEFAULTS,
    flaws=flaws,
    start=rules.start,
    check=check,
    seat_count=rules.seat_count,
    standing=rules.standing,
    moves=rules.moves,
    refuse=rules.refuse,
    play=rules.play,
    view=rules.view,
    resample=rules.resample,
    suggest=rules.suggest,
    tell=tell,
    write_move=rules.write_move,
    read_move=rules.read_move,
    write=notation.write,
    read=notation.read,
)
