"""Statistics on the cube of scores: similarity, consistency, significance, incomplete judgments.

Knows nothing of figures or pages.  Results are frozen; what draws at random takes a seed and
gives the same numbers for it, on every processor and with any number of workers.
"""
