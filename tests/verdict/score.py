#!/usr/bin/env python3
"""Holds what `lanescope explain` says of pairs of runs against what is known of them, and prints a scoreboard (Markdown).

  score.py DIR... [--lanescope PATH] [--csv OUT] [--jobs N] [--verbose]

DIR is a folder of causes.py, with truth.json and two traces, or a folder of such folders. Run files are kept beside the traces
and made again where a trace is newer. Columns of the scoreboard, each a share of pairs:

  named first   the first row is the cause, with its slice and its sign; two causes: the first two rows are the two
  accused       some row names what is no cause of this pair (rows of cause `same` name nothing)
  lane time     of pairs named first: the row's lane time is within 10 % of the truth, or near zero where that is zero
  range holds   of pairs named first: the truth lies in the row's range of the makespan
  narrow        of pairs named first, with an effect above 5 % of the makespan: that range is at most half as wide as the effect

What contradicts itself is listed below: a sentence whose words or signed figures disagree with its row, an answer (the first note)
that disagrees with its rows, a value outside of its range.
Exits with 1 if there is any, with 2 if explain fails on a pair.  Python 3.8, standard library only.
"""
import argparse
import csv
import glob
import io
import json
import math
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

UNITS = {"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "m": 60e9, "h": 3600e9}
FIGURE = re.compile(r"(?<![\w.])([+\-−–])\s?(\d+(?:\.\d+)?)\s?(ns|us|µs|ms|s|min)\b")
TIMES = ("makespan", "makespan_low", "makespan_high", "lane_time", "lane_time_low", "lane_time_high")
SLOWER = re.compile(r"\b(slower|longer)\b")
FASTER = re.compile(r"\b(faster|shorter|quicker)\b")
SIGNS = {"slower": 1, "more work": 1, "faster": -1, "less work": -1}
PATIENCE = 300  # seconds for one command
QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
COLUMNS = ("named", "accused", "lane", "holds", "narrow")


class Row:
    """One row of the table of causes."""

    def __init__(self, fields):
        self.fields = fields
        self.cause = fields.get("cause", "")
        self.sentence = fields.get("sentence", "")
        self.slice = read_slice(fields.get("slice", ""))
        for name in TIMES:
            setattr(self, name, read_int(fields.get(name)))

    def mentions(self, *words):
        return any(w in self.fields.get("slice", "") or w in self.sentence for w in words)


def read_int(text):
    return int(float(text)) if text not in (None, "") else None


def read_slice(text):
    """{"kind": "efi", "lane": "h1:worker1"} of "kind=efi lane=h1:worker1"; texts may hold blanks."""
    parts = re.split(r"(?:^| )([a-z]+)=", text)
    return dict(zip(parts[1::2], (part.strip("'") for part in parts[2::2])))


def read_time(text):
    """Nanoseconds of 3.1s, 250ms, 1m3.5s or plain nanoseconds."""
    found = re.findall(r"([\d.]+)\s?(ns|us|µs|ms|min|s|m|h)", text)
    if not found:
        return float(text) if re.fullmatch(r"\d+", text) else math.inf
    return sum(float(n) * UNITS[u] for n, u in found)


def read_causes(text):
    """The rows of the table of causes, which may stand among others."""
    header, rows = None, []
    for fields in csv.reader(io.StringIO(text)):
        if "rank" in fields and "cause" in fields:
            header, rows = fields, []
        elif header and len(fields) == len(header):
            rows.append(Row(dict(zip(header, fields))))
        elif header and rows:
            break
    if header is None:
        raise ValueError("no table of causes")
    return sorted(rows, key=lambda r: int(r.fields["rank"]))


def lane_matches(text, worker):
    return text == worker or text.split(":")[-1] == worker


def host_matches(row, where, layout):
    if row.slice.get("host") == where["host"]:
        return set(row.slice) == {"host"}
    # A host with one worker is that worker.
    alone = layout[int(where["host"][1:])] == 1
    return alone and set(row.slice) == {"lane"} and row.slice["lane"] == where["host"] + ":worker0"


def slice_matches(row, truth, pair):
    if row.cause != ("slower" if truth["factor"] > 1 else "faster"):
        return False
    where, found = truth["where"], row.slice
    if truth["cause"] == "host":
        return host_matches(row, where, pair["layout_b"])
    alone = "worker" in where and ":" in where["worker"] and pair["layout_b"][int(where["worker"][1:].split(":")[0])] == 1
    if alone and "lane" not in found and "host" in found:
        found = dict(found, lane=found["host"] + ":worker0")
        del found["host"]
    expected = {"worker": "lane", "from_ns": "from"}
    if set(found) != {expected.get(k, k) for k in where}:
        return False
    return (found.get("kind") == where.get("kind")
            and ("worker" not in where or lane_matches(found["lane"], where["worker"]))
            and ("task" not in where or (len(found["task"]) > 8 and where["task"].startswith(found["task"].rstrip(".…"))))
            and ("from_ns" not in where
                 or abs(read_time(found["from"]) - where["from_ns"]) <= 0.1 * pair["b"]["makespan_ns"]))


def matches(row, truth, pair):
    """Whether a row names this cause."""
    name, where = truth["cause"], truth["where"]
    if name in ("transfers", "hidden"):
        return row.cause == "transfers" and (row.lane_time or 0) > 0
    if name in ("controller", "lanes", "contention"):
        return row.cause == name
    if name == "rename":
        return row.cause == "renamed" and row.mentions(where["kind"], where["to"])
    if name == "split":
        return row.cause == "split" and row.mentions(where["kind"], *where["into"])
    if name == "clock":
        return row.cause == "clock" and row.mentions(where["host"])
    if name == "imbalance":
        return row.cause == "placement" and row.mentions(where["kind"], where["worker"])
    if name == "flush":
        return row.cause == "interference" and row.mentions(where["of"], where["while"])
    return slice_matches(row, truth, pair)


def lane_time_agrees(row, truth, pair):
    true = truth["lane_time_ns"]
    slack = 0.1 * abs(true)
    if abs(true) < 1000:  # rounding
        if row.lane_time is None or (row.lane_time_low or 0) <= 0 <= (row.lane_time_high or 0):
            return True
        slack = 0.01 * pair["b"].get("lane_time_ns", 0)
    if row.lane_time is None:
        return False
    return any(abs(row.lane_time - t) <= slack for t in (true, truth.get("rerun_ns", true)))


def judge(rows, pair):
    """{column: true, false or None where it doesn't apply}"""
    named = [r for r in rows if r.cause != "same"]
    truths = pair["causes"]
    first = named[:len(truths)]
    found = [next((r for r in first if matches(r, t, pair)), None) for t in truths]
    is_accused = any(not any(matches(r, t, pair) for t in truths) for r in named)
    verdict = dict.fromkeys(COLUMNS)
    verdict.update(named=all(found) if truths else not named, accused=is_accused)
    if truths and all(found):
        both = list(zip(found, truths))
        verdict["lane"] = all(lane_time_agrees(r, t, pair) for r, t in both)
        verdict["holds"] = all(range_holds(r, t["makespan_ns"]) for r, t in both)
        large = [(r, t) for r, t in both if abs(t["makespan_ns"]) > 0.05 * (pair["b"]["makespan_ns"] - t["makespan_ns"])]
        if large:
            verdict["narrow"] = all(r.makespan_low is not None and r.makespan_high is not None
                                    and r.makespan_high - r.makespan_low <= abs(t["makespan_ns"]) / 2 for r, t in large)
    return verdict


def range_holds(row, true):
    if row.makespan_low is None or row.makespan_high is None:
        return true == 0 and row.makespan in (None, 0)
    return row.makespan_low <= true <= row.makespan_high


def contradictions(rows):
    """What in the rows disagrees with what else stands in them."""
    found = []
    for i, row in enumerate(rows):
        def tell(what):
            found.append("row %d (%s, %s): %s" % (i + 1, row.cause, row.fields.get("slice", ""), what))

        if int(row.fields["rank"]) != i + 1:
            tell("rank " + row.fields["rank"])
        for name in ("makespan", "lane_time"):
            low, value, high = (getattr(row, name + end) for end in ("_low", "", "_high"))
            if None not in (low, value, high) and not low <= value <= high:
                tell("%s %d is outside of %d to %d" % (name, value, low, high))
        chance = row.fields.get("chance")
        if chance and not 0 <= float(chance) <= 1:
            tell("chance " + chance)
        sign = SIGNS.get(row.cause, 0)
        if sign and row.lane_time is not None and row.lane_time * sign <= 0:
            tell("lane_time is %d" % row.lane_time)
        # The sentence of a slice speaks of its lane time; what it says after a colon or semicolon may be of something else.
        head = re.split(r"[:;](?:\s|$)|, (?:but|against)\b", row.sentence)[0]
        if sign > 0 and FASTER.search(head) and not SLOWER.search(head):
            tell("the sentence says faster: " + row.sentence)
        if sign < 0 and SLOWER.search(head) and not FASTER.search(head):
            tell("the sentence says slower: " + row.sentence)
        for text in unbacked(row):
            tell("%s in the sentence is no figure of the row: %s" % (text, row.sentence))
    return found


def rounding(digits, unit):
    """Nanoseconds that a printed figure may be off."""
    return 0.51 * UNITS[unit] * 10.0 ** -len(digits.partition(".")[2])


def unbacked(row):
    """Signed figures of the sentence that are none of the row's, as rounded as they are printed."""
    values = [v for v in (getattr(row, name) for name in TIMES) if v is not None]
    for match in FIGURE.finditer(row.sentence):
        sign, digits, unit = match.groups()
        value = float(digits) * UNITS[unit] * (1 if sign == "+" else -1)
        if not any(abs(value - v) <= rounding(digits, unit) for v in values):
            yield match.group(0)


def answer_contradictions(note, rows):
    """What in the answer, the first note, disagrees with the rows: words with the sign of the difference, figures with sizes."""
    head = re.match(r".* is \S+ \S+ (slower|faster) than .*? \((\S+ \S+), (\S+ \S+)\)", note)
    if head:
        b, a = map(read_time, head.groups()[1:])
        if (b > a) != (head.group(1) == "slower") and b != a:
            yield "the answer says %s of %s" % (head.group(1), head.group(0))
    elif rows and rows[0].cause != "same" and " takes as long as " not in note:
        yield "the answer names no difference: " + note
    for row in rows:
        told = re.search(re.escape(row.sentence) + r" \((?:([+\-])?([\d.]+) (\S+)|no clear effect on the end)\)", note)
        if not told:
            continue
        holds_zero = (row.makespan_low or 0) < 0 < (row.makespan_high or 0)
        if (told.group(2) is None) != (holds_zero or row.makespan == 0):
            yield "the answer gives a size where the range holds 0, or none where it does not: " + told.group(0)
        if told.group(2):
            size = float(told.group(2)) * UNITS[told.group(3)] * (-1 if told.group(1) == "-" else 1)
            if abs(size - row.makespan) > rounding(told.group(2), told.group(3)):
                yield "the answer gives another size than the row: " + told.group(0)


def run_file(lanescope, folder, side):
    trace = sorted(p for p in glob.glob(os.path.join(folder, side + ".json*")))[0]
    path = os.path.join(folder, side + ".lanes")
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(trace):
        subprocess.run([lanescope, "import", "--quiet", "--force", "-o", path, trace], check=True, timeout=PATIENCE, **QUIET)
    return path


class Answer:
    """What explain says of a pair, and how that agrees with the truth."""

    def __init__(self, lanescope, folder):
        self.folder = folder
        with open(os.path.join(folder, "truth.json"), encoding="utf-8") as file:
            self.pair = json.load(file)
        self.rows, self.faults, self.error = [], [], None
        try:
            paths = [run_file(lanescope, folder, side) for side in "ab"]
            done = subprocess.run([lanescope, "explain"] + paths + ["--format", "csv"], timeout=PATIENCE, **QUIET)
            if done.returncode:
                raise ValueError("explain ends with %d: %s" % (done.returncode, done.stderr.decode()[-200:]))
            self.rows = read_causes(done.stdout.decode())
            note = next((n for n in done.stderr.decode().splitlines() if "note: " in n), "")
            self.faults = contradictions(self.rows) + list(answer_contradictions(note, self.rows))
        except (ValueError, KeyError, subprocess.SubprocessError) as error:
            self.error = str(error)
        self.verdict = judge(self.rows, self.pair) if not self.error else dict(dict.fromkeys(COLUMNS), named=False)

    @property
    def group(self):
        return {0: "noise only", 1: "one cause", 2: "two causes"}[len(self.pair["causes"])]

    def line(self):
        """What to read of a pair that is not as it should be."""
        rows = "; ".join("%s %s" % (r.cause, r.fields.get("slice", "")) for r in self.rows[:3])
        truth = " and ".join("%s %s" % (t["cause"], json.dumps(t["where"])) for t in self.pair["causes"]) or "none"
        return "%s: %s: %s" % (self.folder, truth, self.error or rows)


def wilson(good, n):
    """Lower end of the 95 % interval of a share."""
    if not n:
        return 0.0
    z, p = 1.96, good / n
    return max(0.0, (p + z * z / 2 / n - z * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n)) / (1 + z * z / n))


def share(answers, column):
    values = [a.verdict[column] for a in answers if a.verdict[column] is not None]
    return "%d of %d" % (sum(values), len(values)) if values else ""


def table(title, groups):
    print("| %s | pairs | named first | share | at least | accused | lane time | range holds | narrow |" % title)
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, answers in groups:
        if answers:
            good = sum(bool(a.verdict["named"]) for a in answers)
            print("| %s | %d | %d | %.1f %% | %.1f %% | %s |" % (
                name, len(answers), good, 100 * good / len(answers), 100 * wilson(good, len(answers)),
                " | ".join(share(answers, c) for c in COLUMNS[1:])))
    print()


def scoreboard(answers):
    def by(key, chosen):
        groups = {}
        for a in chosen:
            groups.setdefault(key(a), []).append(a)
        return sorted(groups.items())

    one = [a for a in answers if len(a.pair["causes"]) == 1]
    table("cause", by(lambda a: a.pair["cause"], one))
    table("pairs with", [(g, [a for a in answers if a.group == g]) for g in ("one cause", "two causes", "noise only")])
    order = {"small": 0, "medium": 1, "large": 2}
    sizes = sorted({a.pair["size"] for a in answers}, key=order.get)
    table("size", [("%s, %s" % (s, g), [a for a in answers if a.pair["size"] == s and a.group == g])
                   for s in sizes for g in ("one cause", "noise only")])
    two = [a for a in answers if len(a.pair["causes"]) == 2]
    if two:
        table("two causes", by(lambda a: a.pair["cause"], two))


def write_csv(path, answers):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["pair", "cause", "size", "shape"] + list(COLUMNS) + ["first", "slice", "makespan", "true_makespan", "lane_time",
                                                                         "true_lane_time", "contradictions", "error"])
        for a in answers:
            row = a.rows[0].fields if a.rows else {}
            truth = a.pair["causes"][0] if a.pair["causes"] else {}
            out.writerow([a.folder, a.pair["cause"], a.pair["size"], a.pair["shape"]] +
                         ["" if a.verdict[c] is None else int(a.verdict[c]) for c in COLUMNS] +
                         [row.get("cause", ""), row.get("slice", ""), row.get("makespan", ""), truth.get("makespan_ns", ""),
                          row.get("lane_time", ""), truth.get("lane_time_ns", ""), len(a.faults), a.error or ""])


def folders_of(paths):
    for path in paths:
        if os.path.exists(os.path.join(path, "truth.json")):
            yield path
        else:
            yield from (os.path.dirname(p) for p in sorted(glob.glob(os.path.join(path, "*", "truth.json"))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dirs", nargs="+", metavar="DIR")
    parser.add_argument("--lanescope", default="lanescope")
    parser.add_argument("--csv", metavar="OUT")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="list the pairs that are not named first, or accuse")
    args = parser.parse_args()
    folders = list(folders_of(args.dirs))
    if not folders:
        parser.error("no truth.json in " + " ".join(args.dirs))
    with ThreadPoolExecutor(args.jobs) as pool:
        answers = list(pool.map(lambda f: Answer(args.lanescope, f), folders))
    scoreboard(answers)
    if args.csv:
        write_csv(args.csv, answers)
    wrong = [a for a in answers if not a.verdict["named"] or a.verdict["accused"]]
    if args.verbose and wrong:
        print("not as it should be:\n")
        print("\n".join("* " + a.line() for a in wrong) + "\n")
    faults = [(a.folder, f) for a in answers for f in a.faults]
    print("%d contradictions in %d pairs" % (len(faults), len(answers)))
    for folder, fault in faults:
        print("* %s: %s" % (folder, fault))
    errors = [a for a in answers if a.error]
    for a in errors:
        print("score.py: %s" % a.line(), file=sys.stderr)
    return 2 if errors else 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
