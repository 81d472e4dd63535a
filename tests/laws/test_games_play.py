"""What holds for the play of every game, on games played at random with any options."""

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from services.games import Entry
from services.kernel.audience import Audience
from services.kernel.chance import Dice, refuse_leftovers, scripted
from services.kernel.game import Played
from services.kernel.playing import dice_for, random_play
from services.kernel.refusals import IllegalMove
from tests.support.games import actors, every_game, reasons
from tests.support.laws import examples
from tests.support.replaying import replay
from tests.support.stream import die, seed_of_revision, sides_of_shuffle, stream
from tests.support.walks import Walk, walks

MOST_MOVES = 5_000
"""With its default options no random game is longer. Some have a limit; others end with probability 1, far sooner."""
SEED = bytes(range(32))

law = examples(40)


def tried(walk: Walk, seat: int | None, move: object) -> Played[object, object] | IllegalMove:
    """What playing a move at the end of a walk gives."""
    try:
        return walk.entry.game.play(walk.position, seat, move, dice_for(SEED, 0))
    except IllegalMove as error:
        return error


@every_game
@given(data=st.data())
@law
def test_play_accepts_exactly_the_moves_that_are_listed(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry))
    game = entry.game
    for actor in actors(game, walk.position):
        listed = game.moves(walk.position, actor)
        for move in walk.moves_seen():
            refusal = game.refuse(walk.position, actor, move)
            result = tried(walk, actor, move)
            assert (refusal is None) == (move in listed)
            if isinstance(result, IllegalMove):
                assert result.refusal == refusal
            else:
                assert refusal is None


@every_game
@given(data=st.data())
@law
def test_every_refusal_has_a_documented_reason_and_rule(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry))
    for actor in actors(entry.game, walk.position):
        for move in walk.moves_seen():
            refusal = entry.game.refuse(walk.position, actor, move)
            if refusal is not None:
                assert refusal.reason in reasons(entry)
                assert refusal.rule in entry.rulebook.rules
                assert refusal.message.endswith(".")


@every_game
@given(data=st.data())
@law
def test_play_leaves_the_position_as_it_was_and_always_answers_alike(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry))
    before = repr(walk.position)
    for actor in actors(entry.game, walk.position):
        for move in entry.game.moves(walk.position, actor):
            assert tried(walk, actor, move) == tried(walk, actor, move)
    assert repr(walk.position) == before


@every_game
@given(data=st.data())
@law
def test_a_game_is_over_when_nobody_is_awaited_and_nobody_has_a_move(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry))
    game, position = entry.game, walk.position
    standing = game.standing(position)
    seats = set(range(game.seat_count(position)))
    assert set(standing.awaited) <= set(standing.may_act) <= seats
    assert {seat for seat in seats if game.moves(position, seat)} == set(standing.may_act)
    assert standing.over == (not standing.awaited)
    if standing.over:
        assert not game.moves(position, None)


@every_game
@given(data=st.data())
@law
def test_an_outcome_names_seats_scores_and_a_documented_reason(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry, most_steps=400))
    outcome = entry.game.standing(walk.position).outcome
    if outcome is not None:
        assert outcome.winners == tuple(sorted(set(outcome.winners)))
        assert set(outcome.winners) <= set(range(walk.seats))
        assert len(outcome.scores) == walk.seats
        assert outcome.reason in entry.rulebook.ends


@every_game
@given(data=st.data())
@law
def test_every_position_that_play_reaches_is_possible(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry, most_steps=150))
    game = entry.game
    for ply in walk.plies:
        assert not game.check(ply.played.position), game.write(ply.played.position)
        assert game.seat_count(ply.played.position) == walk.seats
    for actor in actors(game, walk.position):
        for move in game.moves(walk.position, actor):
            result = tried(walk, actor, move)
            assert isinstance(result, Played)
            assert not game.check(result.position), game.write(result.position)


@every_game
@given(seed=st.binary(min_size=32, max_size=32))
@examples(3)
def test_with_default_options_every_game_ends(entry: Entry, seed: bytes) -> None:
    for seats in entry.game.seats:
        *_, last = islice(random_play(entry.game, entry.game.options, seats, seed), MOST_MOVES + 1)
        assert entry.game.standing(last.played.position).over


@every_game
@given(data=st.data())
@law
def test_what_is_drawn_is_what_the_seed_says(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry))
    for revision, ply in enumerate(walk.plies):
        source = stream(seed_of_revision(walk.seed, revision))
        for draw in ply.draws:
            sides = sides_of_shuffle(draw.sides) if draw.shuffle else [draw.sides] * len(draw.results)
            assert draw.results == tuple(die(source, side) for side in sides)
            assert draw.purpose


@every_game
@given(data=st.data())
@law
def test_the_results_alone_play_the_same_game(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry))
    position = None
    for ply in walk.plies:
        script = [result for draw in ply.draws for result in draw.results]
        dice = Dice(scripted(script))
        if position is None:
            played = entry.game.start(walk.options, walk.seats, dice)
        else:
            played = entry.game.play(position, ply.seat, ply.move, dice)
        refuse_leftovers(script, dice)
        assert played == ply.played
        assert tuple(dice.draws) == ply.draws
        position = played.position


@every_game
@given(data=st.data())
@law
def test_a_replay_is_the_same_game(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry))
    moves = [(ply.seat, ply.move) for ply in walk.plies[1:]]
    assert tuple(replay(entry.game, walk.options, walk.seats, moves, walk.seed)) == tuple(walk.plies)


@every_game
@given(data=st.data())
@law
def test_audiences_admit_only_seats_that_there_are(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry))
    seats = set(range(walk.seats))
    audiences: list[Audience] = []
    for ply in walk.plies:
        audiences += [event.audience for event in ply.played.events]
        audiences += [draw.audience for draw in ply.draws]
    assert all(set(audience.seats) <= seats for audience in audiences)
