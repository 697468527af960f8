"""Bytes and texts, changed a little: what breaks readers that believe what they read."""

from __future__ import annotations

import random

#: fields that a number, a name or a separator is replaced by
TOKENS = (
    *(b"", b"0", b"-1", b"1", b"2", b"+3", b"00", b"1e308", b"-1e308", b"1e-320", b"1e999", b"nan", b"inf", b"-inf"),
    *(b"0x1F", b"-0X2", b"1_000", b"1e", b".", b"1.", b"1,5", b"\xef\xbc\x91", b"9" * 25, b"9" * 400, b"-0.0"),
    *(b"Q0", b"401", b"d1", b"#", b'"', b"'", b"\\", b"<b>", b"=1+1", b"@x", b"\xff\xfe", b"\xe9", b"\xed\xa0\x80"),
    *(b"\0", b"\r", b"\n", b"\t", b" ", b"\x0b", b"\x1c", b"\x85", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xef\xbb\xbf"),
    *(b"a" * 300, b"a" * 5_000, b",", b";", b"[", b"]", b"{", b"}", b"(", b")", b"%", b"%00", b"null", b"true"),
)


def bytes_changed(data: bytes, r: random.Random, most: int = 4) -> bytes:
    """`data` after one to `most` small accidents."""
    for _ in range(r.randint(1, most)):
        data = r.choice(_ACCIDENTS)(data, r)
    return data


def fields_changed(data: bytes, r: random.Random, most: int = 3) -> bytes:
    """Lines of fields with some fields, lines or separators replaced; what is left still looks like lines."""
    lines = [line.split(b" ") for line in data.split(b"\n")]
    for _ in range(r.randint(1, most)):
        line = r.choice(lines)
        kind = r.random()
        if kind < 0.6:
            line[r.randrange(len(line))] = r.choice(TOKENS)
        elif kind < 0.7:
            line.insert(r.randrange(len(line) + 1), r.choice(TOKENS))
        elif kind < 0.8 and len(line) > 1:
            del line[r.randrange(len(line))]
        elif kind < 0.9:
            lines.insert(r.randrange(len(lines) + 1), list(r.choice(lines)))
        else:
            r.shuffle(lines)
    blank = r.choice((b" ", b" ", b" ", b"\t", b"  ", b",", b";"))
    return r.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r")).join(blank.join(line) for line in lines)


def _flip(data: bytes, r: random.Random) -> bytes:
    if not data:
        return data
    place = r.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << r.randrange(8))]) + data[place + 1 :]


def _insert(data: bytes, r: random.Random) -> bytes:
    place = r.randint(0, len(data))
    return data[:place] + r.choice(TOKENS) + data[place:]


def _cut(data: bytes, r: random.Random) -> bytes:
    start = r.randint(0, len(data))
    return data[:start] + data[start + r.choice((1, 2, 5, 50, 1 << 20)) :]


def _repeat(data: bytes, r: random.Random) -> bytes:
    start = r.randint(0, len(data))
    part = data[start : start + r.choice((1, 3, 40))]
    return data[:start] + part * r.choice((2, 3, 100)) + data[start:]


def _splice(data: bytes, r: random.Random) -> bytes:
    one, two = r.randint(0, len(data)), r.randint(0, len(data))
    return data[:one] + data[two:]


def _number(data: bytes, r: random.Random) -> bytes:
    """Four bytes that may be a size: the largest, the smallest, a random one."""
    if len(data) < 4:
        return data
    place = r.randrange(len(data) - 3)
    value = r.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\1\0\0\0", r.randbytes(4)))
    return data[:place] + value + data[place + 4 :]


_ACCIDENTS = (_flip, _insert, _cut, _repeat, _splice, _number)
