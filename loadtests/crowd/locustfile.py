"""The load test for Locust: one user class a story. `make load` runs it; loadtests/README.md has the rest."""

from pathlib import Path

from loadtests.crowd.stories import patch

patch.activate()  # before anything that could open a channel is imported

from locust import events  # noqa: E402  see above
from locust.argument_parser import LocustArgumentParser  # noqa: E402
from locust.env import Environment  # noqa: E402

from loadtests.crowd.stories import results, workers  # noqa: E402
from loadtests.crowd.stories.game_player import GamePlayer  # noqa: E402
from loadtests.crowd.stories.lobby_visitor import LobbyVisitor  # noqa: E402
from loadtests.crowd.stories.racer import Racer  # noqa: E402
from loadtests.crowd.stories.rules_caller import RulesCaller  # noqa: E402
from loadtests.crowd.stories.seat_player import SeatPlayer  # noqa: E402
from loadtests.crowd.stories.stranger import Stranger  # noqa: E402
from loadtests.crowd.stories.watcher import Watcher  # noqa: E402

__all__ = ["GamePlayer", "LobbyVisitor", "Racer", "RulesCaller", "SeatPlayer", "Stranger", "Watcher"]


@events.init_command_line_parser.add_listener  # type: ignore[untyped-decorator]  # Locust has types in part
def add_arguments(parser: LocustArgumentParser) -> None:
    """What the stories need to know."""
    parser.add_argument("--pace", type=float, default=2.0, help="calls a second of each user, at Poisson arrivals")
    parser.add_argument("--results", default="build/locust.json", help="where the figures go, as JSON")


@events.init.add_listener  # type: ignore[untyped-decorator]  # Locust has types in part
def check_patch(environment: Environment, **_: object) -> None:
    """Refuse to measure without the patch: everything would be slow, and nothing would say why."""
    if not patch.is_active():
        environment.process_exit_code = 1
        raise SystemExit("gRPC is not patched for gevent: one call that waits would stop every user")


@events.init.add_listener  # type: ignore[untyped-decorator]  # Locust has types in part
def watch_workers(environment: Environment, **_: object) -> None:
    """A distributed run whose workers did not all last to its end has not put on the load that it was to."""
    workers.call_the_roll(environment)


@events.quitting.add_listener  # type: ignore[untyped-decorator]  # Locust has types in part
def write_results(environment: Environment, **_: object) -> None:
    """Leave the figures for whoever started this."""
    assert environment.parsed_options
    results.write(environment, Path(environment.parsed_options.results))
