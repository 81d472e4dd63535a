"""Whole games by SubmitMove."""

import lair
from loadtests.crowd.stories.story import Story, Wrong


class GamePlayer(Story):
    """Plays every seat of a game by single calls, and checks that no move was lost or doubled."""

    weight = 4

    def play(self) -> None:
        session = self.create()
        revisions: list[int] = []
        outcome = session.play_out(on_move=lambda update: revisions.append(update.revision))
        with self.checking("no move lost"):
            if revisions != list(range(1, len(revisions) + 1)):
                raise Wrong(f"{session.name}: the moves led to the revisions {revisions}")
            history: list[lair.Update] = list(session.history())
            if [update.revision for update in history] != [0, *revisions]:
                raise Wrong(f"{session.name}: its history is not the one that was played")
        self.verify(session, outcome)
