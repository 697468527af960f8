"""irviz without a browser: ``python -m irviz score --collection adhoc --measures "AP,nDCG@10"``."""

from __future__ import annotations

import sys

from irviz.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
