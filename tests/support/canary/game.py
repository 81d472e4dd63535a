"""The canary game as servers take it: an Entry like those of the games that are found."""

from pathlib import Path

from services.games import Entry
from services.games.rulebook import EndText, OptionText, Part, Rulebook, RuleText, Source
from services.kernel.game import Game
from services.kernel.playing import any_of
from tests.support.canary import notation, rules
from tests.support.canary.codec import CODEC
from tests.support.canary.position import DEFAULTS, Fact, Move, Options, Position, View
from tests.support.canary.proto import RULES_SERVICE, TOKEN
from tests.support.canary.telling import tell

GAME: Game[Options, Position, Move, View, Fact] = Game(
    token=TOKEN,
    version="1",
    seats=rules.SEATS,
    options=DEFAULTS,
    flaws=rules.flaws,
    start=rules.start,
    check=rules.check,
    seat_count=lambda position: len(position.hands),
    standing=rules.standing,
    moves=rules.moves,
    refuse=rules.refuse,
    play=rules.play,
    view=rules.view,
    resample=rules.resample,
    suggest=any_of,
    tell=tell,
    write_move=notation.write_move,
    read_move=notation.read_move,
    write=notation.write,
    read=notation.read,
)

RULEBOOK = Rulebook(
    title="Canary",
    credits="Made for tests.",
    aim="Have the most cards at the end.",
    how_to_play="Draw, play or show a card in your turn.",
    timeout="The active seat draws.",
    rules={
        name: RuleText(part, Source.LAIR, text)
        for name, part, text in (
            (
                "K-R1",
                Part.SET_UP,
                "Two to four play. Each has two cards that nobody else may know; one lies at the bottom.",
            ),
            ("K-R2", Part.TURN, "The turn goes round clockwise."),
            ("K-R3", Part.TURN, "In a turn a seat draws a card, plays one face down, or shows one to another seat."),
            ("K-R4", Part.END, "After the last turn the card at the bottom is opened. The most cards in hand win."),
            ("K-H1", Part.TIME, "Only the host says that time is up."),
        )
    },
    options={"turns": OptionText("9", "How many turns there are, 1 to 40.")},
    ends={"turns": EndText(Source.LAIR, "No turn is left. Scores are cards in hand.")},
)

CANARY = Entry(GAME, CODEC, RULES_SERVICE, RULEBOOK, Path(__file__).parent)
