"""Views outside the dashboard: reports, folders of pages, code, plain data; exercises and the answers of a class."""
