"""What the server, or the command itself, refused: one sentence for people, or a JSON line for programs."""

import json
from collections.abc import Sequence

import typer

from lair import IllegalMove, LairError, StaleSession, Unavailable, named
from lair.cli.failures import MISUSED, Failure
from lair.cli.output import Output
from lair.cli.records import Record
from lair.cli.sitting import plain

AT_THE_COMMAND_LINE = {"SPEAKS_TLS": "say --tls", "SPEAKS_NO_TLS": "leave --tls and --ca out"}
"""What helps here, where the library speaks to programmers."""


def report(problem: Failure | LairError, output: Output, names: Sequence[str] = ()) -> None:
    """Say on standard error what went wrong, to people with these names."""
    if output.json_lines:
        output.errors.print(json.dumps(_record(problem)), soft_wrap=True)
    else:
        output.errors.print(plain(named(sentence(problem), names)), soft_wrap=True)


def sentence(problem: Failure | LairError) -> str:
    """What went wrong: "NOT_YOUR_TURN (C-R4): It is the turn of seat 1."."""
    if isinstance(problem, Failure):
        return plain(problem.sentence)
    if _nobody_answers(problem):
        return "The server does not answer any more: is it running (`make run`)? Look with `lair view` before you play."
    if isinstance(problem, StaleSession):
        return f"{problem.reason}: the game has gone on meanwhile, so nothing was played."
    if problem.reason in AT_THE_COMMAND_LINE:
        said = problem.message.partition(": `connect`")[0].partition(": leave")[0]
        return plain(f"{problem.reason}: {said}: {AT_THE_COMMAND_LINE[problem.reason]}.")
    rule = f" ({problem.rule})" if isinstance(problem, IllegalMove) and problem.rule else ""
    return plain(f"{problem.reason or problem.code.name}{rule}: {problem.message}")


def misuse(problem: typer.TyperException) -> Failure:
    """What is wrong with the command line, and where its help is."""
    context = getattr(problem, "ctx", None)
    command = context.command_path if context is not None else "lair"
    said = " ".join(problem.format_message().split()).rstrip(".")
    return Failure(f"{said}. See: {command} --help", MISUSED)


def _nobody_answers(problem: LairError) -> bool:
    """Whether the server was lost on the way. One that lacks something itself gives a reason, and a proxy is named."""
    return isinstance(problem, Unavailable) and not problem.reason and "proxy" not in problem.metadata


def _record(problem: Failure | LairError) -> Record:
    if isinstance(problem, Failure):
        return {"error": {"message": problem.sentence}}
    return {
        "error": {
            "code": problem.code.name,
            "reason": problem.reason,
            "rule": problem.metadata.get("rule", ""),
            "message": problem.message,
        }
    }
