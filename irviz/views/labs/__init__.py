"""What the labs are made of; each lab itself is a panel, ``irviz/views/panels/lab_<name>.py``.

:mod:`~irviz.views.labs.lab` says what a lab is, ``on_<name>`` is a lab's idea on the loaded
collection, and the rest is the small examples behind one lab or several.
"""
