"""What libpq is told of a connection: what the address says, and ours where it says nothing."""

import pytest
from psycopg.conninfo import conninfo_to_dict

from services.runtime.settings import Settings
from services.session.adapters.postgresql.opening import PARAMETERS, address_for_libpq


def test_an_address_that_says_nothing_else_has_what_is_ours() -> None:
    given = {"host": "db", "user": "lair"}
    assert conninfo_to_dict(address_for_libpq(given)) == {**PARAMETERS, **given}


def test_what_an_address_says_itself_counts_more_than_what_is_ours() -> None:
    given = conninfo_to_dict("postgresql://lair@db/lair?keepalives_count=9&application_name=mine")
    assert conninfo_to_dict(address_for_libpq(given, application_name="hints")) == {**PARAMETERS, **given}
    del given["application_name"]
    assert conninfo_to_dict(address_for_libpq(given, application_name="hints"))["application_name"] == "hints"


@pytest.mark.parametrize(("text", "prepares"), [("auto", None), ("true", True), ("false", False)])
def test_the_setting_says_whether_statements_are_prepared(text: str, prepares: bool | None) -> None:  # noqa: FBT001
    assert Settings.model_validate({"prepare_statements": text}).prepares_statements is prepares
