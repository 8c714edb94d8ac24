"""Answers of lanescope as frames: saved queries, differences, explanations and SQL in a notebook.

    import lanescope as ls
    ls.query("task-by-kind", "f1.lanes", "f4.lanes")        # runs stacked under a column `run`
    ls.query("io-summary", "base.lanes", window="1s")       # a parameter
    ls.diff("task-by-kind", "f1.lanes", "f4.lanes")
    ls.explain("f1.lanes", "f4.lanes")
    ls.sql("base.lanes", "SELECT name FROM lanes WHERE id < :n", n=3)
    ls.plot("task-by-kind", "f4.lanes", y="mean")           # a chart
    ls.timeline("f4.lanes")                                 # a picture

One file, the standard library alone; `lanescope python >lanescope.py` writes it. With pandas a
frame is a pandas.DataFrame: integers are int64 (Int64 where some are missing), reals float64,
texts object. Without, it is a list of rows that knows its columns. Numbers are as lanescope stores
them, durations and times in ns, sizes in bytes; frame.attrs["columns"] says what each is, seconds()
makes durations and times seconds, and frame.attrs["notes"] has what lanescope said beside the
answer.

The program is `lanescope` of the PATH, or what the environment's LANESCOPE names.
"""

import json
import os
import subprocess

try:
    import pandas
except ImportError:
    pandas = None

__all__ = ["Error", "Frame", "Picture", "query", "diff", "explain", "sql", "spans", "runs", "info",
           "queries", "plot", "timeline", "seconds"]


class Error(Exception):
    """A call that failed: what lanescope said, its exit status in .status."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


class Picture:
    """An SVG, which a notebook shows."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


class Frame(list):
    """Rows as tuples, for where there is no pandas: frame["total"] is a column, frame[0] a row."""

    def __init__(self, names, rows, attrs):
        super().__init__(tuple(row) for row in rows)
        self.columns, self.attrs = list(names), attrs

    def __getitem__(self, key):
        if isinstance(key, str):
            return [row[self.columns.index(key)] for row in self]
        return super().__getitem__(key)

    def records(self):
        return [dict(zip(self.columns, row)) for row in self]

    def __str__(self):
        lines = [self.columns] + [["-" if value is None else str(value) for value in row] for row in self]
        widths = [max(map(len, column)) for column in zip(*lines)]
        return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)

    def _repr_html_(self):
        def cells(tag, values):
            texts = ("" if value is None else str(value) for value in values)
            return "".join("<%s>%s</%s>" % (tag, _escaped(text), tag) for text in texts)
        rows = "".join("<tr>%s</tr>" % cells("td", row) for row in self)
        return "<table><tr>%s</tr>%s</table>" % (cells("th", self.columns), rows)


def _escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _call(arguments, text=None):
    """What it printed, and its notes."""
    program = os.environ.get("LANESCOPE") or "lanescope"
    try:
        done = subprocess.run([program, *arguments], input=text, capture_output=True,
                              encoding="utf-8", errors="surrogateescape",
                              stdin=None if text is not None else subprocess.DEVNULL, check=False)
    except FileNotFoundError:
        raise Error("%s: no such program; the environment's LANESCOPE may name it" % program, 127) from None
    said = [line.split(": ", 1)[1] if ": " in line else line
            for line in done.stderr.splitlines() if line]
    if done.returncode not in (0, 3):  # 3: records were skipped, which the notes tell
        raise Error("\n".join(said) or "exit status %d" % done.returncode, done.returncode)
    return done.stdout, [line[len("note: "):] if line.startswith("note: ") else line for line in said]


def _series(kind, values):
    present = [value for value in values if value is not None]
    if present and all(isinstance(value, int) for value in present):
        whole = len(present) == len(values)
        return pandas.array(values, dtype="int64" if whole else "Int64")
    if kind != "text" and all(isinstance(value, (int, float)) for value in present):
        return pandas.array([float("nan") if value is None else float(value) for value in values],
                            dtype="float64")
    return values


def _frame(arguments, text=None):
    printed, notes = _call([arguments[0], "--format", "frame", *arguments[1:]], text)
    answer = json.loads(printed)
    names = [column["name"] for column in answer["columns"]]
    attrs = {"columns": {column["name"]: column for column in answer["columns"]}, "notes": notes}
    if pandas is None:
        return Frame(names, answer["rows"], attrs)
    columns = list(zip(*answer["rows"])) or [()] * len(names)
    data = {i: _series(column["kind"], list(values))
            for i, (column, values) in enumerate(zip(answer["columns"], columns))}
    frame = pandas.DataFrame(data)
    frame.columns = names
    frame.attrs = attrs
    return frame


def _words(params, options):
    words = []
    for name, value in params.items():
        words += ["-p", "%s=%s" % (name, value)]
    for name, value in options.items():
        if value is True:
            words.append("--" + name.replace("_", "-"))
        elif value is not None and value is not False:
            many = value if isinstance(value, (list, tuple)) else [value]
            words.append("--%s=%s" % (name.replace("_", "-"), ",".join(str(item) for item in many)))
    return words


def _paths(runs):
    """Runs may come one by one or as lists; no name of a file is taken for an option."""
    paths = []
    for run in runs:
        paths += _paths(run) if isinstance(run, (list, tuple)) else [os.fspath(run)]
    return paths


def query(name, *runs, where=None, sort=None, limit=None, columns=None, key=None, wide=False, by=None,
          stat=None, pivot=None, trend=None, measure=None, runs_where=None, scope=None, with_paths=False,
          classes=None, queries=None, params=None, **more):
    """A saved query on one run, or on several, stacked; with by="nodes,mode" a row of runs that are
    tagged alike, with trend="started" its measures over time, and where they step; with where="time >
    1s" only rows that meet it. Its parameters are
    keywords: window="1s"; those that are called like an option here stand in params={...}."""
    options = {"where": where, "sort": sort, "limit": limit, "columns": columns, "key": key,
               "wide": wide, "by": by, "stat": stat, "pivot": pivot, "trend": trend, "measure": measure,
               "runs_where": runs_where, "scope": scope, "path": with_paths, "class": classes,
               "queries": queries}
    return _frame(["query", *_words({**(params or {}), **more}, options), "--", name, *_paths(runs)])


def diff(name, a, b, sort=None, limit=None, columns=None, key=None, measure=None, scope=None,
         rel_to=None, classes=None, queries=None, params=None, **more):
    """A saved query on two runs, joined: of each measure A, B, delta, ratio and rel."""
    options = {"sort": sort, "limit": limit, "columns": columns, "key": key, "measure": measure,
               "scope": scope, "rel-to": rel_to, "class": classes, "queries": queries}
    return _frame(["diff", *_words({**(params or {}), **more}, options), "--", name, *_paths([a, b])])


def explain(a, b, part=None, sort=None, limit=None, scope=None, classes=None, params=None, **more):
    """Why B takes longer than A: ranked causes, or a part of the explanation. A and B may be lists."""
    options = {"part": part, "sort": sort, "limit": limit, "scope": scope, "class": classes}
    sides = []
    for side, runs in (("--a", _paths([a])), ("--b", _paths([b]))):
        for run in runs:
            sides.append("%s=%s" % (side, run))
    return _frame(["explain", *_words({**(params or {}), **more}, options), *sides])


def sql(runs, statement, sort=None, limit=None, scope=None, with_paths=False, params=None, **more):
    """One read-only statement on a run, or on each of several, stacked. :name takes name=..."""
    options = {"sort": sort, "limit": limit, "scope": scope, "path": with_paths}
    return _frame(["sql", *_words({**(params or {}), **more}, options), "--", *_paths([runs])], statement)


def spans(*runs, filter=None, by=None, columns=None, sort=None, limit=None, scope=None):
    """Spans in the order of time, or with by="name,host" added up."""
    options = {"filter": filter, "by": by, "columns": columns, "sort": sort, "limit": limit, "scope": scope}
    return _frame(["spans", *_words({}, options), "--", *_paths(runs)])


def runs(*folders, where=None, columns=None, sort=None, limit=None):
    """What is there: tags, format, start, duration, lanes, records, problems."""
    options = {"where": where, "columns": columns, "sort": sort, "limit": limit}
    return _frame(["runs", *_words({}, options), "--", *_paths(folders)])


def info(*runs):
    """Summary, provenance and problems."""
    return _frame(["info", "--", *_paths(runs)])


def queries(run=None):
    """The saved queries, or those that fit a run."""
    return _frame(["queries", "--", *_paths([] if run is None else [run])])


def plot(name, *runs, kind=None, x=None, y=None, series=None, log=None, size=None, sort=None, limit=None,
         by=None, stat=None, pivot=None, trend=None, measure=None, runs_where=None, scope=None,
         classes=None, queries=None, params=None, **more):
    """A saved query's answer as a chart, which a notebook shows: kind bars, line, steps, scatter,
    histogram, cdf or heatmap, else what the columns suggest."""
    options = {"x": x, "y": y, "series": series, "log": log, "size": size, "sort": sort, "limit": limit,
               "by": by, "stat": stat, "pivot": pivot, "trend": trend, "measure": measure,
               "runs_where": runs_where, "scope": scope, "class": classes, "queries": queries}
    chart = "--plot=%s" % kind if kind else "--plot"
    return Picture(_call(["query", chart, "--format", "svg", *_words({**(params or {}), **more}, options),
                          "--", name, *_paths(runs)])[0])


def timeline(*runs, **options):
    """Its picture; options as those of `lanescope timeline`: from_="2s", to="3s", lanes="gpu*"."""
    given = {name.rstrip("_"): value for name, value in options.items()}
    return Picture(_call(["timeline", *_words({}, {**given, "svg": True}), "--", *_paths(runs)])[0])


def seconds(frame):
    """A copy in which durations and times are seconds."""
    kinds = frame.attrs["columns"]
    timed = [name for name in frame.columns if kinds.get(name, {}).get("unit") == "ns"]
    attrs = {**frame.attrs, "columns": {name: {**column, "unit": "s"} if name in timed else column
                                        for name, column in kinds.items()}}
    if pandas is not None and isinstance(frame, pandas.DataFrame):
        copy = frame.copy()
        for name in timed:
            copy[name] = copy[name].astype("float64") / 1e9
        copy.attrs = attrs
        return copy
    rows = [[value / 1e9 if name in timed and value is not None else value
             for name, value in zip(frame.columns, row)] for row in frame]
    return Frame(frame.columns, rows, attrs)
