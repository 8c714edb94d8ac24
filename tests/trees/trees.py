#!/usr/bin/env python3
"""Makes trees of jobs of every format and holds what lanescope makes of them against what went in.

    trees.py LANESCOPE FOLDER SEED...

Each tree is drawn from its seed: 1 to 30 jobs, nested, flat and mixed, with copies, links, files that can't be
read and files that are cut short, and with every clash of names. What must come out is known from how a tree was
made, never from what the program says: a job's files are one run, each file is read once, damage is a
problem. All ways to name a tree must give the same runs. Prints a line for each test (TAP).
"""
import csv
import gzip
import io
import os
import random
import struct
import subprocess
import sys

BEGIN_US = 1712598200000000


class Job:
    """One run to be: its files, by path, with the number of records that bear its mark."""

    def __init__(self, mark, format_name):
        self.mark = mark
        self.format = format_name
        self.files = {}  # path -> marked records
        self.duplicates = 0
        self.missing = 0
        self.truncated = 0
        self.beside = set()


class Tree:
    def __init__(self, root, seed):
        self.root = root
        self.random = random.Random(seed)
        self.jobs = []
        self.copy_of = {}  # path of a copy -> path of the original
        self.folders = {}  # folder -> formats of its jobs
        self.n_marks = 0

    def path(self, *parts):
        path = os.path.join(self.root, *[part for part in parts if part])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def write(self, path, data, compress=False):
        if compress:
            data = gzip.compress(data, 6, mtime=0)
        with open(path, "wb") as file:
            file.write(data)

    def mark(self):
        self.n_marks += 1
        return "job%d" % self.n_marks

    def new_job(self, format_name):
        job = Job(self.mark(), format_name)
        self.jobs.append(job)
        return job

    # ---- one job of each format, in a folder ----

    def dftracer(self, folder, prefix, flat):
        job = self.new_job("dftracer")
        rng = self.random
        dialect = rng.choice(["new", "hex", "old"])
        n = rng.randint(1, 4)
        # Jobs are told apart by their ranks: all of them have the same ones, and often the same process ids.
        first_pid = 1000 if rng.random() < 0.6 else rng.randint(2000, 60000)
        begin = BEGIN_US + rng.choice([0, 1, 3600000000]) * len(self.jobs)
        compress = rng.random() < 0.5
        for rank in range(n):
            lines, count = ["["], rng.randint(3, 40)
            pid = rank if dialect == "old" else first_pid + rank
            host = "node%d" % (rank % 2)
            if dialect == "old":
                for i in range(count):
                    lines.append('{"id":"%d","name":"%s","cat":"POSIX","pid":"%d","tid":"%d","ts":"%d","dur":"%d","ph":"X",'
                                 '"args":{"hostname":"%s","fname":"/x"}}'
                                 % (i, job.mark, pid, pid, begin + rank + 10 * i, 1 + len(self.jobs), host))
            else:
                h = "%016x" % (77 + rank % 2) if dialect == "hex" else str(77 + rank % 2)
                q = '"' if dialect == "hex" else ""
                lines.append('{"id":1,"name":"HH","cat":"dftracer","pid":%d,"tid":1,"ph":"M","args":{"name":"%s","value":%s%s%s}}'
                             % (pid, host, q, h, q))
                lines.append('{"id":2,"name":"start","cat":"dftracer","pid":%d,"tid":1,"ts":%d,"dur":0,"ph":"X","args":'
                             '{"hhash":%s%s%s,"version":100008,"ppid":%d,"cmd_hash":5}}'
                             % (pid, begin + len(self.jobs), q, h, q, first_pid - 1))
                lines.append('{"id":3,"name":"PR","cat":"dftracer","pid":%d,"tid":1,"ph":"M","args":{"hhash":%s%s%s,"name":"rank","value":"%d"}}'
                             % (pid, q, h, q, rank))
                for i in range(count):
                    lines.append('{"id":%d,"name":"%s","cat":"POSIX","pid":%d,"tid":1,"ts":%d,"dur":5,"ph":"X","args":{"hhash":%s%s%s,"ret":4}}'
                                 % (4 + i, job.mark, pid, begin + rank + 10 * i, q, h, q))
            name = "%s%d.pfw" % (prefix or "trace-", rank)
            path = self.path(folder, name + (".gz" if compress else ""))
            data = ("\n".join(lines) + "\n").encode()
            self.write(path, data, compress)
            job.files[path] = count
        return job

    def chrome(self, folder, prefix, flat):
        job = self.new_job("chrome")
        count = self.random.randint(1, 30)
        events = ['{"name":"%s","ph":"X","ts":%d,"dur":3,"pid":1,"tid":1}' % (job.mark, 10 * i) for i in range(count)]
        path = self.path(folder, (prefix or "trace") + ".json")
        self.write(path, ("[" + ",\n".join(events) + "]").encode())
        job.files[path] = count
        return job

    def cascade_rows(self, job, i):
        task = '"task": "%s:%064x", "worker": "worker0", "host": "fiab"' % (job.mark, i)
        at = 16000000000000 + i * 1000000
        rows = []
        for k, action in enumerate(["taskPlanned", "taskEnqueued", "taskStarted", "taskFinished"]):
            rows.append('{"action": "%s", %s, "at": %d}' % (action, task, at + 1000 * k))
        return rows

    def cascade(self, folder, prefix, flat):
        job = self.new_job("cascade")
        count = self.random.randint(1, 20)
        rows = [row for i in range(count) for row in self.cascade_rows(job, i)]
        path = self.path(folder, (prefix or "trace") + ".jsonl")
        self.write(path, ("\n".join(rows) + "\n").encode())
        job.files[path] = count
        if self.random.random() < 0.4:
            os.remove(path)
            del job.files[path]
            stem = (prefix or "trace")
            self.write(self.path(folder, stem + ".tasks.jsonl"), ("\n".join(rows) + "\n").encode())
            job.files[self.path(folder, stem + ".tasks.jsonl")] = count
            data = []
            for k, action in enumerate(["transmitPlanned", "transmitFinished"]):
                data.append('{"action": "%s", "dataset": "%s:0", "worker": "worker0", "host": "fiab"%s, "at": %d}'
                            % (action, job.mark, ', "mode": "local"' if k else "", 16000000000000 + k))
            self.write(self.path(folder, stem + ".datasets.jsonl"), ("\n".join(data) + "\n").encode())
            job.files[self.path(folder, stem + ".datasets.jsonl")] = 0
        return job

    def dasf(self, folder, prefix, flat):
        job = self.new_job("dasf")
        name = prefix or "run"
        for host in ["c%d" % i for i in range(self.random.randint(1, 2))]:
            count = self.random.randint(1, 10)
            records = b"".join(self.dasf_record({
                "name": "Compute", "timestamp": 100.5 + i, "duration": 0.25, "phase": "X", "process_id": host,
                "thread_id": "worker-%s-0" % host,
                "args": {"key": "('%s-%s', %d)" % (job.mark, host, i), "name": job.mark, "state": "memory", "size": 8,
                         "shape": [], "dtype": "f8", "type": "x", "dependencies": [], "dependents": []}})
                for i in range(count))
            path = self.path(folder, "%s-TracePlugin-%s.msgpack" % (name, host))
            self.write(path, records)
            job.files[path] = count
            samples = b"".join(self.dasf_record({
                "name": "Resource Usage", "timestamp": 100.0 + i, "phase": "I", "scope": "g", "process_id": host,
                "thread_id": None, "args": {"cpu": float(len(self.jobs)), "memory": i, "time": 1712598200.0 + i,
                                            "num_fds": 5}}) for i in range(3))
            path = self.path(folder, "%s-ResourceMonitor-%s.msgpack" % (name, host))
            self.write(path, samples)
            job.files[path] = 0
        return job

    def dasf_record(self, value):
        body = pack(value)
        return struct.pack(">Q", len(body)) + body

    def preemption(self, folder, prefix, flat):
        job = self.new_job("preemption")
        count = self.random.randint(3, 30)
        rows = ["%d,add,node%d-%s" % (1000 * i, i, job.mark) for i in range(count)]
        path = self.path(folder, (prefix or "trace") + ".csv")
        self.write(path, ("\n".join(rows) + "\n").encode())
        job.files[path] = count
        return job

    def group(self, folder, prefix, flat):
        """Two traces of an auto scaling group: one run of one folder."""
        job = self.new_job("preemption")
        for part in ["node", "terminate"]:
            rows = ["timestamp,%s" % ("count" if part == "node" else "number")]
            rows += ["2021-07-26T%02d:%02d:00Z,%d" % (i // 60, i % 60, len(self.jobs) + i % 3) for i in range(1, 9)]
            path = self.path(folder, "%s-%s-trace.csv" % (prefix or "full", part))
            self.write(path, ("\n".join(rows) + "\n").encode())
            job.files[path] = 0
        return job

    def dataload(self, folder, prefix, flat):
        """A study: a run of the folder above all that tells of its trials."""
        job = self.new_job("dataload")
        rng = self.random
        for kind in rng.sample(["baseline1", "baseline2", "ours"], rng.randint(1, 2)):
            for seconds in rng.sample(["0.1", "0.5", "1.0"], rng.randint(1, 2)):
                trial = os.path.join(folder, "exp", kind, "librispeech", "run1", "local", "sim_compute_time=" + seconds)
                for name in ["io_time", "data_load_time"]:
                    values = [len(self.jobs) + i / 8 for i in range(rng.randint(1, 5))]
                    path = self.path(trial, name + ".npy")
                    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }" % len(values)
                    header += b" " * (117 - len(header)) + b"\n"
                    self.write(path, b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
                               + struct.pack("<%dd" % len(values), *values))
                    job.files[path] = 0
        return job

    def counters(self, job, folder):
        path = self.path(folder, "power.csv")
        rows = ["%d,node0,power,%d" % (1712598200 + i, len(self.jobs) * 7 + i) for i in range(5)]
        self.write(path, ("\n".join(["time,host,name,value"] + rows) + "\n").encode())
        for other in job:
            other.beside.add(path)

    # ---- what goes wrong ----

    def spoil(self, job):
        rng = self.random
        path = rng.choice(sorted(job.files))
        folder, name = os.path.split(path)
        kind = rng.choice(["copy", "gz", "link", "symlink", "dangling", "broken", "cut", "begin", "begin", "none", "none"])
        by_name = job.format in ("preemption", "dataload")
        if kind == "copy" and not by_name:
            new = os.path.join(folder, "a copy of " + name)
            with open(path, "rb") as file:
                self.write(new, file.read())
        elif kind == "begin" and not by_name:
            # What was copied while it grew: the beginning under another name.
            with (gzip.open(path) if path.endswith(".gz") else open(path, "rb")) as file:
                data = file.read()
            if len(data) < 100:
                return
            packed = rng.random() < 0.5
            bare = name[:-3] if name.endswith(".gz") else name
            new = os.path.join(folder, "early " + bare + (".gz" if packed else ""))
            self.write(new, data[:rng.randint(len(data) * 2 // 3, len(data) - 1)], packed)
        elif kind == "gz" and not name.endswith(".gz"):
            new = path + ".gz"
            with open(path, "rb") as file:
                self.write(new, file.read(), True)
        elif kind == "link" and not by_name:
            new = os.path.join(folder, "zz-" + name)
            os.link(path, new)
        elif kind == "symlink" and not by_name:
            new = os.path.join(folder, "zz-" + name)
            os.symlink(name, new)
        elif kind == "dangling":
            os.symlink("nowhere", os.path.join(folder, "lost-" + name))
            self.trouble(folder)
            return
        elif kind == "broken":
            with open(os.path.join(folder, "broken-" + name), "wb") as file:
                file.write(b"\x1f\x8b\x08\x00 this is not deflated at all")
            self.trouble(folder)
            return
        elif kind == "cut" and name.endswith(".gz"):
            with open(path, "rb") as file:
                data = file.read()
            self.write(path, data[:-6])  # the trailer: all records are there
            job.truncated += 1
            return
        else:
            return
        self.copy_of[new] = path
        job.duplicates += 1

    def trouble(self, folder):
        for job in self.jobs:
            job.missing += any(os.path.dirname(path) == folder for path in job.files)

    # ---- trees ----

    def make(self):
        rng = self.random
        makers = [self.dftracer, self.dftracer, self.chrome, self.cascade, self.dasf, self.preemption, self.group, self.dataload]
        shape = rng.choice(["nested", "flat", "mixed", "mixed"])
        n = rng.choice([1, 2, 3, rng.randint(4, 30)])
        flat_formats = set()
        for i in range(n):
            make = rng.choice(makers)
            is_flat = shape == "flat" or (shape == "mixed" and rng.random() < 0.3)
            if make in (self.group, self.dataload) and is_flat:
                continue  # the groups of one folder are pools of one run, and a study is a folder
            if is_flat:
                folder = "all"
                prefix = "%s%d-" % (rng.choice(["a", "run", "x_"]), i)
                if make not in (self.dftracer,):
                    prefix = prefix[:-1]
                make(folder, prefix, True)
                continue
            depth = rng.randint(1, 3)
            parts = [rng.choice(["n2", "logs", "x"]) for _ in range(depth - 1)] + ["%s%d" % (rng.choice(["r", "n2_"]), i)]
            folder = os.path.join("jobs%d" % (i % 2), *parts)
            leaf = rng.choice(["", "", "traces"])
            make(os.path.join(folder, leaf), None, False)
        for job in list(self.jobs):
            if rng.random() < 0.4:
                self.spoil(job)
        self.add_counters()
        self.copy_job()

    def add_counters(self):
        rng = self.random
        for job in self.jobs:
            folder = os.path.dirname(sorted(job.files)[0])
            if rng.random() < 0.15 and not os.path.exists(os.path.join(folder, "power.csv")):
                beside = [other for other in self.jobs
                          if any(path.startswith(folder + os.sep) for path in other.files)]
                self.counters(beside, os.path.relpath(folder, self.root))

    def copy_job(self):
        """The whole folder of a job again, elsewhere: no second run, told to the first."""
        rng = self.random
        candidates = [job for job in self.jobs if job.format in ("dftracer", "chrome", "cascade")
                      and not job.beside and not job.missing and not job.duplicates]
        if not candidates or rng.random() < 0.5:
            return
        job = rng.choice(candidates)
        for path in sorted(job.files):
            new = self.path("zz-backup", job.mark, os.path.basename(path))
            with open(path, "rb") as file:
                self.write(new, file.read())
            self.copy_of[new] = path
            job.duplicates += 1


def pack(value):
    """MessagePack, as far as DASF needs it."""
    if value is None:
        return b"\xc0"
    if isinstance(value, float):
        return b"\xcb" + struct.pack(">d", value)
    if isinstance(value, int):
        return struct.pack("B", value) if 0 <= value < 128 else b"\xd3" + struct.pack(">q", value)
    if isinstance(value, str):
        data = value.encode()
        return (struct.pack("B", 0xa0 | len(data)) if len(data) < 32 else b"\xd9" + struct.pack("B", len(data))) + data
    if isinstance(value, list):
        return b"\xdc" + struct.pack(">H", len(value)) + b"".join(pack(item) for item in value)
    return b"\xde" + struct.pack(">H", len(value)) + b"".join(pack(k) + pack(v) for k, v in value.items())


# ---- what comes out ----


class Test:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.count = 0
        self.failed = 0

    def say(self, name, complaints):
        self.count += 1
        for line in complaints[:20]:
            print("# " + line)
        print("%s %d - %s" % ("not ok" if complaints else "ok", self.count, name))
        sys.stdout.flush()
        self.failed += bool(complaints)

    def run(self, *arguments):
        environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(self.folder, "cache"), LC_ALL="C.UTF-8", TZ="UTC0")
        done = subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                              cwd=self.folder, timeout=300)
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")

    def plan(self, tree, *paths):
        """Sources of each run, as the files that they stand for, from a dry run. None: it failed."""
        status, out, err = self.run("import", "--dry-run", "-o", "out/", *paths)
        runs, names = [], []
        for line in out.splitlines():
            if not line.startswith("  "):
                names.append(line.split(": ")[0])
                runs.append([])
            elif line[2] not in "!":
                runs[-1].append(original(tree, line[4:] if line[2:4] == "+ " else line[2:], self.folder))
        complaints = [] if status == 0 else ["status %d: %s" % (status, err)]
        if len(set(names)) != len(names):
            complaints.append("names clash: %s" % names)
        return runs, complaints


def original(tree, path, folder):
    path = os.path.normpath(os.path.join(folder, path))
    return tree.copy_of.get(path, path)


def expected_runs(tree):
    return sorted(sorted(list(job.files) + list(job.beside)) for job in tree.jobs)


def compare_runs(tree, runs):
    complaints = []
    expected = expected_runs(tree)
    got = sorted(sorted(run) for run in runs)
    for run in expected:
        if run not in got:
            complaints.append("not a run: %s" % [os.path.relpath(path, tree.root) for path in run])
    for run in got:
        if run not in expected:
            complaints.append("no job: %s" % [os.path.relpath(path, tree.root) for path in run])
    return complaints


def check_each(test, tree):
    """--each: a run for each file, but of a study whole."""
    status, out, err = test.run("import", "--dry-run", "--each", "-o", "out/", tree.root)
    besides = set(path for job in tree.jobs for path in job.beside)
    runs, names = set(), []
    for line in out.splitlines():
        if not line.startswith("  "):
            names.append(line.split(": ")[0])
            files = []
        elif line[2] not in "!+":
            files.append(original(tree, line[2:], test.folder))
            runs.add(tuple(sorted(set(files))))
    want = set()
    for job in tree.jobs:
        want.update([tuple(sorted(job.files))] if job.format == "dataload" else [(path,) for path in job.files])
    runs = set(run for run in runs if not any(set(run) < set(other) for other in want))
    complaints = ["%s: %s" % ("not a run" if run in want else "no run", run) for run in sorted(want ^ runs)]
    if len(set(names)) != len(names) or (besides & set(path for run in runs for path in run)):
        complaints.append("names: %s" % names)
    return complaints + ([] if status == 0 else ["status %d: %s" % (status, err)])


def count_marks(test, path, mark):
    """Records that bear a mark, and all that do not, in a run file."""
    _, out, err = test.run("sql", path, "--no-header", "--format", "csv",
                           "SELECT coalesce(sum(text GLOB '%s*'), 0), coalesce(sum(text NOT GLOB '%s*'), 0) FROM "
                           "(SELECT name AS text FROM span WHERE name GLOB 'job*' AND category NOT IN ('task', 'transfer')"
                           " UNION ALL SELECT key FROM tasks)" % (mark, mark))
    return out.strip(), err


def check_imported(test, tree):
    """Imports the tree and looks into each run file."""
    complaints = []
    out_folder = os.path.join(test.folder, "out")
    status, _, err = test.run("import", "--quiet", "-o", "out/", tree.root)
    if status != 0:
        return ["import: status %d: %s" % (status, err)]
    files = [os.path.join(out_folder, name) for name in sorted(os.listdir(out_folder))]
    if len(files) != len(tree.jobs):
        complaints.append("%d run files of %d jobs" % (len(files), len(tree.jobs)))
    for path in files:
        complaints += check_run(test, tree, path)
    return complaints


def check_run(test, tree, path):
    complaints = []
    _, out, err = test.run("sql", path, "--no-header", "--format", "csv", "SELECT path FROM source")
    sources = [row[0] for row in csv.reader(io.StringIO(out))]
    files = sorted(original(tree, source, test.folder) for source in sources)
    job = next((job for job in tree.jobs if sorted(list(job.files) + list(job.beside)) == files), None)
    name = os.path.basename(path)
    if not job:
        return ["%s: of no job: %s %s" % (name, files, err)]
    if job.format in ("dftracer", "chrome"):
        _, out, err = test.run("sql", path, "--no-header", "--format", "csv",
                               "SELECT sum(name = '%s'), sum(name GLOB 'job*' AND name <> '%s') FROM span" % (job.mark, job.mark))
        if out.strip() != "%d,0" % sum(job.files.values()):
            complaints.append("%s: %s of %s records %s" % (name, out.strip(), sum(job.files.values()), err))
    elif job.format in ("cascade", "dasf"):
        _, out, err = test.run("sql", path, "--no-header", "--format", "csv",
                               "SELECT sum(instr(key, '%s') > 0), count(*) FROM tasks" % job.mark)
        if out.strip() != "%d,%d" % (sum(job.files.values()), sum(job.files.values())):
            complaints.append("%s: %s of %s tasks %s" % (name, out.strip(), sum(job.files.values()), err))
    _, out, err = test.run("sql", path, "--no-header", "--format", "csv",
                           "SELECT sum(kind = 'duplicate' AND reason LIKE '%read in its place'), sum(kind = 'missing' AND (reason LIKE '%No such file%' OR "
                           "reason LIKE '%gzip%' OR reason LIKE '%deflate%')), sum(kind = 'truncated') FROM (SELECT kind, reason FROM problem "
                           "UNION ALL SELECT '', '')")
    want = "%d,%d,%d" % (job.duplicates, job.missing, job.truncated)
    if out.strip() != want:
        complaints.append("%s (%s): problems %s, not %s %s" % (name, job.format, out.strip(), want, err))
    _, out, _ = test.run("info", path, "--format", "csv")
    if "grouping," not in out:
        complaints.append("%s: info tells no grouping" % name)
    return complaints


def check_on_the_way(test, tree):
    """A query over the tree sees the same runs as import makes."""
    status, out, err = test.run("sql", tree.root, "--no-header", "--format", "csv",
                                "SELECT (SELECT group_concat(path, '|') FROM source)")
    if status != 0:
        return ["sql: status %d: %s" % (status, err)]
    rows = list(csv.reader(io.StringIO(out)))
    complaints = compare_runs(tree, [[original(tree, path, test.folder) for path in row[-1].split("|")] for row in rows])
    if len(rows) > 1 and len(set(row[0] for row in rows)) != len(rows):
        complaints.append("names clash: %s" % [row[0] for row in rows])
    return complaints


def check_commands(test, tree):
    """`runs` lists the run files, `query` tells the tree's problems by run, `diff` of a run and its own trace finds nothing."""
    complaints = []
    out_folder = os.path.join(test.folder, "out")
    status, out, err = test.run("runs", "out", "--format", "csv")
    listed = sorted(os.path.basename(row["path"]) for row in csv.DictReader(io.StringIO(out)))
    if status != 0 or listed != sorted(os.listdir(out_folder)):
        complaints.append("runs: status %d: %s %s" % (status, listed, err))
    status, out, err = test.run("query", "problems", tree.root, "--format", "csv")
    duplicates = sum("read in its place" in line for line in out.splitlines())
    want = sum(job.duplicates for job in tree.jobs)
    if status != 0 or duplicates != want:
        complaints.append("query problems: status %d: %d duplicates, not %d: %s" % (status, duplicates, want, err))
    if len(tree.jobs) == 1:
        path = os.path.join(out_folder, listed[0])
        status, out, err = test.run("diff", "problems", path, tree.root, "--format", "csv")
        if status != 0:
            complaints.append("diff: status %d: %s" % (status, err))
    return complaints


def check_tree(test, seed):
    root = os.path.join(test.folder, "tree%d" % seed)
    tree = Tree(root, seed)
    tree.make()
    if not tree.jobs:
        return
    runs, complaints = test.plan(tree, root)
    test.say("tree %d, %d jobs: the plan" % (seed, len(tree.jobs)), complaints + compare_runs(tree, runs))
    children = [os.path.join(root, name) + "/" for name in sorted(os.listdir(root))]
    runs, complaints = test.plan(tree, *children)
    test.say("tree %d: its folders" % seed, complaints + compare_runs(tree, runs))
    files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names
                   if not name.startswith(("lost-", "broken-")))
    tree.random.shuffle(files)
    runs, complaints = test.plan(tree, *files)
    test.say("tree %d: its files one by one" % seed, complaints + compare_runs(tree, runs))
    test.say("tree %d: each" % seed, check_each(test, tree))
    test.say("tree %d: run files" % seed, check_imported(test, tree))
    test.say("tree %d: on the way" % seed, check_on_the_way(test, tree))
    test.say("tree %d: runs, query and diff" % seed, check_commands(test, tree))
    subprocess.run(["rm", "-rf", root, os.path.join(test.folder, "out"), os.path.join(test.folder, "cache")], check=True)


def main():
    program, folder, seeds = sys.argv[1], os.path.realpath(sys.argv[2]), [int(seed) for seed in sys.argv[3:]]
    test = Test(os.path.abspath(program), folder)
    for seed in seeds:
        check_tree(test, seed)
    print("1..%d" % test.count)
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
