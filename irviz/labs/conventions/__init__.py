"""Lab: what two tools do differently."""
