// A match of rounds for the win, solved from where it stands: what can still come is little.
//
// A boundary state is the round, the seat on turn and every seat's score and stage. The states that
// can be reached are listed turn by turn, then solved from the last; nothing comes back, because
// every turn takes the match forward. In a round that is surely the last, seats that have played
// and do not lead are out: their scores are forgotten.
//
// A seat is one number, its *code*: 0 forgotten, 1 to 4 no points and the stage, 4 + n for n points
// (which has the trio, if it is kept at all). The seats' codes are the digits of a state's key.

import { DeathRounds } from "./death-round.js";
import { breathe } from "../core/turn.js";
import { OneTurn } from "./one-turn.js";

/** @typedef {{rounds: number|null, target: number|null}} Match */
/** @typedef {{round: number, seat: number, scores: number[], stages: number[]}} State Round and seat from 0. */
/** @typedef {Map<number, number[]>} Values Key -> every seat's chance to win. */
/** @typedef {{round: number, seat: number, codes: number[]}} Coded */

/** States above this are not solved in a browser. */
export const MOST_STATES = 120_000;
/** Milliseconds of work after which taps are let in. */
const SLICE = 8;

export class RoundsSolver {
  /**
   * @param {import("../core/turn.js").TurnGraph} graph
   * @param {number[]} roots By stage.
   * @param {Match} match
   */
  constructor(graph, roots, match) {
    this.turn = new OneTurn(graph, roots);
    this.match = match;
    this.top = roots.length - 1; // the stage of who has points
    this.death = new DeathRounds(this.turn, roots.length);
    this.radix = radixOf(match, Math.max(...graph.points));
    /** @type {Map<string, Values>} */
    this.known = new Map();
  }

  /** The values of a round and a seat on turn. @param {number} round @param {number} seat @param {number} seats */
  values(round, seat, seats) {
    const key = `${seats} ${round} ${seat}`;
    let found = this.known.get(key);
    if (!found) this.known.set(key, (found = new Map()));
    return found;
  }

  /** Whether the answer is known. @param {State} state */
  ready(state) {
    const coded = encoded(state);
    return this.turn.outcomes.every((_, o) => {
      const next = this.after(coded, o);
      return !next || this.values(next.round, next.seat, next.codes.length).has(this.key(next.codes));
    });
  }

  /**
   * Solve all that can come, in slices between which the page answers taps.
   * @param {State} state
   */
  async solve(state) {
    let since = performance.now();
    const rest = async () => {
      if (performance.now() - since < SLICE) return;
      await breathe();
      since = performance.now();
    };
    /** @type {Map<number, Coded>[]} */
    const layers = [];
    let layer = this.listed(encoded(state), 0, new Map());
    while (layer.size) {
      layers.push(layer);
      /** @type {Map<number, Coded>} */
      const below = new Map();
      for (const now of layer.values()) {
        this.listed(now, this.stage(now.codes[now.seat]), below);
        await rest();
      }
      layer = below;
    }
    for (const solved of layers.reverse()) {
      for (const [key, now] of solved) {
        this.values(now.round, now.seat, now.codes.length).set(key, this.value(now));
        await rest();
      }
    }
  }

  /**
   * Add the states to come that are not known yet.
   * @param {Coded} now @param {number} least Stage below which the turn cannot end.
   * @param {Map<number, Coded>} found
   */
  listed(now, least, found) {
    const { outcomes } = this.turn;
    for (let o = 0; o < outcomes.length; o += 1) {
      if (outcomes[o][1] < least) continue;
      const next = this.after(now, o);
      if (!next) continue;
      const key = this.key(next.codes);
      if (!found.has(key) && !this.values(next.round, next.seat, next.codes.length).has(key)) found.set(key, next);
    }
    return found;
  }

  /** Every seat's chance to win. @param {Coded} now */
  value(now) {
    const { seat, codes } = now;
    const stage = this.stage(codes[seat]);
    const ahead = this.ahead(now, stage);
    const chances = this.turn.play(stage, ahead.map((vector) => (vector ? vector[seat] : 0)));
    const value = codes.map(() => 0);
    for (let o = 0; o < chances.length; o += 1) {
      const vector = ahead[o];
      if (!vector || !chances[o]) continue;
      for (let i = 0; i < value.length; i += 1) value[i] += chances[o] * vector[i];
    }
    return value;
  }

  /** Every seat's chance after each outcome of the turn. @param {State} state */
  chances(state) {
    return /** @type {number[][]} */ (this.ahead(encoded(state), 0));
  }

  /** The same; null for outcomes that cannot be. @param {Coded} now @param {number} least */
  ahead(now, least) {
    return this.turn.outcomes.map(([, stage], o) => {
      if (stage < least) return null;
      const next = this.after(now, o);
      if (!next) return this.ended(this.moved(now, o));
      return /** @type {number[]} */ (this.values(next.round, next.seat, next.codes.length).get(this.key(next.codes)));
    });
  }

  /** The codes after an outcome. @param {Coded} now @param {number} outcome */
  moved({ seat, codes }, outcome) {
    const [points, stage] = this.turn.outcomes[outcome];
    const after = codes.slice();
    const score = Math.max(0, codes[seat] - 4) + points;
    after[seat] = score ? 4 + score : 1 + stage;
    return after;
  }

  /** The state that an outcome leads to, null if the match is over. @param {Coded} now @param {number} outcome @returns {Coded|null} */
  after(now, outcome) {
    const { round, seat } = now;
    const codes = this.moved(now, outcome);
    const { rounds, target } = this.match;
    const last = rounds === round + 1 || (target !== null && codes.some((code) => code - 4 >= target));
    if (seat + 1 === codes.length) return last ? null : { round: round + 1, seat: 0, codes };
    if (last) forget(codes, seat);
    return { round, seat: seat + 1, codes };
  }

  /** Everybody's share at the end. @param {number[]} codes */
  ended(codes) {
    const best = Math.max(4, ...codes);
    const leading = codes.flatMap((code, i) => (code && Math.max(4, code) === best ? [i] : []));
    const shares = this.death.shares(leading.map((i) => this.stage(codes[i])));
    const value = codes.map(() => 0);
    leading.forEach((i, at) => { value[i] = shares[at]; });
    return value;
  }

  /** The stage of a seat. @param {number} code */
  stage(code) {
    return code > 4 ? this.top : Math.max(0, code - 1);
  }

  /** @param {number[]} codes */
  key(codes) {
    let key = 0;
    for (let i = 0; i < codes.length; i += 1) key = key * this.radix + codes[i];
    return key;
  }
}

/** @param {State} state @returns {Coded} */
function encoded({ round, seat, scores, stages }) {
  return { round, seat, codes: scores.map((score, i) => (score ? 4 + score : 1 + stages[i])) };
}

/** Forget who has played its last turn and does not lead. @param {number[]} codes @param {number} seat */
function forget(codes, seat) {
  let best = 4;
  for (let i = 0; i <= seat; i += 1) best = Math.max(best, codes[i]);
  for (let i = 0; i <= seat; i += 1) if (Math.max(4, codes[i]) < best) codes[i] = 0;
}

/** One more than the greatest code. @param {Match} match @param {number} most */
function radixOf({ rounds, target }, most) {
  const top = Math.min(rounds === null ? Infinity : rounds * most, target === null ? Infinity : target + most);
  return top + 5;
}

/**
 * How many states can come, at most, besides those of this round: scores grow by 0 to `most` a turn.
 * @param {Match} match @param {State} state @param {number} most
 */
export function statesAhead(match, state, most) {
  const { rounds, target } = match;
  const seats = state.scores.length;
  if (rounds === null || radixOf(match, most) ** seats > Number.MAX_SAFE_INTEGER) return Infinity;
  let sum = 0;
  for (let round = 1; round < rounds - state.round; round += 1) {
    const each = state.scores.map((score) => Math.min(most * round, Math.max((target ?? Infinity) - score, 0)) + 1);
    sum += seats * each.reduce((product, count) => product * count, 1);
  }
  return sum;
}
