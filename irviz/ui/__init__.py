"""The dashboard: the only package that uses Streamlit; it shows panels."""
