"""The language of measures: what a measure is, what its parameters may be, and how both are written and read."""
