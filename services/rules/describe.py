"""What DescribeGame says: the rulebook's words with the rules' numbers."""

from monsters.rules.v1 import rules_pb2 as wire

from services.games import Entry


def describe(entry: Entry) -> wire.GameDescription:
    """A game's seats, rules, options and ends."""
    game, book = entry.game, entry.rulebook
    return wire.GameDescription(
        token=game.token,
        title=book.title,
        credits=book.credits,
        min_seats=game.seats[0],
        max_seats=game.seats[-1],
        rules_version=game.version,
        rules=[wire.Rule(id=rule, text=text) for rule, text in book.rules.items()],
        options=[
            wire.OptionDescription(name=name, default_value=option.default, text=option.text)
            for name, option in book.options.items()
        ],
        ends=[wire.EndDescription(reason=reason, text=text) for reason, text in book.ends.items()],
        timeout=book.timeout,
    )
