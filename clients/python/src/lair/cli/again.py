"""lair rematch: playing again."""

from lair import State
from lair.cli.failures import Failure
from lair.cli.hints import join_line, next_lines, short, then_line, typed
from lair.cli.keeping import note_record, token_lines, write_down
from lair.cli.notebook import Notebook, SessionNote
from lair.cli.opening import Opened, opened
from lair.cli.options import JsonOption, ServerOption, SessionArgument, ShowTokensOption
from lair.cli.output import Output


def rematch(
    session: SessionArgument = None,
    *,
    show_tokens: ShowTokensOption = False,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Play a finished game again: its host opens the rematch, and whoever had a seat takes it again."""
    output = Output(json_lines=json_lines)
    with opened(session, server, output) as game:
        if game.note is None or not (game.note.host_token or game.held):
            raise Failure(f"No seat of {game.facts.name} is held here, so there is none to take again.")
        Notebook().check_writable()
        note = _play_again(game, game.note)
        state = game.client.session(note.name).known_facts.state
    output.show(note_record(note), note.name)
    if state is State.LOBBY:
        before = typed(f"rematch {short(game.facts.name)}", note.server)
        output.hint(f"Who sat there before comes with:  {before}")
        if note.join_code:
            output.hint(f"Others with:                      {join_line(note.join_code, note.server)}")
        output.hint(f"Then:                             {then_line(note)}")
    else:
        output.hint(*next_lines(note))
    if show_tokens:
        output.say(*token_lines(note))


def _play_again(game: Opened, before: SessionNote) -> SessionNote:
    """Open the rematch, and take the seats held here again that were not taken again before; all is written down."""
    note = None
    if before.host_token:
        note = write_down(game.session.rematch(), before.server, ())
    elif game.facts.rematch:
        note = Notebook().find(game.facts.rematch, before.server)
    taken = {seat.index for seat in note.seats} if note else set[int]()
    for index in game.held:
        if index not in taken:
            seat = game.take(index).rematch()
            note = write_down(seat.session, before.server, (seat,))
    if note is None:
        raise Failure(f"The host of {before.name} has not asked for a rematch.")
    return note
