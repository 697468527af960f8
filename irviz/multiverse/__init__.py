"""Would the conclusion change?  Claims about systems under every reasonable combination of choices."""
