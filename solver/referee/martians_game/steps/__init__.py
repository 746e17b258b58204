"""The steps of a turn, a file for each part of the rule sheet."""
