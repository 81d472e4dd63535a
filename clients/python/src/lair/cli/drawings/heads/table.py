"""The heads in a row with what they hold, the trek card below, and what is going on.

ASCII, at most 80 columns wide and 16 lines high, and without a meaning that only a colour has.
"""

from monsters.heads.v1.heads_pb2 import LookView, Phase, Role, RoundView, Side, View
from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from lair import Standing
from lair.cli.drawings.heads.words import Cards, card_words, hand_words, role_words, side_words
from lair.cli.sitting import Sitting, counted, in_a_row

HEAD_WIDTH = 20
INSIDE = HEAD_WIDTH - 4
TITLE = INSIDE - 2
HEADS = (
    # One for each seat: horns, eyes, mouth.
    (r"\\   //", "( o o )", r"\_~_/"),
    (r"^^^^^", "( O O )", r"\_=_/"),
    (r"~~*~~", "( @ @ )", r"\_o_/"),
    (r"/\ /\ ", "( - - )", r"\_w_/"),
)
HIDDEN = "[#]"
COLOURS = {Role.ROLE_PEACEFUL: "green", Role.ROLE_DANGEROUS: "red"}
TITLES = {Side.SIDE_PEACEFUL: "peaceful (9 or more): ", Side.SIDE_DANGEROUS: "dangerous (8 or less):"}


def draw(view: View, standing: Standing, sitting: Sitting) -> RenderableType:
    """The heads, the trek card with its rounds, what is going on, and the viewer's own secrets."""
    heads = Columns([_head(view, seat, standing, sitting) for seat in range(len(view.hand_sizes))], padding=(0, 0))
    rounds = [Text(_round(view, number, sitting)) for number in range(len(view.rounds))]
    own = remind(view)
    secrets = [Text(own, style=COLOURS.get(view.role, ""))] if own else []
    return Group(heads, *_trek(view), *rounds, Text(_going_on(view, standing, sitting)), *secrets)


def remind(view: View) -> str:
    """What only the viewer knows, in words. Empty for a spectator, and at the end."""
    if not view.HasField("role") or view.roles:
        return ""
    own = f"You are {role_words(view.role)}. You hold {hand_words(view.hand)}."
    return f"{own} Your {card_words(view.played_card)} is down." if view.HasField("played_card") else own


def _head(view: View, seat: int, standing: Standing, sitting: Sitting) -> Panel:
    awaited = seat in standing.awaited
    mark = "> " if awaited else ""
    name = Text(mark + sitting.short(seat, TITLE - len(mark)), style="bold" if awaited else "")
    role = _role_of(view, seat)
    lines = [Text(line.center(INSIDE)) for line in HEADS[seat % len(HEADS)]]
    lines += [
        Text((_cards(_hand_of(view, seat)) or HIDDEN * view.hand_sizes[seat] or "no cards").center(INSIDE)),
        Text(role_words(role).center(INSIDE), style=COLOURS.get(role, "")),
        Text(_doing(view, seat, sitting).center(INSIDE)),
    ]
    return Panel(Group(*lines), title=name, box=box.ROUNDED if awaited else box.SQUARE, width=HEAD_WIDTH)


def _role_of(view: View, seat: int) -> Role.ValueType:
    if view.roles:
        return view.roles[seat]
    return view.role if view.HasField("seat") and view.seat == seat else Role.ROLE_UNSPECIFIED


def _hand_of(view: View, seat: int) -> Cards:
    if view.hands:
        return view.hands[seat].cards
    return view.hand if view.HasField("seat") and view.seat == seat else ()


def _doing(view: View, seat: int, sitting: Sitting) -> str:
    """What a seat is at, as short as the head is wide."""
    if seat in view.pair_seats:
        return "card is down" if seat in view.played_seats else "one of the two"
    offers = [offer.to_seat for offer in view.proposals if offer.seat == seat]
    return f"asks {sitting.short(offers[0], INSIDE - len('asks '))}" if offers else ""


def _trek(view: View) -> list[Text]:
    """The trek card: two cards a round on a side, face up where the viewer knows them."""
    lines = []
    for side, title in TITLES.items():
        here = [played for played in view.rounds if played.side == side]
        lines.append(
            Text(f"Trek card, {title} {counted(2 * len(here), 'card'):<7}  {'  '.join(map(_pair, here))}".rstrip())
        )
    return lines


def _pair(played: RoundView) -> str:
    known = played.cards or played.validated_cards or ([played.own_card] if played.HasField("own_card") else [])
    return _cards(known) + HIDDEN * (2 - len(known))


def _round(view: View, number: int, sitting: Sitting) -> str:
    played = view.rounds[number]
    pair, validator = sitting.everyone(played.pair_seats), sitting.who(played.validator_seat)
    said = f"Round {number + 1}: {pair} played, {validator} validated: {side_words(played.side)}."
    if played.cards:
        names = [sitting.who(seat) for seat in played.pair_seats]
        said += f" {in_a_row([f'{name} {card_words(card)}' for name, card in zip(names, played.cards, strict=True)])}."
    if played.HasField("look"):
        said += f" {_look(played.look, sitting)}"
    return said


def _look(look: LookView, sitting: Sitting) -> str:
    who = sitting.who(look.seat)
    if not look.HasField("target_seat"):
        return f"{who} looked at no card."
    seen = f": the {card_words(look.card)}" if look.HasField("card") else ""
    return f"{who} looked at a card of {sitting.who(look.target_seat)}{seen}."


def _going_on(view: View, standing: Standing, sitting: Sitting) -> str:
    pair, awaited = sitting.everyone(view.pair_seats), sitting.everyone(standing.awaited)
    so_far = f"{counted(view.discussed, 'move')} of talk so far."
    chosen = "drawn" if view.pair_drawn else "agreed"
    said = {
        Phase.PHASE_DISCUSS: f"Round {view.round}: which two shall play? {so_far}",
        Phase.PHASE_PLAY: f"Round {view.round}: {pair} play ({chosen}). A card is missing from {awaited}.",
        Phase.PHASE_NOMINATE: f"Round {view.round}: {pair} choose a validator. A name is missing from {awaited}.",
        Phase.PHASE_PEEK: f"Round {view.round}: {awaited} may look at a card of somebody.",
        Phase.PHASE_FORK_DISCUSS: f"The Fork in the Road: which two shall play their roles? {so_far}",
    }
    return said.get(view.phase, "The game is over.")


def _cards(cards: Cards) -> str:
    return "".join(f"[{card_words(card)}]" for card in cards)
