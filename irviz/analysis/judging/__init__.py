"""Several judges of the same lists: their agreement, and its consequences for the systems.

``agreement`` compares grades, ``judges`` compares rankings of systems, ``replacing`` measures how
much of one judge's work another can do, ``merging`` combines several judges into one.
"""
