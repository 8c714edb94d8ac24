#!/usr/bin/env python3
"""Two hosts that number their processes, threads and workers alike, and the same records with numbers that differ.

  hosts.py PROGRAM FOLDER

Of every format whose traces name hosts, a run is made twice in FOLDER: once each host counts its processes and threads
from the same number, once those of the second host are others.  Nothing else differs, so every saved query of PROGRAM
must give the same figures of both; only the names shown may differ, and they are set back before rows are compared.  A
query that takes equal names of two hosts for one process adds up what no process did.  Prints TAP.  Python 3.6,
standard library only; the same records every time.
"""
import json
import os
import random
import re
import struct
import subprocess
import sys

HOSTS = ("node1", "node2")
MARK = "71829364"  # before what is a name of the second host, where names differ; no figure holds these digits
APART = "other-names"  # folder of what is made with them
T0 = 1712598200000000


def is_apart(host, apart):
    return apart and host == HOSTS[1]


# ---- traces ---------------------------------------------------------------------------------------------------------------

def dftracer(folder, apart):
    """A job of two ranks a host, each of three threads, that computes, reads, writes checkpoints and flushes them."""
    rng = random.Random(5)
    paths = []
    for nth, host in enumerate(HOSTS):
        for rank in range(2):
            lines = ["["]

            def number(n, host=host):
                return int(MARK + "%02d" % n) if is_apart(host, apart) else n

            def add(name, category, thread, start, duration, path=None, size=None, ph="X", **more):
                args = {"hostname": host}
                args.update({"fname": path} if path else {})
                args.update({"ret": size} if size is not None else {})
                args.update(more)
                lines.append(json.dumps({"id": len(lines), "name": name, "cat": category, "pid": number(rank), "tid": number(thread),
                                         "ts": T0 + start, "dur": duration, "ph": ph, "args": args}))
                return start + duration

            at = rng.randrange(1000)
            for step in range(3):
                begin = at
                add("TorchFramework.compute", "ai_framework", 11, at, 50000 + rng.randrange(9000))
                add("DLIOReader.read", "reader", 12, at + 100, 9000 + rng.randrange(500))
                at = add("read", "POSIX", 12, at + 200, 300 + rng.randrange(500), "/p/lustre2/data/train.bin", 4096) + 60000
                start = at
                for place, thread in (("/l/ssd/scr/checkpoint", 11), ("/p/lustre2/checkpoint", 12 + rank)):
                    path = "%s/step%d/rank%d.pt" % (place, step, nth * 2 + rank)
                    at = add("open64", "POSIX", thread, at, 20 + rng.randrange(50), path)
                    for _ in range(2 + nth):
                        at = add("write", "POSIX", thread, at + 1, 900 + rng.randrange(5000), path, 1 << 20 + rank)
                    at = add("close", "POSIX", thread, at, 5, path)
                add("PyTorchCheckpointing.checkpoint", "checkpoint", 11, start, at - start)
                add("write", "POSIX", 12, begin + 20000, 7000 + rng.randrange(500), "/p/lustre2/checkpoint/shared.log", 100)
                add("cpu", "metrics", 11, at, 0, ph="C", user=rank * 10 + nth, memory=5.5 * step + nth)
            paths.append(os.path.join(folder, "trace-%d.pfw" % (nth * 2 + rank)))
            with open(paths[-1], "w") as out:
                out.write("\n".join(lines) + "\n")
    return paths


def packed(value):
    """MessagePack of what DASF writes."""
    if value is None:
        return b"\xc0"
    if isinstance(value, float):
        return b"\xcb" + struct.pack(">d", value)
    if isinstance(value, int):
        return b"\xd3" + struct.pack(">q", value)
    if isinstance(value, str):
        text = value.encode()
        return (bytes([0xa0 + len(text)]) if len(text) < 32 else b"\xdb" + struct.pack(">I", len(text))) + text
    if isinstance(value, list):
        return b"\xdd" + struct.pack(">I", len(value)) + b"".join(map(packed, value))
    return bytes([0x80 + len(value)]) + b"".join(packed(k) + packed(v) for k, v in value.items())


def dasf(folder, apart):
    """Two workers a host, called by their number alone."""
    rng = random.Random(6)
    paths = []
    for nth, host in enumerate(HOSTS):
        tasks, samples = [], []
        for i in range(40):
            now = 100.0 + 0.25 * i + rng.random() / 5
            number = rng.randrange(2)
            worker = "worker-%s" % (MARK + "%02d" % number if is_apart(host, apart) else number)
            name = ("sum", "mean", "var")[rng.randrange(3)]
            key = "('%s-%032x', %d, %d)" % (name, 7, nth, i)
            needs = ["('load-%032x', %d, %d)" % (3, nth, i // 2)]
            tasks.append({"name": "Compute", "timestamp": now, "duration": 0.01 + rng.random() / 3, "phase": "X", "process_id": host, "thread_id": worker,
                          "args": {"key": key, "name": name, "state": "memory", "size": 1000 * rng.randrange(1, 99), "shape": [], "dtype": "unknown",
                                   "type": "x", "dependencies": needs, "dependents": []}})
            tasks.append({"name": "Managed Memory", "timestamp": now, "phase": "I", "scope": "g", "process_id": host, "thread_id": worker,
                          "args": {"key": key, "state": "memory", "size": 100 * i, "tasks": i % 7 + 10 * nth}})
            samples.append({"name": "Resource Usage", "timestamp": now, "phase": "I", "scope": "g", "process_id": host, "thread_id": None,
                            "args": {"cpu": rng.random() * 100, "memory": 1000 * i, "time": 1.7e9 + now, "gpu_utilization": rng.random(),
                                     "gpu_memory_used": 10 * i}})
        for plugin, records in (("TracePlugin", tasks), ("ResourceMonitor", samples)):
            paths.append(os.path.join(folder, "job-1700000000-%s-%s.msgpack" % (plugin, host)))
            with open(paths[-1], "wb") as out:
                out.write(b"".join(struct.pack(">Q", len(r)) + r for r in map(packed, records)))
    return paths


def cascade(folder, apart):
    """Two workers a host, called by their number alone; generation 2."""
    rng = random.Random(7)
    rows = []
    for i in range(40):
        at, number, nth = 10 ** 9 + i * 10 ** 7, rng.randrange(2), rng.randrange(2)
        bare = "worker%s" % (MARK + "%02d" % number if nth and apart else number)
        task = "step(%d):%064x" % (i, i)

        def add(action, host, at, what="task", **more):
            rows.append(dict({"host": host, "worker": "h%d:%s" % (nth, bare) if host == "controller" else bare, what: task, "action": action}, at=at, **more))
            return at + rng.randrange(1, 10 ** 7)

        at = add("taskPlanned", "controller", at)
        for action in ("taskEnqueued", "taskStarted", "taskLoaded", "taskFinished"):
            at = add(action, "h%d" % nth, at)
        at = add("transmitPlanned", "controller", at, "dataset")
        mode = ("local", "remote", "redundant")[rng.randrange(3)]
        for action in ("transmitStarted", "transmitLoaded") if mode != "local" else ():
            at = add(action, "h%d" % nth, at, "dataset", mode="remote")
        add("transmitFinished", "h%d" % nth, at, "dataset", mode=mode)
    paths = [os.path.join(folder, "job.jsonl")]
    with open(paths[0], "w") as out:
        out.write("".join(json.dumps(row) + "\n" for row in sorted(rows, key=lambda row: row["at"])))
    return paths


# ---- asking ------------------------------------------------------------------------------------------------------------------

def ask(program, *words):
    done = subprocess.run([program] + list(words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode != 0:
        raise SystemExit("Bail out! %s: %s" % (" ".join(words), done.stderr))
    return done.stdout


def set_back(text):
    """Names of the second host as they are where hosts count alike."""
    return re.sub(MARK + r"(\d\d)", lambda found: str(int(found.group(1))), text.replace(os.sep + APART, ""))


def rows_of(program, run, words):
    rows = json.loads(set_back(ask(program, "query", *words, run, "--format", "json")))
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


ARGUMENTS = {"file-spans": ["-p", "file=*"], "interference": ["-p", "of=duration>0", "-p", "while=duration>0"], "io-summary": ["-p", "method=both"]}


def main():
    program, folder = sys.argv[1:3]
    os.environ["XDG_CONFIG_HOME"] = os.path.join(folder, "none")
    n = failed = 0
    made = {}
    for make in (dftracer, dasf, cascade):
        for apart in (False, True):
            run = os.path.join(folder, APART if apart else "", make.__name__ + ".lanes")
            inputs = os.path.join(os.path.dirname(run), make.__name__)
            os.makedirs(inputs)
            ask(program, "import", "--quiet", "--one", "-o", run, *make(inputs, apart))
            made.setdefault(make.__name__, []).append(run)
            exported = os.path.join(inputs, "exported.json")
            ask(program, "export", run, "--to", "chrome", "-o", exported)
            again = os.path.join(inputs, "again.lanes")
            ask(program, "import", "--quiet", "-o", again, exported)
            made.setdefault(make.__name__ + " as chrome", []).append(again)
    for what, runs in made.items():
        asked = json.loads(ask(program, "queries", runs[0], "--format", "json"))
        for query in (row["query"] for row in asked):
            words = [query] + ARGUMENTS.get(query, [])
            alike, apart = (rows_of(program, run, words) for run in runs)
            n += 1
            failed += alike != apart
            print("%s %d - %s: %s" % ("ok" if alike == apart else "not ok", n, what, query))
            for row in sorted(set(alike) ^ set(apart))[:8] if alike != apart else ():
                print("# %s: %s" % ("alike" if row in alike else "apart", row))
    print("1..%d" % n)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
