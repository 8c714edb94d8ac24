"""Traces made by chance from a seed: everything that the format names and what is found in the wild, whole and damaged."""
import gzip
import random

IDS = ["1", "2", '"1"', '"2"', "-3", '"-3"', "0", "9223372036854775807", "-9223372036854775808", "12345678901234567890", '"172.17.0.2"', '"worker:ab"',
       '""', '"Spans"', "1.5", "null"]
NAMES = ["a", "b", "c", "f (x.py:1)", "", "None", "\\ud83d\\ude00", "\\ud83d", "\\ude00x", "caf\u00e9", "caf\\u00e9", "\\u0000", "\x01", "\t", "\\\"q\\\\\\/\\b\\f\\n\\r\\t",
         "=1+1", "\udcff\udcfe", "\u96ea" * 40, "x" * 3000, "Total x", "},{", "]"]
CATEGORIES = ["cat", "a,b", "", "io", "toplevel"]
KEYS = ["k", "value", "name", "data", "ph", "id", "ts", "\\u006b", "\u00e9", "x.y", ""]
VALUES = ["1", "-0", "0", "2.50", "1e3", "1.5e+3", "1E-2", "18446744073709551615", "-9223372036854775808", "123456789012345678901234567890", '"7"', '"07"', '"1.5"',
          '"text"', "true", "false", "null", "NaN", "Infinity", "-Infinity", "[]", "{}", '[1,"a",[null]]', '{"a":{"b":[1.0]}}', '{"a":1,"a":2}', '"\\ud83d\\ude00"',
          "[" * 100 + "]" * 100]
ODD = ["null", "17", '"text"', "[]", '[{"ph":"X","name":"hidden","ts":1,"dur":1}]', "true", "-1.5e3", "NaN"]
BROKEN = ['{"ph":"X","name":"lost","ts":1 "dur":2}', '{"ph":"X","name":"lost","ts":01}', '{"ph":"B","name":"lost"', '{"ph":"X",,"ts":1}', '{ph:"X"}', "{'ph':'X'}",
          '{"ph":"X","name":"\\x"}', '{"ph":"X","ts":tru}', '{"ph":"X","args":{"a":' + "[" * 2000 + "]" * 2000 + "}}", '{"ph":"X","name":"\\u12"}', '{"ts":1.}',
          '{"ts":--1}', '{"ts":+1}', "{]}"]


PHASES = ["X", "B", "E", "i", "I", "R", "C", "b", "n", "e", "S", "T", "p", "F", "s", "t", "f", "N", "O", "D", "M", "P", "c", "V", "v", "=", "(", ")", "?", "XX",
          "\u00e9", "", None]
KINDS = {"mixed": "", "nesting": "BBEEEX", "flows": "XXXsstffB", "operations": "bbeeSSFFn", "counters": "CCC", "ties": "BBBBEEEEXX"}  # what there is more of


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        kind = self.random.choice(sorted(KINDS))
        self.phases = PHASES + ["X", "B", "E"] * 4 + list(KINDS[kind]) * 4
        few = self.random.choice([1, 3])
        self.few = self.random.sample(NAMES, few if kind in ("flows", "operations") else 1 + few)
        self.kinds_of_id = self.random.sample(range(6), few)
        self.categories = self.random.sample(CATEGORIES, few)
        self.pids, self.tids = self.random.sample(IDS, few), self.random.sample(IDS, few)
        self.chance = 1 if few == 1 else 0.95
        self.base = self.random.choice([0, 0, -500, 1000, 1700000000000000])
        self.spelling = self.random.choice(["int", "decimals", "many", "text", "mixed", "mixed"])
        self.most = 4 if kind == "ties" else 1000  # different times
        if kind == "ties":
            self.spelling = "int"
        self.line = self.random.choice(["", "\n", "\r\n", " ", "\t"])

    def time(self, most):
        spelling = self.spelling if self.spelling != "mixed" else self.random.choice(["int", "decimals", "many", "text", "exponent"])
        whole = self.random.randrange(min(most, self.most))
        if spelling == "int":
            return str(self.base + whole)
        if spelling == "decimals":
            return "%d.%03d" % (self.base + whole, self.random.randrange(1000))
        if spelling == "many":
            return "%d.%s" % (self.base + whole, self.random.choice(["0005", "0015", "00050", "000500001", "9995", "99949999", "123456789012345678901", "0"]))
        if spelling == "text":
            return '"%d.%d"' % (self.base + whole, self.random.randrange(1000))
        return self.random.choice(["%de0" % (self.base + whole), "%d.5e1" % whole, "%de-4" % whole, "-%d.5E-3" % whole, "-0", "1e3", "0.%de+2" % whole, "-%d5e-4" % whole])

    def duration(self):
        base, self.base = self.base, 0
        text = self.random.choice(["0", "0.000", self.time(10), self.time(60), self.time(200), self.random.choice(["-1", "null", '"x"', "NaN"])])
        self.base = base
        return text

    def name(self):
        return '"%s"' % self.random.choice(self.few)

    def maybe(self, fields, key, make, chance=0.9):
        if self.random.random() < chance:
            fields.append((key, make()))

    def args(self):
        if self.random.random() < 0.05:
            return self.random.choice(["null", "[1]", '"text"', "3", "true"])
        names = [self.random.choice(KEYS) for _ in range(self.random.randrange(4))] + ["n"]
        return "{%s}" % ",".join('"%s":%s' % (name, self.random.choice(VALUES)) for name in names)

    def identity(self, fields):
        kind = self.random.choice(self.kinds_of_id)
        text = self.random.choice(["1", '"1"', "0", '"0x1f"'][: 1 + len(self.kinds_of_id)])
        if kind < 4:
            fields.append(("id", text))
        else:
            fields.append(("id2", '{"%s":%s}' % (("local", "global")[kind - 4], text)))
        self.maybe(fields, "scope", lambda: '"s"', 0.1)

    def event(self):
        phase = self.random.choice(self.phases)
        fields = [] if phase is None else [("ph", '"%s"' % phase)]
        self.maybe(fields, "name", self.name, 0.6 if phase == "E" else 0.95)
        self.maybe(fields, "cat", lambda: '"%s"' % self.random.choice(self.categories), 1 if self.chance == 1 else 0.7)
        self.maybe(fields, "ts", lambda: self.time(100), 0.97 if phase != "M" else 0.3)
        self.maybe(fields, "pid", lambda: self.random.choice(self.pids), self.chance)
        self.maybe(fields, "tid", lambda: self.random.choice(self.tids), self.chance)
        self.maybe(fields, "args", self.args, 0.5)
        if phase == "X":
            self.maybe(fields, "dur", self.duration)
        if phase and phase in "bneSTpFstfNOD" or phase == "C" and self.random.random() < 0.2:
            self.identity(fields)
        if phase == "f":
            self.maybe(fields, "bp", lambda: '"e"', 0.5)
        if phase in ("X", "B"):
            self.maybe(fields, "bind_id", lambda: self.random.choice(["1", '"0x2"']), 0.3)
            for key in ("flow_in", "flow_out"):
                self.maybe(fields, key, lambda: self.random.choice(["true", "true", "false"]), 0.4)
        if phase == "C":
            fields.append(("args", "{%s}" % ",".join('"%s":%s' % (self.random.choice(KEYS), self.random.choice(VALUES)) for _ in range(self.random.randrange(4)))))
        if phase == "M":
            fields.append(self.random.choice([("name", '"process_name"'), ("name", '"thread_name"'), ("name", '"process_sort_index"'), ("name", '"num_cpus"')]))
            fields.append(("args", self.random.choice(['{"name":"p"}', '{"sort_index":"3"}', '{"sort_index":-1}', '{"number":8}'])))
        self.maybe(fields, "cname", lambda: '"good"', 0.1)
        self.maybe(fields, "pid", lambda: self.random.choice(self.pids), 0.03)  # twice: the last one counts
        if self.random.random() < 0.5:
            self.random.shuffle(fields)
        colon = self.random.choice([":", ": ", " :\t"])
        return "{%s%s}" % ((", " if self.line else ",").join('"%s"%s%s' % (key, colon, text) for key, text in fields), "," if self.random.random() < 0.03 else "")

    def events(self, is_odd):
        parts = [self.event() for _ in range(self.random.choice([self.random.randrange(10), self.random.randrange(150)]))]
        if is_odd:
            for _ in range(self.random.randrange(4)):
                parts.insert(self.random.randrange(len(parts) + 1), self.random.choice(ODD))
            for _ in range(self.random.randrange(3)):
                parts.insert(self.random.randrange(len(parts) + 1), self.random.choice(BROKEN))
        comma = "," + self.line
        text = parts[0] if parts else ""
        for part in parts[1:]:
            text += ("," + "\0" * 5 + self.line if is_odd and self.random.random() < 0.03 else comma) + part
        return "[" + self.line + text + self.random.choice(["", "", ",", ",\n", self.line]) + "]"

    def trace(self, is_odd):
        listed = self.events(is_odd)
        if self.random.random() < 0.4:
            return listed
        around = [('"displayTimeUnit"', '"ns"'), ('"otherData"', '{"v":"1","traceEvents":[{"ph":"X"}]}'), ('"stackFrames"', '{"1":{"name":"f"}}'), ('"metadata"', '[1,{"a":[]}]'),
                  ('"systemTraceEvents"', '"text"'), ('"rank"', "-0"), ('"none"', "null")]
        chosen = self.random.sample(around, self.random.randrange(len(around)))
        chosen.insert(self.random.randrange(len(chosen) + 1), ('"traceEvents"', listed))
        text = "{%s}" % ("," + self.line).join(key + ":" + member for key, member in chosen)
        return '{"traceEvents":%s}' % text if self.random.random() < 0.1 else text


def make_trace(seed):
    maker = Maker(seed)
    chance = maker.random
    damage = chance.choice(["", "", "", "odd", "cut", "cut", "end", "bom", "gzip", "members", "gzip cut", "blanks"])
    data = maker.trace(damage in ("odd", "cut")).encode("utf-8", "surrogateescape")
    if damage == "cut":
        data = data[: chance.randrange(1, len(data) + 1)]
    elif damage == "end":
        data = data.rstrip(b"}] \r\n\t,") + (b"}" if b"{" in data[1:] else b"") + chance.choice([b"", b",", b",\n", b"\n", b"\0\0"])
    elif damage == "bom":
        data = b"\xef\xbb\xbf" + data
    elif damage == "blanks":
        data = b"\r\n\0\0 \t" + data + b"\n\0\0"
    elif damage in ("gzip", "gzip cut"):
        data = gzip.compress(data, mtime=0)
        data = data if damage == "gzip" else data[: chance.randrange(20, len(data))]
    elif damage == "members":
        at = chance.randrange(len(data))
        data = gzip.compress(data[:at], mtime=0) + gzip.compress(data[at:], mtime=0)
    return data
