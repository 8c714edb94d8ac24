#!/usr/bin/env python3
"""Holds what `explain --part what-if` says a run would save against true reruns of the scheduler that made it (scheduler.py).

  what_if.py LANESCOPE FOLDER [SEED...]

A run of each seed is asked what a fifth less time of each kind, lane, host, of transfers and of delays would save, and a lane more or
fewer.  The truth is the middle of several reruns with that changed, each held against a rerun without it and with the same noise.
Whether the two orders agree, over all seeds (TAP).  Python 3.8, standard library only.
"""
import csv
import io
import os
import subprocess
import sys
from dataclasses import replace
from statistics import median

sys.dont_write_bytecode = True

from causes import Scene
from scheduler import SHAPES, Run

LEFT = 0.8
RERUNS = 9
AGREE = 0.9


def ask(lanescope, folder, run):
    """{(what, name): what it would save}"""
    path = os.path.join(folder, "run")
    run.write(path + ".jsonl")
    subprocess.run([lanescope, "import", "--quiet", "--force", "-o", path + ".lanes", path + ".jsonl"], check=True)
    told = subprocess.run([lanescope, "explain", path + ".lanes", path + ".lanes", "--part", "what-if", "--format", "csv"], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode()
    return {(row.get("what", "kind"), row.get("name", row.get("kind"))): int(row["saved"]) for row in csv.DictReader(io.StringIO(told))}


def with_lanes(setup, n):
    """With a worker more on the last host, or one fewer."""
    return replace(setup, layout=setup.layout[:-1] + (setup.layout[-1] + n - sum(setup.layout),))


def changed(run, what, name):
    """The setup of a run in which that is faster."""
    setup = run.setup
    if what == "kind":
        where = {"kind": name}
    elif what == "lane":
        where = {"worker_number": [run.lane(w) for w in range(len(run.names))].index(name)}
    elif what == "host":
        where = {"host_number": [host for host, _ in run.names].index(name) // setup.layout[0]}
    elif what == "transfers":
        return replace(setup, transfer=LEFT)
    elif what == "delays":
        return replace(setup, plan=LEFT, comm_ns=setup.comm_ns * LEFT, spawn_ns=setup.spawn_ns * LEFT)
    else:
        return with_lanes(setup, int(name.split()[0]))
    return replace(setup, slices=((where, LEFT),))


def truths(run, names):
    """What reruns save, as medians."""
    seeds = [run.setup.seed] + ["%s/%d" % (run.setup.seed, i) for i in range(RERUNS - 1)]
    before = [run.makespan] + [Run(replace(run.setup, seed=s)).makespan for s in seeds[1:]]
    return {key: median(b - Run(replace(changed(run, *key), seed=s)).makespan for b, s in zip(before, seeds)) for key in names}


def ranks(values):
    order = sorted(values)
    return [(order.index(v) + len(order) - 1 - order[::-1].index(v)) / 2 for v in values]


def spearman(x, y):
    x, y = ranks(x), ranks(y)
    mean = (len(x) - 1) / 2
    dot = lambda p, q: sum((a - mean) * (b - mean) for a, b in zip(p, q))
    return dot(x, y) / (dot(x, x) * dot(y, y)) ** 0.5


def main():
    lanescope, folder = sys.argv[1:3]
    seeds = [int(s) for s in sys.argv[3:]] or range(1, 13)
    agreements = {"kinds": [], "changes": []}
    for seed in seeds:
        shape = SHAPES[seed % len(SHAPES)]
        run = Scene([], shape, "small", seed, 0, None).a
        told = ask(lanescope, folder, run)
        true = truths(run, told)
        kinds = [key for key in told if key[0] == "kind"]
        for name, keys in (("kinds", kinds), ("changes", list(told))):
            agreements[name].append(spearman([told[k] for k in keys], [true[k] for k in keys]))
        print("# seed %d, %s on %s: %.3f of %d kinds, %.3f of %d changes" % (
            seed, shape, run.setup.layout, agreements["kinds"][-1], len(kinds), agreements["changes"][-1], len(told)))
        for key in sorted(told, key=lambda k: -true[k]):
            print("#   %-32s %8.2f %%, told %8.2f %%" % (" ".join(key), 100 * true[key] / run.makespan, 100 * told[key] / run.makespan))
    failed = 0
    for n, (name, values) in enumerate(agreements.items(), 1):
        is_ok = sum(values) / len(values) >= AGREE
        failed += not is_ok
        print("%s %d - what-if orders %s as reruns do: rank correlation %.3f, at least %.3f of %d seeds" % (
            "ok" if is_ok else "not ok", n, name, sum(values) / len(values), min(values), len(values)))
    print("1..%d" % len(agreements))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
