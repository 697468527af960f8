"""A lab on the screen: where the reader is in it, a step with its question, a challenge, or all of it."""
