"""The dice as pictures: those in the pool with a frame, those that are out with a dotted one."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from monsters.maidens.v1.maidens_pb2 import Die, DieKind, Face
from rich.text import Text

INSIDE = 7
PICTURES = {
    Face.FACE_HERO: (r"  O  / ", r" /|\/  ", r" / \   "),
    Face.FACE_MONSTER: (r" ,^ ^, ", r"( o o )", r" \vvv/ "),
    Face.FACE_MAIDEN: (r"  .o.  ", r"  /|\  ", r" /___\ "),
    Face.FACE_TWO_MAIDENS: (r" o   o ", "/|\\ /|\\", "/_\\ /_\\"),
    Face.FACE_TWO_HEROES: (r" O/  O/", r"/|  /| ", "/ \\ / \\"),
    Face.FACE_TWO_MONSTERS: (r",^^,^^,", r"(oo|oo)", r"\vv|vv/"),
    Face.FACE_KING: (r"|\ ^ /|", r"| V V |", r"|_____|"),
    Face.FACE_DRAGON: (r" ,-.   ", r"(_o >~*", r" \__\~ "),
    Face.FACE_REROLL: (r" .-->. ", r" |   | ", r" '<--' "),
}
NO_PICTURE = (" " * INSIDE,) * 3
NAMES = {
    Face.FACE_HERO: "Hero",
    Face.FACE_MONSTER: "Monster",
    Face.FACE_MAIDEN: "Maiden",
    Face.FACE_TWO_MAIDENS: "2 Maidens",
    Face.FACE_TWO_HEROES: "2 Heroes",
    Face.FACE_TWO_MONSTERS: "2 Monsters",
    Face.FACE_KING: "King",
    Face.FACE_DRAGON: "Dragon",
    Face.FACE_REROLL: "Re-Roll",
}
SORTS = {
    DieKind.DIE_KIND_HERO: ("Hero dice", "yellow"),
    DieKind.DIE_KIND_MONSTER: ("Monster dice", "green"),
    DieKind.DIE_KIND_MAIDEN: ("Maiden dice", "magenta"),
    DieKind.DIE_KIND_ADVENTURE: ("Adventure Die", "cyan"),
}


def draw_dice(dice: Iterable[Die]) -> Iterator[Text]:
    """The dice of each sort side by side, with the numbers by which moves call them."""
    for kind, group in groupby(enumerate(dice), key=lambda each: each[1].kind):
        name, colour = SORTS.get(kind, ("Dice", ""))
        rows = zip(*(_draw_die(index, die) for index, die in group), strict=True)
        lines = ["".join(row) for row in rows]
        yield Text("\n".join([f"{name:^{len(lines[0])}}", *lines]), style=colour)


def _draw_die(index: int, die: Die) -> tuple[str, ...]:
    corner, across, down = ("+", "-", "|") if die.in_pool else (".", ".", ":")
    top = f"{corner}{across} {index} {across * (INSIDE - 3 - len(str(index)))}{corner}"
    picture = [f"{down}{row}{down}" for row in PICTURES.get(die.face, NO_PICTURE)]
    bottom = f"{corner}{across * INSIDE}{corner}"
    label = NAMES.get(die.face, f"face {die.face}") if die.in_pool else "out"
    return (top, *picture, bottom, f"{label:^{len(bottom)}}")
