"""What looks like a setting and is none."""

import pytest

from services.runtime.environment import SettingsWrong, mistyped, read_settings, unknown


def have(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Have these in the environment, and nothing else."""
    monkeypatch.setattr("os.environ", dict.fromkeys(names, "1"))


def test_the_settings_of_the_command_are_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    have(monkeypatch, "LAIR_SERVER", "LAIR_NOTEBOOK", "lair_drain", "LAIR_DRAIN", "PATH", "LAIRD")
    assert unknown() == []


def test_what_kubernetes_sets_for_a_service_of_this_name_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    given = [
        "LAIR_SERVICE_HOST",
        "LAIR_SERVICE_PORT",
        "LAIR_SERVICE_PORT_GRPC",
        "LAIR_PORT",
        "LAIR_PORT_50051_TCP_ADDR",
    ]
    for service in ("LAIR", "LAIR_EDGE"):
        names = [name.replace("LAIR", service) for name in given]
        have(monkeypatch, *names)
        assert unknown() == []
        have(monkeypatch, *names[1:])
        assert unknown() == names[1:], "somebody else has"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("LAIR_DATABSE", "LAIR_DATABASE"),
        ("LAIR_ADRESS", "LAIR_ADDRESS"),
        ("LAIR_LOGLEVEL", "LAIR_LOG_LEVEL"),
        ("LAIR_HEALTHADDRESS", "LAIR_HEALTH_ADDRESS"),
        ("lair_drian", "LAIR_DRAIN"),
    ],
)
def test_one_that_is_mistyped_is_told_from_one_of_somebody_else(
    monkeypatch: pytest.MonkeyPatch, name: str, meant: str
) -> None:
    have(monkeypatch, name, "LAIR_ROOT", "LAIR_COLOUR_OF_HATS")
    assert mistyped() == {name: meant}
    assert set(unknown()) == {name, "LAIR_ROOT", "LAIR_COLOUR_OF_HATS"}


def test_every_one_that_is_wrong_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {"LAIR_DRAIN": "soon", "LAIR_MAX_CALLS": "-1", "LAIR_HEARTBEAT": "60", "lair_kep": "1"}.items():
        monkeypatch.setenv(name, text)
    with pytest.raises(SettingsWrong) as raised:
        read_settings(address="127.0.0.1")
    for name in ("LAIR_DRAIN", "LAIR_MAX_CALLS", "LAIR_HEARTBEAT", "lair_kep", "LAIR_ADDRESS"):
        assert f"{name}: " in str(raised.value)


def test_settings_that_are_at_odds_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAIR_IDLE", "3000000")
    with pytest.raises(SettingsWrong, match=r"^a setting is wrong: LAIR_IDLE must be at most LAIR_MAX_IDLE$"):
        read_settings()
