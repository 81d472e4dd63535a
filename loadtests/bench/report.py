"""What was measured, for machines: the figures of every row, and what they were measured on."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from loadtests.bench.row import Row, Size
from loadtests.measuring.conditions import conditions, percentile
from loadtests.measuring.rounds import Measured, Sample, database_microseconds

Result = Mapping[str, Any]
LATENCY_UNIT = "ms"
TIMES = "microseconds a call"
PERCENTILES = (50, 99)


def results(row: Row, measured: Measured) -> Sequence[Result]:
    """What a row comes to: one result, or one for each percentile of its latencies, or one more for its database."""
    if row.of_latencies:
        return [_percentile(row, measured, percent) for percent in PERCENTILES]
    if database_microseconds(measured.subject) is not None:
        return [_rates(row, measured), _database(row, measured)]
    return [_rates(row, measured)]


def _percentile(row: Row, measured: Measured, percent: int) -> Result:
    """One percentile of the latencies of all rounds, and the range of the ratios of single rounds."""

    def milliseconds(*samples: Sample) -> float:
        return percentile(samples, percent) * 1e3

    pairs = zip(measured.subject, measured.baseline, strict=True)
    ratios = [milliseconds(subject) / milliseconds(baseline) for subject, baseline in pairs]
    value, baseline = milliseconds(*measured.subject), milliseconds(*measured.baseline)
    goal = row.p99_at_most if percent == PERCENTILES[-1] else None
    return {
        "name": f"{row.name}_p{percent}",
        "title": f"{row.title}, p{percent}",
        "table": "arrivals",
        "against": row.against,
        "unit": LATENCY_UNIT,
        "value": value,
        "baseline": baseline,
        "ratio": value / baseline,
        "range": [min(ratios), max(ratios)],
        "at_least": None,
        "at_most": None,
        **_limit(value, goal),
    }


def _database(row: Row, measured: Measured) -> Result:
    """What the database's own server takes of the processors for a call: beside what it takes for the baseline's.

    Where the baseline has no such server, it is beside what our servers take for the subject's calls.
    """
    alone = database_microseconds(measured.baseline) is None

    def of(sample: Sample) -> float:
        return database_microseconds([sample]) or 0.0

    def beside(sample: Sample) -> float:
        return 1e6 / sample.by_processor if alone else of(sample)

    others = measured.subject if alone else measured.baseline
    ratios = [of(sample) / beside(other) for sample, other in zip(measured.subject, others, strict=True)]
    value, baseline = median(map(of, measured.subject)), median(map(beside, others))
    return {
        "name": f"{row.name}_database",
        "title": f"{row.title}: the database's own server",
        "table": "databases",
        "against": "our servers" if alone else row.against,
        "unit": f"{TIMES} of the database's processors",
        "value": value,
        "baseline": baseline,
        "ratio": value / baseline,
        "range": [min(ratios), max(ratios)],
        "at_least": None,
        "at_most": None,
        **_limit(value, row.database_at_most),
    }


def _limit(value: float, limit: float | None) -> Result:
    """A goal for the value itself."""
    return {"value_at_most": limit, "held": None if limit is None else value <= limit}


def _rates(row: Row, measured: Measured) -> Result:
    """One row's figures: medians over the rounds, and the range of the ratios of single rounds.

    `value`, `baseline` and `ratio` are of the servers' processors, which is what has a goal.
    """
    value, baseline = measured.medians(lambda sample: _figure(row, sample.by_processor))
    clock_value, clock_baseline = measured.medians(lambda sample: _figure(row, sample.by_clock))
    ratio, low, high = value / baseline, *measured.range()
    return {
        "name": row.name,
        "title": row.title,
        "table": row.table,
        "against": row.against,
        "unit": f"{_unit(row)} of the servers' processors",
        "value": value,
        "baseline": baseline,
        "ratio": ratio,
        "range": [1 / high, 1 / low] if row.is_time else [low, high],
        "at_least": row.at_least,
        "at_most": row.at_most,
        "value_at_most": None,
        "held": _held(row, ratio),
        "by_clock": {
            "unit": f"{_unit(row)} of the clock",
            "value": clock_value,
            "baseline": clock_baseline,
            "ratio": clock_value / clock_baseline,
        },
        "latencies": {
            "unit": LATENCY_UNIT,
            "value": _latencies(measured.subject),
            "baseline": _latencies(measured.baseline),
        },
    }


def _latencies(samples: Sequence[Sample]) -> Mapping[str, float] | None:
    """The percentiles of what is served. None of what isn't."""
    if not any(sample.latencies for sample in samples):
        return None
    return {f"p{percent}": percentile(samples, percent) * 1e3 for percent in PERCENTILES}


def _figure(row: Row, rate: float) -> float:
    return 1e6 / rate if row.is_time else rate


def _unit(row: Row) -> str:
    return TIMES if row.is_time else "calls a second"


def _held(row: Row, ratio: float) -> bool | None:
    if row.at_least is not None:
        return ratio >= row.at_least
    return None if row.at_most is None else ratio <= row.at_most


def report(results: Sequence[Result], size: Size, load: float) -> Mapping[str, Any]:
    """All of it, with what it was measured on, and the load that the machine had before."""
    sizes = {"seconds": size.seconds, "rounds": size.rounds, "stored": size.stored, "moves": size.moves}
    return {**conditions(load), "size": sizes, "rows": results}
