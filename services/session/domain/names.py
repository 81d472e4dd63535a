"""Names of people: the Nickname profile of PRECIS (RFC 8266), emoji as they are, and how equal names are told apart.

The profile maps every kind of space to one, trims, normalises by NFKC, and refuses what can't be seen or changes the
direction of a text. Joiners are welcome where a script needs them, as in Persian and Sinhala (RFC 5892, appendix A).
Of emoji it refuses those that are sequences, since they are held together by such characters. So the sequences, which
the `emoji` library has from Unicode's own list (UTS #51), stand aside while the profile looks at the rest.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import count

import emoji
from precis_i18n import get_profile

MOST_NAME = 64
"""Code points (AIP-210)."""
ROOM = len(" 999")
MOST_MARKS = 4
"""Above or below one letter: what UTS #39, 5.4 advises. More of them run over the lines around."""
DRAWS_NOTHING = "\ufffc\U0001d159"
"""Symbols that the profile lets through and that show nothing: of something that was left out, and of no note."""

_CASE_KEPT = get_profile("NicknameCasePreserved")
_CASE_FOLDED = get_profile("NicknameCaseMapped")
_STAND_IN = "\U0001f600"
"""An emoji, which the profile passes and never changes. It stands for every one that stands aside."""
_PRESENTATION = str.maketrans("", "", "\u200d\ufe0e\ufe0f")
"""What tells apart emoji that look alike or the same."""


def read_name(name: str) -> str:
    """A name as it is stored and shown. Raises ValueError, in words that go on from the name of a field."""
    if len(name) > MOST_NAME:
        raise ValueError(_too_long(len(name)))
    rest, aside = _set_aside(name)
    if (length := len(unicodedata.normalize("NFKC", rest))) > MOST_NAME:
        raise ValueError(_too_long(length))
    try:
        seen = _CASE_KEPT.enforce(rest)
    except UnicodeEncodeError as refusal:
        raise ValueError(_words(refusal)) from None
    _check_seen(seen)
    if len(read := _put_back(seen, aside)) > MOST_NAME:
        raise ValueError(_too_long(len(read)))
    return read


def same_name(one: str, other: str) -> bool:
    """Whether people would take two names for the same: by RFC 8266, in any case, and however emoji are composed."""
    return _compared(one) == _compared(other)


def told_apart(name: str, others: Iterable[str]) -> str:
    """The name, with the lowest number behind it from 2 that makes it another than these: "Ann 2" beside "Ann"."""
    taken = {_compared(other) for other in others}
    return name if _compared(name) not in taken else _numbered(name, taken, count(2))


def all_told_apart(names: Sequence[str]) -> list[str]:
    """These names in their order, each another one. The first keeps its name; no number makes it another's name.

    Empty ones stay.
    """
    given = {_compared(name) for name in names}
    taken = set[str]()
    numbers: dict[str, Iterator[int]] = {}
    told = []
    for name in names:
        form, apart = _compared(name), name
        if name and form in taken:
            apart = _numbered(name, given | taken, numbers.setdefault(form, count(2)))
        taken.add(_compared(apart))
        told.append(apart)
    return told


def _numbered(name: str, taken: AbstractSet[str], numbers: Iterator[int]) -> str:
    base = _shortened(name)
    form = _compared(base)
    return next(f"{base} {number}" for number in numbers if f"{form} {number}" not in taken)


def _set_aside(name: str) -> tuple[str, list[str]]:
    """A name with stand-ins for its emoji, and those. Selectors and joiners of nothing are left out."""
    rest, aside = [], []
    for token in emoji.analyze(name, non_emoji=True, join_emoji=True):
        if isinstance(token.value, str):
            rest.append(" " if _is_blank(token.chars) else token.chars)
        else:
            rest.append(_STAND_IN)
            aside.append(token.chars)
    return "".join(rest), aside


def _put_back(rest: str, aside: list[str]) -> str:
    emojis = iter(aside)
    return "".join(next(emojis) if character == _STAND_IN else character for character in rest)


def _is_blank(character: str) -> bool:
    """Whether it is a space that Unicode counts as a symbol or a letter, as those of braille and hieroglyphs are."""
    return unicodedata.name(character, "").endswith(" BLANK")


def _check_seen(name: str) -> None:
    """Look for what the profile passes, and what can't be seen or does not keep to its place."""
    for character in name:
        if character in DRAWS_NOTHING:
            raise ValueError(f"must not have {_called(character)}: it shows nothing")
    if unicodedata.category(name[0]).startswith("M"):
        raise ValueError(f"must not begin with {_called(name[0])}: it would join what stands before it")  # RFC 5891
    marks = 0
    for character in name:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks > MOST_MARKS:
            raise ValueError(f"must have at most {MOST_MARKS} marks on one letter")


@lru_cache(1024)
def _compared(name: str) -> str:
    """What is the same for names that are taken for equal."""
    rest, aside = _set_aside(name)
    try:
        folded = _CASE_FOLDED.enforce(rest)
    except UnicodeEncodeError:  # it was stored before names were read by this profile
        folded = rest.casefold()
    return _put_back(folded, [each.translate(_PRESENTATION) for each in aside])


@lru_cache(1024)
def _shortened(name: str) -> str:
    """So much of a name as leaves room for a number and is a name itself: an emoji is not cut in two."""
    if len(name) <= MOST_NAME - ROOM:
        return name
    kept = ""
    for token in emoji.analyze(name, non_emoji=True, join_emoji=True):
        if len(kept) + len(token.chars) > MOST_NAME - ROOM:
            break
        kept += token.chars
    while True:
        try:
            return read_name(kept)
        except ValueError:  # what has joined two letters must not stand behind one
            kept = kept[:-1]


def _words(refusal: UnicodeEncodeError) -> str:
    if refusal.reason.endswith("/empty"):
        return "must have something to see"
    if refusal.end - refusal.start != 1:
        return "is no name: it changes each time that it is normalised"
    return f"must not have {_called(refusal.object[refusal.start])}, or not there"


def _called(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".strip()


def _too_long(length: int) -> str:
    return f"must have at most {MOST_NAME} characters, has {length}"
