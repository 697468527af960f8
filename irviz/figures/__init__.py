"""Results drawn: pure functions from numbers to plotly Figures, one figure per file.

A figure is data: tests read it without drawing.
"""
