"""What Kubernetes asks before it restarts a server, and before it sends calls there.

`liveness` says that the event loop turns, and goes on saying so while the server drains: nobody should end a server
that is about to end. `readiness` is what health says of the whole server.
"""

import grpc
from grpc.aio import ServicerContext
from grpc_health.v1 import health_pb2
from grpc_health.v1._async import HealthServicer

LIVENESS = "liveness"
READINESS = "readiness"
Context = ServicerContext[health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse]


def probes(health: HealthServicer) -> grpc.GenericRpcHandler:
    """grpc.health.v1.Health/Check of these two, and no other method: this port is open to whoever comes."""

    async def check(request: health_pb2.HealthCheckRequest, context: Context) -> health_pb2.HealthCheckResponse:
        if request.service == LIVENESS:
            return health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.SERVING)
        if request.service == READINESS:
            answer: health_pb2.HealthCheckResponse = await health.Check(health_pb2.HealthCheckRequest(), context)
            return answer
        return await context.abort(grpc.StatusCode.NOT_FOUND, f"probes are {LIVENESS} and {READINESS}")

    service = health_pb2.DESCRIPTOR.services_by_name["Health"]
    handler = grpc.unary_unary_rpc_method_handler(
        check,
        health_pb2.HealthCheckRequest.FromString,
        health_pb2.HealthCheckResponse.SerializeToString,
    )
    return grpc.method_handlers_generic_handler(service.full_name, {service.methods_by_name["Check"].name: handler})
