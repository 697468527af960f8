"""Several judges of the same lists: how they agree, and what follows for the systems.

``agreement`` compares grades, ``judges`` rankings of systems, ``replacing`` asks how much of
one judge's work another can do, ``merging`` makes one judge of several.
"""
