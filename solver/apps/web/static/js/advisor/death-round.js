// The death round: tied leaders take one more turn each, in seat order, until one is ahead.
//
// Later players see what they must beat. A group can come back to itself (all tied again): that
// fixed point is policy iteration with its linear part, one unknown vector, solved exactly.

import { OneTurn } from "./one-turn.js";

/** @typedef {{best: number, holders: number[], stages: number[]}} Shown The best crew, who holds it, and their stages. */
/** @typedef {{value: number[], again: number}} Worth Shares but for coming back, and the chance of that. */

const MOST_ROUNDS = 200;
/** @type {Shown} */
export const NOTHING = { best: -1, holders: [], stages: [] };

export class DeathRounds {
  /** @param {OneTurn} turn @param {number} stages Number of stages a player can be in. */
  constructor(turn, stages) {
    this.turn = turn;
    this.stages = stages;
    /** @type {Map<string, number[]>} */
    this.known = new Map();
  }

  /** Each tied player's chance to win. @param {number[]} stages Of the tied players, in seat order. @returns {number[]} */
  shares(stages) {
    if (stages.length === 1) return [1];
    const key = stages.join();
    let found = this.known.get(key);
    if (!found) this.known.set(key, (found = this.settle(stages)));
    return found;
  }

  /** @param {number[]} group */
  settle(group) {
    let guess = group.map(() => 1 / group.length);
    let before = "";
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      /** @type {string[]} */
      const policy = [];
      const { value, again } = this.play(group, 0, NOTHING, guess, new Map(), policy);
      const fixed = value.map((share) => share / (1 - again));
      if (policy.join("|") === before) return fixed;
      before = policy.join("|");
      guess = fixed;
    }
    throw new Error(`no equilibrium of the death round of the stages ${group} was found`);
  }

  /**
   * What is left to player `at` and those after it, once something has been shown.
   * @param {number[]} group @param {number} at @param {Shown} shown @param {number[]} guess
   * @param {Map<string, Worth>} seen @param {string[]} policy Every turn's choices, appended.
   * @returns {Worth}
   */
  play(group, at, shown, guess, seen, policy) {
    const key = JSON.stringify([at, shown]);
    const before = seen.get(key);
    if (before) return before;
    let found;
    if (at === group.length) {
      const back = shown.stages.length === group.length && shown.stages.every((stage, i) => stage === group[i]);
      const value = group.map(() => 0);
      if (!back) this.shares(shown.stages).forEach((share, i) => { value[shown.holders[i]] = share; });
      found = { value, again: Number(back) };
    } else {
      const ahead = this.after(group, at, shown, guess, seen, policy);
      const own = ahead.map((worth) => (worth ? worth.value[at] + worth.again * guess[at] : 0));
      const chances = this.turn.play(group[at], own);
      policy.push(this.turn.choices());
      const value = group.map((_, i) => sum(chances, (o) => ahead[o]?.value[i] ?? 0));
      found = { value, again: sum(chances, (o) => ahead[o]?.again ?? 0) };
    }
    seen.set(key, found);
    return found;
  }

  /**
   * What each outcome of player `at` leads to; null for outcomes it cannot have.
   * @param {number[]} group @param {number} at @param {Shown} shown @param {number[]} guess
   * @param {Map<string, Worth>} seen @param {string[]} policy
   */
  after(group, at, shown, guess, seen, policy) {
    return this.turn.outcomes.map(([points, stage]) => {
      if (stage < group[at]) return null; // a stage never falls
      return this.play(group, at + 1, next(shown, at, points, stage), guess, seen, policy);
    });
  }

  /**
   * Every tied player's chance after each outcome of the player on turn.
   * @param {number[]} group Stages before the death round.
   * @param {number[]} points What the players before have shown.
   * @param {number[]} stages Their stages now.
   */
  ahead(group, points, stages) {
    const guess = this.shares(group);
    const shown = points.reduce((before, p, i) => next(before, i, p, stages[i]), NOTHING);
    const found = this.after(group, points.length, shown, guess, new Map(), []);
    return found.map((worth) => group.map((_, i) => (worth ? worth.value[i] + worth.again * guess[i] : 0)));
  }
}

/** @param {Shown} shown @param {number} player @param {number} points @param {number} stage @returns {Shown} */
function next(shown, player, points, stage) {
  if (points > shown.best) return { best: points, holders: [player], stages: [stage] };
  if (points < shown.best) return shown;
  return { best: points, holders: [...shown.holders, player], stages: [...shown.stages, stage] };
}

/** @param {Float64Array} chances @param {(outcome: number) => number} of */
function sum(chances, of) {
  let total = 0;
  for (let i = 0; i < chances.length; i += 1) if (chances[i]) total += chances[i] * of(i);
  return total;
}
