"""What a call of the rules can end with, beside what every service says. The reasons are documented in the protos."""

from services.kernel.refusals import IllegalMove, ImpossiblePosition
from services.runtime.failure import SHARED, Code, Failure, Violation


def illegal(domain: str, error: IllegalMove) -> Failure:
    """The position forbids the move."""
    refusal = error.refusal
    violation = Violation(refusal.reason, refusal.rule, refusal.message)
    metadata = {"rule": refusal.rule}
    return Failure(Code.FAILED_PRECONDITION, domain, refusal.reason, refusal.message, metadata, violation=violation)


def impossible(game: str, error: ImpossiblePosition) -> Failure:
    """No game can come to the position."""
    message = f"no game can come to this position: {error}"
    return Failure(Code.INVALID_ARGUMENT, SHARED, "IMPOSSIBLE_POSITION", message, {"game": game}, flaws=error.flaws)


def chain_broken(chain: int) -> Failure:
    """A move before it on its chain was refused."""
    message = f"a move before it on chain {chain} was refused"
    return Failure(Code.ABORTED, SHARED, "CHAIN_BROKEN", message, {"chain": str(chain)})
