"""From files to one compiled, immutable collection.

The path of a file: ``reading`` (bytes to arrays of lines) → ``compiling`` (levels, tie
rules, lint) → ``model``; ``load`` and ``frames`` are the two entry points, ``catalogue`` knows
collections by name, ``saving`` and ``bundle`` write and open them as one file.  An
uploaded file takes the same path as one on disk.
"""
