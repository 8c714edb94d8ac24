"""A Chrome trace as a list of events with whole nanoseconds, and the lengths of unions: what the other scripts here stand on."""
import gzip
import json
from decimal import ROUND_HALF_EVEN, Decimal


def nanoseconds(value):
    return int((Decimal(value) * 1000).to_integral_value(ROUND_HALF_EVEN))


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    trace = json.loads(data, parse_float=Decimal)
    return trace if isinstance(trace, list) else trace["traceEvents"]


def begin(event):
    return nanoseconds(event["ts"])


def end(event):
    return begin(event) + nanoseconds(event.get("dur", 0))


def first_time(events):
    """What lanescope counts a run's times from: the first of all events that have a time."""
    return min(begin(event) for event in events if event.get("ph") != "M" and "ts" in event)


def last_time(events):
    """When lanescope says a run is over."""
    return max(end(event) if event["ph"] == "X" else begin(event) for event in events if event.get("ph") != "M" and "ts" in event)


def union(intervals):
    """How long at least one of the intervals lasts."""
    total, until = 0, None
    for start, stop in sorted(intervals):
        if until is None or start > until:
            total, until = total + stop - start, stop
        elif stop > until:
            total, until = total + stop - until, stop
    return total
