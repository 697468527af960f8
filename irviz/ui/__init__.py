"""The dashboard: the only floor that knows Streamlit.  Everything it shows comes from :mod:`irviz.views`."""
