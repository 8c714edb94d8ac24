"""A Chrome trace read as its format says, apart from lanescope: whole by Python's own reader where it is JSON, else event by event.

What is not JSON: blanks may be NUL bytes; commas may be anywhere between members and events; NaN and Infinity stand bare; strings hold any byte.
An event that is broken is lost alone: reading goes on at the next { behind } and comma. Members of the list that are no objects are passed over.
"""
import gzip
import json
import re
import sys
import zlib

BLANK = re.compile(r"[ \t\r\n]*")
BLANK_COMMA = re.compile(r"[ \t\r\n\0,]*")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|NaN|-?Infinity")
NEXT_EVENT = re.compile(r"\}[ \t\r\n]*,[ \t\r\n]*(?=\{)")
STRING = re.compile(r'"((?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"', re.DOTALL)
NESTED = 512
sys.setrecursionlimit(10000)


class Number(str):
    """As it is written."""


class Broken(Exception):
    def __init__(self, at):
        super().__init__(at)
        self.at = at


def skip(text, at, pattern=BLANK):
    return pattern.match(text, at).end()


def value(text, at, depth):
    """What begins at a place, and where it ends."""
    first = text[at : at + 1]
    if first == '"':
        found = STRING.match(text, at)
        if not found:
            raise Broken(at)
        return json.loads(found.group(), strict=False), found.end()
    if first in ("{", "["):
        return members(text, at, depth)
    for word, meaning in (("true", True), ("false", False), ("null", None)):
        if text.startswith(word, at):
            return meaning, at + len(word)
    found = NUMBER.match(text, at)
    if not found:
        raise Broken(at)
    return Number(found.group()), found.end()


def members(text, at, depth):
    """An object or a list; a comma may stand behind the last member."""
    is_object = text[at] == "{"
    result = {} if is_object else []
    if depth == NESTED:
        raise Broken(at)
    at = skip(text, at + 1)
    while text[at : at + 1] != ("}" if is_object else "]"):
        if is_object:
            if text[at : at + 1] != '"':
                raise Broken(at)
            key, at = value(text, at, depth)
            at = skip(text, at)
            if text[at : at + 1] != ":":
                raise Broken(at)
            result[key], at = value(text, skip(text, at + 1), depth + 1)
        else:
            member, at = value(text, at, depth + 1)
            result.append(member)
        at = skip(text, at)
        if text[at : at + 1] == ",":
            at = skip(text, at + 1)
        elif text[at : at + 1] not in ("}", "]"):
            raise Broken(at)
    return result, at + 1


class Trace:
    def __init__(self, data, told_bytes=None):
        """told_bytes: how many were read of a compressed file that breaks off, where the last few are a matter of the decoder."""
        self.events, self.lost = [], 0
        if data[:2] == b"\x1f\x8b":
            data, is_whole = unpack(data)
            if not is_whole and told_bytes is not None and 0 <= len(data) - told_bytes < 8:
                data = data[:told_bytes]
        self.bytes = len(data)
        text = data.decode("utf-8", "surrogateescape")
        text = text[1:] if text.startswith("\ufeff") else text
        at = skip(text, 0, re.compile(r"[ \t\r\n\0]*"))
        self.form = "object" if text[at : at + 1] == "{" else "array"
        try:
            if "[" * NESTED in text:
                raise RecursionError
            whole = json.loads(text, parse_int=Number, parse_float=Number, parse_constant=Number)
            while isinstance(whole, dict):
                whole = whole["traceEvents"]
            self.events = [event for event in whole if isinstance(event, dict)]
        except (ValueError, RecursionError):
            try:
                self.read_object(text, at) if self.form == "object" else self.read_list(text, at)
            except Broken:
                pass

    def read_list(self, text, at):
        at = skip(text, at + 1, BLANK_COMMA)
        while text[at : at + 1] != "]":
            try:
                event, end = value(text, at, 0)
                if isinstance(event, dict):
                    self.events.append(event)
            except Broken as broken:
                if at == len(text):
                    raise
                self.lost += 1
                found = NEXT_EVENT.search(text, broken.at)
                if not found:
                    raise
                end = found.end()
            at = skip(text, end, BLANK_COMMA)
        return at + 1

    def read_object(self, text, at):
        at = skip(text, at + 1, BLANK_COMMA)
        while text[at : at + 1] != "}":
            key, at = value(text, at, 0) if text[at : at + 1] == '"' else (None, len(text))
            at = skip(text, at) + 1
            if text[at - 1 : at] != ":":
                raise Broken(at)
            at = skip(text, at)
            if key == "traceEvents" and text[at : at + 1] == "[":
                at = self.read_list(text, at)
            elif key == "traceEvents" and text[at : at + 1] == "{":
                at = self.read_object(text, at)
            else:
                at = value(text, at, 0)[1]
            at = skip(text, at, BLANK_COMMA)
        return at + 1


def unpack(data):
    """All that decodes of a file of one or more gzip members."""
    try:
        return gzip.decompress(data), True
    except (EOFError, OSError, zlib.error):
        whole = b""
        while data[:2] == b"\x1f\x8b":
            member = zlib.decompressobj(31)
            whole += member.decompress(data)
            data = member.unused_data
        return whole, False
