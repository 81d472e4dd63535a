"""The command `lair`: games at the terminal, for people and for scripts.

Exit codes: 0 when it worked, 1 when the server refused or something failed, 2 when the command line makes no sense.
"""

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec

EXTRA = ("platformdirs", "rich", "typer")
"""What the command line needs beside the SDK: the extra `cli` of the distribution brings it."""


def main() -> None:
    """Run the command line, and exit. What is expected to go wrong is one sentence on standard error."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # what gRPC logs would stand before the sentence
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command. Returns its exit code."""
    if missing := [name for name in EXTRA if find_spec(name) is None]:
        needed, bring = " and ".join(missing), "pip install 'lair-games[cli]'"
        print(f"The command line needs {needed}, not installed here: type {bring}", file=sys.stderr)
        return 1
    # Here, so that a program that imports lair does not load a command line.
    import typer  # noqa: PLC0415  # see above

    from lair import LairError  # noqa: PLC0415  # see above
    from lair.cli.app import app  # noqa: PLC0415  # see above
    from lair.cli.failures import REFUSED, Failure  # noqa: PLC0415  # see above
    from lair.cli.output import Output  # noqa: PLC0415  # see above
    from lair.cli.reporting import misuse, report  # noqa: PLC0415  # see above

    output = Output(json_lines="--json" in arguments)
    try:
        result = app(list(arguments) or ["--help"], prog_name="lair", standalone_mode=False)
    except Failure as failure:
        report(failure, output)
        return failure.exit_code
    except LairError as refusal:
        report(refusal, output)
        return REFUSED
    except typer.TyperException as problem:
        report(misuse(problem), output)
        return problem.exit_code
    except OSError as problem:
        report(Failure(f"The answer can't be written: {problem.strerror or problem}."), output)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes what is left when it ends
        return REFUSED
    return result if isinstance(result, int) else 0
