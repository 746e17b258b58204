"""A table at which one movement is played with real dice: an independent referee for the planner.

It knows what is hidden, throws dice, and asks what to do; it uses none of the planner's rules.
"""

from __future__ import annotations

from random import Random

from brute_force_board import ITEMS, Board


class Table:
    """One movement."""

    def __init__(self, board: Board, player: dict, rng: Random) -> None:
        self.board, self.rng = board, rng
        self.at = player["at"]
        self.lives, self.bullets = player["lives"], player["bullets"]
        self.martians, self.items = player["martians"], set(player["items"])
        self.standing = set(board.martians)
        self.known = dict(board.known)
        self.faces: dict = {}
        pool = list(board.pool)
        rng.shuffle(pool)
        self.groups = []
        for squares, faces in board.buildings:
            order = list(faces)
            rng.shuffle(order)
            self.groups.append((set(squares), list(faces)))
            for square, face in zip(squares, order, strict=True):
                self.faces[square] = pool.pop() if face == "item" else face
        self.pool = list(board.pool)
        self.circles = set(board.circles)
        self.ship = board.ship
        self.unturned = len(board.circles) + board.circles_elsewhere
        where = [*board.circles, *(["elsewhere"] * board.circles_elsewhere)]
        self.hidden_ship = rng.choice(where) if where and board.ship is None else None
        self.ending = None

    def die(self) -> int:
        return self.rng.randint(1, 6)

    def fight(self, mend, arm) -> bool:
        """Fight until it is won or lost; `mend(short, bonus, rerolls)` says what to do."""
        bonus, rerolls = arm()
        while True:
            total = self.die() + bonus
            if total >= 4:
                break
            what = mend(4 - total, bonus, rerolls)
            if what == "spend":
                assert self.bullets >= 4 - total
                self.bullets -= 4 - total
                break
            if what == "reroll":
                assert rerolls
                rerolls -= 1
                continue
            assert what == "forfeit"
            if self.lives == (0 if self.board.last_life == "one-more-roll" else 1):
                self.lives = self.bullets = 3
                self.at, self.martians, self.items = self.board.house, self.martians // 2, set()
                self.ending = "dead"
                return False
            self.lives -= 1
        self.standing.remove(self.at)
        self.martians += 1
        if self.board.goal and self.martians >= self.board.goal:
            self.ending = "martians"
        return True

    def look(self, turn) -> None:
        """Take what lies on the square; `turn()` says whether a crop circle is turned."""
        if self.at == self.ship and len(self.items) == 3:
            self.ending = "ship"
            return
        if self.at in self.faces:
            face = self.faces.pop(self.at)
            for squares, faces in self.groups:
                if self.at in squares:
                    squares.remove(self.at)
                    faces.remove("item" if face in ITEMS else face)
            if face in ITEMS:
                self.pool.remove(face)
            self.known[self.at] = face
        if self.at in self.known:
            self.take(self.known[self.at])
        if self.at in self.circles and self.ship is None and turn():
            self.circles.remove(self.at)
            self.unturned -= 1
            if self.hidden_ship == self.at:
                self.ship = self.at
                if len(self.items) == 3:
                    self.ending = "ship"

    def take(self, face: str) -> None:
        if face in ITEMS:
            if face not in self.items:
                self.items.add(face)
                del self.known[self.at]
            return
        held = self.lives if face == "life" else self.bullets
        if held == 5:
            if self.board.at_five == "is-lost":
                del self.known[self.at]
            return
        del self.known[self.at]
        if face == "life":
            self.lives += 1
        else:
            self.bullets += 1

    def end(self) -> dict:
        return {
            "at": self.at,
            "lives": self.lives,
            "bullets": self.bullets,
            "martians": self.martians,
            "items": [item for item in ITEMS if item in self.items],
            "ship": self.ship,
            "ending": self.ending or "stopped",
        }

    def seen(self) -> tuple[Board, dict]:
        """What everybody sees: a board, and the player."""
        shown = Board(
            steps=self.board.steps,
            house=self.board.house,
            martians=frozenset(self.standing),
            known=dict(self.known),
            buildings=[(sorted(squares), list(faces)) for squares, faces in self.groups if squares],
            pool=list(self.pool),
            circles=[] if self.ship is not None else sorted(self.circles),
            circles_elsewhere=self.unturned - len(self.circles) if self.ship is None else 0,
            ship=self.ship,
            goal=self.board.goal,
            at_five=self.board.at_five,
            last_life=self.board.last_life,
            weapons=self.board.weapons,
        )
        player = {
            "at": self.at,
            "lives": self.lives,
            "bullets": self.bullets,
            "martians": self.martians,
            "items": tuple(item for item in ITEMS if item in self.items),
        }
        return shown, player
