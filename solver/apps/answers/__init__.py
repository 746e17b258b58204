"""Answers for many askers: held tables, typed questions, bounded work. Knows no protocol."""
