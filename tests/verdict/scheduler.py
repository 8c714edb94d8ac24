"""Graphs of tasks, a reactive scheduler that runs them, and the traces that such runs write.

Every random number is a function of a seed, of what it is drawn for and of its purpose, so that a run that is done again with one
thing changed differs by that thing and what follows from it alone.  Python 3.8, standard library only.
"""
import hashlib
import heapq
import math
import struct
from dataclasses import dataclass
from statistics import NormalDist

MS = 1_000_000
GAUSS = NormalDist().inv_cdf
WORDS = (
    "retrieve concat mean threshold sot efi regrid spread quantile stack decode encode merge filter clip blend warp fold reduce shift "
    "scale norm rank smooth interp probe tile trim split-grid join pack diffuse advect mask accumulate resample extract window").split()
SIZES = {"small": 135, "medium": 600, "large": 2500}
SHAPES = ("cascade", "layered", "mapreduce", "independent")


def draws(*what):
    """Eight numbers in (0, 1) that depend on `what` alone."""
    digest = hashlib.blake2b("/".join(map(str, what)).encode()).digest()
    return [(value >> 11 | 1) / 9007199254740993.0 for value in struct.unpack("<8Q", digest)]


def spread(u, sigma):
    """A lognormal factor around 1."""
    return math.exp(sigma * GAUSS(u))


def between(u, low, high):
    """Log-uniform."""
    return low * (high / low) ** u


class Draw:
    """A stream of numbers for choices that are made once for a pair, from its seed and a purpose."""

    def __init__(self, *what):
        self.what = what
        self.n = 0

    def number(self):
        self.n += 1
        return draws(*self.what, self.n)[0]

    def below(self, n):
        return min(n - 1, int(self.number() * n))

    def choice(self, items):
        return items[self.below(len(items))]

    def between(self, low, high):
        return between(self.number(), low, high)

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


@dataclass
class Task:
    label: str  # with arguments: "mean(3, 7)"
    digest: str
    kind: str
    inputs: list  # indices of tasks
    base: float  # ns, of its kind and its own
    tag: str  # what its random numbers are drawn for
    size: float  # of its result, as time that a remote transfer takes (ns)
    part: float = 1.0  # share of the run time that `tag` stands for

    @property
    def key(self):
        return self.label + ":" + self.digest


class Graph:
    """Tasks in topological order."""

    def __init__(self, shape, size, seed, transfer_ns=12 * MS):
        self.seed = seed
        self.tasks = []
        self.draw = Draw(seed, "graph")
        self.names = self.draw.shuffled(WORDS)
        self.mean = {}
        self.own = self.draw.between(0.04, 0.2)  # spread of tasks of a kind
        self.transfer_ns = transfer_ns
        getattr(self, "make_" + shape)(SIZES[size])

    def kind(self, i, mean_ms=None):
        name = self.names[i]
        if name not in self.mean:
            self.mean[name] = (mean_ms or self.draw.between(25, 400)) * MS * self.draw.between(0.85, 1.18)
        return name

    def add(self, kind, inputs, arguments=""):
        tag = "%s#%d" % (kind, len(self.tasks))
        digest = hashlib.sha256(("%d/%s" % (self.seed, tag)).encode()).hexdigest()
        u = draws(self.seed, tag, "own")
        self.tasks.append(Task(kind + arguments, digest, kind, list(inputs), self.mean[kind] * spread(u[0], self.own), tag,
                               self.transfer_ns * spread(u[1], 0.5)))
        return len(self.tasks) - 1

    def make_cascade(self, n):
        retrieve, concat, mean = self.kind(0, 62), self.kind(1, 60), self.kind(2, 70)
        threshold, sot, efi = self.kind(3, 75), self.kind(4, 460), self.kind(5, 1030)
        for rep in range(max(1, round(n / 135))):
            tail = "#%d" % rep if rep else ""
            grid = [[self.add(retrieve, [], "(%d, %d)%s" % (m, s, tail)) for s in range(21)] for m in (0, 1)]
            climate = [self.add(retrieve, [], "(%d,)%s" % (c, tail)) for c in (0, 1)]
            root = self.add(retrieve, [], tail)
            steps = [self.add(mean, [grid[0][s], grid[1][s]], tail) for s in range(20)]
            windows = [self.add(concat, grid[m][s:s + 2], tail) for m in (0, 1) for s in range(0, 20, 2)]
            pairs = [self.add(concat, [windows[i], windows[i + 10]], tail) for i in range(8)]
            ensembles = [self.add(concat, windows[k::2] + [climate[k]], tail) for k in (0, 1)]
            means = [self.add(mean, [pairs[i], root], tail) for i in range(4)]
            for i in range(24):
                self.add(threshold, [steps[i % 20], means[i % 4]], tail)
            for i in range(4):
                self.add(efi, [ensembles[i % 2], means[i]], tail)
            for i in range(8):
                self.add(sot, [ensembles[i % 2], means[i % 4], climate[i % 2]], tail)

    def make_layered(self, n):
        n_kinds = 3 + self.draw.below(6)
        kinds = [self.kind(i) for i in range(n_kinds)]
        n_layers = {135: 6, 600: 9, 2500: 14}[n] + self.draw.below(4)
        layers = []
        left = int(n * self.draw.between(0.93, 1.08))
        for layer in range(n_layers):
            width = max(4, round(left / (n_layers - layer) * self.draw.between(0.6, 1.6)))
            left = max(0, left - width)
            own = self.draw.shuffled(kinds)[:1 + self.draw.below(3)]
            row = []
            for i in range(width):
                inputs = []
                if layers:
                    for _ in range(1 + self.draw.below(3)):
                        source = layers[-1] if len(layers) < 2 or self.draw.number() < 0.8 else layers[-2]
                        inputs.append(self.draw.choice(source))
                row.append(self.add(self.draw.choice(own), dict.fromkeys(inputs), "(%d, %d)" % (layer, i)))
            layers.append(row)

    def make_mapreduce(self, n):
        maps = [self.kind(i) for i in range(1 + self.draw.below(3))]
        reduce, merge, report = self.kind(3), self.kind(4), self.kind(5)
        fan = 4 + self.draw.below(5)
        n_maps = int(n / (1 + 1.0 / fan + 1.0 / fan / fan + 0.02))
        level = [self.add(self.draw.choice(maps), [], "(%d)" % i) for i in range(n_maps)]
        for kind in (reduce, merge):
            level = [self.add(kind, level[i:i + fan], "(%d)" % (i // fan)) for i in range(0, len(level), fan)]
        for i in range(0, len(level), 8):
            self.add(report, level[i:i + 8])

    def make_independent(self, n):
        kinds = [self.kind(i) for i in range(2 + self.draw.below(5))]
        for i in range(int(n * self.draw.between(0.93, 1.08))):
            self.add(self.draw.choice(kinds), [], "(%d)" % i)


def renamed(graph, kind, to):
    """A copy of the tasks in which a kind has another name."""
    return [Task(to + t.label[len(kind):], t.digest, to, t.inputs, t.base, t.tag, t.size, t.part) if t.kind == kind else t
            for t in graph]


def split(graph, kind, into, share):
    """A copy of the tasks in which each of a kind is two, one after the other, that take as long as it did."""
    tasks, place = [], []
    for t in graph:
        inputs = [place[i] for i in t.inputs]
        if t.kind != kind:
            tasks.append(Task(t.label, t.digest, t.kind, inputs, t.base, t.tag, t.size))
        else:
            for name, part in ((into[0], share), (into[1], 1 - share)):
                digest = hashlib.sha256((name + t.digest).encode()).hexdigest()
                tasks.append(Task(name + t.label[len(kind):], digest, name, inputs, t.base, t.tag, t.size, part))
                inputs = [len(tasks) - 1]
        place.append(len(tasks) - 1)
    return tasks


@dataclass(frozen=True)
class Setup:
    """One run: what runs where, and how fast."""
    tasks: tuple
    seed: str  # of the noise
    noise: float  # sigma of run times
    layout: tuple  # workers of each host
    multi: bool  # named as runs on several hosts are
    depth: int = 1  # tasks that a worker may hold
    plan_ns: float = 0.3 * MS  # the controller's work for a task
    comm_ns: float = 1.5 * MS
    spawn_ns: float = 3 * MS
    transfer: float = 1.0  # factor of remote transfers
    plan: float = 1.0  # factor of plan_ns
    slices: tuple = ()  # (where, factor) of run times
    pinned: tuple = ()  # (kind, number of a worker)
    contention: float = 0.0  # how much longer for another task on the host
    shift: tuple = ()  # (host, ns): its clock


class Job:
    """What became of a task."""

    __slots__ = ("task", "number", "worker", "host", "planned", "enqueued", "ready_at", "started", "finished", "left", "since", "rate",
                 "version", "sensitive", "plan_extra")

    def __init__(self, task, number):
        self.task = task
        self.number = number
        self.finished = None
        self.version = 0
        self.rate = 1.0

    @property
    def duration(self):
        return self.finished - self.started


class Run:
    """Runs a setup. The controller plans one task at a time, when its inputs are done and a worker has room for it."""

    def __init__(self, setup):
        self.setup = setup
        self.names = [("h%d" % h if setup.multi else "fiab", "worker%d" % w) for h, n in enumerate(setup.layout) for w in range(n)]
        self.host_of = [h for h, n in enumerate(setup.layout) for _ in range(n)]
        self.jobs = [Job(t, i) for i, t in enumerate(setup.tasks)]
        self.users = [[] for _ in self.jobs]
        self.missing = [len(t.inputs) for t in setup.tasks]
        for i, t in enumerate(setup.tasks):
            for j in t.inputs:
                self.users[j].append(i)
        n = len(self.names)
        self.held = [0] * n
        self.queues = [[] for _ in range(n)]
        self.busy = [False] * n
        self.at_worker = [{} for _ in range(n)]  # task -> when its result is there
        self.on_host = [{} for _ in setup.layout]
        self.running = [set() for _ in setup.layout]
        self.ready = [i for i, m in enumerate(self.missing) if m == 0]
        self.planning = False
        self.events = []
        self.n_events = 0
        self.transfers = []  # (task, worker, source host, planned, started, loaded, finished, mode, extra)
        self.first = None
        self.run()

    def at(self, time, what, job, version=0):
        self.n_events += 1
        heapq.heappush(self.events, (int(time), self.n_events, what, job, version))

    def run(self):
        self.plan_next(0)
        while self.events:
            now, _, what, job, version = heapq.heappop(self.events)
            if version == job.version or what != self.finish:
                what(now, job)
        self.makespan = max(j.finished for j in self.jobs) - self.first

    def worker_for(self, task):
        if self.setup.pinned and self.setup.pinned[0] == task.kind:
            return self.setup.pinned[1]
        best = None
        for w, held in enumerate(self.held):
            if held < self.setup.depth:
                here = self.at_worker[w]
                rank = (held, -sum(i in here for i in task.inputs), w)
                if best is None or rank < best:
                    best = rank
        return None if best is None else best[2]

    def plan_next(self, now):
        if self.planning:
            return
        for place, i in enumerate(self.ready):
            job = self.jobs[i]
            worker = self.worker_for(job.task)
            if worker is not None:
                break
            if not self.setup.pinned:
                return
        else:
            return
        del self.ready[place]
        job.worker, job.host = worker, self.host_of[worker]
        self.held[worker] += 1
        self.planning = True
        cost = self.setup.plan_ns * spread(draws(self.setup.seed, job.task.tag, "plan")[0], 0.25)
        job.plan_extra = cost * self.setup.plan - cost
        self.at(now + cost * self.setup.plan, self.planned, job)

    def planned(self, now, job):
        setup = self.setup
        self.planning = False
        u = draws(setup.seed, job.task.tag, "delays")
        arrival = now
        for i in job.task.inputs:
            arrival = max(arrival, self.fetch(now, i, job))
            now += int(30_000 * (0.5 + u[0]))
        job.planned = now
        if self.first is None:
            self.first = now
        job.enqueued = now + int(setup.comm_ns * spread(u[1], 0.4))
        job.ready_at = max(job.enqueued, arrival)
        self.queues[job.worker].append(job)
        self.start_next(now, job.worker)
        self.plan_next(now)

    def fetch(self, now, i, job):
        """When the result of task i is at the job's worker."""
        here = self.at_worker[job.worker]
        if i in here:
            return here[i]
        task, host = self.setup.tasks[i], job.host
        u = draws(self.setup.seed, task.tag, job.worker, "fetch")
        extra = 0
        if self.on_host[host].get(i, now + 1) <= now:
            finished = now + int((0.06 + 0.08 * u[0]) * MS)
            stamps = (now, None, None, finished, "local")
        else:
            started = now + int((0.4 + 0.5 * u[1]) * MS)
            loaded = started + int((0.2 + 0.3 * u[2]) * MS)
            time = task.size * spread(u[3], 0.1)
            extra = int(time * self.setup.transfer) - int(time)
            finished = loaded + int(time * self.setup.transfer)
            stamps = (now, started, loaded, finished, "redundant" if self.on_host[host].get(i, finished) < finished else "remote")
            self.on_host[host][i] = min(finished, self.on_host[host].get(i, finished))
        here[i] = finished
        self.transfers.append((i, job.worker, self.jobs[i].host) + stamps + (extra,))
        return finished

    def start_next(self, now, worker):
        if not self.busy[worker] and self.queues[worker]:
            job = self.queues[worker].pop(0)
            self.busy[worker] = True
            spawn = self.setup.spawn_ns * spread(draws(self.setup.seed, job.task.tag, "spawn")[0], 0.15)
            self.at(max(now, job.ready_at) + spawn, self.start, job)

    def is_in(self, where, job, now):
        return (where.get("kind", job.task.kind) == job.task.kind and where.get("worker_number", job.worker) == job.worker
                and where.get("host_number", job.host) == job.host and where.get("task", job.task.key) == job.task.key
                and now - self.first >= where.get("from_ns", 0))

    def start(self, now, job):
        setup, task = self.setup, job.task
        job.started = job.since = now
        work = task.base * task.part * spread(draws(setup.seed, task.tag, "run")[0], setup.noise)
        for where, factor in setup.slices:
            if self.is_in(where, job, now):
                work *= factor
        job.left = work
        if setup.contention:
            self.running[job.host].add(job)
            job.sensitive = setup.contention * (0.4 + 1.2 * draws(task.kind, "memory")[0])
            self.share(now, job.host)
        else:
            self.at(now + work, self.finish, job)

    def share(self, now, host):
        """As another number of tasks runs on a host from now on, each runs at another speed."""
        n = len(self.running[host])
        for job in sorted(self.running[host], key=lambda j: j.number):
            job.left -= (now - job.since) * job.rate
            job.since = now
            job.rate = 1 / (1 + job.sensitive * (n - 1))
            job.version += 1
            self.at(now + max(0, job.left) / job.rate, self.finish, job, job.version)

    def finish(self, now, job):
        job.finished = now
        self.at_worker[job.worker][job.number] = now
        self.on_host[job.host][job.number] = now
        if self.setup.contention:
            self.running[job.host].remove(job)
            self.share(now, job.host)
        self.busy[job.worker] = False
        self.start_next(now, job.worker)
        self.at(now + (0.2 + 0.3 * draws(self.setup.seed, job.task.tag, "notice")[0]) * MS, self.noticed, job)

    def noticed(self, now, job):
        self.held[job.worker] -= 1
        for i in self.users[job.number]:
            self.missing[i] -= 1
            if self.missing[i] == 0:
                self.ready.append(i)
        self.plan_next(now)

    def lane(self, worker):
        host, name = self.names[worker]
        return host + ":" + name if self.setup.multi else name

    def rows(self):
        """(time, time at which it is written, text before the time) of each line of the trace."""
        multi, hosts = self.setup.multi, self.setup.layout
        shift = {}
        if self.setup.shift:
            shift[self.setup.shift[0]] = self.setup.shift[1]
        base = 16_000_000_000_000 + int(draws(self.setup.seed, "boot")[0] * 1e12)
        key = [t.key for t in self.setup.tasks]
        lane = [self.lane(w) for w in range(len(self.names))]
        late = [int(u * 40_000) for u in draws(self.setup.seed, "late") + draws(self.setup.seed, "later")]
        rows = []

        def put(time, text, writer=None):
            written = base + int(time) + late[len(rows) % 13] * (1 + len(hosts)) // 2
            rows.append((written, len(rows), text + ', "at": %d}' % (base + int(time) + shift.get(writer, 0))))

        def plan(time, what, action, w):
            put(time, ('{%s, "action": "%s", "worker": "%s", "host": "controller"' if multi else
                       '{"host": "controller", %s, "action": "%s", "worker": "%s"') % (what, action, lane[w]))

        for j in self.jobs:
            task = '"task": "%s"' % key[j.number]
            host, name = self.names[j.worker]
            plan(j.planned, task, "taskPlanned", j.worker)
            put(j.enqueued, '{"host": "%s", %s, "action": "taskEnqueued", "worker": "%s"' % (host, task, name), j.host)
            child = '{"host": "%s", "worker": "%s", %s, "action": "%%s"' % (host, name, task)
            put(j.started, child % "taskStarted", j.host)
            put(j.finished, child % "taskFinished", j.host)
        for i, w, source, planned, started, loaded, finished, mode, _ in self.transfers:
            data = '"dataset": "%s"' % key[i]
            plan(planned, data, "transmitPlanned", w)
            line = '{"host": "%s", %s, "action": "%%s", "worker": "%s", "mode": "%%s"' % (self.names[w][0], data, self.names[w][1])
            if started is not None:
                put(started, line % ("transmitStarted", "remote"), source)
                put(loaded, line % ("transmitLoaded", "remote"), source)
            put(finished, line % ("transmitFinished", mode), self.host_of[w])
        rows.sort()
        return rows

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(text for _, _, text in self.rows()) + "\n")
