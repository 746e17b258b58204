"""Records of simulated games, written down by the referee's dice: nothing here reads a record."""

from __future__ import annotations

import numpy as np

from solver.referee import alien_crew, martian_dice, martians

LETTER = {"R": "death rays", "H": "human", "C": "cow", "K": "chicken"}


def short(dice):
    return " ".join(f"{letter}{dice.count(letter)}" for letter in "TRHCK" if letter in dice)


def martian_turn(rng, faces=martian_dice.OFFICIAL_FACES, dice=13, bonus=3):
    """Lines of a turn of a careless player, and its points."""
    lines, pending = [], []

    def choose_take(_aside, roll, legal):
        biggest = max(legal, key=lambda letter: roll[letter] - (letter == "R"))
        letter = biggest if rng.random() < 0.7 else legal[rng.integers(len(legal))]
        pending.append(LETTER[letter])
        return letter

    def choose_stop(aside):
        level = aside["T"] <= aside["R"] and any(aside[kind] for kind in "HCK")
        answer = bool(rng.random() < (0.4 if level else 0.05))
        lines[-1] += f" -> {pending[-1]}, {'stop' if answer else 'roll'}"
        pending.clear()
        return answer

    throw = martian_dice.dice_of(rng, faces)

    def rolls(count):
        if pending:  # no question was asked: nothing could be decided
            lines[-1] += f" -> {pending.pop()}"
        shown = throw(count)
        lines.append(f"  {short(list(shown))}")
        return shown

    points = martian_dice.play_rolled_turn(
        martian_dice.Chooser(choose_take, choose_stop), rolls, dice=dice, bonus=bonus
    )
    if pending:
        lines[-1] += f" -> {pending[-1]}"
    return lines, points


def martian_game(seed, seats=2, target=25, end="round", tie="duel", dice=13):
    """The text of a whole match between seats that play at random; final scores and winners."""
    rng = np.random.default_rng(seed)
    names = ["Ann", "Bob", "Cid", "Dee", "Eve"][:seats]
    text = [
        "game: martian-dice",
        f"rules: target={target}, end={end}, tie={tie}, dice={dice}",
        f"seats: {', '.join(names)}",
    ]
    scores = [0] * seats
    over = False
    while not over:
        for seat, name in enumerate(names):
            lines, points = martian_turn(rng, dice=dice)
            scores[seat] += points
            text += [f"{name}:", *lines, f"  = {points} ({scores[seat]})"]
            over = end == "immediate" and scores[seat] >= target
            if over:
                break
        over = over or max(scores) >= target
    leaders = [seat for seat in range(seats) if scores[seat] == max(scores)]
    if tie == "duel" and len(leaders) > 1:
        leaders = [leaders[martian_dice.duel(len(leaders), rng)]]
        text.append(f"winner: {names[leaders[0]]}")
    return "\n".join(text), scores, leaders


def alien_turn(rng, stage):
    lines = []
    wanted = []

    def choose_again(crew, throws):
        del throws
        again = [bool(rng.random() < 0.5) for _ in crew]
        dice = " ".join(str(d) for d, a in sorted(zip(crew, again, strict=True)) if a)
        wanted.append(f"roll {dice}" if dice else "stop")
        lines[-1] += f" -> {wanted[-1]}"
        return again

    throw = alien_crew.dice_of(rng)

    def rolls(count):
        shown = throw(count)
        lines.append("  " + " ".join(map(str, shown)))
        return shown

    points, after = alien_crew.play_rolled_turn(choose_again, rolls, stage=stage)
    return lines, points, after


def alien_game(seed, seats=2, rounds=10):
    rng = np.random.default_rng(seed)
    names = ["Ann", "Bob", "Cid"][:seats]
    text = ["game: alien-crew", f"rules: rounds={rounds}", f"seats: {', '.join(names)}"]
    scores, stages = [0] * seats, [0] * seats
    for _ in range(rounds):
        for seat, name in enumerate(names):
            lines, points, stages[seat] = alien_turn(rng, stages[seat])
            scores[seat] += points
            text += [f"{name}:", *lines, f"  = {points} ({scores[seat]})"]
        if max(scores) >= 100:
            break
    leaders = [seat for seat in range(seats) if scores[seat] == max(scores)]
    if len(leaders) > 1:
        leaders = [leaders[rng.integers(len(leaders))]]
        text.append(f"winner: {names[leaders[0]]}")
    return "\n".join(text), scores, leaders


def counted(number, one, more):
    return f"{number} {one if number == 1 else more}"


def hunt_turn(rng, standing, goal, income):
    """Lines of a turn of a hunt by a careless player, and how it ended."""
    lines = []
    die = martians.die_of(rng)

    def found():
        lives, bullets = income()
        gifts = [counted(lives, "life", "lives")] if lives else []
        gifts += [counted(bullets, "bullet", "bullets")] if bullets else []
        if income is not martians.no_income:
            lines.append(f"  found {' '.join(gifts) or 'nothing'}")
        return lives, bullets

    def rolls():
        face = die()
        moved = any("move" in line for line in lines)
        lines.append(f"  {face}" if moved else f"  move {face}")
        return face

    def done(word):
        lines[-1] += f"{', ' if '->' in lines[-1] else ' -> '}{word}"

    def pay(_standing, _ahead, lost, legal):
        answer = legal[rng.integers(len(legal))]
        done({"spend": f"spend {lost.short} bullets", "forfeit": "forfeit a life"}[answer])
        return answer

    def fight_on(_standing, _moves):
        answer = bool(rng.random() < 0.8)
        done("fight on" if answer else "stop")
        return answer

    turn = martians.play_hunt(
        martians.Player(pay, fight_on), rolls, standing, goal=goal, income=found
    )
    after = turn.standing
    told = counted(after.martians, "Martian", "Martians")
    if turn.ending != "goal":
        told += f", {counted(after.lives, 'life', 'lives')}"
        told += f", {counted(after.bullets, 'bullet', 'bullets')}"
    return [*lines, f"  = {'dead: ' if turn.ending == 'dead' else ''}{told}"], turn


def hunt_game(seed, goal=3, seats=2, tokens=None):
    """The text of a race of hunts between careless players; what they have, and who won."""
    rng = np.random.default_rng(seed)
    names = ["Ann", "Bob", "Cid"][:seats]
    income = martians.no_income if tokens is None else martians.tokens_of(tokens, rng)
    text = ["game: martians", f"rules: goal={goal}", f"seats: {', '.join(names)}"]
    if tokens is not None:
        text[1] += f", income=tokens:{tokens}"
    now = [martians.Standing() for _ in names]
    while True:
        for seat, name in enumerate(names):
            lines, turn = hunt_turn(rng, now[seat], goal, income)
            now[seat] = turn.standing
            text += [f"{name}:", *lines]
            if turn.ending == "goal":
                return "\n".join(text), [standing.martians for standing in now], [seat]
