"""Results drawn: pure functions from numbers to plotly Figures, one figure a file.

A figure is data: tests read it without drawing.
"""
