"""JSON as RFC 8259 has it, each field once, and values of the right kind: whatever else comes is named by its place."""

import json
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from services.edge.protos import read_protos
from services.edge.strict_json import SCALARS
from tests.support.edge import Web, needs_envoy
from tests.support.nonsense import messages
from tests.support.servers import Stubs, messages_of
from tests.support.sessions import Created, create, session_of

pytestmark = needs_envoy
MALFORMED = (400, 3, "monsters.rules.v1", "MALFORMED_REQUEST")
TOO_LARGE = 8
SEATS = '"seats": [{"name": "Ann"}, {"name": "Ben"}]'
URL = "type.googleapis.com/monsters.cabbages.v1"


@pytest.fixture(scope="module")
def created(server: Stubs) -> Created:
    return create(server)


def sent(web: Web, body: str | bytes) -> Any:
    """What a creation is answered."""
    return web.ask("POST", "/v1/sessions", body.encode() if isinstance(body, str) else body)


NOT_JSON = {
    "a trailing comma": '{"game": "cabbages",}',
    "a trailing comma in a list": '{"seats": [{},]}',
    "single quotes": "{'game': 'cabbages'}",
    "a bare name": '{game: "cabbages"}',
    "a bare word": '{"game": cabbages}',
    "a comment": '{"game": "cabbages"} // new',
    "two values": '{"game": "cabbages"}{}',
    "a byte order mark": b'\xef\xbb\xbf{"game": "cabbages"}',
    "UTF-16": '{"game": "cabbages"}'.encode("utf-16"),
    "bytes that are no UTF-8": b'{"game": "\xc0\x80"}',
    "half a character": b'{"game": "\xed\xa0\x80"}',
    "half a character, escaped": '{"game": "\\ud83d"}',
    "the wrong half": '{"game": "\\udc7e\\ud83d"}',
    "an escape that there isn't": '{"game": "\\x41"}',
    "a line break in a string": '{"game": "cab\nbages"}',
    "a nought in a string": b'{"game": "cab\x00bages"}',
    "a string without an end": '{"game": "cabbages',
    "a number that begins with nought": '{"seats": 01}',
    "a number with a plus": '{"seats": +1}',
    "a number without an end": '{"seats": 1.}',
    "a number without a beginning": '{"seats": .5}',
    "NaN": '{"seats": NaN}',
    "True": '{"allTokens": True}',
    "no colon": '{"game" "cabbages"}',
    "no comma": '{"game": "cabbages" "allTokens": true}',
    "nothing but a space": " ",
    "a list that is nested too deep": "[" * 1000 + "]" * 1000,
    "more values than anybody needs": f"[{','.join(['1'] * 6000)}]",
}


@pytest.mark.parametrize("case", NOT_JSON)
def test_what_is_no_json_is_malformed_and_its_place_is_told(web: Web, case: str) -> None:
    answer = sent(web, NOT_JSON[case])
    assert (answer.reason, set(answer.fields)) == (MALFORMED, {""})
    assert answer.fields[""].startswith("is no JSON: ")
    assert " at byte " in answer.fields[""]


def is_json(text: str) -> bool:
    """What Python thinks of it, which takes half characters and NaN."""

    def refuse(word: str) -> None:
        raise ValueError(word)

    try:
        json.dumps(json.loads(text, parse_constant=refuse), ensure_ascii=False).encode()
    except ValueError:
        return False
    return True


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(data=st.data(), value=VALUES, escaped=st.booleans(), indent=st.sampled_from([None, 1]))
@settings(max_examples=200)
def test_the_edge_and_python_agree_on_what_is_json(
    web: Web, data: st.DataObject, value: Any, *, escaped: bool, indent: int | None
) -> None:
    """Of texts that are JSON, and of those with one character left out, doubled or put in."""
    text = json.dumps(value, ensure_ascii=escaped, indent=indent)
    at = data.draw(st.integers(0, len(text)))
    put = data.draw(st.sampled_from(["", text[at : at + 1] * 2, *"{}[]\",:\\0-+.eE'u/ \t\x00\x1f\x7f"]))
    text = data.draw(st.sampled_from([text, text[:at] + put + text[at + 1 :]]))
    if not text:
        return
    answer = sent(web, text.encode())
    assert answer.reason == MALFORMED
    assert ("is no JSON" in answer.json["message"]) == (not is_json(text)), text


TWICE = {
    "a value": ('{"game": "maidens", "game": "cabbages"}', "game"),
    "a value under both names": ('{"all_tokens": true, "allTokens": false}', "allTokens"),
    "the other way round": ('{"allTokens": false, "all_tokens": true}', "all_tokens"),
    "a value with an escape in its name": ('{"game": "maidens", "g\\u0061me": "cabbages"}', "game"),
    "a list": (f'{{{SEATS}, "seats": []}}', "seats"),
    "a value in a list": ('{"seats": [{}, {"name": "A", "name": "A"}]}', "seats[1].name"),
    "a value in a message": ('{"limits": {"standIn": "1s", "stand_in": "2s"}}', "limits.stand_in"),
    "a message": ('{"limits": {}, "limits": null}', "limits"),
    "a value in an Any": (
        f'{{"options": {{"@type": "{URL}.Options", "cupStart": 1, "cup_start": 2}}}}',
        "options.cup_start",
    ),
    "a type": (f'{{"options": {{"@type": "{URL}.Options", "@type": "{URL}.Options"}}}}', "options.@type"),
}


@pytest.mark.parametrize("case", TWICE)
def test_whoever_says_something_twice_is_told_where(web: Web, case: str) -> None:
    body, field = TWICE[case]
    answer = sent(web, body)
    assert (answer.reason, answer.fields) == (MALFORMED, {field: "is there twice"})


def test_of_two_fields_that_exclude_each_other_there_is_one(web: Web, server: Stubs, created: Created) -> None:
    body = {"text": "harvest", "move": {"@type": f"{URL}.Move", "harvest": {}}}
    answer = web.ask("POST", f"/v1/{created.session.name}:submitMove", body, created.seat_tokens[0])
    assert (answer.reason, answer.fields) == (MALFORMED, {"move": "can't be there beside text"})
    nothing = web.ask("POST", f"/v1/{created.session.name}:submitMove", {"text": None, "move": None})
    assert "beside" not in nothing.json["message"]
    assert session_of(server, created).revision == 0


WRONG = {
    "no object": ("[1, 2]", "", "is a list, not an object"),
    "null": ("null", "", "is null, not an object"),
    "a number for a string": ('{"game": 7}', "game", "is the number 7, not a string"),
    "a string for a switch": ('{"allTokens": "true"}', "allTokens", "is a string, not true or false"),
    "an object for a list": ('{"seats": {"name": "A"}}', "seats", "is an object, not a list"),
    "a number for a list": ('{"seats": 2}', "seats", "is the number 2, not a list"),
    "null in a list": ('{"seats": [null]}', "seats[0]", "is null"),
    "a string for an object": ('{"seats": [{}, "Ben"]}', "seats[1]", "is a string, not an object"),
    "a list for an object": ('{"limits": []}', "limits", "is a list, not an object"),
    "a value that an enum hasn't": ('{"seats": [{"kind": "BOT"}]}', "seats[0].kind", "is none of SEAT_KIND_BOT, "),
    "a switch for an enum": ('{"seats": [{"kind": true}]}', "seats[0].kind", "is true, not a string"),
    "no base64": ('{"seats": [{"entropy": "*"}]}', "seats[0].entropy", "is a string, not a string of base64"),
    "a number for a time": ('{"limits": {"turn": 90}}', "limits.turn", "is the number 90, not a string of seconds"),
    "a time without its unit": ('{"limits": {"turn": "90"}}', "limits.turn", "is a string, not a string of seconds"),
    "a number for an Any": ('{"options": 1}', "options", "is the number 1, not an object"),
    "an Any without a type": ('{"options": {"cupStart": 1}}', "options.@type", "is missing"),
    "an Any of no type": ('{"options": {"@type": "x"}}', "options.@type", "is no type that there is"),
    "an Any of a number": ('{"options": {"@type": 1}}', "options.@type", "is no type that there is"),
    "an Any of no game": (
        '{"options": {"@type": "type.googleapis.com/monsters.chess.v1.Options"}}',
        "options.@type",
        "is no type that there is",
    ),
}
IN_ANY = {
    "a fraction": ("2.5", "is the number 2.5, not a whole number of "),
    "a string": ('"two"', "is a string, not a whole number of "),
    "a switch": ("true", "is true, not a whole number of "),
    "a list": ("[2]", "is a list, not a whole number of "),
    "too much": ("99999999999", "is the number 99999999999, not a whole number of "),
    "far too much": ("1e400", "is the number 1e400, not a whole number of "),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_value_of_the_wrong_kind_is_named_by_its_path(web: Web, case: str) -> None:
    body, field, said = WRONG[case]
    answer = sent(web, body)
    assert (answer.reason, set(answer.fields)) == (MALFORMED, {field})
    assert answer.fields[field].startswith(said)


@pytest.mark.parametrize("case", IN_ANY)
def test_a_value_of_the_wrong_kind_is_named_within_an_any(web: Web, case: str) -> None:
    value, said = IN_ANY[case]
    answer = sent(web, f'{{"game": "cabbages", {SEATS}, "options": {{"@type": "{URL}.Options", "cupStart": {value}}}}}')
    assert (answer.reason, set(answer.fields)) == (MALFORMED, {"options.cupStart"})
    assert answer.fields["options.cupStart"].startswith(said)


@pytest.mark.parametrize("value", ["2", '"2"', "2.0", "20e-1", "null"])
def test_a_number_may_be_written_in_many_ways(web: Web, value: str) -> None:
    options = f'{{"cupStart": {value}, "@type": "{URL}.Options"}}'
    assert sent(web, f'{{"game": "cabbages", {SEATS}, "options": {options}}}').status == 200


QUERIES = {
    "page_size=x": ("page_size", "is a string, not a whole number of int32"),
    "pageSize=1.5": ("pageSize", "is a string, not a whole number of int32"),
    "page_size=1&pageSize=2": ("pageSize", "is there twice"),
    "page%5Fsize=1&page_size=1": ("page_size", "is there twice"),
    "game=a&game=b": ("game", "is there twice"),
    "=1": ("", "is no field of monsters.session.v1.ListSessionsRequest"),
}


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_is_held_to_the_same(web: Web, query: str) -> None:
    field, said = QUERIES[query]
    answer = web.ask("GET", f"/v1/sessions?{query}")
    assert (answer.reason, answer.fields) == (MALFORMED, {field: said})


def test_what_is_in_the_path_is_said_once(web: Web, created: Created) -> None:
    path = f"/v1/{created.session.name}"
    said = {"name": "comes in the path"}
    for verb, rest, body, fields in (
        ("GET", "?name=sessions/7f3k", None, said),
        ("GET", "/view?name=sessions/7f3k", None, said),
        ("POST", ":submitMove?text=harvest", {}, {"text": "belongs into the body"}),
        ("POST", ":submitMove", {"name": "sessions/7f3k"}, {"name": "is another one in the path"}),
    ):
        answer = web.ask(verb, path + rest, body)
        assert (answer.reason, answer.fields) == (MALFORMED, fields)
    body = {"name": created.session.name, "text": "feed or so"}
    assert "name" not in web.ask("POST", f"{path}:submitMove", body, created.seat_tokens[0]).fields


def test_reading_takes_no_body(web: Web) -> None:
    answer = web.ask("GET", "/v1/sessions", {"pageSize": 1})
    assert (answer.reason, answer.fields) == (MALFORMED, {"": "is not read: GET has none"})


BOUND = [
    (method, binding)
    for method in read_protos().methods
    for binding in method.bindings
    if binding.body and (method.token == "session" or method.service.endswith(".cabbages.v1.RulesService"))
]


@pytest.mark.parametrize(("method", "binding"), BOUND, ids=lambda each: getattr(each, "name", ""))
@given(data=st.data(), spelt=st.booleans())
@settings(max_examples=15)
def test_whatever_protobuf_writes_is_of_the_right_kind(
    web: Web, method: Any, binding: Any, data: st.DataObject, *, spelt: bool
) -> None:
    """Messages with absurd values in any fields: no field is unknown, and no value of another kind."""
    message = data.draw(messages(Default().FindMessageTypeByName(method.request)))
    try:
        body = json_format.MessageToDict(message, preserving_proto_field_name=spelt)
    except (
        DecodeError,
        json_format.Error,
        TypeError,
        ValueError,
    ):  # an Any that has no form in JSON, a time beyond the calendar
        return
    if "name" in body and "{name=" in binding.path:
        del body["name"]
    path = binding.path.replace("{name=sessions/*}", "sessions/7f3k")
    said = web.ask(binding.verb, path, body).json
    if "there are more than 5000 values" in said.get("message", "") or said.get("code") == TOO_LARGE:
        return
    assert all(
        word not in said.get("message", "") for word in (", not a", "is no field", "is no JSON", "is there twice")
    )


def test_every_kind_of_scalar_is_known() -> None:
    field = messages_of("cabbages").Options.DESCRIPTOR.fields[0]
    scalars = {number for name, number in vars(type(field)).items() if name.startswith("TYPE_")}
    assert set(SCALARS) == scalars - {field.TYPE_MESSAGE, field.TYPE_ENUM, field.TYPE_GROUP}
