"""Around Streamlit: who may ask, how much one visitor may take, and what a browser finds again.

``SECURITY.md`` lists the threats with the test of each defence.  The layers stand in ``app.py``, outermost first.  All
limits are those of one process.
"""
