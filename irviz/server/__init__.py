"""The app around Streamlit: headers, sockets, and what belongs to a browser."""
