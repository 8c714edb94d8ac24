"""The cells of the five notebooks, answered through lanescope.py on the samples. Arguments: the samples, a folder to write in.

Each cell is what the notebook computed with pandas from the trace; the figures are those of the samples' expected results."""
import csv
import json
import os
import subprocess
import sys

import tap
import lanescope as ls

samples, work = sys.argv[1:]


def load(*path):
    with open(os.path.join(samples, *path), encoding="utf-8") as file:
        return list(csv.DictReader(file)) if path[-1].endswith(".csv") else json.load(file)


def column(frame, name):
    return list(frame[name])


def cell(frame, name, key=None, value=None):
    rows = [i for i, given in enumerate(column(frame, key)) if given == value] if key else [0]
    return column(frame, name)[rows[0]]


def cascade():
    expected = load("cascade", "expected", "f4.summary.json")
    run = os.path.join(samples, "cascade", "f4.jsonl")
    times = ls.query("task-times", run)
    tap.same("cascade: tasks", len(times), expected["tasks"]["count"])
    tap.same("cascade: their total", sum(column(times, "total")), expected["tasks"]["total"])
    by_worker = ls.query("task-by-worker", run)
    for worker, figures in expected["tasks"]["perWorker"].items():
        tap.same("cascade: %s" % worker, cell(by_worker, "on_worker_sum", "worker", worker), figures["sum"])
    summary = ls.query("task-summary", run)
    tap.same("cascade: the longest queue", cell(summary, "max", "stage", "queue_delay"), expected["tasks"]["queueDelay"]["max"])
    one = os.path.join(samples, "cascade", "f1.jsonl")
    rows = {row["task"]: row for row in load("cascade", "expected", "compare_f1_f4.csv")}
    both = ls.diff("task-times", one, run, key="task", rel_to="b", columns=["task", "total_delta"])
    got = dict(zip(column(both, "task"), column(both, "total_delta")))
    name = next(key for key in next(iter(rows.values())) if key.startswith("dif"))
    tap.same("cascade: two runs compared", sum(got[task] != int(float(row[name])) for task, row in rows.items()), 0)


def dftracer():
    expected = load("dftracer", "expected", "base_pfs_20000_seed7.json")
    folder = os.path.join(work, "base_pfs")
    subprocess.run([sys.executable, os.path.join(samples, "dftracer", "make_pfw.py"), "--out", folder, "--events", "20000",
                    "--seed", "7", "--mode", "base_pfs"], check=True, capture_output=True)
    pattern = "*/p/lustre2/haridev/dlio/scr/checkpoints*"
    tap.near("dftracer: checkpoint time", cell(ls.seconds(ls.query("checkpoint-time", folder)), "time"),
             expected["checkpoint"]["time_max_pid_tid_s"])
    where = ls.query("path-time", folder, path=pattern)
    tap.near("dftracer: time on the parallel file system", cell(ls.seconds(where), "time"), expected["pfs"]["time_max_pid_tid_s"])
    tap.same("dftracer: bytes there", cell(where, "size"), expected["pfs"]["size_sum_bytes"])
    functions = ls.query("function-size", folder, path=pattern)
    tap.same("dftracer: by function", dict(zip(column(functions, "name"), column(functions, "size"))),
             {name: size for name, size in expected["pfs"]["size_sum_bytes_by_op"].items()})


def dasf():
    folder = os.path.join(work, "gpu4")
    os.mkdir(folder)
    for name in os.listdir(os.path.join(samples, "dasf")):
        if name.startswith("gpu4-"):
            os.symlink(os.path.join(samples, "dasf", name), os.path.join(folder, name))
    expected = load("dasf", "expected", "gpu4.task_balance.csv")
    wide = {}
    balance = ls.query("task-balance", folder)
    for second, worker, n in zip(column(balance, "second"), column(balance, "worker"), column(balance, "tasks")):
        wide[(int(second), worker)] = n
    wrong = [(row["Time Interval (seconds from begin)"], worker) for row in expected for worker in row
             if worker.startswith("worker") and row[worker] and
             wide.get((int(row["Time Interval (seconds from begin)"]), worker), 0) != int(float(row[worker]))]
    tap.same("dasf: tasks a second and worker", wrong, [])
    expected = load("dasf", "expected", "gpu4.function_bottleneck.csv")
    functions = ls.query("function-bottleneck", folder, names="recorded")
    got = {(str(nr), name): share for nr, name, share in
           zip(column(functions, "nr"), column(functions, "function"), column(functions, "percent_of_total"))}
    wrong = [row["Function"] for row in expected
             if abs(got.get((row[""], row["Function"]), -1) - float(row["Percentage of total time (%)"])) > 1e-9]
    tap.same("dasf: %d functions' shares" % len(expected), wrong, [])


def dataload():
    expected = load("dataload", "expected", "sample_librispeech_remote.json")
    figures = ls.query("trial-figures", os.path.join(samples, "dataload", "sample"))
    rows = dict(zip(column(figures, "trial"), column(figures, "throughput")))
    wrong = [entry["dir"] for entry in expected["directories"]
             if abs(rows[entry["dir"]] - entry["throughput"]) > 1e-9 * entry["throughput"]]
    tap.same("dataload: throughput of %d folders" % len(expected["directories"]), wrong, [])


def preemption():
    expected = load("preemption", "expected", "run86_accounting.json")
    accounting = ls.query("preemption-accounting", os.path.join(samples, "preemption", "run-86"))
    tap.same("preemption: rollbacks", cell(accounting, "rollbacks"), expected["rollbacks"])
    tap.near("preemption: lost time", cell(ls.seconds(accounting), "lost_time"), expected["lost_s"], 1e-7)
    stats = load("preemption", "expected", "trace_stats.json")
    tap.same("preemption: losses", cell(ls.query("preemption-summary", os.path.join(samples, "preemption", "full-64")), "lost"),
             stats["total_preemptions"])


for answer in (cascade, dftracer, dasf, dataload, preemption):
    if os.path.isdir(os.path.join(samples, answer.__name__)):
        answer()
