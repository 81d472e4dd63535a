"""lair verify: every die of a finished game, recomputed from the revealed seed."""

import typer

from lair import Verification
from lair.cli.failures import REFUSED
from lair.cli.opening import Opened, opened
from lair.cli.options import JsonOption, ServerOption, SessionArgument
from lair.cli.output import Output


def verify(session: SessionArgument = None, *, server: ServerOption = None, json_lines: JsonOption = False) -> None:
    """Replay a finished game from its revealed seed, and say whether everything agrees."""
    output = Output(json_lines=json_lines)
    with opened(session, server, output) as game:
        verification = game.session.verify()
        if not show_verification(game, verification, output):
            raise typer.Exit(REFUSED)


def show_verification(game: Opened, verification: Verification, output: Output) -> bool:
    """Say what a verification found, and whether the commitment is the one seen at creation. True when all agrees."""
    commitment = game.facts.commitment.hex()
    seen = None if game.note is None else game.note.commitment
    output.show(
        {
            "session": game.facts.name,
            "ok": verification.ok,
            "moves": verification.moves,
            "draws": verification.draws,
            "movesByRecord": dict(verification.by_record),
            "problem": verification.problem.sentence if verification.problem else None,
            "commitment": commitment,
            "sameAsNotebook": None if seen is None else seen == commitment,
        },
        f"commitment {commitment}",
        _compared(commitment, seen),
        str(verification) if verification.ok else f"NOT verified: {verification}",
    )
    return verification.ok and seen in (None, commitment)


def _compared(commitment: str, seen: str | None) -> str:
    if seen is None:
        return "The notebook has no commitment of this session, so there is nothing to compare it with."
    if seen == commitment:
        return "It is the one in the notebook, seen before the first roll."
    return f"It is NOT the one that the notebook has from before the first roll: {seen}."
