"""lanescope.py on the project's own traces: types, notes, errors. Argument: the folder of tests/data. TAP, without a plan."""
import os
import subprocess
import sys
import tempfile

import tap
import lanescope as ls

data = sys.argv[1]
one, four = (os.path.join(data, "golden", name + ".jsonl") for name in ("one", "four"))
has_pandas = ls.pandas is not None


def column(frame, name):
    return list(frame[name])


frame = ls.query("task-summary", one)
tap.same("a row a stage", column(frame, "stage"), ["total", "comm_delay", "queue_delay", "run_time", "on_worker"])
tap.same("a duration is its nanoseconds", column(frame, "sum")[0], 3125074809)
tap.same("what a column is", {key: frame.attrs["columns"]["sum"][key] for key in ("kind", "unit", "measure")},
         {"kind": "duration", "unit": "ns", "measure": True})
tap.same("in seconds", column(ls.seconds(frame), "sum")[0], 3.125074809)
tap.same("seconds say so", ls.seconds(frame).attrs["columns"]["sum"]["unit"], "s")
tap.same("options", column(ls.query("task-summary", one, sort="-max", limit=2, columns=["max", "stage"]), "stage"),
         ["total", "on_worker"])
tap.same("columns in the order asked for", list(ls.query("task-summary", one, columns=["max", "stage"]).columns),
         ["max", "stage"])
both = ls.query("task-summary", [one, four], limit=1)
tap.same("runs are stacked", column(both, "run"), ["one"])
tap.true("notes", any("the runs differ" in note for note in both.attrs["notes"]))
tap.same("no row", len(ls.query("task-times", one, worker="nobody")), 0)
tap.same("no row has its columns", "total" in ls.query("task-times", one, worker="nobody").columns, True)
lead = ls.diff("task-by-kind", one, four, sort="-total_a", limit=1)
tap.same("a difference", [column(lead, name)[0] for name in ("kind", "total_a", "total_b")], ["efi", 1094117905, 2247340605])
tap.true("an explanation", len(ls.explain(one, four)) > 0)
tap.same("a value of a statement", column(ls.sql(one, "SELECT :a + 1 AS n, :b AS t, NULL AS none", a=2, b="'2'"), "n"), [3])
tap.same("a text stays one", column(ls.sql(one, "SELECT :b AS t", b="'2'"), "t"), ["2"])
tap.same("parameters called as options", column(ls.sql(one, "SELECT :limit AS n", params={"limit": 7}), "n"), [7])
tap.same("64 bits", column(ls.sql(one, "SELECT 9223372036854775807 AS n"), "n"), [9223372036854775807])
tap.true("spans by name", len(ls.spans(one, by="name", sort="-total")) > 0)
tap.true("saved queries", "task-times" in column(ls.queries(one), "query"))
tap.true("a picture", ls.timeline(one, width=60)._repr_svg_().startswith("<svg") or
         ls.timeline(one, width=60)._repr_svg_().startswith("<?xml"))
tap.true("a chart", "efi" in ls.plot("task-by-kind", one, kind="bars", y="mean").svg)
tap.true("a chart by itself", ls.plot("task-by-kind", one)._repr_svg_().startswith("<svg"))
tap.same("runs that are tagged alike", set(column(ls.query("task-summary", one, four, by="workers", stat=["mean", "n"], measure="sum"),
                                                  "sum_n")), {1})
tap.same("runs over a tag", set(column(ls.query("task-summary", one, four, trend="workers", measure="sum"), "workers")), {1, 4})
tap.same("rows that meet a condition", column(ls.query("task-summary", one, four, where="run = 'four'"), "sum"),
         column(ls.query("task-summary", four), "sum"))
tap.same("runs that meet a condition", column(ls.query("task-summary", one, four, runs_where="workers > 1"), "sum"),
         column(ls.query("task-summary", four), "sum"))
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([os.environ["LANESCOPE"], "import", "--quiet", "-o", os.path.join(folder, ""), one, four], check=True)
    tap.same("a list of such runs", column(ls.runs(folder, where="workers > 1", columns=["run", "workers"]), "run"), ["four"])
missing = ls.sql(one, "SELECT 1 AS n UNION ALL SELECT NULL UNION ALL SELECT 3")
if has_pandas:
    tap.same("pandas: integers", str(frame["sum"].dtype), "int64")
    tap.same("pandas: reals", str(frame["mean"].dtype), "float64")
    tap.same("pandas: integers, some missing", str(missing["n"].dtype), "Int64")
    tap.same("pandas: adds up", int(frame["sum"].sum()), sum(int(value) for value in frame["sum"]))
else:
    tap.same("some missing", missing["n"], [1, None, 3])
    tap.same("a row is a tuple", missing[0], (1,))
    tap.same("records", missing.records()[1], {"n": None})
    tap.true("in a notebook", "<td>3</td>" in missing._repr_html_())
    tap.same("printed, under its columns", str(ls.sql(one, "SELECT NULL AS count, 'a' AS n")),
             "count  n\n-      a")
    tap.true("in a notebook, texts are no markup", "&lt;b>" in
             ls.sql(one, "SELECT '<b>' AS t")._repr_html_().replace("&gt;", ">"))
for what, words, call in (
        ("no such run", "No such file", lambda: ls.query("task-summary", "missing.lanes")),
        ("a mistyped query", "did you mean", lambda: ls.query("task-sumary", one)),
        ("a parameter that is none", "has no parameter", lambda: ls.query("task-summary", one, nothing=1)),
        ("a statement that is none", "syntax error", lambda: ls.sql(one, "SELEC 1")),
        ("a second statement", "a second statement", lambda: ls.sql(one, "SELECT 1; SELECT 2")),
        ("a chart that is none", "pie", lambda: ls.plot("task-by-kind", one, kind="pie")),
        ("a file called like an option", "No such file", lambda: ls.query("task-summary", "--sort"))):
    try:
        call()
        tap.same(what, "no error", words)
    except ls.Error as error:
        tap.true(what + " is an error", words in str(error) and error.status == 2)
os.environ["LANESCOPE"] = "/nonexistent/lanescope"
try:
    ls.query("task-summary", one)
    tap.same("no program", "no error", "")
except ls.Error as error:
    tap.true("no program is an error that says what to set", "LANESCOPE" in str(error))
