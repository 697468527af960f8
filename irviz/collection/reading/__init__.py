"""Bytes → lines → arrays: where files come from, and what stands in them.

``sources`` and ``unpack`` find the bytes, ``text`` cleans them, ``recognise`` tells kinds of
files apart, ``runs``, ``qrels`` and ``matrices`` read one kind each, ``columns`` is their fast path.
"""
