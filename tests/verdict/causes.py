#!/usr/bin/env python3
"""Makes pairs of runs A and B, of which B differs by one known cause (or two, or none), with the truth about it.

  causes.py --cause NAME --size small|medium|large --seed N --out DIR    one pair: a.jsonl, b.jsonl (flush: .json) and truth.json;
                                                                         also --shape SHAPE, --sigma S
  causes.py --all N --seed N --out DIR [--noise N] [--two N]             N pairs with a cause, each in a folder of its own, of all
                                                                         causes, sizes and shapes in turn; also --noise pairs that
                                                                         differ by noise alone and --two pairs with two causes
  causes.py --list                                                       names of causes

Two causes: NAME+NAME. The truth comes from running B again (scheduler.py) with the same seeds and without the cause: by how much that
moves the end of the run (makespan_ns) and the time of tasks, transfers or planning (lane_time_ns). Also: what the two traces show of
it in the very slice (seen_ns), which differs from the truth by noise alone: no reader of traces can do better. Times are nanoseconds
from a run's first planned task.  Python 3.8, standard library only.
"""
import argparse
import json
import math
import os
import sys
from dataclasses import dataclass, replace

sys.dont_write_bytecode = True  # in the sources

import steps
from scheduler import MS, SHAPES, SIZES, Draw, Graph, Run, Setup, between, draws, renamed, split

# A cause is at least this many standard deviations of its slice's noise, so that its size can be told to 10 %.
CLEAR = 20
TRIES = 8
LEAST, MOST = 0.02, 0.6  # of the makespan, where the cause may move it


@dataclass
class Cause:
    name: str
    where: dict
    change: object  # Setup -> Setup
    factor: float = 1.0
    noise_ns: float = 0.0  # of its lane time, as seen from two runs


class Unfit(Exception):
    """This graph or layout has no place for the cause."""


class Scene:
    """What a cause is put into: a graph, a layout, run A and B's setup before anything is changed."""

    def __init__(self, names, shape, size, seed, attempt, sigma):
        self.draw = draw = Draw(seed, "scene", attempt)
        moves = {"transfers", "hidden"} & set(names)
        if shape == "independent" and moves:
            shape = "layered"
        if shape == "cascade" and {"hidden", "imbalance"} & set(names):
            shape = "layered"
        self.shape, self.size = shape, size
        transfer = draw.between(8, 40) if "transfers" in names else draw.between(2, 8)
        if "contention" in names:
            transfer = 1.5
        self.graph = Graph(shape, size, seed * 100 + attempt, transfer * MS)
        layout, multi = self.layout(names)
        contention = draw.between(0.06, 0.35) if "contention" in names else 0.0
        if not names and draw.number() < 0.25:
            contention = draw.between(0.03, 0.15)
        depth = 2 if "hidden" in names or (not {"controller", "transfers"} & set(names) and draw.number() < 0.35) else 1
        plan = draw.between(1, 4) if "controller" in names else draw.between(0.2, 0.8)
        noise = draw.between(0.006, 0.05 if names else 0.1)
        noise = noise if sigma is None else sigma
        self.setup_a = Setup(tuple(self.graph.tasks), "%d/%d/a" % (seed, attempt), noise, layout, multi, depth, plan * MS,
                             draw.between(0.1, 3) * MS, draw.between(1, 8) * MS, contention=contention)
        self.setup_b = replace(self.setup_a, seed="%d/%d/b" % (seed, attempt))
        self.a = Run(self.setup_a)
        self.total = sum(j.duration for j in self.a.jobs)
        self.is_faster = draw.number() < 0.25

    def layout(self, names):
        draw = self.draw
        if "contention" in names:
            hosts, workers = draw.choice(((2, 4), (2, 2), (4, 4), (4, 8), (2, 8)) if self.size != "small" else ((2, 4), (2, 2), (4, 4)))
            return (workers // hosts,) * hosts, True
        needs_hosts = {"host", "clock", "transfers", "hidden"} & set(names)
        most = {"small": 8, "medium": 12, "large": 16}[self.size]
        while True:
            hosts = draw.choice((2, 2, 3, 4) if needs_hosts else (1, 1, 2, 3, 4))
            each = 1 + draw.below(5)
            least = 3 if {"worker", "lanes", "imbalance"} & set(names) else 2
            if self.size == "large":
                least = 4
            if least <= hosts * each <= most:
                return (each,) * hosts, hosts > 1 or draw.number() < 0.5

    def factor(self, jobs, effect):
        """How much longer the jobs (of A) must take to move the makespan by `effect`; never less than what can be told."""
        time = sum(j.duration for j in jobs)
        if not time:
            raise Unfit
        noise = self.setup_a.noise * math.sqrt(2 * sum(j.duration ** 2 for j in jobs)) / time
        factor = max(1 + effect * self.total / time, 1 / (1 - min(0.9, 1.3 * CLEAR * noise)))
        return min(factor, 6.0), noise

    def slice(self, name, where, jobs, effect, truth=None):
        factor, noise = self.factor(jobs, effect)
        if self.is_faster and name not in ("outlier", "worker", "host"):
            factor = 1 / factor
        change = lambda s: replace(s, slices=s.slices + ((where, factor),))
        return Cause(name, truth or where, change, factor, noise * sum(j.duration for j in jobs))

    def kinds(self, least_share, least_tasks=3):
        """[(kind, its jobs in A)] of those that take enough time, in an order that is drawn."""
        by_kind = {}
        for job in self.a.jobs:
            by_kind.setdefault(job.task.kind, []).append(job)
        if len(by_kind) < 2:
            raise Unfit
        found = [(k, jobs) for k, jobs in sorted(by_kind.items())
                 if len(jobs) >= least_tasks and least_share * self.total <= sum(j.duration for j in jobs) <= 0.75 * self.total]
        if not found:
            raise Unfit
        return self.draw.shuffled(found)


def cause_kind(scene, effect):
    kind, jobs = scene.kinds(0.03)[0]
    return scene.slice("kind", {"kind": kind}, jobs, effect)


def cause_worker(scene, effect):
    worker = scene.draw.below(len(scene.a.names))
    jobs = [j for j in scene.a.jobs if j.worker == worker]
    # A slow worker gets less to do.
    effect *= 1.4
    return scene.slice("worker", {"worker_number": worker}, jobs, effect, {"worker": scene.a.lane(worker)})


def cause_host(scene, effect):
    host = scene.draw.below(len(scene.setup_a.layout))
    jobs = [j for j in scene.a.jobs if j.host == host]
    return scene.slice("host", {"host_number": host}, jobs, effect * 1.4, {"host": "h%d" % host})


def cause_half(scene, effect):
    begin = int(scene.a.makespan * scene.draw.between(0.38, 0.62))
    jobs = [j for j in scene.a.jobs if j.started - scene.a.first >= begin]
    return scene.slice("half", {"from_ns": begin}, jobs, effect)


def cause_outlier(scene, effect):
    jobs = sorted(scene.a.jobs, key=lambda j: j.duration)
    job = scene.draw.choice(jobs[len(jobs) // 4:])
    factor = 1 + effect * scene.a.makespan / job.duration
    noise = scene.setup_a.noise * math.sqrt(2)
    factor = min(max(factor, 1 + 1.5 * CLEAR * noise, 2.0), 60.0)
    where = {"task": job.task.key}
    return Cause("outlier", where, lambda s: replace(s, slices=s.slices + ((where, factor),)), factor, noise * job.duration)


def cause_crossed(scene, effect):
    kind, jobs = scene.kinds(0.12, 4 * len(scene.a.names))[0]
    worker = scene.draw.below(len(scene.a.names))
    jobs = [j for j in jobs if j.worker == worker]
    if len(jobs) < 4:
        raise Unfit
    return scene.slice("kind-worker", {"kind": kind, "worker_number": worker}, jobs, effect * 1.3,
                       {"kind": kind, "worker": scene.a.lane(worker)})


def remote(run):
    return [t for t in run.transfers if t[7] != "local"]


def cause_transfers(scene, effect):
    waits = {}
    for t in remote(scene.a):
        waits[t[1], t[3] // (5 * MS)] = max(t[6] - t[5], waits.get((t[1], t[3] // (5 * MS)), 0))
    if len(waits) < 10:
        raise Unfit
    factor = min(max(1.5, 1 + effect * scene.total / sum(waits.values())), 25.0)
    return Cause("transfers", {}, lambda s: replace(s, transfer=factor), factor)


def cause_hidden(scene, effect):
    moved = remote(scene.a)
    if len(moved) < 20:
        raise Unfit
    each = sum(t[6] - t[5] for t in moved) / len(moved)
    room = 0.35 * scene.total / len(scene.a.jobs)
    factor = min(6.0, room / each) * (0.6 + 0.4 * effect)
    if factor < 1.4:
        raise Unfit
    return Cause("hidden", {}, lambda s: replace(s, transfer=factor), factor)


def cause_controller(scene, effect):
    extra = effect * scene.total / len(scene.a.jobs)
    factor = min(max(1.5, 1 + extra / scene.setup_a.plan_ns), 60.0)
    return Cause("controller", {}, lambda s: replace(s, plan=factor), factor)


def cause_lanes(scene, effect):
    layout = list(scene.setup_a.layout)
    is_fewer = scene.draw.number() < 0.65
    change = -1 if is_fewer else 1
    if layout[-1] + change < 1:
        change = 1
    layout[-1] += change
    return Cause("lanes", {"lanes_a": len(scene.a.names), "lanes_b": len(scene.a.names) + change},
                 lambda s: replace(s, layout=tuple(layout)))


def new_names(scene, n):
    used = {t.kind for t in scene.graph.tasks}
    return [w for w in scene.graph.names if w not in used][-n:]


def cause_rename(scene, effect):
    kind, _ = scene.kinds(0.02, 2)[0]
    to = new_names(scene, 1)[0]
    return Cause("rename", {"kind": kind, "to": to}, lambda s: replace(s, tasks=tuple(renamed(s.tasks, kind, to))))


def cause_split(scene, effect):
    kind, _ = scene.kinds(0.05)[0]
    into = new_names(scene, 2)
    share = scene.draw.between(0.3, 0.7)
    return Cause("split", {"kind": kind, "into": into}, lambda s: replace(s, tasks=tuple(split(s.tasks, kind, into, share))))


def cause_clock(scene, effect):
    host = 1 + scene.draw.below(len(scene.setup_a.layout) - 1)
    shift = int(scene.draw.between(30, 200) * MS) * scene.draw.choice((1, 1, -1))
    return Cause("clock", {"host": "h%d" % host, "shift_ns": shift}, lambda s: replace(s, shift=(host, shift)))


def cause_imbalance(scene, effect):
    n = len(scene.a.names)
    kinds = scene.kinds(0.6 / n, n)
    kind, _ = min(kinds, key=lambda k: abs(sum(j.duration for j in k[1]) / scene.total * n - 1 - effect))
    worker = scene.draw.below(n)
    return Cause("imbalance", {"kind": kind, "worker": scene.a.lane(worker)}, lambda s: replace(s, pinned=(kind, worker)))


def cause_contention(scene, effect):
    layout = scene.setup_a.layout
    hosts = len(layout) // 2 if len(layout) == 4 and scene.draw.number() < 0.7 else 1
    to = (sum(layout) // hosts,) * hosts
    return Cause("contention", {"at_once_a": layout[0], "at_once_b": to[0]}, lambda s: replace(s, layout=to))


CAUSES = {
    "kind": cause_kind, "worker": cause_worker, "host": cause_host, "half": cause_half, "outlier": cause_outlier,
    "kind-worker": cause_crossed, "transfers": cause_transfers, "hidden": cause_hidden, "controller": cause_controller,
    "lanes": cause_lanes, "rename": cause_rename, "split": cause_split, "clock": cause_clock, "imbalance": cause_imbalance,
    "contention": cause_contention, "flush": None}
TWO = ("kind+worker", "kind+lanes", "kind+host", "outlier+kind", "worker+transfers", "controller+kind", "half+worker", "worker+clock",
       "host+outlier", "kind+rename", "lanes+outlier", "kind+transfers")
SLICES = ("kind", "worker", "host", "half", "outlier", "kind-worker")


def slice_of(where, run):
    """The jobs of a run that the cause slows."""
    names = [run.lane(w) for w in range(len(run.names))]
    return [j for j in run.jobs
            if where.get("kind", j.task.kind) == j.task.kind and where.get("worker", names[j.worker]) == names[j.worker]
            and where.get("host", run.names[j.worker][0]) == run.names[j.worker][0] and where.get("task", j.task.key) == j.task.key
            and j.started - run.first >= where.get("from_ns", 0)]


def run_time(run, tags=None):
    return sum(j.duration for j in run.jobs if tags is None or j.task.tag in tags)


def truth_of(cause, a, b, without):
    """What the cause did to B, from B's rerun without it, and what the traces show of it."""
    truth = {"cause": cause.name, "where": cause.where, "factor": cause.factor, "makespan_ns": b.makespan - without.makespan,
             "lane_time_ns": run_time(b) - run_time(without), "seen_ns": None}
    if cause.name in SLICES:
        tags = {j.task.tag for j in slice_of(cause.where, b)}
        truth["seen_ns"] = run_time(b, tags) - run_time(a, tags)
    elif cause.name in ("transfers", "hidden"):
        truth["lane_time_ns"] = sum(t[8] for t in b.transfers)
        truth["rerun_ns"], truth["seen_ns"] = (sum(t[6] - t[3] for t in remote(b)) - sum(t[6] - t[3] for t in remote(x))
                                               for x in (without, a))
    elif cause.name == "controller":
        truth["lane_time_ns"] = int(sum(j.plan_extra for j in b.jobs))
    elif cause.name == "contention":
        truth["seen_ns"] = run_time(b) - run_time(a)
    elif cause.name in ("clock", "rename"):
        truth["note"] = "the run itself is the same: only what its trace says differs"
    return truth


def is_fit(cause, truth, base):
    """Whether the cause is strong enough to be told, and moves the makespan by what causes here do."""
    moved = abs(truth["makespan_ns"]) / base.makespan
    if cause.name in SLICES and abs(truth["lane_time_ns"]) < CLEAR * cause.noise_ns:
        return False
    if cause.name == "hidden":
        return moved < 0.01
    if cause.name in ("outlier", "clock", "rename", "split"):
        return moved <= MOST
    return LEAST <= moved <= MOST


def describe(run):
    return {"makespan_ns": run.makespan, "tasks": len(run.jobs), "transfers": len(run.transfers), "lane_time_ns": run_time(run)}


def make_pair(name, shape, size, seed, sigma=None):
    """(run A, run B, truth)"""
    names = [] if name == "none" else name.split("+")
    chosen = None
    for attempt in range(TRIES):
        try:
            scene = Scene(names, shape, size, seed, attempt, sigma)
            effect = between(draws(seed, "effect", attempt)[0], 0.03, 0.5) / max(1, len(names))
            causes = [CAUSES[n](scene, effect) for n in names]
        except Unfit:
            continue
        setups = [scene.setup_b] * (len(causes) + 1)  # with all of them; without each
        for i, cause in enumerate(causes):
            setups = [cause.change(s) if j != i + 1 else s for j, s in enumerate(setups)]
        b = Run(setups[0])
        without = [Run(s) for s in setups[1:]]
        truths = [truth_of(c, scene.a, b, w) for c, w in zip(causes, without)]
        chosen = (scene, b, without, truths)
        if all(is_fit(c, t, w) for c, t, w in zip(causes, truths, without)):
            break
    if chosen is None:
        raise SystemExit("causes.py: no place for %s in a %s graph, size %s, seed %d" % (name, shape, size, seed))
    scene, b, without, truths = chosen
    setup = scene.setup_a
    truth = {"cause": name, "size": size, "shape": scene.shape, "seed": seed, "noise": setup.noise, "layout_a": setup.layout,
             "layout_b": b.setup.layout, "depth": setup.depth, "contention": setup.contention, "a": describe(scene.a), "b": describe(b),
             "b0": describe(without[0]) if len(truths) == 1 else None, "causes": truths}
    return scene.a, b, truth


def make_steps(name, size, seed):
    """(run A, run B, truth) of steps that a flush slows, or does not."""
    slow = between(draws(seed, "slow")[0], 0.15, 1.5) if name == "flush" else 0
    a, b, without = (steps.Steps(seed, size, "%d/%s" % (seed, side), s) for side, s in (("a", 0), ("b", slow), ("b", 0)))
    facts = [{"makespan_ns": r.makespan, "spans": len(r.spans)} for r in (a, b, without)]
    causes = [{"cause": "flush", "where": {"of": a.names[0], "while": a.names[3]}, "factor": 1 + slow, "lane_time_ns": b.extra,
               "makespan_ns": b.makespan - without.makespan, "seen_ns": None}] if slow else []
    return a, b, {"cause": name, "size": size, "shape": "steps", "seed": seed, "noise": a.noise, "layout_a": [a.ranks],
                  "layout_b": [b.ranks], "a": facts[0], "b": facts[1], "b0": facts[2], "causes": causes}


def write_pair(name, shape, size, seed, folder, sigma=None):
    is_steps = name == "flush" or shape == "steps"
    a, b, truth = make_steps(name, size, seed) if is_steps else make_pair(name, shape, size, seed, sigma)
    os.makedirs(folder, exist_ok=True)
    ending = ".json" if is_steps else ".jsonl"
    a.write(os.path.join(folder, "a" + ending))
    b.write(os.path.join(folder, "b" + ending))
    with open(os.path.join(folder, "truth.json"), "w", encoding="utf-8") as file:
        json.dump(truth, file, indent=1)
        file.write("\n")
    return truth


def plan_of(names, n, shapes):
    """n of (cause, shape, size): all of them in turn."""
    sizes = ("small", "medium", "small", "medium", "large")
    return [(names[i % len(names)], shapes[(i // len(names) + i) % len(shapes)], sizes[(i // len(names) + i % 5) % 5]) for i in range(n)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cause")
    parser.add_argument("--size", choices=sorted(SIZES), default="small")
    parser.add_argument("--shape", choices=SHAPES + ("steps",))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sigma", type=float, help="of the noise of run times (default: drawn)")
    parser.add_argument("--all", type=int, default=0, metavar="N")
    parser.add_argument("--noise", type=int, default=0, metavar="N")
    parser.add_argument("--two", type=int, default=0, metavar="N")
    parser.add_argument("--out")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    if args.list:
        print("\n".join(list(CAUSES) + ["none"] + list(TWO)))
        return
    if not args.out:
        parser.error("--out is missing")
    if args.cause:
        unknown = [c for c in args.cause.split("+") if c not in CAUSES and args.cause != "none"]
        if unknown or "flush" in args.cause.split("+")[1:]:
            parser.error("no cause " + args.cause)
        write_pair(args.cause, args.shape or SHAPES[args.seed % len(SHAPES)], args.size, args.seed, args.out, args.sigma)
        return
    plan = plan_of(list(CAUSES), args.all, SHAPES) + plan_of(["none"], args.noise, SHAPES + ("steps",)) + plan_of(TWO, args.two, SHAPES)
    for i, (name, shape, size) in enumerate(plan):
        write_pair(name, shape, size, args.seed * 100_000 + i, os.path.join(args.out, "%05d" % i))
        if sys.stderr.isatty():
            print("\r%d of %d" % (i + 1, len(plan)), end="", file=sys.stderr)


if __name__ == "__main__":
    main()
