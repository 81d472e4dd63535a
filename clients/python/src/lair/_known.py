"""What is known of a session without asking: what was told of it last, by an answer or on a stream."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from lair.types import SessionFacts, State, Update


class KnownFacts:
    """The public facts of a session, kept fresh for its handles. What is told late changes nothing."""

    def __init__(self, facts: SessionFacts) -> None:
        self.latest: SessionFacts = facts

    def hear(self, facts: SessionFacts) -> SessionFacts:
        """Take what the server has told. Gives it back, for the caller who asked."""
        if _age(facts) >= _age(self.latest):
            self.latest = facts
        return facts

    def follow(self, update: Update[Any]) -> None:
        """Take what a revision tells."""
        facts = self.latest
        if facts.standing is not None and update.revision <= facts.revision:
            return
        self.latest = replace(
            facts,
            state=State.OVER if update.standing.over else State.PLAYING,
            revision=update.revision,
            etag=update.etag,
            rules_version=facts.rules_version or update.rules_version,
            standing=update.standing,
            update_time=update.commit_time,
            deadline=update.deadline,
        )


def _age(facts: SessionFacts) -> tuple[bool, int, datetime]:
    """What only ever grows. Revision 0 comes after the lobby, which has the same number."""
    return facts.standing is not None, facts.revision, facts.update_time
