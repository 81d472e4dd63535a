"""The arguments and options that several commands have."""

from typing import Annotated

import typer

from lair.cli import completing

MOST_SEATS = 100
"""More than any game has. How many its games take is the server's to say."""

ServerOption = Annotated[
    str | None,
    typer.Option(
        "--server",
        envvar="LAIR_SERVER",
        metavar="HOST:PORT|NAME",
        help="The server, or its name in the configuration file. Without it: where the session was created or joined, "
        "else what the file says, else 127.0.0.1:50051.",
        show_envvar=True,
        autocompletion=completing.servers,
    ),
]
TlsOption = Annotated[bool, typer.Option("--tls", help="Reach the server over TLS.")]
CaOption = Annotated[
    str | None,
    typer.Option("--ca", metavar="FILE", help="Trust the certificates of this PEM file, and no others. Means --tls."),
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON lines on standard output, and nothing else.")]
GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="The game's token, such as cabbages.", autocompletion=completing.games)
]
SessionArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[SESSION]",
        help='"7f3k" or "sessions/7f3k". Without it: the latest of the notebook.',
        autocompletion=completing.sessions,
    ),
]
SeatOption = Annotated[
    str | None,
    typer.Option(
        "--seat",
        metavar="NAME|NUMBER",
        help="A seat held here, by name or number. Without it: the one awaited.",
        autocompletion=completing.seats,
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
