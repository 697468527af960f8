"""Around Streamlit: who may ask, whose a browser is, and what it finds again.

``SECURITY.md`` lists the promises with their tests.  The layers stand in ``app.py``, outermost first.
"""
