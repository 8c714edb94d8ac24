#!/usr/bin/env python3
"""Real work, run unchanged and sabotaged, and what `lanescope explain` says of it: a table (Markdown).

  sabotage.py --out DIR [--pairs N] [--workers N] [--lanescope PATH]     makes N pairs (20) in DIR, and says what is found
  sabotage.py --out DIR --score [--lanescope PATH]                      says so of the pairs that are there

A pool of worker processes digests, compresses, copies and stores data on this machine and writes what it did as a cascade trace (each
task goes to whoever is idle) or as DFTracer traces (tasks are dealt in turn), in turn. B differs from A by one thing: all workers on one core; another process that keeps the memory busy; a disk
that is throttled (where cgroups allow it: else such pairs are left out); one worker that sleeps half of its time on top; a worker
fewer. What else the machine does meanwhile is in both, so run it where nothing else does.  Linux, Python 3.8, standard library only.
"""
import argparse
import glob
import hashlib
import json
import multiprocessing
import multiprocessing.connection
import os
import subprocess
import sys
import time
import zlib

sys.dont_write_bytecode = True  # in the sources

import score

MS = 1_000_000
TASKS = 160
LAYER = 16
DATA = os.urandom(1 << 16) * 16
KINDS = ("digest", "compress", "copy", "store")
THROTTLED = 8 << 20  # bytes a second


class Worker:
    """Does tasks in a process of its own; spans are (name, category, start, end) in ns."""

    def __init__(self, number, folder, sleeps):
        self.number, self.folder, self.sleeps = number, folder, sleeps
        self.spans = []

    def timed(self, name, work):
        start = time.monotonic_ns()
        result = work()
        self.spans.append((name, "POSIX", start, time.monotonic_ns()))
        return result

    def digest(self):
        for _ in range(16):
            hashlib.sha256(DATA).digest()

    def compress(self):
        for _ in range(2):
            zlib.compress(DATA, 1)

    def copy(self):
        data = DATA * 32
        for _ in range(2):
            data = bytes(bytearray(data))

    def store(self):
        path = os.path.join(self.folder, "store-%d" % self.number)
        file = self.timed("open", lambda: os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        for _ in range(2):
            self.timed("write", lambda: os.write(file, DATA))
        self.timed("fsync", lambda: os.fsync(file))
        self.timed("close", lambda: os.close(file))

    def run(self, pipe):
        while True:
            kind = pipe.recv()
            if kind is None:
                return
            self.spans = []
            start = time.monotonic_ns()
            getattr(self, kind)()
            if self.sleeps:
                time.sleep((time.monotonic_ns() - start) / 2e9)
            pipe.send((start, time.monotonic_ns(), self.spans))


def start_worker(worker, pipe, setup):
    if setup.get("cores"):
        os.sched_setaffinity(0, setup["cores"])
    if setup.get("group"):
        with open(os.path.join(setup["group"], "cgroup.procs"), "w", encoding="utf-8") as file:
            file.write(str(os.getpid()))
    worker.run(pipe)


def hog():
    """Copies more than any cache holds, again and again."""
    data = bytearray(256 << 20)
    while True:
        data[: 128 << 20] = data[128 << 20 :]


class Task:
    def __init__(self, number):
        kind = KINDS[number * 7 // 3 % len(KINDS)]
        self.number = number
        self.kind, self.key = kind, "%s(%d):%s" % (kind, number, hashlib.sha256(b"%d" % number).hexdigest())
        above = number - LAYER
        self.inputs = [above] if above >= 0 else []
        self.done = False


def run_pool(folder, workers, setup, is_dealt):
    """[(task, worker, planned, enqueued, start, end, spans)] of one run; tasks are dealt to the workers in turn, as to ranks, or else go
    to whoever is idle."""
    tasks = [Task(i) for i in range(TASKS)]
    hogs = [multiprocessing.Process(target=hog, daemon=True) for _ in range(setup.get("hogs", 0))]
    pipes, processes, done, planned = [], [], [], {}
    for number in range(workers):
        here, there = multiprocessing.Pipe()
        worker = Worker(number, folder, number == setup.get("sleeper"))
        process = multiprocessing.Process(target=start_worker, args=(worker, there, setup), daemon=True)
        pipes.append(here)
        processes.append(process)
    for process in hogs + processes:
        process.start()
    time.sleep(0.5)
    idle, waiting = list(range(workers)), list(tasks)
    while len(done) < TASKS:
        for task in list(waiting):
            worker = task.number % workers if is_dealt else idle[0] if idle else None
            if worker in idle and all(tasks[i].done for i in task.inputs):
                idle.remove(worker)
                waiting.remove(task)
                at = time.monotonic_ns()
                pipes[worker].send(task.kind)
                planned[worker] = (task, at, time.monotonic_ns())
        for pipe in multiprocessing.connection.wait([pipes[w] for w in planned]):
            worker = pipes.index(pipe)
            start, end, spans = pipe.recv()
            task, at, enqueued = planned.pop(worker)
            done.append((task, worker, at, min(enqueued, start), start, end, spans))
            task.done = True
            idle.append(worker)
    for pipe in pipes:
        pipe.send(None)
    for process in hogs:
        process.terminate()
    for process in hogs + processes:
        process.join()
    return done


def write_cascade(path, done):
    rows = []
    for task, worker, planned, enqueued, start, end, _ in done:
        name = "worker%d" % worker
        rows += [(planned, {"host": "controller", "task": task.key, "action": "taskPlanned", "worker": name, "at": planned}),
                 (enqueued, {"host": "fiab", "task": task.key, "action": "taskEnqueued", "worker": name, "at": enqueued}),
                 (start, {"host": "fiab", "worker": name, "task": task.key, "action": "taskStarted", "at": start}),
                 (end, {"host": "fiab", "worker": name, "task": task.key, "action": "taskFinished", "at": end})]
    rows.sort(key=lambda r: r[0])
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for _, row in rows)


def write_dftracer(folder, done, workers):
    os.makedirs(folder, exist_ok=True)
    for number in range(workers):
        lines = ["["]
        for task, worker, _, _, start, end, spans in done:
            for name, category, begin, finish in spans + [(task.kind, "APP", start, end)] if worker == number else ():
                lines.append(json.dumps({"id": len(lines), "name": name, "cat": category, "pid": number, "tid": number, "ph": "X",
                                         "ts": begin // 1000, "dur": max(0, finish // 1000 - begin // 1000), "args": {}}))
        with open(os.path.join(folder, "trace-%d-of-%d.pfw" % (number, workers)), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n]")


def throttled_group(folder):
    """A new control group whose disk is slow, or None where that is not allowed."""
    device = os.stat(folder).st_dev
    disk = "%d:%d" % (os.major(device), os.minor(device))
    for root, name, limit in (("/sys/fs/cgroup/blkio", "blkio.throttle.write_bps_device", "%s %d" % (disk, THROTTLED)),
                              ("/sys/fs/cgroup", "io.max", "%s wbps=%d" % (disk, THROTTLED))):
        group = os.path.join(root, "lanescope-sabotage-%d" % os.getpid())
        try:
            os.mkdir(group)
        except OSError:
            continue
        try:
            if os.path.exists(os.path.join(group, name)):
                with open(os.path.join(group, name), "w", encoding="utf-8") as file:
                    file.write(limit)
                return group
        except OSError:
            pass
        os.rmdir(group)
    return None


def is_slower(row, *slices):
    return row.cause == "slower" and row.slice in slices


# What B's setup is, by that of A; and whether a row says so.
SABOTAGES = {
    "one core": (lambda pool: {"cores": {min(os.sched_getaffinity(0))}}, lambda row: is_slower(row, {}) or row.cause == "contention"),
    "memory hog": (lambda pool: {"hogs": 1}, lambda row: is_slower(row, {}, {"kind": "copy"})),
    "slow disk": (lambda pool: {"group": throttled_group(pool.folder)},
                  lambda row: is_slower(row, {"kind": "store"}, {"kind": "fsync"}, {"kind": "write"})),
    "sleep in a worker": (lambda pool: {"sleeper": 1},
                          lambda row: row.cause == "slower" and set(row.slice) == {"lane"} and "1" in row.slice["lane"]),
    "a worker fewer": (lambda pool: {"workers": pool.workers - 1}, lambda row: row.cause == "lanes"),
}


class Pool:
    def __init__(self, folder, workers):
        self.folder, self.workers = folder, workers

    def make_pair(self, name, is_cascade, folder):
        """False: this machine does not allow it."""
        setup = SABOTAGES[name][0](self)
        if setup.get("group", "") is None:
            return False
        os.makedirs(folder, exist_ok=True)
        for side, what in (("a", {}), ("b", setup)):
            workers = what.get("workers", self.workers)
            done = run_pool(self.folder, workers, what, not is_cascade)
            if is_cascade:
                write_cascade(os.path.join(folder, side + ".jsonl"), done)
            else:
                write_dftracer(os.path.join(folder, side), done, workers)
        if setup.get("group"):
            os.rmdir(setup["group"])
        with open(os.path.join(folder, "sabotage.json"), "w", encoding="utf-8") as file:
            json.dump({"cause": name, "format": "cascade" if is_cascade else "DFTracer"}, file)
        return True


def make_pairs(folder, n, workers):
    os.makedirs(folder, exist_ok=True)
    pool = Pool(folder, workers)
    names = list(SABOTAGES)
    made = tried = 0
    while made < n and names:
        name = names[tried % len(names)]
        if pool.make_pair(name, tried // len(names) % 2 == 0, os.path.join(folder, "%02d" % made)):
            made += 1
            tried += 1
        else:
            print("sabotage.py: %s: not on this machine" % name, file=sys.stderr)
            names.remove(name)


def answer(lanescope, folder):
    """(what was done to it, the rows, what contradicts itself)"""
    with open(os.path.join(folder, "sabotage.json"), encoding="utf-8") as file:
        pair = json.load(file)
    paths = []
    for side in "ab":
        trace = os.path.join(folder, side + (".jsonl" if pair["format"] == "cascade" else ""))
        paths.append(os.path.join(folder, side + ".lanes"))
        subprocess.run([lanescope, "import", "--quiet", "--force", "-o", paths[-1], trace], check=True, **score.QUIET)
    done = subprocess.run([lanescope, "explain"] + paths + ["--part", "causes", "--format", "csv"], check=True, **score.QUIET)
    rows = score.read_causes(done.stdout.decode())
    return pair, rows, score.contradictions(rows)


def print_table(lanescope, folder):
    groups, faults = {}, 0
    for path in sorted(glob.glob(os.path.join(folder, "*", "sabotage.json"))):
        pair, rows, found = answer(lanescope, os.path.dirname(path))
        faults += len(found)
        groups.setdefault((pair["cause"], pair["format"]), []).append(rows)
    print("| sabotage | trace | pairs | named first | named at all | first causes |")
    print("|---|---|---:|---:|---:|---|")
    for (name, kind), answers in sorted(groups.items()):
        says = SABOTAGES[name][1]
        firsts = ["%s %s" % (rows[0].cause, rows[0].fields["slice"]) for rows in answers]
        print("| %s | %s | %d | %d | %d | %s |" % (name, kind, len(answers), sum(says(rows[0]) for rows in answers),
                                                  sum(any(map(says, rows)) for rows in answers), "; ".join(firsts)))
    print("\n%d contradictions in %d pairs" % (faults, sum(map(len, groups.values()))))
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, metavar="DIR")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--lanescope", default="lanescope")
    parser.add_argument("--score", action="store_true", help="make none")
    args = parser.parse_args()
    if not args.score:
        make_pairs(args.out, args.pairs, args.workers)
    return print_table(args.lanescope, args.out)


if __name__ == "__main__":
    sys.exit(main())
