"""One folder per lab, with the same file names in each.

``lab.py`` has the controls, what is shown when the lab is explored freely, and the challenges; ``steps.py`` the steps
as data, ``figures.py`` the figures by name, and ``model.py`` the small example.  :mod:`~irviz.labs.lab` and
:mod:`~irviz.labs.step` say what a lab and a step are; what several labs share stands beside them.
"""
