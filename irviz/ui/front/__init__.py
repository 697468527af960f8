"""What stands around a page: its heading, how everything looks, presenting, the start page."""
