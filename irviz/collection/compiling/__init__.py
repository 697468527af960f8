"""Arrays of lines → the two arrays of a collection: judgments, tie rules, and the findings of lint."""
