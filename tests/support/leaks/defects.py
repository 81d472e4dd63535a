"""Games with a defect, such as any may have: what they trip over is hidden, and they say it."""

from typing import Any

from msgspec.structs import replace

from services.games import Entry
from services.kernel.refusals import Flaw


def a_game_chokes_on_its_cards(entry: Entry) -> Entry:
    """It breaks where it should refuse, with everything that is hidden in the exception's words."""
    game = entry.game

    def play(position: Any, seat: int | None, move: Any, dice: Any) -> Any:
        if game.refuse(position, seat, move):
            raise KeyError(game.write(position))
        return game.play(position, seat, move, dice)

    return replace(entry, game=replace(game, play=play))


def finding_flaws_in_every_position(entry: Entry) -> Entry:
    """It takes no position any more, and says what is in it."""
    game = entry.game
    return replace(
        entry, game=replace(game, check=lambda position: [Flaw("hands", f"can't be {game.write(position)}")])
    )
