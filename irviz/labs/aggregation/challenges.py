"""Challenges: change the winner by the scores, and by the average."""

from __future__ import annotations

from irviz.labs.goals import Challenge, Goal

CHALLENGES = (
    Challenge(
        title="Change scores so that S1 wins alone under exactly two of the six averages.",
        goal=Goal.read("means won by S1 = 2"),
        hint="S1 wins by the arithmetic mean because of one topic. Which average depends on the middle score only?",
        solution={"s1": "0.1,0.35,0.35,0.8,0"},
    ),
    Challenge(
        title="Without changing a score, let S1 win by the ε-geometric mean, too.",
        goal=Goal.read("winner by εGM = S1; winner by median = S2; winner by GM = S3"),
        hint="As ε grows, the ε-geometric mean approaches the arithmetic one.",
        solution={"log": "1"},
    ),
    Challenge(
        title="Let all six averages agree on S4.",
        goal=Goal.read("different outcomes = 1; means won by S4 = 6"),
        hint="A system that is better on every topic wins by every average.",
        solution={"s4": "0.9,0.9,0.9,0.9,0.9"},
    ),
)
