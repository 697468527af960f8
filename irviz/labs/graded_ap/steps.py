"""Steps: ten users, nine of whom want grade 2; average the users' AP, not the parts of its fraction."""

from __future__ import annotations

from irviz.labs.graded_ap import model
from irviz.labs.step import Question, Step

SOURCE = "Ferrante et al. 2014"
TEN = {"grades": "1,1,1,2"}  #: nine of ten users find what they want at the last rank

STEPS = (
    Step(
        title="Ten users, nine of whom want grade 2",
        text="Judges gave each document a grade: 0 is not relevant, 1 relevant, 2 highly relevant. Users want "
        "different documents (✓), so each has an average precision (AP) of their own: add up the precision at each "
        "document that the user wants, and divide by how many these are.",
        numbers=model.of_users,
        question=Question(
            text="What is the AP of each of the {demanding} users who want grade 2?",
            answer="AP 2",
            tolerance=0.02,
            step=0.01,
            answer_text="{AP 2}: {find}.",
            because={
                "AP 1": "This is the AP of the one user who is content with grade 1.",
                "eGAP": "This is the mean of all ten users.",
            },
        ),
        figure="views",
        reveal="average",
        drawn_on="y",
        notice="The user who is content with grade 1 has an AP of {AP 1}. The mean of the ten, {eGAP}, is called eGAP "
        "(expected graded AP): move the slider to walk down the list.",
        then="drag the document of grade 2 to the top, and give others grade 2.",
        start=TEN,
        controls=("grades",),
        source=f"{SOURCE}, eq. (6)",
    ),
    Step(
        title="All in one pot",
        text="GAP (graded AP) puts the precisions of all users into one pot and takes their mean. The user who "
        "is content with grade 1 puts in {wants 1:precision}, the {demanding} others {wants 2} each: {all wanted} in "
        "all.",
        numbers=model.of_users,
        question=Question(
            text="How does GAP compare with the mean of the ten users' AP, {eGAP}?",
            answer="GAP beside",
            options={"a": "It is lower", "b": "It is the same", "c": "It is higher"},
            answer_text="{GAP is}: GAP is {pot}, the mean of the ten {eGAP}.",
            because={
                "a": "The user who wants {wants 1} documents puts in {wants 1} precisions, all of them high.",
                "b": "They would be the same if all users wanted equally many documents.",
            },
        ),
        figure="views",
        reveal="one-pot",
        notice="In the mean of the ten, each user counts the same. In GAP, a user who wants more documents counts "
        "more: move the slider to see both.",
        then="make GAP lower than the mean of the ten.",
        start=TEN,
        controls=("grades",),
        source=f"{SOURCE}, section 3",
    ),
    Step(
        title="Documents of grade 1 on top",
        text="Now {top} documents that only {content} of the ten users wants are put on top. The document that the "
        "{demanding} others want moves down to rank {rank}.",
        numbers=model.of_pushed,
        question=Question(
            text="For nine of ten users the list gets worse. How does GAP change?",
            answer="moved",
            options={"a": "It falls", "b": "It stays the same", "c": "It rises"},
            answer_text="It {GAP moves}.",
            because={
                "a": "The mean of the users' AP falls. In GAP each new document puts one more 1 into the pot.",
                "b": "Each new document puts one more 1 into the pot.",
            },
        ),
        figure="end",
        reveal="pushed",
        notice="The AP of the {demanding} {nine move}, the mean of the ten {eGAP moves}.",
        then="put more documents on top.",
        start={**TEN, "top": "20"},
        controls=("top",),
        source=f"{SOURCE}, sections 3 and 5",
    ),
    Step(
        title="A third way",
        text="xGAP (extended graded AP) takes at every document the mean precision of all users who want it. Each user "
        "has the mean of these over the documents that they want; the score is the mean over users.",
        numbers=model.of_growing,
        question=Question(
            text="With {top} documents of grade 1 on top, GAP is {GAP} and eGAP {eGAP}. Where is xGAP?",
            answer="near",
            options={"a": "Near eGAP", "b": "About in the middle", "c": "Near GAP"},
            answer_text="{is near}: xGAP is {xGAP}.",
            because=dict.fromkeys("bc", "Nine of ten users want one document only, and it is at the end of the list."),
        ),
        figure="end",
        reveal="growing",
        notice="{at the end}",
        then="raise g₁, the share of users who are content with grade 1.",
        start={**TEN, "top": "20"},
        controls=("g1",),
        source=f"{SOURCE}, sections 3, 4 and 5",
    ),
    Step(
        title="Users who agree",
        text="Now all ten users are content with grade 1, so they agree about what is relevant.",
        numbers=model.of_users,
        question=Question(
            text="Do the three measures still differ?",
            answer="still differ",
            options={"a": "Yes, by more than 0.1", "b": "Yes, a little", "c": "No"},
            answer_text="{differ}: GAP {GAP}, xGAP {xGAP}, eGAP {eGAP}; AP is {AP}.",
            because=dict.fromkeys("ab", "All users want the same documents, so all averages are equal."),
        ),
        figure="views",
        reveal="agreed",
        notice="The way of averaging matters only if users disagree: move the slider of the figure to the left.",
        then="change the list. Do the three ever differ?",
        start={"grades": "1,1,0,2", "g1": "1"},
        controls=("grades",),
        source=f"{SOURCE}, section 6",
    ),
)
