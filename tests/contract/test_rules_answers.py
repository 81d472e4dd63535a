"""Every game's RulesService through gRPC: one answer a move, the same for everybody who asks the same."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from monsters.rules.v1 import rules_pb2 as words

from services.games import find_games
from tests.support.refusals import refusal_of
from tests.support.servers import Stubs, messages_of, running, service_of

PLIES = 40


@pytest.fixture(scope="module")
def rules() -> Iterator[Stubs]:
    """The rules alone, as `python -m services.rules` serves them."""
    with running() as stubs:
        yield stubs


class Table:
    """One game's rules with its messages."""

    def __init__(self, stubs: Stubs, game: str) -> None:
        self.game = game
        self.wire: Any = service_of(game)
        self.stub = stubs.rules(game)
        self.described = self.stub.DescribeGame(self.wire.DescribeGameRequest())
        self.seats = range(self.described.game.min_seats)

    def start(self, **fields: Any) -> Any:
        request = {"seats": len(self.seats), "chance": words.Chance(seed=bytes(32)), **fields}
        return self.stub.StartGame(self.wire.StartGameRequest(**request))

    def moves(self, position: Any, seat: int | None) -> list[Any]:
        return list(self.stub.EnumerateMoves(self.wire.EnumerateMovesRequest(position=position, seat=seat)).moves)

    def apply(self, position: Any, seat: int | None, **fields: Any) -> Any:
        return self.stub.ApplyMove(self.wire.ApplyMoveRequest(position=position, seat=seat, **fields))

    def walk(self) -> Iterator[tuple[Any, Any, int, Any]]:
        """Positions of one game with their standings, and the move that is made in each."""
        after = self.start()
        for ply in range(PLIES):
            if after.standing.HasField("outcome"):
                return
            seat = after.standing.awaited[0]
            moves = self.moves(after.position, seat)
            move = moves[ply % len(moves)]
            yield after.position, after.standing, seat, move
            after = self.apply(after.position, seat, move=move.move, chance=chance(ply))


def chance(number: int) -> words.Chance:
    return words.Chance(seed=sha256(number.to_bytes(8, "big")).digest())


@pytest.fixture(params=find_games())
def table(rules: Stubs, request: pytest.FixtureRequest) -> Table:
    return Table(rules, request.param)


def test_a_game_describes_itself(table: Table) -> None:
    game = table.described.game
    assert game.token == table.game
    assert 1 <= game.min_seats <= game.max_seats
    for text in (game.title, game.credits, game.rules_version, game.timeout):
        assert text
    assert game.rules
    assert len({rule.id for rule in game.rules}) == len(game.rules)
    assert all(rule.id and rule.text for rule in game.rules)
    assert game.ends
    assert [option.name for option in game.options] == [
        field.name for field in messages_of(table.game).Options.DESCRIPTOR.fields
    ]
    assert all(option.default_value and option.text for option in game.options)


def test_the_options_that_are_described_are_the_defaults(table: Table) -> None:
    assert table.start(options=table.described.options) == table.start()


def test_every_number_of_seats_is_served_and_no_other(table: Table) -> None:
    game = table.described.game
    for seats in range(game.min_seats, game.max_seats + 1):
        assert len(table.start(seats=seats, view_for=words.ViewFor(seats=range(seats))).views) == seats
    for seats in (game.min_seats - 1, game.max_seats + 1):
        assert refusal_of(lambda: table.start(seats=seats)).reason == "MALFORMED_REQUEST"  # noqa: B023  called here


def test_the_same_call_with_the_same_seed_has_the_same_answer(table: Table) -> None:
    for position, _, seat, move in table.walk():
        first, second = (table.apply(position, seat, move=move.move, chance=chance(7)) for _ in range(2))
        assert first == second
        assert first.chance == chance(7)


def test_without_chance_the_answer_names_the_one_that_was_used(table: Table) -> None:
    started = table.start(chance=None)
    assert len(started.chance.seed) == 32
    assert started != table.start(chance=None) or not started.draws
    assert table.start(chance=started.chance) == started
    position, _, seat, move = next(table.walk())
    played = table.apply(position, seat, move=move.move)
    assert table.apply(position, seat, move=move.move, chance=played.chance) == played


def test_the_results_of_a_seed_can_be_given_as_a_script(table: Table) -> None:
    for position, _, seat, move in table.walk():
        seeded = table.apply(position, seat, move=move.move, chance=chance(7))
        results = [result for draw in seeded.draws for result in draw.results]
        script = words.Chance(script=words.Script(results=results))
        scripted = table.apply(position, seat, move=move.move, chance=script)
        assert scripted.chance == script
        scripted.chance.CopyFrom(seeded.chance)
        assert scripted == seeded
        longer = words.Chance(script=words.Script(results=[*results, 1]))
        call = lambda: table.apply(position, seat, move=move.move, chance=longer)  # noqa: B023, E731  called here
        assert set(refusal_of(call).fields) == {"chance.script.results"}


def test_a_move_and_its_text_are_the_same(table: Table) -> None:
    for position, _, seat, move in table.walk():
        by_move = table.apply(position, seat, move=move.move, chance=chance(7))
        by_text = table.apply(position, seat, move_text=move.text, chance=chance(7))
        assert by_move == by_text
        assert by_text.move == move.move


def test_what_is_listed_is_legal_and_its_texts_are_unique(table: Table) -> None:
    for position, standing, _, _ in table.walk():
        for seat in (*table.seats, None):
            moves = table.moves(position, seat)
            assert len({move.text for move in moves}) == len(moves)
            assert bool(moves) or seat not in standing.may_act
            for move in moves:
                assert "\n" not in move.text
                request = table.wire.ValidateMoveRequest(position=position, seat=seat, move=move.move)
                assert table.stub.ValidateMove(request) == table.wire.ValidateMoveResponse(legal=True)


def test_the_views_that_were_asked_for_come_with_the_move(table: Table) -> None:
    for position, _, seat, move in table.walk():
        seats = list(table.seats)[::-1]
        view_for = words.ViewFor(seats=seats, spectator=True, moves=True)
        after = table.apply(position, seat, move=move.move, chance=chance(7), view_for=view_for)
        asked = [table.wire.ViewPositionRequest(position=after.position, seat=viewer) for viewer in (*seats, None)]
        answers = [table.stub.ViewPosition(request) for request in asked]
        assert list(after.views) == [answer.view for answer in answers]
        assert all(answer.standing == after.standing for answer in answers)
        assert not after.views[-1].HasField("seat")
        assert not after.views[-1].moves


def test_every_event_comes_with_its_sentence(table: Table) -> None:
    told = {(event.WhichOneof("kind"), event.text) for event in table.start().events}
    for position, _, seat, move in table.walk():
        events = table.apply(position, seat, move=move.move, chance=chance(0)).events
        told |= {(event.WhichOneof("kind"), event.text) for event in events}
    assert all(text.endswith(".") for _, text in told)
    assert len({text for _, text in told}) >= len({kind for kind, _ in told}) > 1


def test_without_being_asked_for_there_are_no_views_and_no_moves(table: Table) -> None:
    position, _, seat, move = next(table.walk())
    assert not table.apply(position, seat, move=move.move).views
    only = table.apply(position, seat, move=move.move, view_for=words.ViewFor(seats=[seat]))
    assert [view.HasField("view") for view in only.views] == [True]
    assert not only.views[0].moves


def test_a_start_gives_the_views_that_were_asked_for(table: Table) -> None:
    started = table.start(view_for=words.ViewFor(seats=[0], spectator=True, moves=True))
    first = table.stub.ViewPosition(table.wire.ViewPositionRequest(position=started.position, seat=0)).view
    spectator = table.stub.ViewPosition(table.wire.ViewPositionRequest(position=started.position)).view
    assert list(started.views) == [first, spectator]


def test_the_rules_remember_nothing_of_a_game(table: Table) -> None:
    """Two games that are played in turns do not disturb each other: a call brings all that there is."""
    alone = [position for position, *_ in table.walk()]
    together = [(first, second) for (first, *_), (second, *_) in zip(table.walk(), table.walk(), strict=True)]
    assert [first for first, _ in together] == [second for _, second in together] == alone
