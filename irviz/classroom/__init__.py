"""For a class, without accounts: exercises in links, sheets to print, answers in files."""
