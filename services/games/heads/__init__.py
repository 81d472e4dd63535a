"""3 to 4 Headed Monster, a game of hidden cards and open lies for three or four players.

The players are heads on one body. One of them is peaceful, the others are dangerous, and nobody knows which the others
are. In each round two players agree to walk: each puts a card face down, and a third, the validator, looks at both
without knowing whose is whose and lays them on a side of the trek card. 9 or more together are peaceful, 8 or less are
dangerous; the X is a zero beside a high card and a ten beside a low one. A fourth player may then look at a card in
somebody's hand.

Two peaceful rounds win for the peaceful head, three dangerous ones for the others. Anything else comes to the Fork in
the Road: two players agree once more, and if one of them is the peaceful head, it wins.

position   cards, roles, options, the position
moves      what can be done and said, with the texts
events     what can happen, and who is told what
dealing    the deal, and the re-deal that nobody may notice
trek       the sides of the trek card, and the end
phases     what is going on, and whom the game waits for
agreeing   proposals, answers, a drawn pair
talking    statements
walking    cards face down, the validator, the trek card
peeking    the fourth player's look at a card
timing     what the host does when time is up
rules      every move with what follows from it
view       what a seat may know
resampling another deal that a seat can't tell from the true one
suggesting what a stand-in does
possible   options and positions that can't be
telling    what happens, in sentences
notation   a position as one line
codec      to and from the wire
"""

from services.games.heads import notation, rules
from services.games.heads.codec import CODEC
from services.games.heads.events import Fact
from services.games.heads.moves import Move, read_move, write_move
from services.games.heads.phases import standing
from services.games.heads.position import DEFAULTS, SEATS, Options, Position
from services.games.heads.possible import check, flaws
from services.games.heads.resampling import resample
from services.games.heads.suggesting import suggest
from services.games.heads.telling import tell
from services.games.heads.view import View, view
from services.kernel.game import Game

__all__ = ["CODEC", "GAME"]

GAME: Game[Options, Position, Move, View, Fact] = Game(
    token="heads",  # noqa: S106 - the name of the game, no password
    version="3",
    seats=SEATS,
    options=DEFAULTS,
    flaws=flaws,
    start=rules.start,
    check=check,
    seat_count=lambda position: position.seats,
    standing=standing,
    moves=rules.moves,
    refuse=rules.refuse,
    play=rules.play,
    view=view,
    resample=resample,
    suggest=suggest,
    tell=tell,
    write_move=write_move,
    read_move=read_move,
    write=notation.write,
    read=notation.read,
)
