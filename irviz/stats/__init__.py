"""Statistics on the cube of scores: topics to systems, rankings compared, tests, missing judgments, scales, judges."""
