"""Measures of several aspects at once: aspects are combined before scoring (TOMA) or after it (CAM, MM)."""
