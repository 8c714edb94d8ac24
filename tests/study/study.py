#!/usr/bin/env python3
"""Eleven ways to write checkpoints, as DFTracer traces, and what must be said of them.

  study.py PROGRAM FOLDER

Makes the traces of a small training job in FOLDER, one run for each setting: written plainly to the parallel file system or to the
local disk, through SCR with and without an asynchronous flush by 1 to 16 threads, with small and large buffers, with half of the
trace files missing.  Computes from the same records, by walking over the borders of all calls, how long calls on each class of path
were going on by process, host and run, how much of that was hidden behind computing of another thread, bytes, threads and the plain
sums; and compares all of it with what the saved queries of PROGRAM answer.  Also where runs rank differently by these measures, and
that a note says so exactly there.  Prints TAP.  Python 3.6, standard library only; the same records every time.
"""
import itertools
import json
import os
import random
import subprocess
import sys

T0 = 1712598200000000  # microseconds since 1970
PFS = "/p/lustre2/study/checkpoints/"
SSD = "/l/ssd/study/scr/"
DATA = "/p/lustre2/study/data/train.bin"
HOSTS = ("node1", "node2")
RANKS = 4
KIB = 1024


class Job:
    """The records of one setting: (name, category, host, pid, tid, start, duration, path, bytes)."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.records = []

    def add(self, name, category, rank, tid, start, duration, path=None, size=None):
        host = HOSTS[rank * len(HOSTS) // RANKS]
        self.records.append((name, category, host, rank, tid, int(start), int(duration), path, size))
        return int(start) + int(duration)

    def jitter(self, duration):
        return max(1, int(duration * self.rng.uniform(0.8, 1.25)))

    def write_file(self, rank, tid, at, path, size, rate, buffer):
        """One file with its metadata calls; rate in bytes a microsecond. Returns when it is closed."""
        at = self.add("open64", "POSIX", rank, tid, at, self.jitter(900), path)
        while size > 0:
            part = min(size, buffer)
            at = self.add("write", "POSIX", rank, tid, at + self.rng.randrange(3), self.jitter(part / rate), path, part)
            size -= part
        return self.add("close", "POSIX", rank, tid, at + 5, self.jitter(40), path)

    def flush_file(self, rank, tid, at, source, target, size, rate, buffer):
        at = self.add("open", "POSIX", rank, tid, at, self.jitter(60), source)
        at = self.add("open", "POSIX", rank, tid, at, self.jitter(1500), target)
        while size > 0:
            part = min(size, buffer)
            at = self.add("read", "POSIX", rank, tid, at + 1, self.jitter(part / 2000), source, part)
            at = self.add("write", "POSIX", rank, tid, at + 1, self.jitter(part / rate), target, part)
            size -= part
        at = self.add("fsync", "POSIX", rank, tid, at, self.jitter(3000), target)
        at = self.add("close", "POSIX", rank, tid, at, self.jitter(200), target)
        return self.add("close", "POSIX", rank, tid, at, self.jitter(5), source)

    def run(self, target, steps=2, files=5, flush=0, buffer=32 * KIB * KIB, flush_rate=40, rate=120, helper=False):
        """target: where checkpoints are written; flush: threads that copy them to the parallel file system afterwards."""
        for rank in range(RANKS):
            main = 1000 + rank
            at = T0 + rank * 137
            for step in range(steps):
                # Training: reads on the computing thread itself, which hides nothing of its own.
                begin = at
                for _ in range(3):
                    at = self.add("TorchFramework.compute", "ai_framework", rank, main, at, self.jitter(2000000))
                    at += 150
                self.add("read", "POSIX", rank, main, begin + 1000, self.jitter(300), DATA, 4096)
                self.add("read", "POSIX", rank, main, begin + 2000, 0, DATA, 512)
                if helper:  # a second thread computes, too, and writes between
                    self.add("compute_metrics", "app", rank, main + 500, begin + 500000, self.jitter(3000000))
                    self.add("write", "POSIX", rank, main + 500, begin + 700000, self.jitter(90000), PFS + "metrics.json", 7777)
                start, done = at, []
                for nth in range(files):
                    path = "%sstep%d/rank%d-file%d.pt" % (target, step, rank, nth)
                    size = (12345, 3 * KIB * KIB, 40 * KIB * KIB, 71 * KIB * KIB, 30827)[nth % 5]
                    at = self.write_file(rank, main, at + 10, path, size, rate, buffer)
                    done.append((path, size))
                at = self.add("PyTorchCheckpointing.checkpoint", "checkpoint", rank, main, start - 2, at + 4 - start) + 100
                free = [at + 1000 * t for t in range(flush)]
                for path, size in done if flush else ():
                    thread = min(range(flush), key=lambda t: (free[t], t))
                    free[thread] = self.flush_file(rank, main + 700 + thread, free[thread], path,
                                                   PFS + "flushed/" + os.path.basename(path), size, flush_rate, buffer)


def settings():
    def made(seed, **options):
        job = Job(seed)
        job.run(**options)
        return job.records

    large, largest = 128 * KIB * KIB, 1 << 40
    half = [r for r in made(6, target=SSD) if r[3] < RANKS // 2]
    return {
        "base-pfs": made(1, target=PFS),
        "base-ssd": made(2, target=SSD, rate=70),
        "scr-ssd-flush": made(3, target=SSD, flush=4, buffer=4 * KIB * KIB, flush_rate=9, rate=90),
        "scr-ssd-no-flush": made(4, target=SSD, rate=55),
        "scr-bypass": made(5, target=PFS, rate=110, helper=True),
        "single-copy": half,
        "scr-pfs-small": made(7, target=SSD, files=16, flush=16, buffer=4 * KIB * KIB, flush_rate=12),
        "large-buffer": made(8, target=SSD, flush=8, buffer=large, flush_rate=14),
        "one-thread": made(9, target=SSD, flush=1, buffer=largest, flush_rate=45),
        "two-threads": made(10, target=SSD, flush=2, buffer=largest, flush_rate=36, helper=True),
        "no-affinity-16": made(11, target=SSD, files=16, flush=16, buffer=largest, flush_rate=30, helper=True),
    }


def write_traces(folder, name, records):
    """A file a rank, in the order in which the calls ended."""
    paths = []
    os.makedirs(folder, exist_ok=True)
    for rank in sorted(set(r[3] for r in records)):
        lines = ["["]
        mine = sorted((r for r in records if r[3] == rank), key=lambda r: r[5] + r[6])
        for nth, (call, category, host, pid, tid, start, duration, path, size) in enumerate(mine):
            args = {"hostname": host}
            if size is not None:
                args["ret"] = str(size)
            if path is not None:
                args["fname"] = path
            lines.append(json.dumps({"id": str(nth), "name": call, "cat": category, "pid": str(pid), "tid": str(tid),
                                     "ts": str(start), "dur": str(duration), "ph": "X", "args": args}))
        paths.append(os.path.join(folder, "%s-%d.pfw" % (name, rank)))
        with open(paths[-1], "w") as out:
            out.write("\n".join(lines) + "\n")
    return paths


# ---- what must come out, by brute force -------------------------------------------------------------------------------

def class_of(path):
    return None if path is None else "pfs" if path.startswith("/p/") else "ssd" if path.startswith("/l/ssd/") else "other"


def walk(calls, computing):
    """Busy and hidden time of calls: what goes on between each two borders, in nanoseconds."""
    borders = []
    for side, records in enumerate((calls, computing)):
        for r in records:
            borders.append((r[5], side, (r[2], r[3]), r[4], 1))
            borders.append((r[5] + r[6], side, (r[2], r[3]), r[4], -1))
    borders.sort(key=lambda b: b[0])
    going = ({}, {})  # process -> thread -> how many
    busy = hidden = 0
    for nth, (at, side, process, thread, step) in enumerate(borders):
        threads = going[side].setdefault(process, {})
        threads[thread] = threads.get(thread, 0) + step
        if threads[thread] == 0:
            del threads[thread]
        if not threads:
            del going[side][process]
        length = borders[nth + 1][0] - at if nth + 1 < len(borders) else 0
        if length and going[0]:
            busy += length
            hidden += length * any(a != b for p in going[0] for a in going[0][p] for b in going[1].get(p, ()))
    return busy * 1000, hidden * 1000


def largest_sum(calls, key):
    sums = {}
    for r in calls:
        sums[key(r)] = sums.get(key(r), 0) + r[6] * 1000
    return max(sums.values()) if sums else None


def divide(calls, key):
    parts = {}
    for r in calls:
        parts.setdefault(key(r), []).append(r)
    return parts


def moved(r):
    return r[8] if r[8] and r[8] > 0 and ("write" in r[0] or "read" in r[0]) else 0


def figures(calls, computing):
    """Everything that is said about calls."""
    if not calls:
        return {"by_process_thread": None, "by_process": None, "busy_by_process": None, "busy_by_host": None, "busy": None,
                "hidden": None, "threads": 0, "size": 0, "bandwidth_by_host": None, "bandwidth": None}
    busy, hidden = walk(calls, computing)
    by_process = {k: walk(v, [])[0] for k, v in divide(calls, lambda r: (r[2], r[3])).items()}
    by_host = {k: walk(v, [])[0] for k, v in divide(calls, lambda r: r[2]).items()}
    host = min(by_host, key=lambda h: (-by_host[h], h))
    return {
        "by_process_thread": largest_sum(calls, lambda r: (r[3], r[4])),
        "by_process": largest_sum(calls, lambda r: r[3]),
        "busy_by_process": max(by_process.values()),
        "busy_by_host": by_host[host],
        "busy": busy,
        "hidden": hidden,
        "threads": len(set((r[2], r[3], r[4]) for r in calls)),
        "size": sum(moved(r) for r in calls),
        "bandwidth_by_host": sum(moved(r) for r in calls if r[2] == host) * 1e9 / by_host[host] if by_host[host] else None,
        "bandwidth": sum(moved(r) for r in calls) * 1e9 / busy if busy else None,
    }


def expected_cases(records):
    row = {"files": len(set(r[3] for r in records))}
    computing = [r for r in records if "compute" in r[0]]
    checkpoints = [r for r in records if "PyTorchCheckpointing.checkpoint" in r[0]]
    row["checkpoint_by_process_thread"] = largest_sum(checkpoints, lambda r: (r[3], r[4]))
    row["checkpoint_by_process"] = largest_sum(checkpoints, lambda r: r[3])
    has_checkpoints = any("checkpoint" in r[7] for r in records if r[1] == "POSIX")
    for place in ("pfs", "ssd"):
        calls = [r for r in records if r[1] == "POSIX" and class_of(r[7]) == place]
        if place == "pfs" and has_checkpoints:  # training data lie there, too
            calls = [r for r in calls if "checkpoint" in r[7]]
        for name, value in figures(calls, computing).items():
            row[place + "_" + name] = value
    return row


ALTERNATIVES = (("checkpoint_by_process_thread", "checkpoint_by_process"),
                ("pfs_by_process_thread", "pfs_by_process", "pfs_busy"),
                ("ssd_by_process_thread", "ssd_by_process", "ssd_busy"))


def rank_differently(rows, names):
    """Do any two runs that have all figures rank one way by one of them and the other way by another?"""
    whole = [r for r in rows if all(r[n] is not None for n in names)]
    return any(a[x] < b[x] and a[y] > b[y] for a, b in itertools.permutations(whole, 2) for x in names for y in names)


# ---- asking ------------------------------------------------------------------------------------------------------------

class Tests:
    def __init__(self):
        self.n = self.failed = 0

    def check(self, name, problems):
        self.n += 1
        self.failed += bool(problems)
        print("%s %d - %s" % ("not ok" if problems else "ok", self.n, name))
        for problem in problems[:8]:
            print("# " + problem)


def ask(program, *words, **more):
    done = subprocess.run([program] + list(words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, **more)
    if done.returncode != 0:
        raise SystemExit("Bail out! %s: %s" % (" ".join(words), done.stderr))
    return done.stdout, done.stderr


def rows_of(program, *words, **more):
    return json.loads(ask(program, *(words + ("--format", "json")), **more)[0])


def is_same(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return a is not None and b is not None and abs(a - b) <= 1e-9 * max(abs(a), abs(b))
    return a == b


def compare(answer, expected):
    return ["%s is %r instead of %r" % (name, answer.get(name, "absent"), value)
            for name, value in expected.items() if not is_same(answer.get(name, "absent"), value)]


def check_paths(tests, program, name, run, records):
    """path-time, path-busy and file-writes of one run."""
    computing = [r for r in records if "compute" in r[0]]
    for place in ("pfs", "ssd"):
        calls = [r for r in records if r[1] == "POSIX" and class_of(r[7]) == place]
        expected = figures(calls, computing)
        expected["time"] = expected.pop("by_process_thread")
        expected["time_by_process"] = expected.pop("by_process")
        expected["calls"] = len(calls)
        answers = rows_of(program, "query", "path-time", "-p", "class=" + place, run)
        tests.check("%s: path-time of %s" % (name, place), compare(answers[0], expected) if calls and answers else
                    ["%d rows of %d calls" % (len(answers), len(calls))] if calls or answers else [])
    answers = {(r["class"], r["scope"], r["host"], r["process"]): r for r in rows_of(program, "query", "path-busy", run)}
    expected = {}
    for place, calls in divide([r for r in records if r[1] == "POSIX"], lambda r: class_of(r[7])).items():
        expected[(place, "run", None, None)] = calls
        for host, part in divide(calls, lambda r: r[2]).items():
            expected[(place, "host", host, None)] = part
        for process, part in divide(calls, lambda r: (r[2], r[3])).items():
            expected[(place, "process", process[0], process[1])] = part
    problems = [] if set(answers) == set(expected) else ["rows differ: %r" % sorted(map(str, set(answers) ^ set(expected)))]
    for key in set(answers) & set(expected):
        wanted = figures(expected[key], computing)
        wanted = {k: wanted[k] for k in ("busy", "hidden", "threads", "size", "bandwidth")}
        wanted["sum"] = sum(r[6] for r in expected[key]) * 1000
        problems += ["%s: %s" % (key, p) for p in compare(answers[key], wanted)]
    tests.check("%s: path-busy" % name, problems)
    answers = {r["path"]: r for r in rows_of(program, "query", "file-writes", run)}
    files = divide([r for r in records if r[1] == "POSIX" and "write" in r[0]], lambda r: r[7])
    problems = [] if set(answers) == set(files) else ["files differ"]
    for path in set(answers) & set(files):
        wanted = figures(files[path], computing)
        wanted["time"] = wanted.pop("by_process")
        del wanted["by_process_thread"]
        problems += ["%s: %s" % (path, p) for p in compare(answers[path], wanted)]
    tests.check("%s: file-writes" % name, problems)


def check_notes(tests, what, said, rows, alternatives=ALTERNATIVES):
    notes = [line for line in said.splitlines() if "runs rank differently" in line]
    problems = []
    for names in alternatives:
        is_told = any("by " + names[0] in line for line in notes)
        if is_told != rank_differently(rows, names):
            problems.append("%s: %s" % (", ".join(names), "a note where none belongs" if is_told else "no note"))
    tests.check("a note where runs rank differently, and only there: " + what, problems)


def check_classes(tests, program, folder, records):
    """The same job on file systems whose names tell nothing."""
    def rename(path):
        return path and path.replace("/p/lustre2", "/big one:a").replace("/l/ssd", "/raid7")

    renamed = [r[:7] + (rename(r[7]), r[8]) for r in records]
    run = os.path.join(folder, "unknown.lanes")
    ask(program, "import", "--quiet", "-o", run, *write_traces(os.path.join(folder, "unknown"), "unknown", renamed))
    expected = expected_cases(records)
    blank = rows_of(program, "query", "scr-cases", run)[0]
    tests.check("paths of unknown mounts are of no class that is asked for", compare(blank, {"pfs_busy": None, "ssd_size": 0}))
    named = rows_of(program, "query", "scr-cases", "--class", "pfs=/big one:a/*:ssd=/raid7/*", run)[0]
    tests.check("--class names them", compare(named, expected))
    globs = rows_of(program, "query", "scr-cases", "-p", "pfs=/big*", "-p", "ssd=/raid*", run)[0]
    tests.check("patterns name them", compare(globs, expected))
    home = os.path.join(folder, "home")
    os.makedirs(os.path.join(home, "lanescope"), exist_ok=True)
    with open(os.path.join(home, "lanescope", "config"), "w") as out:
        out.write("classes = pfs=/big*:ssd=/raid?/*\n")
    set_up = rows_of(program, "query", "scr-cases", run, env=dict(os.environ, XDG_CONFIG_HOME=home))[0]
    tests.check("the setting classes names them", compare(set_up, expected))
    first = rows_of(program, "query", "scr-cases", "--class", "local=/raid7/*", "-p", "ssd=local", run,
                    env=dict(os.environ, XDG_CONFIG_HOME=home))[0]
    tests.check("--class comes before the setting", compare(first, expected))


def without_hidden(rows):
    return [{name: value for name, value in row.items() if not name.endswith("hidden")} for row in rows]


def check_unmatched(tests, program, run):
    """Patterns that match nothing: what hangs on them is absent, all else as it is, and a note names them."""
    for query in ("path-time", "scr-cases", "path-busy", "file-writes"):
        answer, said = ask(program, "query", query, "-p", "compute=nosuch*", run, "--format", "json")
        rows, plain = json.loads(answer), rows_of(program, "query", query, run)
        hidden = [value for row in rows for name, value in row.items() if name.endswith("hidden")]
        problems = [] if hidden and set(hidden) == {None} else ["hidden is %r" % hidden[:3]]
        problems += [] if without_hidden(rows) == without_hidden(plain) else ["other columns differ"]
        problems += [] if "nothing matches compute=nosuch*" in said else ["no note: %r" % said]
        tests.check("%s: nothing computes" % query, problems)
        said = ask(program, "query", query, "-p", "compute=Torch*compute", run)[1]
        tests.check("%s: no note where a pattern matches" % query, [] if "nothing matches" not in said else [said])
    said = ask(program, "query", "scr-cases", "-p", "pfs=nosuch", "-p", "compute=none*", run)[1]
    tests.check("several patterns that match nothing",
                [] if "nothing matches pfs=nosuch and compute=none*, alone or together" in said else [said])
    said = ask(program, "query", "scr-cases", "-p", "path=/nosuch*", run)[1]
    tests.check("a pattern that is shown itself", [] if "nothing matches path=/nosuch*" in said else [said])
    answer, said = ask(program, "query", "path-time", "-p", "class=pfs", "-p", "path=/nosuch*", run, "--format", "json")
    tests.check("path-time of nothing has no row, and says why",
                [] if json.loads(answer) == [] and "no row: nothing matches path=/nosuch*" in said else [answer, said])


def check_names(tests, program, folder, records):
    """The same job where nothing is called a checkpoint: all files count."""
    renamed = [r[:7] + (r[7] and r[7].replace("checkpoints", "saved"), r[8]) for r in records]
    run = os.path.join(folder, "saved.lanes")
    ask(program, "import", "--quiet", "-o", run, *write_traces(os.path.join(folder, "saved"), "saved", renamed))
    tests.check("without the word in any path all files count",
                compare(rows_of(program, "query", "scr-cases", run)[0], expected_cases(renamed)))


def main():
    program, folder = sys.argv[1:3]
    os.environ["XDG_CONFIG_HOME"] = os.path.join(folder, "none")
    tests, runs, expected = Tests(), {}, {}
    made = settings()
    for name, records in made.items():
        runs[name] = os.path.join(folder, name + ".lanes")
        ask(program, "import", "--quiet", "-o", runs[name], *write_traces(os.path.join(folder, name), name, records))
        expected[name] = expected_cases(records)
    answers, said = ask(program, "query", "scr-cases", "--format", "json", *runs.values())
    for row in json.loads(answers):
        tests.check("%s: scr-cases" % row["run"], compare(row, expected[row["run"]]))
    check_notes(tests, "all runs", said, list(expected.values()))
    differ = [line for line in said.splitlines() if "the runs differ" in line]
    tests.check("of many runs those that differ are named", [] if differ and "trace files 4 (10 runs), 2 (single-copy)" in differ[0] else [said])
    said = ask(program, "query", "scr-cases", "--wide", *runs.values())[1]
    check_notes(tests, "all runs, wide", said, list(expected.values()))
    for a, b in (("scr-pfs-small", "no-affinity-16"), ("one-thread", "two-threads"), ("base-pfs", "base-ssd"),
                 ("large-buffer", "one-thread"), ("base-pfs", "scr-ssd-flush"), ("base-ssd", "scr-ssd-no-flush")):
        said = ask(program, "query", "scr-cases", runs[a], runs[b])[1]
        check_notes(tests, "%s and %s" % (a, b), said, [expected[a], expected[b]])
        said = ask(program, "diff", "scr-cases", runs[a], runs[b])[1]
        check_notes(tests, "diff of %s and %s" % (a, b), said, [expected[a], expected[b]])
        times = [{"time": expected[x]["pfs_by_process_thread"], "time_by_process": expected[x]["pfs_by_process"],
                  "busy": expected[x]["pfs_busy"]} for x in (a, b)]
        said = ask(program, "query", "path-time", "-p", "class=pfs", "-p", "path=*checkpoint*", runs[a], runs[b])[1]
        check_notes(tests, "path-time of %s and %s" % (a, b), said, times, (("time", "time_by_process", "busy"),))
    tests.check("pairs of both kinds are among them", [] if {
        any(rank_differently([expected[a], expected[b]], names) for names in ALTERNATIVES)
        for a, b in (("large-buffer", "one-thread"), ("base-pfs", "base-ssd"))} == {True, False} else ["all alike"])
    small, many = expected["scr-pfs-small"], expected["no-affinity-16"]
    mixed = small["pfs_by_process"] / many["pfs_by_process_thread"]
    alike = small["pfs_busy"] / many["pfs_busy"]
    tests.check("figures of two groupings mislead: %.0f times by process against by thread, %.1f times by busy time" % (mixed, alike),
                [] if mixed > 4 * alike else ["they do not"])
    for name in ("scr-ssd-flush", "scr-bypass", "no-affinity-16"):
        check_paths(tests, program, name, runs[name], made[name])
    check_unmatched(tests, program, runs["scr-ssd-flush"])
    check_classes(tests, program, folder, made["two-threads"])
    check_names(tests, program, folder, made["large-buffer"])
    print("1..%d" % tests.n)
    return tests.failed > 0


if __name__ == "__main__":
    sys.exit(main())
