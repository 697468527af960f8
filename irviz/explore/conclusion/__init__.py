"""The page conclusion: one claim about systems, in every reasonable world."""
