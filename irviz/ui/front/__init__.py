"""What surrounds a page: its heading, the style, presenting, the start page."""
