"""gRPC under gevent. Without its patch one call that waits stops every user of the process."""

import gevent  # type: ignore[import-untyped]  # it ships no types
import grpc
import grpc.experimental.gevent as grpc_gevent

THREADS = 5000
"""Every call that waits, and every channel with an open stream, has a thread of gevent's pool; others wait in line."""
PATIENCE = 0.5
"""Seconds that a trial call waits for nobody."""
TRIALS = 3
"""On a machine that is very busy nothing may happen meanwhile, although it could."""


def activate() -> None:
    """Patch gRPC: after gevent has patched the standard library, as importing locust does, and before any channel."""
    gevent.get_hub().threadpool.maxsize = THREADS
    grpc_gevent.init_gevent()


def is_active() -> bool:
    """Whether greenlets run on while a gRPC call waits. It is tried out, by calls to an address where nobody is."""
    return any(_another_runs_on() for _ in range(TRIALS))


def _another_runs_on() -> bool:
    ran_on = False

    def run_on() -> None:
        nonlocal ran_on
        gevent.sleep(PATIENCE / 10)
        ran_on = True

    other = gevent.spawn(run_on)
    try:
        with grpc.insecure_channel("unix:/nonexistent/nobody") as channel:
            call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/nobody/Answers")
            call(b"", timeout=PATIENCE, wait_for_ready=True)
    except grpc.RpcError:
        return ran_on
    finally:
        other.kill()
    raise AssertionError("somebody has answered where nobody is")
