"""should-i-roll: push-your-luck dice games, solved."""
