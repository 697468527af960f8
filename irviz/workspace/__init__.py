"""The choices of a view and what a page returns: contexts, the data behind a link, panels, the state before."""
