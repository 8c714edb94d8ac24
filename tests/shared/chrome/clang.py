"""What clang says its instantiations and headers cost, by plain loops over the events: what lanescope's own figures are compared with.

    clang.py templates FILE    template,kind,instances,n,time,mean,max
    clang.py headers FILE      header,n,time,mean,max

A template is called by its name, the arguments of each template in it left out; its time is that in which at least one of its instantiations
goes on. Headers are records (X), or begins and ends (b, e; the innermost open one ends first) of clang 19.
"""
import csv
import sys

from trace import begin, end, load, union


def collapsed(name):
    """Reads the name from left to right: brackets of operators are no arguments."""
    out, depth, at = "", 0, 0
    while at < len(name):
        for operator in ("<=>", "<<", "<", "->", ">>", ">"):
            follows = name[at + len(operator) : at + len(operator) + 1]
            is_argument = operator == "<<" and (follows.isalpha() or follows == "_")  # operator<<int> is operator< of int
            if name[:at].endswith("operator") and name.startswith(operator, at) and not is_argument:
                out, at = out + (operator if depth == 0 else ""), at + len(operator)
                break
        else:
            if name[at] == "<":
                out, depth = out + ("<$>" if depth == 0 else ""), depth + 1
            elif name[at] == ">":
                depth -= 1
            elif depth == 0:
                out += name[at]
            at += 1
    return out


def table(spans):
    groups = {}
    for key, start, stop, detail in spans:
        groups.setdefault(key, []).append((start, stop, detail))
    rows = []
    for key, found in groups.items():
        lengths = [stop - start for start, stop, _ in found]
        rows.append((key, len({detail for *_, detail in found}), len(found), union((start, stop) for start, stop, _ in found), sum(lengths) / len(found),
                     max(lengths), sum(lengths)))
    return rows


def templates(events):
    kinds = {"InstantiateFunction": "function", "InstantiateClass": "class"}
    rows = table(((collapsed(event["args"]["detail"]), kinds[event["name"]]), begin(event), end(event), event["args"]["detail"])
                 for event in events if event.get("name") in kinds)
    yield "template", "kind", "instances", "n", "time", "mean", "max"
    for (name, kind), instances, n, time, mean, longest, _ in sorted(rows, key=lambda row: (-row[3], row[0][0].encode(), row[0][1])):
        yield name, kind, instances, n, time, mean, longest


def sources(events):
    open_files = []
    for event in sorted((event for event in events if event.get("name") == "Source"), key=begin):
        if event["ph"] == "X":
            yield event["args"]["detail"], begin(event), end(event), ""
        elif event["ph"] == "b":
            open_files.append(event)
        else:
            start = open_files.pop()
            yield start["args"]["detail"], begin(start), begin(event), ""


def headers(events):
    yield "header", "n", "time", "mean", "max"
    for header, _, n, _, mean, longest, time in sorted(table(sources(events)), key=lambda row: (-row[6], row[0].encode())):
        yield header, n, time, mean, longest


csv.writer(sys.stdout, lineterminator="\n").writerows({"templates": templates, "headers": headers}[sys.argv[1]](load(sys.argv[2])))
