// Between two turns of a score race: what each outcome of a turn is worth to every seat.

import { PositionError } from "../rules/position.js";

/** @typedef {import("../core/npy.js").NpyArray} NpyArray */

/** The labels of a race's own arrays: all but its expanded policy. @param {string} label */
export function isBoundary(label) {
  return label === "points" || label === "open-play" || label.startsWith("last-") || label.startsWith("mix-");
}

export class RaceValues {
  /**
   * @param {import("../core/tables.js").Table} table Its boundary arrays are here.
   * @param {{target: number, end: string}} race
   */
  constructor(table, race) {
    this.race = race;
    this.seats = table.entry.seats;
    this.points = Array.from(table.array("points").data);
    this.reach = Math.max(...this.points) + 1;
    this.openPlay = table.array("open-play");
    /** @type {Map<string, NpyArray>} */
    this.last = new Map(table.labels((label) => label.startsWith("last-")).map((l) => [l, table.array(l)]));
    /** @type {Map<string, {share: number, breakpoint: number}>} */
    this.mixes = new Map();
    if (table.labels((label) => label === "mix-states").length) {
      const states = table.array("mix-states");
      const shares = table.array("mix-shares").data;
      for (let i = 0; i < states.shape[0]; i += 1) {
        const key = states.data.slice(i * (this.seats + 1), (i + 1) * (this.seats + 1)).join();
        this.mixes.set(key, { share: shares[2 * i], breakpoint: shares[2 * i + 1] });
      }
    }
  }

  /**
   * Refuse scores that the rules do not allow.
   * @param {number[]} scores @param {number} seat From 0.
   */
  check(scores, seat) {
    const { target, end } = this.race;
    if (scores.length !== this.seats || !(seat >= 0 && seat < this.seats)) {
      throw new PositionError(`there are ${this.seats} seats`);
    }
    scores.forEach((score, i) => {
      if (score < target) return;
      if (end === "immediate" || i >= seat) {
        throw new PositionError(`the match is over, or seat ${i + 1} has not played yet: it has ${score} of ${target} points before its turn in this round`);
      }
      if (score > target - 1 + this.reach - 1) {
        throw new PositionError(`seat ${i + 1} cannot have ${score} points: it had at most ${target - 1} before this round, and a turn brings at most ${this.reach - 1}`);
      }
    });
  }

  /**
   * Every seat's chance to win after each outcome of a turn.
   * @param {number[]} scores @param {number} seat The seat on turn, from 0.
   * @returns {number[][]} By outcome of the table (as in `points`), then seat.
   */
  after(scores, seat) {
    const { target, end } = this.race;
    const reached = scores.some((score) => score >= target);
    return this.points.map((gain) => {
      const moved = scores.map((score, i) => (i === seat ? score + gain : score));
      if (!reached && moved[seat] < target) {
        const at = ravel([(seat + 1) % this.seats, ...moved], this.openPlay.shape);
        return Array.from(this.openPlay.data.subarray(at, at + this.seats));
      }
      if (end === "immediate") return moved.map((_, i) => Number(i === seat));
      return this.ended(moved, seat + 1);
    });
  }

  /**
   * Chances in the last turns, with `next` to play, who is the number of seats if nobody is.
   * @param {number[]} scores @param {number} next
   */
  ended(scores, next) {
    const played = scores.slice(0, next);
    const best = Math.max(...played);
    const holders = played.filter((score) => score === best).length;
    const behind = scores.slice(next).map((score) => Math.min(Math.max(best - score, 1), this.reach) - 1);
    const table = /** @type {NpyArray} */ (this.last.get(`last-${behind.length}-${holders}`));
    const at = ravel(behind, table.shape);
    return scores.map((score, i) => {
      if (i >= next) return table.data[at + 1 + i - next];
      return score === best ? table.data[at] : 0;
    });
  }

  /**
   * The row of a boundary state in a two-seat policy table.
   * @param {number[]} scores @param {number} seat From 0.
   */
  row(scores, seat) {
    const { target } = this.race;
    if (scores.some((score) => score >= target)) {
      return 2 * target ** 2 + Math.min(scores[0] - scores[1], this.reach) - 1;
    }
    return (seat * target + scores[0]) * target + scores[1];
  }
}

/** Where the vector at `index` begins. @param {number[]} index @param {number[]} shape One axis more than the index. */
function ravel(index, shape) {
  let at = 0;
  index.forEach((i, axis) => { at = at * shape[axis] + i; });
  return at * shape[shape.length - 1];
}
