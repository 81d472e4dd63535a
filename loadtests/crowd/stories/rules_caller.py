"""The rules without sessions: enumerate, validate, apply, view. What they say must agree, and never change."""

import os
from typing import Any

import lair
from loadtests.crowd.stories.story import SHORT, Story, Wrong

MOVES = 15
"""At most so many moves of a game."""


class RulesCaller(Story):
    """Plays on from the position that it got, and asks everything twice in different ways."""

    weight = 2

    def play(self) -> None:
        description = self.chance.choice(self.games)
        rules = self.client.rules(description.token)
        seats = self.chance.randint(description.min_seats, description.max_seats)
        start = rules.start(seats=seats, options=SHORT.get(description.token), seed=os.urandom(32))
        position, standing = start.position, start.standing
        for _ in range(MOVES):
            if standing.over:
                break
            seat = self.chance.choice(standing.may_act)
            self._ask_idle_seat(rules, position, standing, seats)
            applied = self._move(rules, position, seat)
            position, standing = applied.position, applied.standing
        rules.view(position)

    def _move(self, rules: lair.Rules, position: Any, seat: int) -> lair.Applied:
        seed = os.urandom(32)
        moves = rules.moves(position, seat=seat)
        with self.checking("who may act has legal moves"):
            if not moves:
                raise Wrong(f"{rules.game}: seat {seat} may act, and has no move")
        move = self.chance.choice(moves)
        with self.checking("legal moves are valid"):
            if refusal := rules.why_not(position, seat=seat, move=move.text):
                raise Wrong(f"{rules.game}: {move.text} is listed, and refused for {refusal.reason}")
        applied = rules.apply(position, seat=seat, move=move, seed=seed, view_for=[seat])
        with self.checking("equal calls have equal answers"):
            if rules.apply(position, seat=seat, move=move.text, seed=seed, view_for=[seat]) != applied:
                raise Wrong(f"{rules.game}: {move.text} has led to two positions with one seed")
        return applied

    def _ask_idle_seat(self, rules: lair.Rules, position: Any, standing: lair.Standing, seats: int) -> None:
        """Who may not act has no moves, and the reason is the same when asked and when tried."""
        idle = set(range(seats)) - set(standing.may_act)
        if not idle:
            return
        seat = min(idle)
        move = rules.moves(position, seat=standing.may_act[0])[0]
        refusal = rules.why_not(position, seat=seat, move=move)
        with self.checking("asking and trying agree"):
            if refusal is None:
                raise Wrong(f"{rules.game}: seat {seat} may not act, and {move.text} is legal")
            with self.refused(refusal.reason):
                rules.apply(position, seat=seat, move=move)
