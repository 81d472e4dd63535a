"""Which names people may have, and how equal ones are told apart."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.session.domain.names import MOST_NAME, all_told_apart, read_name, same_name, told_apart

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
WELCOME = {
    "a letter": "A",
    "a family": FAMILY,
    "a heart with a selector": "\u2764\ufe0f",
    "a rainbow flag": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "a skin tone": "\U0001f44d\U0001f3fd",
    "a family with skin tones, which is on no list": "\u200d".join(
        person + "\U0001f3fd" for person in "\U0001f468\U0001f469\U0001f467"
    ),
    "a pirate flag": "\U0001f3f4\u200d\u2620\ufe0f",
    "Scotland": "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "a key": "1\ufe0f\u20e3",
    "a flag of letters": "\U0001f1e9\U0001f1ea",
    "an emoji that is younger than Python 3.11": "\U0001fae8",
    "Persian with a non-joiner": "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
    "Sinhala with a joiner": "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    "Hindi": "\u0905\u092e\u0943\u0924\u093e",
    "Hebrew": "\u05e9\u05e8\u05d4",
    "Catalan": "Marcel\u00b7l\u00ed",
    "an apostrophe": "O\u2019Brien",
    "markup": "[red]x[/red]",
    "64 ideographs": "\u6f22" * 64,
    "64 emoji": "\U0001f600" * 64,
    "letters and a family": f"Ann {FAMILY} \U0001f600",
}
MAPPED = {
    "padding": (" Ann ", "Ann"),
    "many spaces": ("Ann \t Lee".replace("\t", " "), "Ann Lee"),
    "an ideographic space": ("\u5c71\u7530\u3000\u592a\u90ce", "\u5c71\u7530 \u592a\u90ce"),
    "a no-break space": ("Jean\u00a0Luc", "Jean Luc"),
    "a braille space": ("\u2801\u2800\u2803", "\u2801 \u2803"),
    "a letter and its accent": ("Ame\u0301lie", "Am\u00e9lie"),
    "wide letters": ("\uff21nn", "Ann"),
    "a joiner behind an emoji": ("\U0001f600\u200d", "\U0001f600"),
    "a selector that selects nothing": ("Ann\ufe0f \u231a\ufe0f", "Ann \u231a"),
}
UNWELCOME = {
    "an escape": ("\x1b[31mX", "U+001B"),
    "a control of 8 bits": ("\x9b31mX", "U+009B"),
    "a line": ("a\nb", "U+000A"),
    "a separator of lines": ("a\u2028b", "LINE SEPARATOR"),
    "an override": ("a\u202eb", "RIGHT-TO-LEFT OVERRIDE"),
    "an isolate": ("a\u2067b", "RIGHT-TO-LEFT ISOLATE"),
    "a mark of direction": ("a\u200eb", "LEFT-TO-RIGHT MARK"),
    "a space of no width": ("\u200b\u200b", "ZERO WIDTH SPACE"),
    "a soft hyphen": ("a\u00adb", "SOFT HYPHEN"),
    "a joiner that joins nothing": ("\u200d", "ZERO WIDTH JOINER"),
    "a joiner between letters": ("A\u200dnn", "ZERO WIDTH JOINER"),
    "a non-joiner between letters": ("A\u200cnn", "ZERO WIDTH NON-JOINER"),
    "hidden letters behind a flag": ("\U0001f3f4\U000e0061\U000e0062\U000e007f", "TAG LATIN SMALL LETTER A"),
    "a filler": ("\u3164", "FILLER"),
    "a blank of braille": ("\u2800\u2800", "something to see"),
    "spaces": ("   ", "something to see"),
    "a selector alone": ("\ufe0f", "something to see"),
    "an object that isn't there": ("\ufffc", "shows nothing"),
    "a note that isn't there": ("\U0001d159", "shows nothing"),
    "no character": ("\ufffe", "U+FFFE"),
    "a private character": ("\ue000", "U+E000"),
    "no character yet": ("\U000e0fff", "U+E0FFF"),
    "half a character": ("\ud800", "U+D800"),
    "a tower of marks": ("a" + "\u0301" * 63, "at most 4 marks"),
    "a mark without a letter": ("\u0301a", "begin with U+0301"),
    "65 letters": ("a" * 65, "at most 64 characters, has 65"),
    "letters that become 65 and more": ("\ufdfa" * 4, "at most 64 characters, has 72"),
}


@pytest.mark.parametrize("name", WELCOME.values(), ids=WELCOME.keys())
def test_names_of_every_script_are_welcome_as_they_are(name: str) -> None:
    assert read_name(name) == name


@pytest.mark.parametrize(("name", "read"), MAPPED.values(), ids=MAPPED.keys())
def test_names_are_trimmed_and_normalised(name: str, read: str) -> None:
    assert read_name(name) == read


@pytest.mark.parametrize(("name", "why"), UNWELCOME.values(), ids=UNWELCOME.keys())
def test_what_cannot_be_seen_or_does_not_keep_to_its_place_is_refused(name: str, why: str) -> None:
    with pytest.raises(ValueError, match="must") as refused:
        read_name(name)
    assert why in str(refused.value)
    assert str(refused.value).isascii()


TROUBLE = " \u200c\u200d\ufe0e\ufe0f\U0001f600\U0001f468\U0001f3fd\U0001f3f4\u0301\u0dca\u0639\u2800\u20e31"
ANY = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(TROUBLE),
    ),
    max_size=70,
)


@given(ANY)
def test_what_was_read_once_stays_as_it_is(name: str) -> None:
    try:
        read = read_name(name)
    except ValueError:
        return
    assert read_name(read) == read
    assert 0 < len(read) <= MOST_NAME
    assert read == read.strip()
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Co", "Zl", "Zp") for character in read)
    assert not any(unicodedata.bidirectional(character) in ("RLO", "LRO", "RLI", "LRI", "FSI") for character in read)


@given(st.lists(st.one_of(st.sampled_from(["Ann", "ann", "Ann 2", "", FAMILY * 12, "b" * 64]), ANY), max_size=16))
def test_told_apart_no_two_names_are_equal_and_each_is_a_name(names: list[str]) -> None:
    readable = []
    for name in names:
        try:
            readable.append(read_name(name) if name else "")
        except ValueError:
            continue
    told = all_told_apart(readable)
    seen: list[str] = []
    for before, after in zip(readable, told, strict=True):
        assert bool(before) == bool(after)
        if after:
            assert read_name(after) == after
            assert not any(same_name(after, other) for other in seen)
            if not any(same_name(before, other) for other in seen):
                assert after == before, "the first keeps its name"
            seen.append(after)


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["Ann", "Ben"], ["Ann", "Ben"]),
        (["Ann", "Ann"], ["Ann", "Ann 2"]),
        (["Ann", "ANN", "ann"], ["Ann", "ANN 2", "ann 3"]),
        (["Ann", "Ann", "Ann 2"], ["Ann", "Ann 3", "Ann 2"]),
        (["\u2764", "\u2764\ufe0f"], ["\u2764", "\u2764\ufe0f 2"]),
        (["", "", "Ann"], ["", "", "Ann"]),
        (["a" * 64] * 2, ["a" * 64, "a" * 60 + " 2"]),
        (["x" + FAMILY * 12] * 2, ["x" + FAMILY * 12, "x" + FAMILY * 11 + " 2"]),
    ],
)
def test_equal_names_get_numbers(names: list[str], told: list[str]) -> None:
    assert all_told_apart(names) == told


def test_one_more_gets_the_lowest_number() -> None:
    assert told_apart("Ann", []) == "Ann"
    assert told_apart("ann", ["Ann", "Ann 3"]) == "ann 2"
    assert told_apart("Ann", ["Ann", "Ann 2"]) == "Ann 3"
