"""Results drawn: pure functions from numbers to plotly figures, the charts that several pages share.

A figure is data: tests read it without drawing.
"""

MOST_ROWS, END_ROWS = 40, 10  #: rows of a figure that are all drawn; of more, so many at each end
