"""From files to one compiled, immutable collection.

The road of a file: ``sources`` and ``unpack`` (where bytes come from) → ``text``
(line ends, comments) → ``runs`` and ``qrels`` (lines to arrays) → ``judged`` and
``order`` (levels, tie rules) → ``compile`` and ``lint`` → ``model``.  An uploaded
file takes the same road as one on disk.  This floor imports only
:mod:`irviz.errors`.
"""
