"""What a collection keeps for inspection besides the two arrays: identifiers, run-file scores, texts of topics."""
