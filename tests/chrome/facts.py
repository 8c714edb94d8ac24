"""The facts of a trace, by the rules of the format in their plainest form: slices, times, what found no partner, counters, operations."""
import collections
import re
from decimal import ROUND_HALF_EVEN, Decimal

from reader import Number

LIMIT = 1 << 62  # times that far from 0 can't be counted with
SILENT = set("XBEbeSFstfCM")  # phases that are no events of a moment


def clean(text):
    """As lanescope prints it: what is no character becomes one sign."""
    return re.sub("[\ud800-\udfff\ufffd]+", "\ufffd", text)


def word(thing):
    """Text of a string or number; None of anything else."""
    return clean(str(thing)) if isinstance(thing, str) else None


def exact(thing):
    """What names are compared by: bytes that are no characters as they are."""
    return re.sub("[\ud800-\udbff\udd00-\udfff]", "\ufffd", thing) if isinstance(thing, str) else None


def nanoseconds(thing):
    if not isinstance(thing, str) or not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", thing):
        return None
    result = int((Decimal(thing) * 1000).to_integral_value(ROUND_HALF_EVEN))
    return result if abs(result) < LIMIT else None


def plain(thing):
    """A value of JSON as Python has it."""
    if isinstance(thing, Number):
        if thing[-1] in "Ny":  # NaN, Infinity
            return str(thing)
        return float(thing) if re.search(r"[.eE]", thing) else int(thing)
    if isinstance(thing, str):
        return clean(thing)
    if isinstance(thing, dict):
        return {clean(key): plain(member) for key, member in thing.items()}
    return [plain(member) for member in thing] if isinstance(thing, list) else thing


def arguments(event):
    args = event.get("args")
    return {} if args is None else plain(args if isinstance(args, dict) else {"args": args})


def thread(event):
    return word(event.get("pid")), word(event.get("tid"))


def identity(event):
    """Which operation is meant, scope included; a local one is of its process."""
    id2 = event.get("id2") if isinstance(event.get("id2"), dict) else {}
    local, general = id2.get("local"), id2.get("global")
    if "local" in id2:
        return thread(event)[:1], word(local) or "", word(event.get("scope")) or ""
    return None, word(general if "global" in id2 else event.get("id")) or "", word(event.get("scope")) or ""


def match(timed, key):
    """Pairs of begins and ends with the same key, by time, then as in the file: an end with a name closes the innermost begin of that name
    (of an operation that has none, the innermost), one without the innermost. What stays open, and how many ends found nothing, come behind."""
    pairs, alone_ends, open_begins = [], 0, {}
    for time, event in sorted(timed, key=lambda item: item[0]):
        begins = open_begins.setdefault(key(event), [])
        if event["ph"] in ("B", "b", "S"):
            begins.append((time, event))
            continue
        name = exact(event.get("name")) if event["ph"] != "F" else None
        found = [i for i, (_, begin) in enumerate(begins) if not name or exact(begin.get("name")) == name]
        if not found and begins and event["ph"] == "e":
            found = [len(begins) - 1]
        if found:
            start, begin = begins.pop(found[-1])
            pairs.append((start, time, begin, event))
        else:
            alone_ends += 1
    return pairs, [begin for begins in open_begins.values() for begin in begins], alone_ends


def series(event):
    """(name, value) of each numeric member of a counter; the series is called by the counter, its id, and the member unless that says no more."""
    name = word(event.get("name")) or ""
    called = name + ("[%s]" % word(event["id"]) if word(event.get("id")) else "")
    for key, member in (event["args"].items() if isinstance(event.get("args"), dict) else ()):
        if isinstance(member, str) and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", member):
            key = clean(key)
            yield (called if called and key in ("value", name) else called + "." + key if called else key), float(member)


def plausible(length):
    """No span lasts 36 years: such a length is kept as an argument."""
    return length if length <= 1 << 60 else 0


Span = collections.namedtuple("Span", "start end begin finish name")  # begin, finish: places in the file; a record has no finish


def contains(outer, inner):
    """Whatever has no length lies in what was open when it began, the file's order deciding among equal times."""
    if (outer.start, -outer.end, outer.begin) >= (inner.start, -inner.end, inner.begin):
        return False
    if inner.start < inner.end:
        return outer.start < outer.end and inner.end <= outer.end
    are_records = outer.finish is None and inner.finish is None
    has_begun = outer.start < inner.start or are_records or outer.begin < inner.begin
    ends_behind = outer.end == inner.start and outer.finish is not None and outer.finish > inner.begin
    return has_begun and (outer.end > inner.start or ends_behind)


def nesting(timed, pairs, operations):
    """(span, parent) of each, as (start, length, name), by trying every pair of spans of a thread, and of operations of a process and category."""
    places = {id(event): place for place, (_, event) in enumerate(timed)}
    lanes = {}
    for time, event in timed:
        if event["ph"] == "X":
            end = time + plausible(max(nanoseconds(event.get("dur")) or 0, 0))
            lanes.setdefault(thread(event), []).append(Span(time, end, places[id(event)], None, word(event.get("name"))))
    for start, end, begin, finish in pairs + operations:
        place = places.get(id(finish), len(timed))  # of no end: behind all
        who = thread(begin) if begin["ph"] == "B" else ("operations", thread(begin)[0], word(begin.get("cat")) or "")
        lanes.setdefault(who, []).append(Span(start, end, places[id(begin)], place, word(begin.get("name"))))
    for who, spans in lanes.items():
        for span in spans:
            around = [other for other in spans if contains(other, span)] if who[0] not in ("Spans", "Traces") else []
            parent = max(around, key=lambda one: (one.start, -one.end, one.begin), default=None)
            yield (span.start, span.end - span.start, span.name), parent and (parent.start, parent.end - parent.start, parent.name)


class Facts:
    def __init__(self, trace):
        events = trace.events
        self.bytes, self.form, self.events, self.lost = trace.bytes, trace.form, len(events), trace.lost
        self.phases, self.counters = {}, {}
        for event in events:
            if word(event.get("ph")):
                self.phases[event["ph"]] = self.phases.get(event["ph"], 0) + 1
        self.processes = len({word(event.get("pid")) for event in events})
        self.threads = len({thread(event) for event in events})
        known = [(nanoseconds(event.get("ts")), event) for event in events if word(event.get("ph"))]
        timed = [(time, event) for time, event in known if time is not None and event["ph"] != "M"]
        metadata = sum(event["ph"] == "M" for _, event in known)
        self.refused = len(events) - len(timed) - metadata
        self.timed = timed
        self.read_spans(timed)
        self.begin_ns = min((time for time, _ in timed), default=None)
        self.end_ns = max([time for time, _ in timed] + [start + length for start, length, *_ in self.spans], default=None)
        self.pairs += [(start, start + plausible(self.end_ns - start), begin, {}) for start, begin in self.open_begins]  # flows lead there too
        for start, begin in self.open_begins:
            self.spans.append((start, plausible(self.end_ns - start), begin.get("name"), begin.get("cat"), thread(begin), arguments(begin)))
        for _, event in timed:
            if event["ph"] == "C":
                for name, number in series(event):
                    self.counters.setdefault(name, []).append(number)
        self.nested = collections.Counter(nesting(timed, self.pairs, self.read_operations(timed)))
        self.moments = sum(event["ph"] not in SILENT for _, event in timed) + self.unmatched_ends + self.alone_operations

    def read_spans(self, timed):
        """(start, length, name, category, thread, arguments) of each slice."""
        self.spans, self.x_without_dur = [], 0
        for time, event in timed:
            if event["ph"] == "X":
                length = nanoseconds(event.get("dur"))
                self.x_without_dur += length is None
                self.spans.append((time, plausible(max(length or 0, 0)), event.get("name"), event.get("cat"), thread(event), arguments(event)))
        pairs, self.open_begins, self.unmatched_ends = match([item for item in timed if item[1]["ph"] in ("B", "E")], thread)
        pairs = [(start, start + plausible(end - start), begin, finish) for start, end, begin, finish in pairs]
        for start, end, begin, finish in pairs:
            args = {**arguments(begin), **arguments(finish)}
            self.spans.append((start, end - start, begin.get("name"), begin.get("cat"), thread(begin), args))
        self.pairs = pairs
        self.unmatched_begins = len(self.open_begins)
        self.names = {}
        for _, length, name, *_ in self.spans:
            count, total, longest = self.names.get(word(name), (0, 0, 0))
            self.names[word(name)] = count + 1, total + length, max(longest, length)

    def read_operations(self, timed):
        """Pairs as match gives them; those of no end last until the trace's end."""
        def new_key(event):
            return word(event.get("cat")) or "", identity(event)

        def old_key(event):
            return word(event.get("cat")) or "", exact(event.get("name")) or "", identity(event)

        new = match([item for item in timed if item[1]["ph"] in ("b", "e")], new_key)
        old = match([item for item in timed if item[1]["ph"] in ("S", "F")], old_key)
        pairs = new[0] + old[0] + [(start, self.end_ns, begin, {}) for start, begin in new[1] + old[1]]
        pairs = [(start, start + plausible(end - start), begin, finish) for start, end, begin, finish in pairs]
        self.operations = sorted((start, end - start, word(begin.get("name"))) for start, end, begin, _ in pairs)
        self.open_operations, self.alone_operations = len(new[1] + old[1]), new[2] + old[2]
        return pairs
