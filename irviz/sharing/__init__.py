"""What is written to the server when somebody presses Share."""
