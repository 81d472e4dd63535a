"""Settings from the environment of a process, and in one sentence what is wrong with them."""

import os
from difflib import get_close_matches
from itertools import combinations

from pydantic import ValidationError

from services.runtime.addresses import split
from services.runtime.settings import OFF, PREFIX, Settings

OF_THE_COMMAND = ("server", "notebook")
"""Settings of the command `lair`, which shares the environment."""
OF_KUBERNETES = "_service_host", "_service_port", "_port"
"""How the variables go on that Kubernetes sets for a service, also for one whose name begins with `lair`."""
LIKENESS = 0.75
"""Of two names, from 0 to 1 (`difflib`), from which on one may be the other, mistyped."""


class SettingsWrong(OSError):
    """Nothing can be served with these settings. The text is a sentence for people, and names each that is wrong."""


def read_settings(**overrides: object) -> Settings:
    """What is set; overrides that are not None come before the environment. Raises SettingsWrong."""
    flaws = [f"{name}: there is no such setting; {near} is meant, or unset it" for name, near in mistyped().items()]
    try:
        settings = Settings(**{name: value for name, value in overrides.items() if value is not None})  # type: ignore[arg-type]  # pydantic checks them
    except ValidationError as error:
        said = ((flaw["loc"], flaw["msg"].removeprefix("Value error, ")) for flaw in error.errors())
        flaws += [f"{PREFIX}{str(where[0]).upper()}: {what}" if where else what for where, what in said]
    else:
        flaws += _at_odds(settings)
    if flaws:
        raise SettingsWrong(f"a setting is wrong: {'; '.join(flaws)}")
    return settings


def _at_odds(settings: Settings) -> list[str]:
    """Which settings can't be both as they are."""
    places = {name: getattr(settings, name) for name in ("address", "edge", "health_address")}
    return [
        f"{PREFIX}{one.upper()} and {PREFIX}{other.upper()} are both {places[one]}: set one of them to another port"
        for one, other in combinations(places, 2)
        if places[one] == places[other] != OFF and split(places[one])[1]
    ]


def mistyped() -> dict[str, str]:
    """What is in the environment and nearly a setting, and which."""
    near = {name: get_close_matches(_bare(name), Settings.model_fields, n=1, cutoff=LIKENESS) for name in unknown()}
    return {name: f"{PREFIX}{found[0].upper()}" for name, found in near.items() if found}


def unknown() -> list[str]:
    """What is in the environment, begins like a setting and is none."""
    named = [name for name in os.environ if name.upper().startswith(PREFIX)]
    bare = [f"_{_bare(name)}" for name in named]
    services = [name.removesuffix("_service_host") for name in bare if name.endswith("_service_host")]
    given = tuple(f"{service}{rest}" for service in services for rest in OF_KUBERNETES)
    known = {*Settings.model_fields, *OF_THE_COMMAND}
    return [name for name in named if _bare(name) not in known and not f"_{_bare(name)}".startswith(given)]


def _bare(name: str) -> str:
    return name.upper().removeprefix(PREFIX).lower()
