"""What can be chosen: the dimensions of a world, which combinations make sense, and the table of them."""
