"""Challenges: make the measures disagree, and agree."""

from __future__ import annotations

from irviz.labs.goals import Challenge, Goal

CHALLENGES = (
    Challenge(
        title="Find users and a list on which GAP and eGAP differ: GAP above 0.9 while eGAP is below 0.2.",
        goal=Goal.read("GAP > 0.9; eGAP < 0.2"),
        hint="Let only a few users be content with grade 1, and put many documents of grade 1 on top.",
        start={"grades": "1,1,1,2"},
        solution={"top": "150"},
    ),
    Challenge(
        title="Nine of ten users want grade 2. Bring eGAP above 0.9 without making everything relevant.",
        goal=Goal.read("g2 = 0.9; eGAP > 0.9; relevant documents <= 4"),
        hint="What do the nine find at the first ranks? Click documents to change their grades.",
        start={"grades": "1,1,0,2,1,1"},
        solution={"grades": "2,2,1,0,0,0"},
    ),
    Challenge(
        title="Make GAP lower than the average of the users' AP by more than 0.05.",
        goal=Goal.read("g1 > 0; g2 > 0; GAP minus eGAP < -0.05"),
        hint="GAP follows the documents that many users want. Let most users be content with grade 1, and look at "
        "the ranks of the documents of grade 2.",
        start={"grades": "1,1,1,2"},
        solution={"grades": "2,0,0,1,1", "g1": "0.3", "g2": "0.7"},
    ),
)
