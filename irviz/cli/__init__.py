"""The command line: its commands, the data they use, what they print or draw."""
