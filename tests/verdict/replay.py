#!/usr/bin/env python3
"""Holds what `explain --part replay` says of pairs of runs against the scheduler that made them (scheduler.py, causes.py).

  replay.py LANESCOPE FOLDER [SEED...]

B differs from A by noise and one cause, which is one factor of the replay.  That factor must be the largest and as large as B's rerun
without the cause says, and A with what was measured of B put in must take nearly as long as B did.  TAP.  Python 3.8, standard library
only.
"""
import csv
import io
import os
import re
import subprocess
import sys
from statistics import median

sys.dont_write_bytecode = True

import causes
from scheduler import SHAPES

FACTORS = {"kind": "durations", "worker": "durations", "transfers": "transfers", "controller": "delays", "lanes": "number of lanes"}
FIRST, NEAR, MISSED = 0.9, 0.03, 0.03  # of pairs; of the makespan, in the middle
MISS = re.compile(r"the prediction misses by ([\d.]+) %")


def ask(lanescope, folder, run_a, run_b):
    """({factor: ns}, by how much of B's makespan the prediction misses)"""
    paths = []
    for name, run in (("a", run_a), ("b", run_b)):
        path = os.path.join(folder, name)
        run.write(path + ".jsonl")
        subprocess.run([lanescope, "import", "--quiet", "--force", "-o", path + ".lanes", path + ".jsonl"], check=True)
        paths.append(path + ".lanes")
    done = subprocess.run([lanescope, "explain", *paths, "--part", "replay", "--format", "csv"], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    rows = {row["factor"]: int(row["delta"]) for row in csv.DictReader(io.StringIO(done.stdout.decode()))}
    return rows, float(MISS.search(done.stderr.decode()).group(1)) / 100


def test(is_ok, number, name):
    print("%s %d - %s" % ("ok" if is_ok else "not ok", number, name))
    return not is_ok


def main():
    lanescope, folder = sys.argv[1:3]
    seeds = [int(s) for s in sys.argv[3:]] or range(1, 7)
    first, near, missed = [], [], []
    for seed in seeds:
        for place, (cause, factor) in enumerate(FACTORS.items()):
            shape = SHAPES[(seed + place) % len(SHAPES)]
            run_a, run_b, truth = causes.make_pair(cause, shape, "small", seed)
            rows, miss = ask(lanescope, folder, run_a, run_b)
            told = {k: v for k, v in rows.items() if k not in ("as A was", "sum")}
            largest = max(told, key=lambda k: abs(told[k]))
            off = abs(told.get(factor, 0) - truth["causes"][0]["makespan_ns"]) / run_b.makespan
            first.append(largest == factor)
            near.append(off)
            missed.append(miss)
            print("# %s, seed %d, %s: largest %s, off by %.1f %% of the makespan, prediction misses by %.1f %%" % (
                cause, seed, truth["shape"], largest, 100 * off, 100 * miss))
    failed = test(sum(first) >= FIRST * len(first), 1, "of %d causes %d are the largest factor" % (len(first), sum(first)))
    failed |= test(median(near) <= NEAR, 2, "it is as large as reruns say but for %.1f %% of the makespan" % (100 * median(near)))
    failed |= test(median(missed) <= MISSED, 3, "A with what was measured of B misses B by %.1f %%" % (100 * median(missed)))
    print("1..3")
    return failed


if __name__ == "__main__":
    sys.exit(main())
