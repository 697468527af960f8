"""The classroom on the screen: exercises, sheets, answers, the course."""
