"""The critical path that a Bazel profile names, by plain loops over the events: start,time,share,wait,action,target,mnemonic.

The components stand on a thread of their own, as action 'TEXT'. Target and mnemonic are those of an action of that text which records its target.
"""
import csv
import sys

from trace import begin, end, first_time, load


def action_of(name):
    return name[len("action '") : -1] if name.startswith("action '") and name.endswith("'") else name


def critical_path(events):
    spans = [event for event in events if event.get("ph") == "X"]
    path = [event for event in spans if event.get("cat") == "critical path component"]
    actions = [event for event in spans if event.get("cat") in ("action processing", "complete action execution")]
    whole = sum(end(event) - begin(event) for event in path)
    before = None
    yield "start", "time", "share", "wait", "action", "target", "mnemonic"
    for event in sorted(path, key=lambda event: (begin(event), end(event), action_of(event["name"]))):
        name = action_of(event["name"])
        known = [a["args"] for a in actions if a["name"] == name and "target" in a.get("args", {})]
        yield (begin(event) - first_time(events), end(event) - begin(event), (end(event) - begin(event)) / whole, "" if before is None else begin(event) - before, name,
               max((args["target"] for args in known), default=""), max((args.get("mnemonic", "") for args in known), default=""))
        before = end(event)


csv.writer(sys.stdout, lineterminator="\n").writerows(critical_path(load(sys.argv[1])))
