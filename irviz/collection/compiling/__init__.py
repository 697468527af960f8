"""Arrays of lines → the two arrays of a collection: judgments, tie rules, and what lint sees on the way."""
