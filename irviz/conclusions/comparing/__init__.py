"""Systems compared in every world: from columns of scores to differences, tests and verdicts."""
