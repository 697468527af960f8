"""``python -m irviz.collection.simulate``: write a simulated collection."""

from irviz.collection.simulate import main

raise SystemExit(main())
