// Alien Battleship, Captain, First Mate and Crew: the rules of one turn (the game's sheet).
//
// States: ["throw", stage, throws], ["crew", throws, ...dice], ["again", throws, ...kept] with 0
// for a die that is thrown again, ["bank", points, stage].

import { project } from "../core/dice.js";
import { PositionError, rulesFrom, wholeNumber } from "./position.js";

/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("../core/turn.js").State} State */

export const STAGES = ["nothing", "battleship", "captain", "trio"];
const TRIO = [6, 5, 4];
const D6 = [1, 1, 1, 1, 1, 1];

export const DEFAULTS = {
  dice: 5,
  throws: 3,
  trio: "kept",
  crew: "either",
  target: 100,
  rounds: 10,
  end: "first",
};
const ALLOWED = /** @type {Record<string, any>} */ ({
  throws: [1, 6, "range"],
  trio: ["kept", "reset"],
  crew: ["either", "both"],
  target: [1, 1000, "range"],
  rounds: [1, 100, "range"],
  end: ["first", "rounds", "target"],
});
const TURN_RULES = ["dice", "throws", "trio", "crew"];

/** Faces, ascending. @param {number[]} counts */
function facesOf(counts) {
  return counts.flatMap((count, i) => Array(count).fill(i + 1));
}

/** @param {number[]} dice */
function ascending(dice) {
  return dice.slice().sort((a, b) => a - b);
}

/**
 * The stage after a throw, and the dice that are not set aside, ascending: a 6 allows a 5 of the
 * same throw, and that a 4; of several sixes one is set aside.
 * @param {number} stage @param {number[]} dice @returns {[number, number[]]}
 */
export function lock(stage, dice) {
  const left = ascending(dice);
  let now = stage;
  while (now < TRIO.length && left.includes(TRIO[now])) {
    left.splice(left.indexOf(TRIO[now]), 1);
    now += 1;
  }
  return [now, left];
}

/** @param {string|number} given */
export function readStage(given) {
  const text = String(given).trim().toLowerCase();
  const found = STAGES.indexOf(text);
  return found >= 0 ? found : wholeNumber(text, "a stage", 0, 3);
}

/** Faces as digits: "4 3 3". @param {string} text */
export function readDice(text) {
  return text.split(/[\s,+]+/).filter(Boolean).map((word) => wholeNumber(word, "a die", 1, 6));
}

export class AlienCrew {
  name = "alien-crew";
  bustMeans = "The turn then ends with nothing";

  /** @param {Record<string, string|number>} [settings] */
  constructor(settings = {}) {
    this.rules = rulesFrom(DEFAULTS, ALLOWED, settings);
    this.turnRules = Object.fromEntries(TURN_RULES.map((name) => [name, this.rules[name]]));
    this.dice = Number(this.rules.dice);
    this.throws = Number(this.rules.throws);
    this.kept = this.rules.trio === "kept";
    const end = this.rules.end;
    this.match = {
      rounds: end === "target" ? null : Number(this.rules.rounds),
      target: end === "rounds" ? null : Number(this.rules.target),
    };
  }

  /** @param {number[]} outcome */
  points(outcome) {
    return outcome[0];
  }

  /** @returns {State[]} */
  starts() {
    return (this.kept ? STAGES : STAGES.slice(0, 1)).map((_, i) => ["throw", i, this.throws]);
  }

  /** @param {State} state @returns {import("../core/turn.js").Expansion} */
  expand(state) {
    const [kind, ...rest] = state;
    const numbers = /** @type {number[]} */ (rest);
    if (kind === "bank") return { bank: [numbers[0], this.kept ? numbers[1] : 0] };
    if (kind === "throw") {
      const [stage, throws] = numbers;
      const seen = project(D6, this.dice - stage, (counts) => {
        const [after, left] = lock(stage, facesOf(counts));
        return /** @type {[number, number[]]} */ ([after, after === TRIO.length ? left : []]);
      });
      return { roll: seen.map(([[after, left], weight]) => [weight, this.thrown(after, left, throws - 1)]) };
    }
    const [throws, ...dice] = numbers;
    if (kind === "again") {
      const kept = dice.filter(Boolean);
      const rolled = project(D6, dice.length - kept.length, facesOf);
      return { roll: rolled.map(([shown, weight]) => [weight, ["crew", throws - 1, ...ascending([...kept, ...shown])]]) };
    }
    return { choose: this.crewOptions(throws, dice) };
  }

  /** @param {number} stage @param {number[]} crew @param {number} throws @returns {State} */
  thrown(stage, crew, throws) {
    if (stage === TRIO.length) return ["crew", throws, ...crew];
    return throws ? ["throw", stage, throws] : ["bank", 0, stage];
  }

  /** Keep the crew, or throw dice again, fewest first. @param {number} throws @param {number[]} dice Ascending. */
  crewOptions(throws, dice) {
    /** @type {Map<string, State>} */
    const options = new Map([["stop", ["bank", dice.reduce((a, b) => a + b, 0), TRIO.length]]]);
    if (!throws) return options;
    /** @type {number[][]} */
    const subsets = [[]];
    dice.forEach((_, i) => subsets.push(...subsets.map((before) => [...before, i])));
    const least = this.rules.crew === "either" ? 1 : dice.length;
    const again = subsets.filter((s) => s.length >= least);
    again.sort((a, b) => a.length - b.length || compareLists(a, b));
    for (const thrown of again) {
      const kept = dice.filter((_, i) => !thrown.includes(i));
      const name = `roll-${thrown.map((i) => dice[i]).join("-")}`;
      options.set(name, ["again", throws, ...thrown.map(() => 0), ...kept]);
    }
    return options;
  }

  /**
   * The position that a player describes.
   * @param {{stage?: number, roll?: number[]|null, crew?: number[]|null, throws?: number|null}} told
   * @returns {Position}
   */
  position({ stage = 0, roll = null, crew = null, throws = null }) {
    const dice = crew ?? roll;
    if (roll && crew) throw new PositionError("the dice just thrown and the crew are the same dice");
    if (crew && stage < 3) {
      throw new PositionError(`a crew is on the table, and the stage is ${STAGES[stage]}`);
    }
    if (throws === null && dice) throw new PositionError("how many throws are left is missing");
    const left = throws ?? this.throws;
    const most = this.throws - (dice ? 1 : 0);
    if (left > most) throw new PositionError(`${left} throws left: at most ${most} can be`);
    /** @type {Record<string, string>} */
    const shown = { stage: STAGES[stage], throws: String(left) };
    if (!dice) {
      if (!left) throw new PositionError("no throws are left and no dice are on the table");
      const state = /** @type {State} */ (["throw", stage, left]);
      return { shown, state, options: new Map([["roll", state]]), note: "there is no choice: the dice are thrown" };
    }
    if (roll && left === this.throws - 1 && stage && !this.kept) {
      throw new PositionError(`${STAGES[stage]} before the first throw: every turn starts from ${this.dice} dice`);
    }
    const sorted = ascending(dice);
    shown[crew ? "crew" : "roll"] = sorted.join(" ");
    if (sorted.length !== this.dice - stage) {
      throw new PositionError(`${sorted.length} dice are shown, and ${this.dice - stage} are thrown at the stage ${STAGES[stage]}`);
    }
    return this.afterThrow(shown, stage, sorted, left);
  }

  /**
   * @param {Record<string, string>} shown @param {number} have @param {number[]} dice
   * @param {number} left
   * @returns {Position}
   */
  afterThrow(shown, have, dice, left) {
    const [stage, others] = lock(have, dice);
    const gained = ["battleship", "captain", "first mate"].slice(have, stage);
    let note = gained.length ? `set aside: ${gained.join(", ")}` : null;
    if (stage === 3) {
      const options = this.crewOptions(left, others);
      if (!left) note = `${note ? `${note}; ` : ""}no throws are left: the crew counts`;
      return { shown, state: ["crew", left, ...others], options, note };
    }
    if (left) {
      const state = /** @type {State} */ (["throw", stage, left]);
      const more = `${STAGES[stage]} so far: the other dice must be thrown again`;
      return { shown, state, options: new Map([["roll", state]]), note: note ? `${note}; ${more}` : more };
    }
    const state = /** @type {State} */ (["bank", 0, stage]);
    const over = `the turn is over without a crew, at the stage ${STAGES[stage]}`;
    return { shown, state, options: new Map([["stop", state]]), note: note ? `${note}; ${over}` : over };
  }
}

/** @param {number[]} a @param {number[]} b */
function compareLists(a, b) {
  const at = a.findIndex((x, i) => x !== b[i]);
  return at < 0 ? 0 : a[at] - b[at];
}
