"""What the devices of a PyTorch trace did, by plain loops over the events: what lanescope's own figures are compared with.

    gpu.py busy FILE       device,streams,kernels,span,busy,share,idle,compute,communication,copying
    gpu.py overlap FILE    device,compute,communication,overlap,share,exposed,compute_kernels,communication_kernels
    gpu.py idle FILE       stream,cause,idle,share,of_run,gaps,mean,max
    gpu.py launch FILE     name,n,launched,delay,mean,median,max,queue_mean,time,call_time

Work is what Kineto records of a device: kernels, copies and fills (all of them count as kernels of a busy device). A kernel communicates if
its name holds nccl or rccl. Both at once is compute + communication - either, each the length of a union. A stream is idle from the latest end
so far to the next start: because of the host if the call that launched what comes next began after that end, else between kernels if it is
shorter than 30 us, else for another reason; and before its first start and after its last end, within the times of the trace. Call and work have the same correlation; of several calls the earliest begin and the latest end
count.
"""
import csv
import statistics
import sys

from trace import begin, end, first_time, last_time, load, union

WORK = ("kernel", "gpu_memcpy", "gpu_memset")
CALLS = ("cuda_runtime", "cuda_driver", "hip_runtime", "privateuse1_runtime", "runtime")
BETWEEN_KERNELS_NS = 30000


def is_work(event):
    return event.get("ph") == "X" and str(event.get("cat", "")).lower() in WORK


def is_kernel(event):
    return is_work(event) and event["cat"].lower() == "kernel"


def communicates(event):
    return "nccl" in event["name"].lower() or "rccl" in event["name"].lower()


def times(events):
    return [(begin(event), end(event)) for event in events]


def share(part, whole):
    return part / whole if whole else ""


def grouped(events, key):
    groups = {}
    for event in events:
        groups.setdefault(key(event), []).append(event)
    return groups


def names(events):
    """What the metadata calls a device (its labels) and a stream (pid, tid)."""
    devices, streams = {}, {}
    for event in events:
        if event.get("ph") == "M" and event.get("name") == "process_labels":
            devices[event["pid"]] = event["args"]["labels"]
        if event.get("ph") == "M" and event.get("name") == "thread_name":
            streams[event["pid"], event["tid"]] = event["args"]["name"].strip()
    return devices, streams


def busy(events):
    labels = names(events)[0]
    yield "device", "streams", "kernels", "span", "busy", "share", "idle", "compute", "communication", "copying"
    for device, work in sorted(grouped(filter(is_work, events), lambda event: event["pid"]).items()):
        span = max(map(end, work)) - min(map(begin, work))
        length = union(times(work))
        yield (labels[device], len({event["tid"] for event in work}), len(work), span, length, share(length, span), span - length,
               union(times(e for e in work if is_kernel(e) and not communicates(e))),
               union(times(e for e in work if is_kernel(e) and communicates(e))),
               union(times(e for e in work if not is_kernel(e))))


def overlap(events):
    labels = names(events)[0]
    yield "device", "compute", "communication", "overlap", "share", "exposed", "compute_kernels", "communication_kernels"
    for device, kernels in sorted(grouped(filter(is_kernel, events), lambda event: event["pid"]).items()):
        with_others = times(filter(communicates, kernels))
        alone = times(event for event in kernels if not communicates(event))
        both = union(alone) + union(with_others) - union(alone + with_others)
        yield labels[device], union(alone), union(with_others), both, share(both, union(with_others)), union(with_others) - both, len(alone), len(with_others)


def launches(events):
    """The earliest begin and the latest end of the host's calls with each correlation."""
    found = {}
    for event in events:
        correlation = event.get("args", {}).get("correlation", 0) if event.get("ph") == "X" else 0
        if correlation > 0 and not is_work(event) and str(event.get("cat", "")).lower() in CALLS:
            known = found.get(correlation, (begin(event), end(event)))
            found[correlation] = (min(known[0], begin(event)), max(known[1], end(event)))
    return found


def idle(events):
    labels, streams = names(events)
    calls = launches(events)
    sums, busy = {}, {}
    whole_run = last_time(events) - first_time(events)
    for (device, stream), work in grouped(filter(is_work, events), lambda event: (event["pid"], event["tid"])).items():
        name = labels[device] + "/" + streams[device, stream]
        until = None
        for event in sorted(work, key=lambda e: (begin(e), e["args"].get("correlation", -1))):
            if until is not None and begin(event) > until:
                call = calls.get(event["args"].get("correlation"))
                gap = begin(event) - until
                cause = "host" if call and call[0] > until else "kernel" if gap < BETWEEN_KERNELS_NS else "other"
                total, count, longest = sums.get((name, cause), (0, 0, 0))
                sums[name, cause] = total + gap, count + 1, max(longest, gap)
            until = end(event) if until is None else max(until, end(event))
        for cause, gap in ("before", min(map(begin, work)) - first_time(events)), ("after", last_time(events) - until):
            if gap:
                sums[name, cause] = gap, 1, gap
        busy[name] = union(times(work))
    yield "stream", "cause", "idle", "share", "of_run", "gaps", "mean", "max"
    for name in sorted(busy, key=str.encode):
        rows = [(cause, value) for (stream, cause), value in sums.items() if stream == name]
        whole = sum(value[0] for _, value in rows)
        for cause, (total, count, longest) in sorted(rows, key=lambda row: (-row[1][0], row[0])):
            yield name, cause, total, share(total, whole), total / whole_run, count, total / count, longest
        yield name, "busy", "", "", busy[name] / whole_run, "", "", ""


def launch(events):
    calls = launches(events)
    yield "name", "n", "launched", "delay", "mean", "median", "max", "queue_mean", "time", "call_time"
    for name, work in sorted(grouped(filter(is_work, events), lambda event: event["name"]).items(), key=lambda item: item[0].encode()):
        pairs = [(event, calls[event["args"]["correlation"]]) for event in work if event["args"].get("correlation") in calls]
        delays = [begin(event) - call[0] for event, call in pairs]
        time = sum(end(event) - begin(event) for event in work)
        if pairs:
            queue = sum(begin(event) - call[1] for event, call in pairs) / len(pairs)
            call_time = sum(call[1] - call[0] for event, call in pairs)
            yield (name, len(work), len(pairs), sum(delays), sum(delays) / len(pairs), statistics.median(delays), max(delays), queue, time, call_time)
        else:
            yield name, len(work), 0, "", "", "", "", "", time, ""


def main():
    what = {"busy": busy, "overlap": overlap, "idle": idle, "launch": launch}[sys.argv[1]]
    csv.writer(sys.stdout, lineterminator="\n").writerows(what(load(sys.argv[2])))


main()
