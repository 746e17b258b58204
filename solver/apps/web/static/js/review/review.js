// A tracked game reviewed: what each decision cost, what the dice brought, and that both add up.
//
// A value changes only where dice are rolled or somebody decides, so that
// result = start + luck - lost + gained (solver.advisor.review says it in full). Where something was
// not tracked, what changed meanwhile is nobody's doing here: it is counted apart, as `unseen`.

import { breathe, TIE } from "../core/turn.js";
import { GAMES } from "../games.js";
import { turnsOf } from "./steps.js";
import { recorded, winnerOf, writeRecord } from "./text.js";
import { pointsValues, winValues } from "./values.js";

/** @typedef {import("../track/game.js").Track} Track */
/** @typedef {import("./steps.js").Turn} Turn */
/** @typedef {import("./steps.js").Step} Step */
/** @typedef {{start: number, luck: number, own_luck: number, lost: number, gained: number, unseen: number, result: number}} Account */
/**
 * @typedef {object} Judged
 * @property {number} turn From 1.
 * @property {number} seat From 1.
 * @property {number} round
 * @property {"dice"|"choice"} kind
 * @property {string} text
 * @property {Record<string, string>} shown
 * @property {number} points For dice the luck, for a decision the regret.
 * @property {number|null} win The same in chances to win, null where these are not known.
 * @property {string[]} best
 * @property {number} options How many there were.
 * @property {boolean} worst
 */
/**
 * @typedef {object} Review
 * @property {Turn[]} turns
 * @property {Judged[]} steps
 * @property {Account[]} points By seat.
 * @property {Account[]|null} win
 * @property {number} winFrom The first turn (from 0) of which the chances to win are known.
 * @property {string|null} record
 * @property {boolean} whole Whether the record holds every turn that was tracked.
 */

/** Decisions that are marked as the worst. */
const WORST = 3;
/** Milliseconds of work after which taps are let in. */
const SLICE = 12;

/**
 * @param {import("../advisor/advise.js").Advisor} advisor
 * @param {Track} track
 * @param {() => boolean} [goOn] Asked from time to time.
 * @returns {Promise<Review|null>} Null if it was told to stop.
 */
export async function review(advisor, track, goOn = () => true) {
  const game = GAMES[track.game].rulesOf(track.rules);
  const turns = turnsOf(track);
  const worth = await pointsValues(advisor, game);
  const book = new Book(track.players.length);
  let since = performance.now();
  for (const turn of turns) {
    const chances = track.players.length > 1 ? await winValues(advisor, game, turn) : null;
    book.add(turn, worth, chances);
    if (performance.now() - since > SLICE) {
      await breathe();
      since = performance.now();
    }
    if (!goOn()) return null;
  }
  book.settle(winnerOf(track, turns));
  return {
    turns,
    steps: marked(book.steps),
    points: book.points,
    win: book.wins,
    winFrom: book.winFrom,
    record: writeRecord(track, turns),
    whole: recorded(turns) === turns.length,
  };
}

/** @returns {Account} */
function account() {
  return { start: 0, luck: 0, own_luck: 0, lost: 0, gained: 0, unseen: 0, result: 0 };
}

/** @typedef {(state: import("../core/turn.js").State) => number} Worth */
/** @typedef {(state: import("../core/turn.js").State) => number[]} Chances */

/** Goes through the turns and keeps every seat's accounts. */
class Book {
  /** @param {number} seats */
  constructor(seats) {
    this.points = Array.from({ length: seats }, account);
    /** @type {Account[]|null} */
    this.wins = null;
    this.winFrom = 0;
    /** @type {Judged[]} */
    this.steps = [];
    this.turns = 0;
  }

  /** @param {Turn} turn @param {Worth} worth @param {Chances|null} chances */
  add(turn, worth, chances) {
    const last = turn.steps.length ? turn.steps[turn.steps.length - 1].after : turn.start;
    const mine = this.points[turn.seat];
    mine.start += worth(turn.start);
    mine.result += worth(last);
    if (chances) this.open(turn, chances);
    for (const step of turn.steps) {
      const change = worth(step.after) - worth(step.state);
      if (step.kind === "dice") {
        mine.luck += change;
        mine.own_luck += change;
      } else mine.lost -= change;
      if (chances) this.move(turn.seat, step, chances);
      this.steps.push(judged(turn, this.turns + 1, step, worth, chances));
    }
    if (chances && this.wins) chances(last).forEach((chance, i) => { /** @type {Account[]} */ (this.wins)[i].result = chance; });
    this.turns += 1;
  }

  /** Where the chances stand before a turn. @param {Turn} turn @param {Chances} chances */
  open(turn, chances) {
    const before = chances(turn.start);
    if (this.wins) {
      const wins = this.wins;
      if (turn.cut) before.forEach((chance, i) => { wins[i].unseen += chance - wins[i].result; });
      return;
    }
    this.winFrom = this.turns;
    this.wins = before.map((chance) => ({ ...account(), start: chance }));
  }

  /** @param {number} seat @param {Step} step @param {Chances} chances */
  move(seat, step, chances) {
    const [before, after] = [chances(step.state), chances(step.after)];
    /** @type {Account[]} */ (this.wins).forEach((sums, i) => {
      const change = after[i] - before[i];
      if (step.kind === "dice") {
        sums.luck += change;
        if (i === seat) sums.own_luck += change;
      } else if (i === seat) sums.lost -= change;
      else sums.gained += change;
    });
  }

  /** What parted a tie is luck. @param {number|null} winner */
  settle(winner) {
    if (winner === null || !this.wins) return;
    this.wins.forEach((sums, i) => {
      sums.luck += Number(i === winner) - sums.result;
      sums.result = Number(i === winner);
    });
  }
}

/**
 * @param {Turn} turn @param {number} number @param {Step} step @param {Worth} worth
 * @param {Chances|null} chances @returns {Judged}
 */
function judged(turn, number, step, worth, chances) {
  const sign = step.kind === "dice" ? 1 : -1;
  /** @param {Worth} value */
  const change = (value) => {
    const found = sign * (value(step.after) - value(step.state));
    return step.kind === "choice" && found <= TIE ? 0 : found;
  };
  /** @type {Worth|null} */
  const own = chances && ((state) => chances(state)[turn.seat]);
  const value = own ?? worth;
  const options = [...step.options].map(([action, state]) => ({ action, value: value(state) }));
  const most = Math.max(...options.map((option) => option.value));
  return {
    turn: number,
    seat: turn.seat + 1,
    round: turn.round,
    kind: step.kind,
    text: step.text,
    shown: step.shown,
    points: change(worth),
    win: own && change(own),
    best: options.filter((option) => option.value >= most - TIE).map(({ action }) => action),
    options: options.length,
    worst: false,
  };
}

/** The steps with the worst decisions marked: by chances to win where they are known. @param {Judged[]} steps */
function marked(steps) {
  const known = steps.some((step) => step.win !== null);
  const cost = steps.map((step) => (step.kind === "choice" ? (known ? step.win : step.points) ?? 0 : 0));
  const order = steps.map((_, i) => i).filter((i) => cost[i] > 0).sort((a, b) => cost[b] - cost[a] || a - b);
  const worst = new Set(order.slice(0, WORST));
  return steps.map((step, i) => ({ ...step, worst: worst.has(i) }));
}
