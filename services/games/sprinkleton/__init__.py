"""The donut game of Sprinkleton, a game of eyes and hands for two to six players.

Ten monster cards lie on the table. The Baker rolls a number and a part, arms, legs or eyes; everybody at once looks for
a monster with exactly so many of it. Whoever touches a card that fits first has it; a card that doesn't fit costs one
of one's own. Where none fits, the first to touch the Zilch token gets a card from the deck, and ten more come to the
table. When the deck has run out, the most donuts win.

A round waits for the Baker's roll; then for everybody's pick.

deck       the monster cards, by formula
position   options, dice, picks, the position
search     which cards match, who searches still
ending     when the game ends, and who wins then
moves      what can be done, what can't and why
view       what a seat may know
events     what can happen
scoring    the end of a round
rules      how all of this is played
possible   options and positions that can't be
suggesting what a stand-in does
resampling what else may lie face down
telling    what happens, in sentences
notation   a position as one line
codec      to and from the wire
"""

from services.games.sprinkleton import moves, notation, rules
from services.games.sprinkleton.codec import CODEC
from services.games.sprinkleton.events import Fact
from services.games.sprinkleton.moves import Move
from services.games.sprinkleton.position import DEFAULTS, SEATS, Options, Position
from services.games.sprinkleton.possible import check, flaws
from services.games.sprinkleton.resampling import resample
from services.games.sprinkleton.suggesting import suggest
from services.games.sprinkleton.telling import tell
from services.games.sprinkleton.view import View, view
from services.kernel.game import Game

__all__ = ["CODEC", "GAME"]

GAME: Game[Options, Position, Move, View, Fact] = Game(
    token="sprinkleton",  # noqa: S106 - the name of the game, no password
    version="2",
    seats=SEATS,
    options=DEFAULTS,
    flaws=flaws,
    start=rules.start,
    check=check,
    seat_count=lambda position: position.seats,
    standing=rules.standing,
    moves=moves.moves,
    refuse=moves.refuse,
    play=rules.play,
    view=view,
    resample=resample,
    suggest=suggest,
    tell=tell,
    write_move=moves.write_move,
    read_move=moves.read_move,
    write=notation.write,
    read=notation.read,
)
