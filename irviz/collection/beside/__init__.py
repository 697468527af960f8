"""What lies beside the two arrays so that a person can look: identifiers, run-file scores, texts of topics."""
