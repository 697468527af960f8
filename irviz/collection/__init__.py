"""From files to one compiled, immutable collection.

``sources`` gives bytes, ``trec``, ``tables`` and ``frames`` make ``lines`` of them, and ``judgments``, ``order``,
``lint`` and ``compile`` a ``model``.  ``load`` and ``frames`` are the entry points, ``catalogue`` knows collections by
name, ``saving`` and ``bundle`` write and open them as one file.
"""
