"""The face towards other replicas: monsters.replicas.v1.HintsService."""

from collections.abc import Callable

from monsters.replicas.v1 import replicas_pb2 as wire

from services.runtime.calls import Call
from services.runtime.failure import Code, Failure

DOMAIN = "monsters.replicas.v1"


class HintsServicer:
    """Hears hints from callers in networks that the operator trusts."""

    def __init__(self, replica: str, heard: Callable[[str, int], None]) -> None:
        self._answer = wire.TellResponse(replica=replica)
        self._heard = heard

    async def tell(self, request: wire.TellRequest, call: Call) -> wire.TellResponse:
        """Hear some hints. Raises Failure REPLICAS_ONLY for anybody else."""
        if not call.origin.trusted:
            message = "only replicas may tell hints, and this caller is in no trusted network"
            raise Failure(Code.PERMISSION_DENIED, DOMAIN, "REPLICAS_ONLY", message)
        call.quiet = True
        for hint in request.hints:
            self._heard(hint.session_id, hint.version)
        return self._answer
