"""Games of other people, a file of rules each: nothing else in the library knows them by name."""
