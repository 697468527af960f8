"""What a link says: texts, controls and views; the codec, nothing else."""
