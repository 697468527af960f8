"""The command line: its words, the data they look at, what they print or draw.

May import every floor except the interface.
"""
