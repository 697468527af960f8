"""Around Streamlit: who may ask, how much one visitor may take, and what a browser finds again.

``SECURITY.md`` lists the promises with their tests.  The layers stand in ``app.py``, outermost first.  All
limits are those of one process.
"""
