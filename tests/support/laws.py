"""How laws are tried: a number of examples, and no deadline, since a busy machine breaks no law."""

from hypothesis import HealthCheck, settings


def examples(count: int) -> settings:
    """So many examples of a law, however long each takes."""
    return settings(max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow])
