"""The critical path that a Bazel profile names, by plain loops over the events: start,time,share,of_run,wait,action,target,mnemonic.

The components stand on a thread of their own, as action 'TEXT'. Target and mnemonic are those of an action of that text which records its target. What
of each phase of the build (from one marker to the next, and to the end) no component covers stands in rows of its own.
"""
import csv
import sys

from trace import begin, end, first_time, last_time, load, union


def action_of(name):
    return name[len("action '") : -1] if name.startswith("action '") and name.endswith("'") else name


def critical_path(events):
    spans = [event for event in events if event.get("ph") == "X"]
    path = [event for event in spans if event.get("cat") == "critical path component"]
    actions = [event for event in spans if event.get("cat") in ("action processing", "complete action execution")]
    whole = sum(end(event) - begin(event) for event in path)
    before, rows, zero, last = None, [], first_time(events), last_time(events)
    yield "start", "time", "share", "of_run", "wait", "action", "target", "mnemonic"
    for event in sorted(path, key=lambda event: (begin(event), end(event), action_of(event["name"]))):
        name = action_of(event["name"])
        known = [a["args"] for a in actions if a["name"] == name and "target" in a.get("args", {})]
        rows.append((begin(event) - zero, 0, end(event) - begin(event), (end(event) - begin(event)) / whole, "" if before is None else begin(event) - before, name,
               max((args["target"] for args in known), default=""), max((args.get("mnemonic", "") for args in known), default="")))
        before = end(event)
    marks = [(begin(event), ": " + event["name"]) for event in events if event.get("cat") == "build phase marker"]
    marks = ([(zero, "")] if not marks or min(marks)[0] > zero else []) + sorted(marks) + [(last, "")]
    for (start, name), (finish, _) in zip(marks, marks[1:]) if path else ():
        inside = [(max(begin(event), start), min(end(event), finish)) for event in path if begin(event) < finish and end(event) > start]
        rest = finish - start - union(inside)
        if rest:
            rows.append((start - zero, -1, rest, "", "", "not on the path" + name, "", ""))
    for start, _, time, *others in sorted(rows, key=lambda row: (row[0], row[2], row[5])):
        yield start, time, others[0], time / (last - zero), *others[1:]


csv.writer(sys.stdout, lineterminator="\n").writerows(critical_path(load(sys.argv[1])))
