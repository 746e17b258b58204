"""What seats do in their turns: a policy's answers, as an operator on tables of pairs."""
