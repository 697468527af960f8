"""What a person writes, checked by mypy as strictly as it can: it says if anything is wrong, and if a slip is not."""

import irviz
from irviz.types import Consistency, Scores, Significance

c = irviz.open_collection("adhoc")
s: Scores = irviz.score(c, ["AP", "nDCG@10"])
names: tuple[str, ...] = s.measures
r: Consistency = irviz.consistency(s, trials=10, split="random", coefficient="tau")
t: Significance = irviz.significance(s["AP"], "randomised_tukey", trials=10)
low, high = irviz.similarity(s, by="topic").low, irviz.rbo("ab", "ba", p=0.8).high
seen = (len(s), "AP" in s, t.significant, r.mean, irviz.show(c, "scores").sentence, irviz.open(c).url)

irviz.consistancy(s, trials=10)  # type: ignore[attr-defined]
irviz.consistency(s, trials=10, split="randm")  # type: ignore[arg-type]
