"""The words of the command line: the data they look at, and the tables they print.

May import every floor except the interface.
"""
