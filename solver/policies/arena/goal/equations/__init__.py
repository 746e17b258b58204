"""Who wins, as equations on standings: alone, of two seats, of many."""
