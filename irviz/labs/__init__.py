"""One folder per lab, with the same file names in each.

``panel.py`` is what the lab shows, ``model.py`` its small example, ``figures.py`` its figures and
``yours.py`` the same on the loaded collection; ``steps.py`` is what it teaches, and ``page.py`` puts it
all together, with what goals can be about and the challenges.  :mod:`~irviz.labs.lab` and
:mod:`~irviz.labs.lesson` say what a lab and a lesson are; what several labs share stands beside them.
"""
