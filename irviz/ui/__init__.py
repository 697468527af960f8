"""The dashboard: the only room that knows Streamlit; what it shows are panels."""
