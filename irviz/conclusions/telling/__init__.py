"""A conclusion told: in words, for a paper, as tables that figures are drawn from."""
