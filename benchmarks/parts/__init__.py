"""The parts of the benchmark: each yields the rows of its table (``rows()``), and runs by its name."""
