"""Which slices flow events lead from and to, by trying every slice.

A flow event means the slice around its time on its thread that began last; an end without "bp": "e" means the next to begin, the longest of
those. A slice may say itself that a flow goes out of it or comes in (bind_id). The events of one flow, by time: each is led to from the last that
begins it or passes it on; an end that nothing precedes from the first behind it.
"""
from facts import exact, identity, nanoseconds, thread, word


def slice_at(slices, time, is_next):
    if is_next:
        later = [one for one in slices if one["start"] >= time]
        return min(later, key=lambda one: (one["start"], -one["length"], one["order"]), default=None)
    around = [one for one in slices if one["start"] <= time <= one["start"] + one["length"]]
    return max(around, key=lambda one: (one["start"], -one["length"], one["order"]), default=None)


def binding(event):
    """Phase and key of the flow that an event of a slice names."""
    comes, goes = event.get("flow_in") is True, event.get("flow_out") is True
    if word(event.get("bind_id")) and (comes or goes):
        return ("t" if comes and goes else "s" if goes else "f"), ("bind", word(event["bind_id"]))
    return None


def links(timed, pairs):
    """(from, to), each as (start, length, name), of the timed events of a trace and its pairs of begins and ends."""
    slices, points = {}, {}
    places = {id(event): place for place, (_, event) in enumerate(timed)}
    for time, event in timed:
        if event["ph"] == "X":
            length = max(nanoseconds(event.get("dur")) or 0, 0)
            slices.setdefault(thread(event), []).append({"start": time, "length": length, "name": word(event.get("name")), "says": binding(event),
                                                     "order": places[id(event)]})
    for start, end, begin, finish in pairs:
        slices.setdefault(thread(begin), []).append(
            {"start": start, "length": end - start, "name": word(begin.get("name")), "says": binding(begin) or binding(finish),
             "order": places[id(begin)]})
    for group in slices.values():
        for one in group:
            if one["says"]:
                phase, key = one["says"]
                points.setdefault(key, []).append((one["start"], "stf".index(phase), one))
    for time, event in timed:
        if event["ph"] in ("s", "t", "f"):
            key = word(event.get("cat")) or "", exact(event.get("name")) or "", identity(event)
            found = slice_at(slices.get(thread(event), []), time, event["ph"] == "f" and event.get("bp") != "e")
            points.setdefault(key, []).append((time, "stf".index(event["ph"]), found))
    for group in points.values():
        bound = sorted((point for point in group if point[2]), key=lambda point: point[:2])
        begins = [one for _, phase, one in bound if phase < 2]
        source = None
        for _, phase, one in bound:
            origin = source if phase and source else begins[0] if phase == 2 and begins else None
            if origin and origin is not one:
                yield tuple((end["start"], end["length"], end["name"]) for end in (origin, one))
            source = one if phase < 2 else source
