"""Bytes → lines → arrays: the sources of files, and their content.

``sources`` and ``unpack`` find the bytes, ``text`` cleans them, ``recognise`` tells kinds of
files apart, ``runs``, ``qrels`` and ``matrices`` read one kind each, ``columns`` is their fast path.
"""
