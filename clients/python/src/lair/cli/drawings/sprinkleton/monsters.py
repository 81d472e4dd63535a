"""The cards as pictures: a monster's eyes, arms and legs to be counted, with the donuts below."""

from collections.abc import Iterable, Iterator, Mapping

from monsters.sprinkleton.v1.sprinkleton_pb2 import Card
from rich.text import Text

INSIDE = 10
NAME_WIDTH = INSIDE - 2
LEFT_ARM, BODY, RIGHT_ARM = "\\", "(__)", "/"
SIDE = (INSIDE - len(BODY)) // 2
"""Three arms have their place on each side."""


def draw_cards(cards: Iterable[Card], claimers: Mapping[int, str]) -> Iterator[Text]:
    """Each card; a claimed one has a dotted frame and the name of its claimer, by the card's id."""
    for card in cards:
        yield _draw_card(card, claimers.get(card.id))


def _draw_card(card: Card, claimer: str | None) -> Text:
    """Arms are on both sides of the body, the odd one on the left."""
    corner, across, down = ("+", "-", "|") if claimer is None else (".", ".", ":")
    eyes, legs = (" ".join(part * number) for part, number in (("o", card.eyes), ("|", card.legs)))
    right = card.arms // 2
    left = card.arms - right
    body = f"{LEFT_ARM * left:>{SIDE}}{BODY}{RIGHT_ARM * right:<{SIDE}}"
    below = "@" * card.donuts if claimer is None else claimer[:NAME_WIDTH]
    lines = [
        f"{corner}{f' {card.id} ':{across}^{INSIDE}}{corner}",
        *(f"{down}{row:^{INSIDE}}{down}" for row in (eyes, body, legs)),
        f"{corner}{f' {below} ':{across}^{INSIDE}}{corner}",
    ]
    return Text("\n".join(lines), style="" if claimer is None else "dim", no_wrap=True)
