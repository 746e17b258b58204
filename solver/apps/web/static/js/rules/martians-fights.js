// Martians!!! fights, one after another (rulebook, Combat Rules).
//
// States: ["arm", left, lives, bullets], ["fight", left, lives, bullets, bonus, rerolls],
// ["short", left, lives, bullets, bonus, rerolls, short], ["over", kills, lives, bullets, dead].

import { PositionError, rulesFrom, wholeNumber } from "./position.js";

/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("../core/turn.js").State} State */

const MOST_TOKENS = 5;
const WINS = 4;
export const MOST_FIGHTS = 60;

export const DEFAULTS = { fights: 1, "last-life": "dies", weapon: "none" };

/** Weapons that the page offers; others can be given in the address. */
const ALLOWED = /** @type {Record<string, any>} */ ({
  fights: [1, MOST_FIGHTS, "range"],
  "last-life": ["dies", "one-more-roll"],
});

/** A weapon's bonus and re-rolls. @param {string} text @returns {[number, number]} */
export function readWeapon(text) {
  const found = /^(?:\+([1-3])|reroll:([0-3]))$/.exec(text.trim());
  if (text.trim() === "none" || text.trim() === "") return [0, 0];
  if (!found) throw new PositionError(`"${text}" is no weapon: none, +1 to +3, or reroll:1 to reroll:3`);
  return [Number(found[1] ?? 0), Number(found[2] ?? 0)];
}

export class MartiansFights {
  name = "martians-fights";
  bustMeans = "You die";

  /** @param {Record<string, string|number>} [settings] */
  constructor(settings = {}) {
    const { weapon = "none", ...rest } = settings;
    /** @type {string[]} */
    this.held = String(weapon) === "none" ? [] : String(weapon).split(",").map((text) => text.trim());
    this.held.forEach(readWeapon);
    this.held.sort((a, b) => {
      const [[x, m], [y, n]] = [readWeapon(a), readWeapon(b)];
      return m - n || x - y;
    });
    this.rules = rulesFrom(DEFAULTS, ALLOWED, rest);
    this.rules.weapon = this.held.join(",") || "none";
    this.turnRules = this.rules;
    this.fights = Number(this.rules.fights);
    this.least = this.rules["last-life"] === "dies" ? 1 : 0;
  }

  /** Martians beaten. @param {(number|boolean)[]} outcome */
  points(outcome) {
    return Number(outcome[0]);
  }

  /** Whether the player is dead. @param {(number|boolean)[]} outcome */
  bust(outcome) {
    return outcome[3] === 1;
  }

  /** @returns {State[]} */
  starts() {
    /** @type {State[]} */
    const found = [];
    for (let lives = this.least; lives <= MOST_TOKENS; lives += 1) {
      for (let bullets = 0; bullets <= MOST_TOKENS; bullets += 1) {
        found.push(this.before(this.fights, lives, bullets));
      }
    }
    return found;
  }

  /** @param {number} left @param {number} lives @param {number} bullets @returns {State} */
  before(left, lives, bullets) {
    if (!left) return ["over", this.fights, lives, bullets, 0];
    return this.held.length ? ["arm", left, lives, bullets] : ["fight", left, lives, bullets, 0, 0];
  }

  /** @param {State} state @returns {import("../core/turn.js").Expansion} */
  expand(state) {
    const [kind, ...rest] = state;
    const numbers = /** @type {number[]} */ (rest);
    if (kind === "over") return { bank: numbers };
    if (kind === "arm") return { choose: this.arms(numbers) };
    const [left, lives, bullets, bonus, rerolls, short] = numbers;
    if (kind === "short") return { choose: this.mend(left, lives, bullets, bonus, rerolls, short) };
    /** @type {[number, State][]} */
    const roll = [[0, this.before(left - 1, lives, bullets)]];
    for (let by = 1; by < WINS - bonus; by += 1) roll.push([1, ["short", ...numbers, by]]);
    roll[0][0] = 7 - roll.length;
    return { roll };
  }

  /** What a fight can be fought with. @param {number[]} numbers Left, lives, bullets. */
  arms(numbers) {
    /** @type {Map<string, State>} */
    const options = new Map();
    for (const weapon of this.held) options.set(`use-${weapon}`, ["fight", ...numbers, ...readWeapon(weapon)]);
    options.set("bare-hands", ["fight", ...numbers, 0, 0]);
    return options;
  }

  /**
   * What can be done about a losing roll.
   * @param {number} left @param {number} lives @param {number} bullets @param {number} bonus
   * @param {number} rerolls @param {number} short
   */
  mend(left, lives, bullets, bonus, rerolls, short) {
    /** @type {Map<string, State>} */
    const options = new Map();
    if (bullets >= short) options.set("spend", this.before(left - 1, lives, bullets - short));
    if (rerolls) options.set("reroll", ["fight", left, lives, bullets, bonus, rerolls - 1]);
    if (lives > this.least) options.set("forfeit", ["fight", left, lives - 1, bullets, bonus, rerolls]);
    else options.set("forfeit", ["over", this.fights - left, 0, bullets, 1]);
    return options;
  }

  /**
   * The position in a fight.
   * @param {{lives?: number, bullets?: number, rolled?: number|null, facing?: number, using?: string}} told
   * @returns {Position}
   */
  position({ lives = 3, bullets = 3, rolled = null, facing = this.fights, using = "none" }) {
    wholeNumber(facing, "facing", 1, this.fights);
    wholeNumber(bullets, "bullets", 0, MOST_TOKENS);
    wholeNumber(lives, "lives", 0, MOST_TOKENS);
    if (lives < this.least) throw new PositionError("a player without a life token is dead, and fights no more");
    /** @type {Record<string, string>} */
    const shown = { facing: String(facing), lives: String(lives), bullets: String(bullets) };
    if (rolled === null) {
      const state = this.before(facing, lives, bullets);
      if (state[0] === "arm") return { shown, state, options: this.arms([facing, lives, bullets]), note: null };
      return { shown, state, options: new Map([["roll", state]]), note: "there is no choice: the die is rolled" };
    }
    wholeNumber(rolled, "the die", 1, 6);
    const [bonus, rerolls] = readWeapon(using);
    const short = Math.max(0, WINS - rolled - bonus);
    shown.rolled = String(rolled);
    if (bonus || rerolls) shown.using = using;
    if (!short) {
      const state = this.before(facing - 1, lives, bullets);
      return { shown, state, options: new Map([["go-on", state]]), note: "this roll wins" };
    }
    const state = /** @type {State} */ (["short", facing, lives, bullets, bonus, rerolls, short]);
    return { shown, state, options: this.mend(facing, lives, bullets, bonus, rerolls, short), note: null };
  }
}
