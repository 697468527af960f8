"""What measures of several aspects reward: how high they can get, and what their best runs show on top."""
