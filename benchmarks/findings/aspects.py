"""Findings of Maistro et al. 2021."""

from __future__ import annotations

from benchmarks.findings.data import CLEF, Data, Finding, each

CITE = "Maistro et al. 2021"
NAMES = ("CAM", "MM", "EUCL", "MANH", "CHEB")


def euclid_manhattan(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        v = data.gallery(where, "aspects", "table4").values
        tau = {base: v[f"measures with {base}", "EUCL - MANH"] for base in ("AP", "NDCG")}
        return tau["AP"] > 1 - 1e-9, f"τ topic by topic with AP {tau['AP']:.3f}, with nDCG {tau['NDCG']:.3f}."

    return Finding(
        CITE,
        "with AP, EUCL and MANH give the same labels: τ = 1",
        each((CLEF,), ask),
        "True by definition: with AP every aspect is binary first (the paper's section 4.1), and a tuple of zeros and "
        "ones is equally far from the best by both distances.",
    )


def nearest(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        v = data.gallery(where, "aspects", "table4").values
        words, seen = [], []
        for base in ("NDCG", "AP"):
            k = f"measures with {base}"
            a = {name: v[k, name] for name in ("EUCL - CAM", "EUCL - MM", "CHEB - CAM", "CHEB - MM")}
            seen.append(a["EUCL - CAM"] > a["EUCL - MM"] and a["CHEB - MM"] > a["CHEB - CAM"])
            words.append(f"{base}: " + ", ".join(f"{name} {x:.2f}" for name, x in a.items()))
        return all(seen), "; ".join(words) + "."

    return Finding(
        CITE,
        "EUCL agrees more with CAM than with MM, CHEB more with MM than with CAM (20 and 14 of the paper's 20 columns)",
        each((CLEF,), ask),
        "With nDCG all five measures agree more here than on the paper's tracks: two aspects with eleven levels "
        "outweigh one with three, and every page has labels on them. With AP, on binary aspects, the pattern is that "
        "of the paper.",
    )


def never_the_same(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        v = data.gallery(where, "aspects", "table4").values
        pairs = [(base, f"{toma} - {mean}") for base in ("NDCG", "AP") for toma in NAMES[2:] for mean in NAMES[:2]]
        tau = {(base, pair): v[f"measures with {base}", pair] for base, pair in pairs}
        top, low = max(tau, key=tau.__getitem__), min(tau, key=tau.__getitem__)
        words = " to ".join(f"{tau[key]:.2f} ({key[1]} with {key[0]})" for key in (low, top))
        return tau[top] <= 0.9, f"τ topic by topic from {words}."

    return Finding(CITE, "no TOMA measure has a τ above .9 with CAM or MM", each((CLEF,), ask))


def below_one(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        frame = data.gallery(where, "aspects", "figure2").tables["Bounds"].frame.set_index("measure")
        words = "; ".join(
            f"{name}: no order reaches 1 on {row.never_one:.0%} of the topics, and .9 on {row.below:.0%}; mean of the "
            f"highest found {row['mean']:.3f}, the maximum on {row.exact:.0%}"
            for name, row in frame.iterrows()
        )
        printed = "Decision 2019, by ideal rankings: CAM reaches 1 on 2% and stays below .9 on 26%"
        return bool((frame["never_one"] > 0.5).all()), f"{words} ({printed})."

    return Finding(CITE, "however documents are ranked, CAM and MM stay below 1 on most topics", each((CLEF,), ask))


def multi_power(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        v = data.gallery(where, "aspects", "table4power").values
        seen, words = [], []
        for base in ("NDCG", "AP"):
            share = {name: v[base, name] for name in NAMES}
            first = max(share["EUCL"], share["MANH"]) >= max(share.values())
            seen.append(first and share["CHEB"] <= min(share.values()))
            words.append(f"{base}: " + ", ".join(f"{name} {x:.1f}%" for name, x in share.items()))
        return all(seen), "; ".join(words) + "."

    return Finding(
        CITE,
        "EUCL or MANH separates the most pairs, CHEB the fewest (paired bootstrap, α = .01; 16 and 15 of the "
        "paper's 20 columns)",
        each((CLEF,), ask),
        "17 systems make 136 pairs, so 0.7 percentage points are one pair: with nDCG the differences are too small to "
        "decide.",
    )


def worthless(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        v = data.gallery(where, "aspects", "table5").values
        total = {name: v["1-5", name] for name in NAMES}
        seen = total["MANH"] <= min(total.values()) and total["CHEB"] >= max(total.values()) > total["MANH"]
        words = ", ".join(f"{name} {x:.2f}%" for name, x in total.items())
        return seen, f"{words} of the first five documents of the best runs."

    return Finding(
        CITE,
        "the best runs under MANH have the fewest worthless documents at the top, those under CHEB the most",
        each((CLEF,), ask),
        "Almost every judged page of this collection has a label above the lowest on some aspect, so there are few "
        "worthless documents to count.",
    )


def quality(data: Data) -> Finding:
    def ask(where: str) -> tuple[bool, str]:
        v = data.gallery(where, "aspects", "table6").values
        ranks = ("26-50", "51-75", "76-100")
        best = [max(NAMES, key=lambda name: v[r, name]) for r in ("1-25", *ranks)]
        words = "; ".join(f"{r}: " + ", ".join(f"{name} {v[r, name]:.2f}" for name in NAMES) for r in ("1-25", *ranks))
        return best[1:] == ["MANH"] * 3, f"{words}."

    return Finding(
        CITE,
        "below rank 25, the documents of the best runs under MANH have the highest sum of labels",
        each((CLEF,), ask),
    )


CLAIMS = (euclid_manhattan, nearest, never_the_same, below_one, multi_power, worthless, quality)
