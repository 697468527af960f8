"""Results drawn: pure functions from numbers to plotly figures, the charts that several pages share.

A figure is data: tests read it without drawing.
"""
