"""Scores taken apart: what each rank of a list adds."""
