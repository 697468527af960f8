"""The papers' findings on real collections: ``python -m benchmarks.findings FOLDER``."""
