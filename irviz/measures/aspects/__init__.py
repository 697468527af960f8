"""Measures of several aspects at once: aspects put together before scoring (TOMA), or after it (CAM, MM)."""
