"""What lies on the table: the map as the referee walks it, tokens, Martians and pawns."""

from solver.referee.martians_game.table.ground import Ground
from solver.referee.martians_game.table.table import Group, Seat, Spell, Table

__all__ = ["Ground", "Group", "Seat", "Spell", "Table"]
