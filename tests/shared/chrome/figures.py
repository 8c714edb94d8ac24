"""Self times and gaps of a Chrome trace of complete events, by plain loops over the events: what lanescope's own are compared with.

    figures.py self FILE          name,self            sum over the spans of each name
    figures.py gaps FILE ROWS     start,duration,before,after    the longest, from the first event on
    figures.py idle FILE          span,busy,idle,share,gaps,max,start,late,early   a row a lane, by idle time

Annotations and waits of a device's stream are a lane of their own, whose gaps do not count. What wraps the recording (category Trace, process
Spans) is no work and not looked at.

A parent is the last span before (by start, the longer first, then as in the file) on the same thread that holds the whole of a span; its self
time is its duration less what its children cover. Times are whole nanoseconds, from the decimal text.
"""
import csv
import sys

from trace import begin, end, first_time, last_time, load, union


BESIDE = ("gpu_user_annotation", "cuda_sync")


def lanes_of(events):
    """[start, end, order, name] of the spans of each thread, in order."""
    lanes = {}
    for order, event in enumerate(events):
        if event.get("ph") in ("B", "E"):
            sys.exit("this is for traces of complete events")
        if event.get("ph") == "X" and event.get("cat") != "Trace" and event.get("pid") != "Spans":
            lane = lanes.setdefault((str(event.get("pid")), str(event.get("tid")), event.get("cat") in BESIDE), [])
            lane.append([begin(event), end(event), order, event.get("name", "None")])
    for lane in lanes.values():
        lane.sort(key=lambda span: (span[0], span[0] - span[1], span[2]))
    return lanes


def holds(parent, span):
    if span[0] == span[1]:
        return parent[0] <= span[0] < parent[1]
    return parent[0] <= span[0] and span[1] <= parent[1]


def self_times(lanes):
    sums = {}
    for lane in lanes.values():
        children = [[] for span in lane]
        ends = []  # the latest end of the spans up to here
        for i, span in enumerate(lane):
            ends.append(max(span[1], ends[-1]) if ends else span[1])
            for k in range(i - 1, -1, -1):
                if ends[k] < span[1]:
                    break  # none before ends late enough
                if holds(lane[k], span):
                    children[k].append((span[0], span[1]))
                    break
        for span, within in zip(lane, children):
            sums[span[3]] = sums.get(span[3], 0) + span[1] - span[0] - union(within)
    return sorted(sums.items(), key=lambda item: item[0].encode())


def gaps_of(lane):
    until = lane[0][1]
    for span in lane:
        if span[0] > until:
            yield until, span[0]
        until = max(until, span[1])


def longest_name(spans):
    return min(spans, key=lambda span: (span[0] - span[1], span[2]))[3]


def gaps(lanes, first, limit):
    rows = [(start - end, end, start, lane) for lane in lanes.values() for end, start in gaps_of(lane)]
    rows.sort(key=lambda row: (-row[0], row[1]))
    for duration, end, start, lane in rows[:limit]:
        before = longest_name([span for span in lane if span[1] == end])
        after = longest_name([span for span in lane if span[0] == start])
        yield end - first, duration, before, after


def idle(lanes, first, last):
    rows = []
    for lane in lanes.values():
        found = list(gaps_of(lane))
        longest, start = max(((until - since, since - first) for since, until in found), key=lambda gap: (gap[0], -gap[1]), default=("", ""))
        length = sum(until - since for since, until in found)
        finish = max(span[1] for span in lane)
        span = finish - lane[0][0]
        rows.append((span, union([(span[0], span[1]) for span in lane]), length, length / span if span else "", len(found), longest, start,
                     lane[0][0] - first, last - finish))
    return sorted(rows, key=lambda row: (-row[2], -row[0], -row[1], row[7]))


def main():
    what, path = sys.argv[1:3]
    events = load(path)
    lanes = lanes_of(events)
    out = csv.writer(sys.stdout, lineterminator="\n")
    if what == "self":
        out.writerows([("name", "self"), *self_times(lanes)])
        return
    lanes = {who: lane for who, lane in lanes.items() if not who[2]}
    if what == "gaps":
        out.writerows([("start", "duration", "before", "after"), *gaps(lanes, first_time(events), int(sys.argv[3]))])
    else:
        names = ("span", "busy", "idle", "share", "gaps", "max", "start", "late", "early")
        out.writerows([names, *idle(lanes, first_time(events), last_time(events))])


main()
