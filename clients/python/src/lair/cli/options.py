"""The arguments and options that several commands have."""

from typing import Annotated

import typer

MOST_SEATS = 100
"""More than any game has. How many its games take is the server's to say."""

ServerOption = Annotated[
    str | None,
    typer.Option(
        "--server",
        envvar="LAIR_SERVER",
        metavar="HOST:PORT",
        help="The server. Without it: where the session was created or joined, else 127.0.0.1:50051.",
        show_envvar=True,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON lines on standard output, and nothing else.")]
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The game's token, such as cabbages.")]
SessionArgument = Annotated[
    str | None,
    typer.Argument(metavar="[SESSION]", help='"7f3k" or "sessions/7f3k". Without it: the latest of the notebook.'),
]
SeatOption = Annotated[
    str | None,
    typer.Option(
        "--seat", metavar="NAME|NUMBER", help="A seat held here, by name or number. Without it: the one awaited."
    ),
]
ChoiceOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="One of the game's options. May be repeated."),
]
BotsOption = Annotated[
    int,
    typer.Option("--bots", metavar="N", min=0, max=MOST_SEATS, help="So many seats more, which the server plays."),
]
TurnLimitOption = Annotated[
    float | None,
    typer.Option(
        "--turn-limit",
        metavar="SECONDS",
        help="Let the game wait no longer in one turn or round: a time-out is played.",
    ),
]
ShowTokensOption = Annotated[
    bool, typer.Option("--show-tokens", help="Print the secret tokens too. They are in the notebook anyway.")
]
