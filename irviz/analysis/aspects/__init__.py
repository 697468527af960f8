"""What measures of several aspects reward: how high they can get, and the top documents of their best runs."""
