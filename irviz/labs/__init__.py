"""One folder a lab, with the same file names in each.

``panel.py`` is what the lab shows, ``model.py`` its small example, ``figures.py`` its figures and
``yours.py`` the same on the loaded collection.  :mod:`~irviz.labs.lab` says what a lab is; what
several labs share stands beside it.
"""
