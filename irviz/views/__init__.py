"""What a page shows, as a value: controls, views, contexts and panels.

A panel is a pure function of a context (what the sidebar chose) and values (what the
page's controls say), so that the dashboard, a shared link, a report and the command
line draw the same thing.  May import every floor below, never Streamlit.
"""
