"""From files to one compiled, immutable collection.

The path of a file: ``sources`` (bytes) → ``trec``, ``tables`` (``lines``) → ``judgments``, ``order``,
``compile`` (levels, tie rules, lint) → ``model``; ``load`` and ``frames`` are the two entry points, ``catalogue`` knows
collections by name, ``saving`` and ``bundle`` write and open them as one file.
"""
