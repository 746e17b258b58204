"""The complete game of Martians!!! on the command line: played, and in tournaments."""
