"""compare.py LANESCOPE FOLDER --seeds "FIRST N" [FILE]...: TAP

Imports N traces made from seeds and the files, and compares what lanescope says of each with what the reader here says: every slice with its
arguments, what found no partner, operations, counters, and the counts and times of the whole.
"""
import json
import os
import subprocess
import sys
from collections import Counter

from facts import Facts, clean, word
from flows import links
from reader import Trace
from traces import make_trace

TOLD = "coalesce((SELECT sum(CAST(reason AS INTEGER)) FROM problem WHERE reason LIKE '{}'), 0)"
SUMMARY = """SELECT s.plain_bytes AS bytes, (SELECT value FROM tags WHERE scope IS NULL AND key = 'form') AS form,
  s.records - coalesce((SELECT value FROM tags WHERE scope IS NULL AND key = 'samples'), 0) AS records, s.bad_records,
  (SELECT value FROM tags WHERE scope IS NULL AND key = 'processes') AS processes,
  (SELECT value FROM tags WHERE scope IS NULL AND key = 'threads') AS threads,
  {} + {} AS x_without_dur, {} AS unmatched_begins, {} AS unmatched_ends, {} AS open_operations, {} AS alone_operations,
  (SELECT count(*) FROM event) AS moments,
  (SELECT CAST(value AS INTEGER) FROM tags WHERE scope IS NULL AND key = 'samples') AS samples, start_ns AS begin_ns, start_ns + duration_ns AS end_ns
  FROM run JOIN source s""".format(*map(TOLD.format, (
    "%complete events have no duration%", "%complete events have a duration that is no time%", "% begins have no end%", "% ends have no begin%", "% asynchronous operations have no end%",
    "% ends of asynchronous operations have no begin%")))
NAMES = """SELECT name, sum(rows) AS count, sum(dur_sum) AS total, max(duration) AS longest
  FROM span_sums('name,duration', 'kind <> "async" AND unfinished IS NULL') GROUP BY 1"""
NESTED = """SELECT s.start + r.start_ns AS start, s.duration, s.name, p.start + r.start_ns AS p_start, p.duration AS p_duration, p.name AS p_name
  FROM span s JOIN run r LEFT JOIN span p ON p.id = s.parent"""
PHASES = "SELECT substr(key, 7) AS phase, CAST(value AS INTEGER) AS n FROM tags WHERE scope IS NULL AND key LIKE 'phase %'"
SPANS = """SELECT s.start + (SELECT start_ns FROM run) AS start, s.duration, s.name, s.category, s.args, l.kind, l.process, l.thread
  FROM span s JOIN lanes l ON l.id = s.lane"""
LINKS = """SELECT a.start AS a_start, a.duration AS a_length, a.name AS a_name, b.start AS b_start, b.duration AS b_length, b.name AS b_name
  FROM dependencies d JOIN span a ON a.id = d.from_id JOIN span b ON b.id = d.to_id WHERE d.type = 'span'"""
COUNTERS = "SELECT name, value FROM counter"


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def call(self, *arguments):
        done = subprocess.run([self.path, *arguments], cwd=self.folder, capture_output=True)
        if done.returncode not in (0, 3):
            print("#", arguments[:2], done.returncode, done.stderr.decode(errors="replace").strip()[-2000:])
        return done.stdout

    def takes(self, file, run):
        """Imports it. Not where there is no record in it: that is refused."""
        done = subprocess.run([self.path, "import", "--quiet", "--format", "chrome", "-o", run, os.path.abspath(file)], cwd=self.folder, capture_output=True)
        refused = done.returncode == 2 and b"no record of format chrome" in done.stderr
        if done.returncode not in (0, 3) and not refused:
            print("#", file, done.returncode, done.stderr.decode(errors="replace").strip()[-2000:])
        return not refused

    def rows(self, runs, statement):
        """The rows of each run."""
        found = {run: [] for run in runs}
        for line in self.call("sql", *(run + ".lanes" for run in runs), statement, "--format", "jsonl").splitlines():
            row = json.loads(line)
            found[row.pop("run", runs[0])].append(row)
        return found


def told_name(name):
    return None if name is None else clean(name)


def told_spans(rows):
    """As Facts has them, operations apart. clang's sums stand on no thread."""
    spans, operations = [], []
    for row in rows:
        name = None if row["name"] is None else clean(row["name"])
        if row["kind"] == "async":
            operations.append((row["start"], row["duration"], name))
            continue
        who = None if row["kind"] == "summary" else tuple(None if part is None else clean(str(part)) for part in (row["process"], row["thread"]))
        category = clean(row["category"]) if row["category"] is not None else None
        spans.append((row["start"], row["duration"], name, category, who, json.loads(row["args"] or "{}")))
    return spans, sorted(operations, key=repr)


def spans_differ(told, expected):
    """The first span that is not the same; arguments may be more than those of the event."""
    if len(told) != len(expected):
        return "%d spans, should be %d" % (len(told), len(expected))
    for one, other in zip(sorted(told, key=span_order), sorted(expected, key=span_order)):
        if one[:4] != other[:4] or one[4] not in (None, other[4]):
            return "%r, should be %r" % (one, other)
        for key, wanted in other[5].items():
            if key not in one[5] or cleaned(one[5][key]) != wanted:
                return "%r: argument %r is %r, should be %r" % (one[:4], key, one[5].get(key), wanted)
    return None


def cleaned(thing):
    if isinstance(thing, dict):
        return {clean(key): cleaned(member) for key, member in thing.items()}
    if isinstance(thing, list):
        return [cleaned(member) for member in thing]
    return clean(thing) if isinstance(thing, str) else thing


def span_order(span):
    """Equal ones by the arguments that both have (those of the event itself come behind)."""
    return span[0], span[1], repr(span[2:4]), str(span[5].get("n", "")), repr(span[4])


def differences(facts, answers):
    summary = answers[SUMMARY][0] if answers[SUMMARY] else {}
    samples = summary.get("samples") or 0  # events of their own, beside those in the list
    if samples:
        summary["moments"] -= samples
    for name in ("bytes", "form", "processes", "threads", "x_without_dur", "unmatched_begins", "unmatched_ends", "open_operations",
                 "alone_operations", "moments"):
        if str(summary.get(name)) != str(getattr(facts, name)):
            yield "%s: %s, should be %s" % (name, summary.get(name), getattr(facts, name))
    records = summary.get("records"), summary.get("bad_records")
    if records != (facts.events - facts.refused, facts.lost + facts.refused):
        yield "records %s, should be %s" % (records, (facts.events - facts.refused, facts.lost + facts.refused))
    if facts.begin_ns is not None and not samples and (summary.get("begin_ns"), summary.get("end_ns")) != (facts.begin_ns, facts.end_ns):
        yield "times %s, should be %s" % ((summary.get("begin_ns"), summary.get("end_ns")), (facts.begin_ns, facts.end_ns))
    names = {}
    for row in answers[NAMES]:
        name = None if row["name"] is None else clean(row["name"])
        count, total, longest = names.get(name, (0, 0, 0))
        names[name] = count + row["count"], total + row["total"], max(longest, row["longest"])
    for name in sorted(set(names) | set(facts.names), key=repr):
        if names.get(name) != facts.names.get(name):
            yield "name %r: %s, should be %s" % (name, names.get(name), facts.names.get(name))
    phases = {row["phase"]: row["n"] for row in answers[PHASES]}
    if phases != facts.phases:
        yield "phases %s, should be %s" % (phases, facts.phases)
    if facts.is_made:
        nested = Counter(((row["start"], row["duration"], told_name(row["name"])),
                          None if row["p_start"] is None else (row["p_start"], row["p_duration"], told_name(row["p_name"]))) for row in answers[NESTED])
        if nested != facts.nested:
            yield "nesting %s, should be %s" % (sorted(nested - facts.nested, key=repr)[:3], sorted(facts.nested - nested, key=repr)[:3])
    spans, operations = told_spans(answers[SPANS])
    expected = [(start, length, word(name), word(category) or None, who, args) for start, length, name, category, who, args in facts.spans]
    wrong = spans_differ(spans, expected)
    if wrong:
        yield wrong
    if operations != sorted(facts.operations, key=repr):
        yield "operations %s, should be %s" % (operations[:5], sorted(facts.operations, key=repr)[:5])
    told = sorted((tuple((row[end + "_start"] + facts.begin_ns, row[end + "_length"], row[end + "_name"] and clean(row[end + "_name"])) for end in "ab")
                   for row in answers[LINKS]), key=repr)
    expected = sorted(links(facts.timed, facts.pairs), key=repr)
    if told != expected:
        yield "%d links, should be %d: first %s" % (len(told), len(expected), ([one for one in zip(told, expected) if one[0] != one[1]] or [None])[0])
    counters = {}
    for row in answers[COUNTERS]:
        counters.setdefault(clean(row["name"]), []).append(row["value"])
    for name in sorted(set(counters) | set(facts.counters)):
        if sorted(counters.get(name, [])) != sorted(facts.counters.get(name, [])):
            yield "counter %r: %s, should be %s" % (name, counters.get(name), facts.counters.get(name))


def main():
    program, folder = Program(sys.argv[1], sys.argv[2]), sys.argv[2]
    first_seed, n = map(int, sys.argv[4].split())
    files = []
    for seed in range(first_seed, first_seed + n):
        files.append(os.path.join(folder, "seed-%d" % seed))
        with open(files[-1], "wb") as file:
            file.write(make_trace(seed))
    files += sys.argv[5:]
    failed = 0
    print("1..%d" % len(files))
    for first in range(0, len(files), 50):
        group = files[first : first + 50]
        runs = ["%d" % (first + i) for i in range(len(group))]
        taken = [run for run, file in zip(runs, group) if program.takes(file, run + ".lanes")]
        answers = {statement: program.rows(taken, statement) for statement in (SUMMARY, NAMES, NESTED, PHASES, SPANS, LINKS, COUNTERS)}
        for run, file in zip(runs, group):
            with open(file, "rb") as data:
                told = answers[SUMMARY].get(run)
                facts = Facts(Trace(data.read(), told[0]["bytes"] if told else None))
            facts.is_made = "seed-" in file  # samples have devices, whose lanes are divided
            if run in taken:
                wrong = list(differences(facts, {statement: found[run] for statement, found in answers.items()}))
            else:
                wrong = ["refused, but has %s" % facts.phases] if facts.phases else []
            print("%sok %d - %s" % ("not " if wrong else "", int(run) + 1, os.path.basename(file)))
            for line in wrong[:5]:
                print("#", line[:600].encode("ascii", "backslashreplace").decode())
            failed |= bool(wrong)
    sys.exit(failed)


main()
