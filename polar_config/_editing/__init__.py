"""A plan of edits to a new text, verified; knows nothing of topologies."""
