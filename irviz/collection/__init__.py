"""From files to one compiled, immutable collection.

The road of a file: ``reading`` (bytes to arrays of lines) → ``compiling`` (levels, tie
rules, lint) → ``model``; ``load`` and ``frames`` are its two entrances, ``catalogue`` knows
collections by name, ``saving`` and ``bundle`` write and open them as one file.  An
uploaded file takes the same road as one on disk.
"""
