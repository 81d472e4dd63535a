"""gRPC under gevent. Without its patch one call that waits stops every user of the process."""

import gevent  # type: ignore[import-untyped]  # it ships no types
import grpc
import grpc.experimental.gevent as grpc_gevent

THREADS = 5000
"""Every call that waits, and every channel with an open stream, has a thread of gevent's pool; others wait in line."""
PATIENCE = 0.2
"""Seconds that the trial call waits for nobody."""
TICK = 0.01
"""Seconds after which another greenlet counts on meanwhile, when it is not stopped."""


def activate() -> None:
    """Patch gRPC: after gevent has patched the standard library, as importing locust does, and before any channel."""
    gevent.get_hub().threadpool.maxsize = THREADS
    grpc_gevent.init_gevent()


def is_active() -> bool:
    """Whether greenlets run on while a gRPC call waits. It is tried out, by a call to an address where nobody is."""
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        while True:
            gevent.sleep(TICK)
            ticks += 1

    ticker = gevent.spawn(tick)
    try:
        with grpc.insecure_channel("unix:/nonexistent/nobody") as channel:
            call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/nobody/Answers")
            call(b"", timeout=PATIENCE, wait_for_ready=True)
    except grpc.RpcError:
        return ticks > 1
    finally:
        ticker.kill()
    raise AssertionError("somebody has answered where nobody is")
