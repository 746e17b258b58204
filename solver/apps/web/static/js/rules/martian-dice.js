// Martian Dice: the rules of one turn (rulebook, On Your Turn and Scoring) with the official die.
//
// States: ["roll", tanks, rays, heads, kinds], ["take", tanks, rays, heads, kinds, rolled rays,
// [group sizes]], ["aside", tanks, rays, heads, kinds], ["bank", points]. The three species are
// interchangeable: only how many kinds of them are taken and how many heads matter.

import { project } from "../core/dice.js";
import { PositionError, rulesFrom } from "./position.js";

/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("../core/turn.js").State} State */
/** @typedef {"T"|"R"|"H"|"C"|"K"} Face */
/** @typedef {Record<Face, number>} Counts */

/** @type {Face[]} */
export const FACES = ["T", "R", "H", "C", "K"];
/** @type {Face[]} */
const SPECIES = ["H", "C", "K"];
const WEIGHT = { T: 1, R: 2, H: 1, C: 1, K: 1 };
/** @type {Record<string, string>} */
export const ACTION_OF = { R: "death-rays", H: "human", C: "cow", K: "chicken" };

export const DEFAULTS = {
  dice: 13,
  faces: "T1 R2 H1 C1 K1",
  bonus: 3,
  head: 1,
  take: "forced",
  "no-take": "scored",
  target: 25,
  end: "round",
  tie: "duel",
  "duel-dice": 6,
};
const ALLOWED = /** @type {Record<string, any>} */ ({
  dice: [1, 13, "range"],
  bonus: [0, 20, "range"],
  target: [1, 200, "range"],
  end: ["round", "immediate"],
  tie: ["duel", "shared"],
});
const TURN_RULES = ["dice", "faces", "bonus", "head", "take", "no-take"];

/** @returns {Counts} */
export function noDice() {
  return { T: 0, R: 0, H: 0, C: 0, K: 0 };
}

/** @param {Counts} counts */
export function howMany(counts) {
  return FACES.reduce((sum, face) => sum + counts[face], 0);
}

/** In short notation: "T2 H4". @param {Counts} counts */
export function writeCounts(counts) {
  return FACES.filter((face) => counts[face]).map((face) => face + counts[face]).join(" ");
}

/** @param {string} text @returns {Counts} */
export function readCounts(text) {
  const counts = noDice();
  for (const item of text.split(/[\s,+]+/).filter(Boolean)) {
    const found = /^([TRHCK])(\d{0,2})$/i.exec(item);
    if (!found) {
      throw new PositionError(`"${item}" cannot be read: T tank, R death ray, H human, C cow, K chicken, as in T2 R3`);
    }
    counts[/** @type {Face} */ (found[1].toUpperCase())] += found[2] ? Number(found[2]) : 1;
  }
  return counts;
}

export class MartianDice {
  name = "martian-dice";
  bustMeans = "The turn then ends with nothing";

  /** @param {Record<string, string|number>} [settings] */
  constructor(settings = {}) {
    this.rules = rulesFrom(DEFAULTS, ALLOWED, settings);
    this.turnRules = Object.fromEntries(TURN_RULES.map((name) => [name, this.rules[name]]));
    this.race = { target: Number(this.rules.target), end: String(this.rules.end) };
    this.dice = Number(this.rules.dice);
    /** @type {Map<string, [[number, number, number[]], number][]>} */
    this.rolls = new Map();
  }

  /** @param {number} tanks @param {number} rays @param {number} heads @param {number} kinds */
  score(tanks, rays, heads, kinds) {
    if (tanks > rays) return 0;
    return heads * Number(this.rules.head) + (kinds === SPECIES.length ? Number(this.rules.bonus) : 0);
  }

  /** @param {number} outcome */
  points(outcome) {
    return outcome;
  }

  /** @returns {State[]} */
  starts() {
    return [["roll", 0, 0, 0, 0]];
  }

  /** @param {State} state @returns {import("../core/turn.js").Expansion} */
  expand(state) {
    const kind = state[0];
    if (kind === "bank") return { bank: state[1] };
    const [tanks, rays, heads, kinds] = /** @type {number[]} */ (state.slice(1, 5));
    if (kind === "aside") {
      /** @type {Map<string, State>} */
      const choose = new Map([["stop", ["bank", this.score(tanks, rays, heads, kinds)]]]);
      if (tanks + rays + heads < this.dice) choose.set("roll", ["roll", tanks, rays, heads, kinds]);
      return { choose };
    }
    if (kind === "take") {
      const [newRays, sizes] = /** @type {[number, number[]]} */ (/** @type {unknown} */ (state.slice(5)));
      /** @type {Map<string, State>} */
      const choose = new Map();
      if (newRays) choose.set("death-rays", ["aside", tanks, rays + newRays, heads, kinds]);
      for (const size of sizes) {
        choose.set(`('group', ${size})`, ["aside", tanks, rays, heads + size, kinds + 1]);
      }
      return { choose };
    }
    /** @type {[number, State][]} */
    const roll = this.rolled(this.dice - tanks - rays - heads, kinds).map(([[t, r, sizes], weight]) => {
      if (r || sizes.length) return [weight, ["take", tanks + t, rays, heads, kinds, r, sizes]];
      return [weight, ["bank", this.score(tanks + t, rays, heads, kinds)]];
    });
    return { roll };
  }

  /** Tanks, rays and sizes of takeable groups in a roll. @param {number} left @param {number} kinds */
  rolled(left, kinds) {
    const key = `${left} ${kinds}`;
    let found = this.rolls.get(key);
    if (found === undefined) {
      const free = SPECIES.length - kinds;
      const weights = [WEIGHT.T, WEIGHT.R, ...SPECIES.slice(kinds).map((s) => WEIGHT[s])];
      if (kinds) weights.push(kinds);
      found = project(weights, left, (counts) => {
        const sizes = [...new Set(counts.slice(2, 2 + free).filter(Boolean))].sort((a, b) => a - b);
        return /** @type {[number, number, number[]]} */ ([counts[0], counts[1], sizes]);
      });
      this.rolls.set(key, found);
    }
    return found;
  }

  /**
   * The position with these dice set aside and, perhaps, these just rolled.
   * @param {{aside?: Counts, roll?: Counts|null}} told
   * @returns {Position}
   */
  position({ aside = noDice(), roll = null }) {
    const heads = aside.H + aside.C + aside.K;
    const setAside = howMany(aside);
    const left = this.dice - setAside;
    const kinds = SPECIES.filter((s) => aside[s]).length;
    const shown = { aside: writeCounts(aside) };
    if (left < 0) {
      throw new PositionError(`${setAside} dice are set aside, and there are only ${this.dice}`);
    }
    if (aside.T && !aside.R && !heads && (left || roll)) {
      throw new PositionError(`no legal turn has only tanks set aside and ${left} dice left to roll`);
    }
    if (!roll) {
      /** @type {State} */
      const now = [aside.T, aside.R, heads, kinds];
      if (left === this.dice) {
        const start = /** @type {State} */ (["roll", ...now]);
        return { shown, state: start, options: new Map([["roll", start]]), note: "a turn begins with a roll" };
      }
      const stop = /** @type {State} */ (["bank", this.score(aside.T, aside.R, heads, kinds)]);
      const state = /** @type {State} */ (["aside", ...now]);
      const options = new Map([["stop", stop]]);
      if (left) options.set("roll", ["roll", ...now]);
      return { shown, state, options, note: left ? null : "all dice are set aside: the turn is over" };
    }
    if (!left) throw new PositionError(`all ${this.dice} dice are set aside: there is nothing to roll`);
    if (howMany(roll) !== left) {
      throw new PositionError(`${howMany(roll)} dice are shown as rolled, but ${left} were rolled: ${this.dice} less the ${setAside} set aside`);
    }
    return this.afterRoll({ ...shown, roll: writeCounts(roll) }, aside, roll, heads, kinds);
  }

  /**
   * @param {Record<string, string>} shown @param {Counts} aside @param {Counts} roll
   * @param {number} heads @param {number} kinds
   * @returns {Position}
   */
  afterRoll(shown, aside, roll, heads, kinds) {
    const tanks = aside.T + roll.T;
    const free = SPECIES.filter((s) => roll[s] && !aside[s]);
    if (!roll.R && !free.length) {
      const bank = /** @type {State} */ (["bank", this.score(tanks, aside.R, heads, kinds)]);
      const note = "nothing can be taken: the turn is over and scored as it stands";
      return { shown, state: bank, options: new Map([["stop", bank]]), note };
    }
    const sizes = [...new Set(free.map((s) => roll[s]))].sort((a, b) => a - b);
    /** @type {Map<string, State>} */
    const options = new Map();
    if (roll.R) options.set(ACTION_OF.R, ["aside", tanks, aside.R + roll.R, heads, kinds]);
    for (const s of free.sort((a, b) => roll[a] - roll[b])) {
      options.set(ACTION_OF[s], ["aside", tanks, aside.R, heads + roll[s], kinds + 1]);
    }
    return { shown, state: ["take", tanks, aside.R, heads, kinds, roll.R, sizes], options, note: null };
  }
}
