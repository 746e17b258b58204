// What was before: undo, tap by tap.

/** @typedef {import("./game.js").Track} Track */

const MOST = 500;

export class History {
  constructor() {
    /** @type {Track[]} */
    this.before = [];
  }

  /** @param {Track} track */
  push(track) {
    this.before.push(track);
    if (this.before.length > MOST) this.before.shift();
  }

  /** @returns {Track|null} */
  pop() {
    return this.before.pop() ?? null;
  }

  clear() {
    this.before = [];
  }

  get length() {
    return this.before.length;
  }
}
