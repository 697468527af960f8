"""The page topics: from a score to the documents."""
