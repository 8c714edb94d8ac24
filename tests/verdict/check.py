#!/usr/bin/env python3
"""Holds causes.py against itself and against what lanescope reads of its traces, and score.py against rows made by hand.

  check.py LANESCOPE FOLDER

Prints a line for each test (TAP).  Python 3.8, standard library only.
"""
import csv
import filecmp
import io
import os
import subprocess
import sys

import causes
import score
from scheduler import Run

LANESCOPE, FOLDER = sys.argv[1:3]
SEED = 41
SHAPES = {"transfers": "layered", "hidden": "layered", "contention": "independent", "imbalance": "mapreduce"}
n_tests = n_failed = 0


def test(is_ok, name, *details):
    global n_tests, n_failed
    n_tests += 1
    print("%s %d - %s" % ("ok" if is_ok else "not ok", n_tests, name))
    if not is_ok:
        n_failed += 1
        for detail in details:
            print("# %s" % (detail,))


def lanescope(*args):
    done = subprocess.run((LANESCOPE,) + args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise SystemExit("Bail out! %s: %s" % (" ".join(args), done.stderr.decode()))
    return done.stdout.decode(), done.stderr.decode()


def sql(run, statement):
    return list(csv.reader(io.StringIO(lanescope("sql", run, statement)[0])))[1:]


def imported(run, name):
    ending = ".jsonl" if isinstance(run, Run) else ".json"
    path = os.path.join(FOLDER, name)
    run.write(path + ending)
    lanescope("import", "--quiet", "--force", "-o", path + ".lanes", path + ending)
    return path + ".lanes"


def check_repeats():
    for name, ending in (("kind", ".jsonl"), ("flush", ".json")):
        folders = [os.path.join(FOLDER, name + side) for side in "12"]
        for folder in folders:
            causes.write_pair(name, "layered", "small", SEED, folder)
        files = ["a" + ending, "b" + ending, "truth.json"]
        same = filecmp.cmpfiles(*folders, files, shallow=False)[0]
        test(same == files, "%s: the same pair from the same seed" % name, same)


def check_truth(name):
    shape = SHAPES.get(name, "layered")
    a, b, truth = causes.make_pair(name, shape, "small", SEED)
    cause = truth["causes"][0]
    moved = cause["makespan_ns"]
    test(truth["b"]["makespan_ns"] - truth["b0"]["makespan_ns"] == moved, "%s: the makespan is B's less that of its rerun" % name)
    if name in causes.SLICES:
        tags = {j.task.tag for j in causes.slice_of(cause["where"], b)}
        lane = cause["lane_time_ns"]
        test(tags and lane * (cause["factor"] - 1) > 0 and abs(cause["seen_ns"] - lane) <= 0.25 * abs(lane),
             "%s: time goes where the factor says, and the traces show it" % name, cause)
        expected = sum(j.duration * (1 - 1 / cause["factor"]) for j in b.jobs if j.task.tag in tags)
        test(abs(expected - lane) <= 2 * len(b.jobs), "%s: nothing but the slice takes another time" % name, expected, lane)
    elif name in ("clock", "rename"):
        test(moved == 0 and cause["lane_time_ns"] == 0, "%s: the run itself is the same" % name, cause)
    elif name in ("lanes", "imbalance", "split"):
        test(abs(cause["lane_time_ns"]) <= len(b.jobs), "%s: tasks take as long as without" % name, cause)
    else:
        test(cause["lane_time_ns"] > 0, "%s: takes time" % name, cause)
    return a, b, truth


def check_import(name, run, path, may_tell):
    zero = run.first
    made = sorted((j.task.key, j.task.kind, run.lane(j.worker), str(j.started - zero), str(j.finished - zero)) for j in run.jobs)
    read = sorted(map(tuple, sql(path, "SELECT key, kind, worker, started, finished FROM tasks")))
    if may_tell:
        test([m[:3] for m in made] == [r[:3] for r in read], "%s: the run file has its tasks" % name)
        return
    test(made == read, "%s: the run file has its tasks, at their times" % name, made[:2], read[:2])
    n = sql(path, "SELECT count(*) FROM transfers")[0][0]
    test(int(n) == len(run.transfers), "%s: and its transfers" % name, n, len(run.transfers))
    problems = sql(path, "SELECT reason FROM problems")
    test(not problems, "%s: read without a problem" % name, problems[:2])


def check_pairs():
    for name in causes.CAUSES:
        if name == "flush":
            continue
        a, b, truth = check_truth(name)
        paths = [imported(run, name + side) for run, side in ((a, "-a"), (b, "-b"))]
        check_import(name, a, paths[0], False)
        check_import(name + ", B", b, paths[1], name == "clock")


def check_flush():
    a, b, truth = causes.make_steps("flush", "small", SEED)
    cause = truth["causes"][0]
    test(cause["lane_time_ns"] > 0 and 0 < cause["makespan_ns"] <= cause["lane_time_ns"], "flush: takes time of steps", cause)
    path = imported(b, "flush-b")
    test(int(sql(path, "SELECT count(*) FROM span")[0][0]) == len(b.spans), "flush: the run file has its spans")
    test(not sql(path, "SELECT reason FROM problems"), "flush: read without a problem")
    a, b, truth = causes.make_steps("none", "small", SEED)
    test(truth["b"] == truth["b0"] and not truth["causes"], "steps without a cause: nothing to find")


def check_sums():
    """Without noise, what a cause did is the difference of the sums of the two run files."""
    for name in ("kind", "worker", "outlier", "kind-worker"):
        a, b, truth = causes.make_pair(name, "layered", "small", SEED, 0.0)
        paths = [imported(run, "quiet" + side) for run, side in ((a, "-a"), (b, "-b"))]
        sums = [int(sql(p, "SELECT sum(finished - started) FROM tasks")[0][0]) for p in paths]
        lane = truth["causes"][0]["lane_time_ns"]
        test(abs(sums[1] - sums[0] - lane) <= 2 * len(a.jobs), "%s: without noise, the run files differ by the truth" % name, sums, lane)
        told = "".join(lanescope("explain", *paths, "--part", "matched", "--format", "csv"))
        test("%d pairs" % len(a.jobs) in told, "%s: each task has its counterpart" % name, told[:300])
    _, _, truth = causes.make_pair("none", "layered", "small", SEED)
    test(not truth["causes"], "none: no cause")
    _, _, truth = causes.make_pair("kind+worker", "independent", "small", SEED)
    test([t["cause"] for t in truth["causes"]] == ["kind", "worker"], "two causes: a truth for each")


def row(cause, slice_text="", **fields):
    given = dict(rank="1", cause=cause, slice=slice_text, sentence="", makespan="", lane_time="")
    given.update({k: str(v) for k, v in fields.items()})
    return score.Row(given)


def check_judge():
    pair = {"layout_b": [2, 2], "b": {"makespan_ns": 10 * 10**9, "lane_time_ns": 30 * 10**9}, "causes": []}

    def judged(truth, *rows):
        truths = [dict({"factor": 2, "lane_time_ns": 10**9, "makespan_ns": 10**9}, **t) for t in truth]
        return score.judge(list(rows), dict(pair, causes=truths))

    kind = {"cause": "kind", "where": {"kind": "efi"}}
    worker = {"cause": "worker", "where": {"worker": "h1:worker1"}}
    good = row("slower", "kind=efi", lane_time=1_050_000_000, makespan=10**9, makespan_low=8 * 10**8, makespan_high=12 * 10**8)
    test(judged([kind], good) == dict(named=True, accused=False, lane=True, holds=True, narrow=True), "judge: a kind, named")
    wide = row("slower", "kind=efi", lane_time=1_200_000_000, makespan_low=0, makespan_high=9 * 10**8)
    test(judged([kind], wide) == dict(named=True, accused=False, lane=False, holds=False, narrow=False), "judge: named, its sizes wrong")
    for other in (row("faster", "kind=efi"), row("slower", "kind=sot"), row("slower", "kind=efi lane=h1:worker1"), row("same", "all")):
        verdict = judged([kind], other)
        test(not verdict["named"] and verdict["accused"] == (other.cause != "same"),
             "judge: %s %s is not slower efi" % (other.cause, other.fields["slice"]))
    lane = row("slower", "lane=h1:worker1")
    test(judged([kind, worker], lane, good)["named"] and not judged([kind, worker], good)["named"], "judge: two causes, in any order")
    half = {"cause": "half", "where": {"from_ns": 5 * 10**9}}
    test(judged([half], row("slower", "from=5.9s"))["named"] and not judged([half], row("slower", "from=6.1s"))["named"],
         "judge: a time is met to a tenth of the makespan")
    test(judged([], row("same", "all"))["named"] and judged([])["named"] and not judged([], lane)["named"], "judge: noise has no name")
    test(0.94 < score.wilson(490, 500) - 0.02 < 0.96 and score.wilson(0, 0) == 0, "judge: lower end of a share")


def check_contradictions():
    def faults(*rows):
        return len(score.contradictions(list(rows)))

    sentence = "kind efi is slower: +2.47 s task time, about +0.9 s of the makespan"
    fields = dict(lane_time=2_468_000_000, makespan=912_000_000, makespan_low=800_000_000, makespan_high=10**9)
    test(faults(row("slower", sentence=sentence, **fields)) == 0, "contradictions: a sentence like its row")
    for what, change in (("a sum", {"lane_time": 2_480_000_000}), ("a range", {"makespan_high": 900_000_000}), ("a rank", {"rank": 2}),
                         ("a word", {"sentence": "kind efi is faster"}), ("a sign", {"sentence": "efi: -2.47 s"}),
                         ("a chance", {"chance": 1.5})):
        test(faults(row("slower", **dict(dict(fields, sentence=sentence), **change))) >= 1, "contradictions: %s that differs" % what)
    rows = [row("slower", sentence="kind efi runs 2.00 x as long", **fields)]
    answer = "b is 1.00 s slower than a (11.0 s, 10.0 s): kind efi runs 2.00 x as long (%s)"
    for what, note, n in (("an answer like its rows", answer % "+912 ms", 0), ("another size", answer % "+930 ms", 1),
                          ("another sign", answer % "-912 ms", 1), ("no size", answer % "no clear effect on the end", 1),
                          ("a word", (answer % "+912 ms").replace("slower", "faster"), 1), ("no difference", "a and b", 1)):
        test(len(list(score.answer_contradictions(note, rows))) == n, "contradictions: %s" % what)
    text = "part,row\nx,1\n\nrank,cause,slice\n2,faster,kind=a b lane=x\n1,slower,all\n\n"
    rows = score.read_causes(text)
    test([r.cause for r in rows] == ["slower", "faster"] and rows[1].slice == {"kind": "a b", "lane": "x"}, "the table among others")
    test(score.read_time("1m3.5s") == 63.5e9 and score.read_time("250ms") == 250e6, "times are read with their units")


def main():
    check_repeats()
    check_pairs()
    check_flush()
    check_sums()
    check_judge()
    check_contradictions()
    print("1..%d" % n_tests)
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
