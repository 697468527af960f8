"""``python -m irviz.collection.simulate``: write a simulated collection."""

from irviz.collection.simulate import write_simulation

raise SystemExit(write_simulation())
