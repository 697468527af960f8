"""One file per lab on one screen; one folder, with the same file names in each, per lab with steps.

:mod:`~irviz.labs.screen` says what a lab on one screen is.  In a folder ``lab.py`` has the controls, what is shown when
the lab is explored freely, and the challenges; ``steps.py`` the steps as data, ``figures.py`` the figures by name, and
``model.py`` the small example, see :mod:`~irviz.labs.lab` and :mod:`~irviz.labs.step`.  What several labs share stands
beside them.
"""
