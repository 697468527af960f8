"""The language of measures: measures, their parameters, and how both are written and read."""
