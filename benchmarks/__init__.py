"""Measurements, each beside its yardstick, taken in the same run: ``python -m benchmarks [part …]``."""
