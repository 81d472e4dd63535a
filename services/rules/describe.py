"""What DescribeGame says: the rulebook's words with the rules' numbers."""

from collections.abc import Mapping

from monsters.rules.v1 import rules_pb2 as wire

from services.games import Entry
from services.games.rulebook import Part, Source

SOURCES: Mapping[Source, "wire.Source.ValueType"] = {
    Source.PRINTED: wire.SOURCE_PRINTED,
    Source.PUBLISHED: wire.SOURCE_PUBLISHED,
    Source.LAIR: wire.SOURCE_LAIR,
}
PARTS: Mapping[Part, "wire.RulePart.ValueType"] = {
    Part.SET_UP: wire.RULE_PART_SET_UP,
    Part.TURN: wire.RULE_PART_TURN,
    Part.END: wire.RULE_PART_END,
    Part.TIME: wire.RULE_PART_TIME,
}


def describe(entry: Entry) -> wire.GameDescription:
    """A game's aim, seats, rules, options and ends."""
    game, book = entry.game, entry.rulebook
    return wire.GameDescription(
        token=game.token,
        title=book.title,
        credits=book.credits,
        aim=book.aim,
        how_to_play=book.how_to_play,
        min_seats=game.seats[0],
        max_seats=game.seats[-1],
        rules_version=game.version,
        rules=[
            wire.Rule(id=name, text=rule.text, part=PARTS[rule.part], source=SOURCES[rule.source], note=rule.note)
            for name, rule in book.rules.items()
        ],
        options=[
            wire.OptionDescription(
                name=name, default_value=option.default, text=option.text, source=SOURCES[option.source]
            )
            for name, option in book.options.items()
        ],
        ends=[
            wire.EndDescription(reason=reason, text=end.text, source=SOURCES[end.source])
            for reason, end in book.ends.items()
        ],
        timeout=book.timeout,
    )
