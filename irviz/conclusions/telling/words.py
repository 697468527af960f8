"""A conclusion in words: the words for a choice, the verdict of a world, and one sentence for all worlds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irviz.conclusions.choices.dimensions import AS_GIVEN, TESTS
from irviz.conclusions.decided import Decided
from irviz.errors import listed
from irviz.summary.aggregate import SUMMARIES

_CHOICES = {
    "not_relevant": "unjudged documents counted as not relevant",
    "condensed": "condensed lists",
    "zero": "missing topics scored 0",
    "left_out": "missing topics left out",
    "all": "all topics",
    "random_half": "a random half of the topics",
    "without_hardest_tenth": "all but the hardest tenth of the topics",
    "pair": "no correction for several tests",
    "holm": "Holm's correction over the measures",
    "all_systems": "all loaded systems tested together",
    "standardised": "the mean of standardised scores",
    AS_GIVEN: "everything else as given",
}


def option_words(dimension: str, option: Any) -> str:
    """A choice by itself, as a table or an axis shows it; what bears a name of the data, or of a tool, keeps it.

    >>> option_words("unjudged", "not_relevant"), option_words("test", "wilcoxon"), option_words("judge", "o_1")
    ('not relevant', 'Wilcoxon', 'o_1')
    """
    if dimension in ("measure", "judge", "ties"):
        return str(option)
    return "Wilcoxon" if option == "wilcoxon" else str(option).replace("_", " ")


def choice_words(dimension: str, option: Any) -> str:
    """A choice, so that it fits after "with" or "under".

    >>> choice_words("average", "median"), choice_words("depth", 100)
    ('the median', 'the first 100 ranks')
    """
    text = str(option)
    if text in _CHOICES:
        return _CHOICES[text]
    if dimension == "average":
        name, _, eps = text.partition("(")
        return f"the {SUMMARIES[name]}" + (f" ({eps}" if eps else "")
    if dimension == "test":
        return f"the {TESTS[text]}"
    if dimension == "ties":
        return f"ties broken by the rule {text}"
    if dimension == "judge":
        return f"the judgments of {text}"
    return f"the first {option:,} ranks" if dimension == "depth" else text


def verdict_words(r: Decided, row: int) -> str:
    """What one world says of the claim."""
    return _VERDICTS[r.claim.kind](r, row)


def surely_words(r: Decided, row: int) -> str:
    """Whether one world says so significantly, in parentheses."""
    return f"({'significantly' if r.significant[row] else 'not significantly'}, p = {r.p[row]:.3g})"


def _deciding(r: Decided, row: int) -> tuple[str, str]:
    a, b = r.claim.pairs[r.decides[row]]
    return _code(r.systems[a]), _code(r.systems[b])


def _code(name: str) -> str:
    """A name from files as irviz's sentences set it off: whatever it is, it is no part of the sentence."""
    return f"`{name.replace('`', chr(39))}`"


def _pair(r: Decided, row: int) -> str:
    a, b = _deciding(r, row)
    if r.verdict[row] == 0:
        return f"{a} and {b} tie"
    return f"{a} is ahead of {b}" if r.verdict[row] > 0 else f"{b} is ahead of {a}"


def _chain(r: Decided, row: int) -> str:
    holds = "the order holds" if r.verdict[row] > 0 else "the order does not hold"
    return f"{holds}: {_pair(r, row)}"


def _top(r: Decided, row: int) -> str:
    a, b = _deciding(r, row)
    place = "best" if r.claim.kind == "best" else f"among the best {r.claim.spare + 1}"
    if r.verdict[row] == 0:
        return f"{a} and {b} tie for being {place}"
    return f"{a} is {place}, ahead of {b}" if r.verdict[row] > 0 else f"{a} is not {place}: {b} is ahead"


_VERDICTS = {"pair": _pair, "chain": _chain, "best": _top, "top": _top}


# -- all worlds in one sentence -------------------------------------------------------------


def sentence(r: Decided) -> str:
    """In how many worlds the claim holds and whether that is evidence, where it does not hold, and what decides."""
    holds, reverse, ties = (r.verdict == verdict for verdict in (1, -1, 0))
    claims, opposite, tie = _phrases(r)
    tested = r.joint is not None and len(r) > 1 and not ties.all()
    parts = [] if tested else [f"{claims} {_of_all(holds, len(r))}{_surely(r, holds)}"]
    lead = f"{_under(r, holds, claims)}; {joint_words(r)}." if tested else ""
    if tested and r.claim.kind == "pair" and reverse.sum() > holds.sum():
        other = f"{opposite} under {_count(reverse)}{_surely(r, reverse)}{_most_often(r, reverse)}"
        lead = f"{_under(r, holds, claims)}, {other}; {joint_words(r)}."
    elif reverse.any():
        parts.append(f"{opposite} in {_count(reverse)}{_surely(r, reverse)}{_most_often(r, reverse)}")
    if ties.any():
        parts.append(f"{tie} in {_count(ties)}")
    rest = "; ".join(parts)
    return " ".join(filter(None, (lead, f"{rest[:1].upper()}{rest[1:]}." if rest else "", _decides(r))))


def _under(r: Decided, holds: NDArray[np.bool_], claims: str) -> str:
    """The first half of the leading sentence: a count of combinations."""
    many = "all" if holds.all() else f"{_count(holds)} of" if holds.any() else "none of"
    claim = claims if claims.startswith("`") else claims[:1].lower() + claims[1:]
    sure = holds & r.significant
    surely = f" (significantly under {'all' if sure.all() else _count(sure) if sure.any() else 'none'})"
    return f"Under {many} {len(r):,} combinations of choices {claim}{surely if holds.any() else ''}"


def joint_words(r: Decided) -> str:
    """What the joint test says, as a clause; evidence is the smallest of its three p-values times three below alpha."""
    assert r.joint is not None and r.null is not None
    p = r.joint["p"]
    often = f"in {_percent(p['direction'])} of exchanges"
    if len(r.claim.pairs) == 1:
        start = f"two equal systems reach such a majority {often}"
    else:
        a, b = (_code(r.systems[i]) for i in r.claim.pairs[r.null.pairs[0]])
        most = int(r.joint.loc["direction", "observed"])
        start = (
            f"of its comparisons that of {a} with {b} is the least certain: one is ahead under {most:,}, and two "
            f"equal systems reach such a majority {often}"
        )
    if p.min() >= r.alpha:
        return f"{start}: no evidence"
    least = str(p.idxmin())
    also = "" if least == "direction" else f", but {_REACHED[least]} in only {_percent(p[least])}"
    weak = "evidence of a difference" if evidence(r) else "weak evidence, being the smallest p of three"
    return f"{start}{also}: {weak}"


_REACHED = {"significant": "as many significant worlds", "median": "as large a median difference"}


def evidence(r: Decided) -> bool | None:
    """Whether the joint test, by its three p-values together (Bonferroni), is below alpha; None without it."""
    return None if r.joint is None else bool(len(r.joint) * r.joint["p"].min() < r.alpha)


def _percent(p: float) -> str:
    """A share of exchanges.

    >>> _percent(0.523), _percent(0.002)
    ('52%', '0.2%')
    """
    return f"{p:.0%}" if p >= 0.1 else f"{p:.1%}"


def _phrases(r: Decided) -> tuple[str, str, str]:
    names = [_code(name) for name in r.claim.names]
    if r.claim.kind == "pair":
        return f"{names[0]} is ahead of {names[1]}", f"{names[1]} is ahead", "they tie"
    if r.claim.kind == "chain":
        return f"The order {' > '.join(names)} holds", "it does not", "two of them tie"
    place = "best" if r.claim.kind == "best" else f"among the best {r.claim.spare + 1}"
    return f"{names[0]} is {place}", "it is not", "it ties for that place"


def _count(some: NDArray[np.bool_]) -> str:
    return f"{int(some.sum()):,}"


def _of_all(some: NDArray[np.bool_], worlds: int) -> str:
    if worlds == 1:
        return "in the only world" if some.all() else "in no world: there is only one"
    if some.all():
        return f"in all {worlds:,} worlds"
    return f"in {_count(some)} of {worlds:,} worlds" if some.any() else f"in none of {worlds:,} worlds"


def _surely(r: Decided, some: NDArray[np.bool_]) -> str:
    if not some.any():
        return ""
    sure = some & r.significant
    if some.sum() == 1:
        return ", significantly" if sure.any() else ", not significantly"
    many = "all of them" if (sure == some).all() else _count(sure) if sure.any() else "none"
    return f", significantly in {many}"


def _most_often(r: Decided, some: NDArray[np.bool_]) -> str:
    """The choices under which the largest share of worlds says so, where choices differ in that."""
    shares = {
        (name, int(code)): float(some[codes == code].mean())
        for name in r.worlds.varying
        for codes in [r.worlds.code(name)]
        for code in np.unique(codes)
    }
    top = max(shares.values(), default=0.0)
    if top <= some.mean() + _TIED:
        return ""
    best = [choice_words(name, r.worlds.options[name][code]) for (name, code), x in shares.items() if x >= top - _TIED]
    how = "always" if top == 1 else "most often"
    named = listed(best, joiner="and") if len(best) <= _MOST_NAMED else f"{len(best)} choices, such as {best[0]}"
    return f", {how} under {'each of ' if len(best) > _MOST_NAMED else ''}{named}"


def _decides(r: Decided) -> str:
    shares = r.attribution
    if len(r) < 2 or not np.isfinite(shares.iloc[0]):
        return ""
    single, combined = shares.drop("interactions"), float(shares["interactions"])
    top = float(single.max())
    names = listed([_NOUNS[str(name)] for name in single.index[single >= top - _TIED]], joiner="and")
    if top >= combined:
        return f"The size of the difference depends most on {names} ({top:.0%} of its variance)."
    weighs = "weigh" if (single >= top - _TIED).sum() > 1 else "weighs"
    return (
        f"No single choice decides the size of the difference: {combined:.0%} of its variance is how choices combine; "
        f"of single choices {names} {weighs} most ({top:.0%})."
    )


_TIED = 1e-9  #: shares that differ by no more are equal
_MOST_NAMED = 3  #: choices that tie and are all named
_NOUNS = {
    "measure": "the measure",
    "average": "the average over topics",
    "ties": "the tie rule",
    "unjudged": "the treatment of unjudged documents",
    "missing": "the treatment of missing topics",
    "judge": "the choice of the judge",
    "topics": "the choice of topics",
    "depth": "the ranking depth",
}
