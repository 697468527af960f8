"""Controls and measures as widgets."""
