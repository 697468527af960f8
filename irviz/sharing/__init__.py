"""The store of shares: written only when somebody presses Share."""
