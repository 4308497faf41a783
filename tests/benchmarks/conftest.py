"""The benchmark is run by hand and needs libraries that the tests do without: its modules are not collected."""

collect_ignore_glob = ["*.py"]
