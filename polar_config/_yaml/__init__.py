"""A YAML text and its tree; knows nothing of topologies."""
