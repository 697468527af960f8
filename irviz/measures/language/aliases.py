"""Names that other tools give to measures, read as irviz's own.

trec_eval joins a cutoff with ``_`` (``ndcg_cut_10``), or is asked for it with a point (``-m ndcg_cut.10``);
ir_measures, ranx and papers have several names for one measure.
A name of irviz is never an alias.
"""

from __future__ import annotations

import re
from typing import Any

_CUT = re.compile(r"(map_cut|ndcg_cut|P|recall|success|precision)_(\d{1,7})")
_CUT_POINT = re.compile(r"(?<![\w'\"-])(map_cut|ndcg_cut|P|recall|success)\.(\d{1,7})\b(?!\.)")
_RECALL_POINT = re.compile(r"\biprec_at_recall_(\d\.\d{1,4})\b")
_IPREC = re.compile(r"\bIPrec(?:\(([^()]*)\))?@(\d?\.\d+|[01])\b(?!\.)")
_WITH_DASH = {
    **dict.fromkeys(("alpha-nDCG", "α-nDCG", "α_nDCG"), "alpha_nDCG"),
    **{f"{name}-IA": f"{name}_IA" for name in ("ERR", "nERR", "P", "AP", "MAP")},
    "Q-measure": "Q",
}  #: names of ndeval, NTCIREVAL and papers that no expression can hold
_DASH = re.compile(rf"(?<![\w'\"-])({'|'.join(_WITH_DASH)})(?![\w'\"-])")
_OTHER_NAMES = {
    "AP": "map MAP map_cut",
    "RR": "recip_rank MRR mrr",
    "nDCG": "ndcg NDCG ndcg_cut MSnDCG",
    "P": "P Precision precision",
    "R": "Recall recall",
    "Rprec": "R_prec RPrec",
    "Bpref": "bpref BPref",
    "Success": "success hit_rate HitRate",
    "RBP": "rbp",
    "ERR": "err",
    "SetP": "set_P",
    "SetR": "set_recall",
    "SetF": "set_F",
    "SetAP": "set_map",
    "NumRet": "num_ret num_rel_ret NumRelRet",
    "NumRel": "num_rel",
    "AP_IA": "MAP_IA",
    "StRecall": "strec",
}  #: irviz's name → the names that other tools have for it
#: a name of another tool → its defaults that differ from irviz's
TREC_EVAL_DEFAULTS: dict[str, dict[str, float]] = {
    "rbp": {"p": 0.9},
    "num_rel_ret": {"rel": 1.0},
    "NumRelRet": {"rel": 1.0},
}
#: a measure of ir_measures → its defaults that differ from irviz's
IR_MEASURES_DEFAULTS: dict[str, dict[str, Any]] = {"ERR": {"gmax": 4.0}, "INST": {"T": 1.0}, "INSQ": {"T": 1.0}}
NEAREST = {
    "hole": "The nearest is Judged: hole@k is 1 − Judged@k.",
    "hits": "The nearest is P: hits@k is k times P@k.",
    "recall_cap": "The nearest is R, which divides by all relevant documents even if there are more than k.",
}  #: a name in other tools without a measure in irviz → the nearest one
_NAMES = {other: name for name, others in _OTHER_NAMES.items() for other in others.split()}


def known_name(name: str, cutoff: int | float | None) -> tuple[str, int | float | None]:
    """irviz's name and cutoff of a measure; both unchanged if the name is no alias.

    >>> known_name("ndcg_cut_10", None), known_name("MRR", 10), known_name("odd", None)
    (('nDCG', 10), ('RR', 10), ('odd', None))
    """
    cut = _CUT.fullmatch(name)
    if cut and cutoff is None:
        return _NAMES[cut[1]], int(cut[2])
    return _NAMES.get(name, name), cutoff


def plain_points(text: str) -> str:
    """An expression without names that hold a point or a dash, and without ir_measures' recalls as cutoffs.

    >>> plain_points("IPrec(rel=2)@0.1")
    'IPrec(rel=2,recall=0.1)'
    >>> plain_points("iprec_at_recall_0.10")
    'IPrec(recall=0.10)'
    >>> plain_points("alpha-nDCG@20"), plain_points("ndcg_cut.10")
    ('alpha_nDCG@20', 'ndcg_cut_10')
    """
    text = _DASH.sub(lambda match: _WITH_DASH[match[1]], text)
    text = _CUT_POINT.sub(r"\1_\2", text)
    text = _RECALL_POINT.sub(r"IPrec(recall=\1)", text)
    return _IPREC.sub(lambda match: f"IPrec({match[1] + ',' if match[1] else ''}recall={match[2]})", text)


_IPREC_LABEL = re.compile(r"IPrec\(recall=([\d.]+)(?:,trec_eval='10')?\)")
_TREC_EVAL = {"AP": "map", "RR": "recip_rank", "nDCG": "ndcg", "Rprec": "Rprec", "Bpref": "bpref"}
_TREC_EVAL |= {"SetP": "set_P", "SetR": "set_recall", "SetF": "set_F", "SetAP": "set_map"}
_TREC_EVAL |= {"NumRet": "num_ret", "NumRel": "num_rel", "NumRet(rel=1)": "num_rel_ret"}
_TREC_EVAL_CUT = {"AP": "map_cut", "nDCG": "ndcg_cut", "P": "P", "R": "recall", "Success": "success"}


def trec_eval_name(label: str) -> str:
    """trec_eval's name of a measure; irviz's own where trec_eval has none.

    >>> trec_eval_name("nDCG@10"), trec_eval_name("AP"), trec_eval_name("RBP(p=0.8)")
    ('ndcg_cut_10', 'map', 'RBP(p=0.8)')
    """
    name, at, cutoff = label.partition("@")
    if at and cutoff.isdigit() and name in _TREC_EVAL_CUT:
        return f"{_TREC_EVAL_CUT[name]}_{cutoff}"
    recall = _IPREC_LABEL.fullmatch(label)
    return f"iprec_at_recall_{float(recall[1]):.2f}" if recall else _TREC_EVAL.get(label, label)
