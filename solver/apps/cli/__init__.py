"""The command line: ``should-i-roll``."""
