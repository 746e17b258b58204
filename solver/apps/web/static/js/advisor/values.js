// What a state of the rules is worth: read from a policy table, or from a turn solved here.

import { fraction, fractionAt, rounded } from "../core/fractions.js";
import { solveExact } from "../core/exact.js";
import { evaluateTurn, keyOf, TIE } from "../core/turn.js";

/** @typedef {import("../core/turn.js").State} State */
/** @typedef {import("../core/turn.js").TurnGraph} TurnGraph */
/** @typedef {import("../core/turn.js").TurnValues} TurnValues */
/** @typedef {import("../core/fractions.js").Fraction} Fraction */
/** @typedef {{value: number, exact: Fraction|null, bust: number}} Worth */
/**
 * @typedef {object} StateValues
 * @property {(state: State) => Worth} at Value under best play, and the chance of the bad end.
 * @property {(state: State) => string|null} choice What canonical best play does there.
 * @property {(state: State) => number[]|null} chances Every seat's chance to win from there.
 * @property {(position: import("../rules/position.js").Position) => Record<string, number>} mix
 */
/**
 * @typedef {import("../core/turn.js").TurnGame & {name: string, bustMeans: string, rules: any, turnRules: any,
 *   bust?: (outcome: any) => boolean, position: (told: any) => import("../rules/position.js").Position}} Game
 */

const NOTHING = -(2 ** 31);
const BUST_SCALE = 2 ** 32 - 1;
/** A turn solved this far above or below a breakpoint is one of the two that meet there. */
export const STEP = 1e-9;

/** Whether an outcome is the bad end. @param {Game} game @param {any} outcome */
function isBust(game, outcome) {
  return game.bust ? game.bust(outcome) : game.points(outcome) === 0;
}

/** The labels of a policy table's own arrays. @param {string} label */
export function isPolicy(label) {
  return /^(policy-|roll-|decision-|numerator$|denominator$)/.test(label);
}

/** A policy table made ready for look-ups. */
export class PolicyTable {
  /** @param {import("../core/tables.js").Table} table Its policy is here. @param {Game} game */
  constructor(table, game) {
    this.game = game;
    const { tags, files } = table.entry;
    const rolls = decoded(table.array("roll-states"), tags);
    const rows = table.array("roll-rows").data;
    this.row = new Map(rolls.map((key, i) => [key, rows[i]]));
    this.decision = new Map(decoded(table.array("decision-states"), tags).map((key, i) => [key, i]));
    this.value = table.array("policy-value");
    this.bust = table.array("policy-bust");
    this.unit = this.bust.dtype.includes("f") ? 1 : 1 / BUST_SCALE;
    this.chosen = table.array("policy-choice");
    this.exact = "numerator" in files
      ? { numerator: table.array("numerator"), denominator: table.array("denominator") } : null;
  }
}

/** Keys of the states in an array's rows. @param {import("../core/npy.js").NpyArray} array @param {string[]} tags */
function decoded(array, tags) {
  const [count, width] = array.shape;
  return Array.from({ length: count }, (_, i) => {
    const [tag, ...rest] = array.data.subarray(i * width, (i + 1) * width);
    return keyOf([tags[tag], ...rest.filter((x) => x !== NOTHING)]);
  });
}

/** Values from a policy table at one boundary state. @implements {StateValues} */
export class TableValues {
  /**
   * @param {PolicyTable} policy
   * @param {number} boundary Number of the boundary state.
   * @param {(outcome: any) => number} payoff
   * @param {number|null} seat The seat on turn of two, from 0; null for a turn alone.
   */
  constructor(policy, boundary, payoff, seat) {
    this.policy = policy;
    this.payoff = payoff;
    this.seat = seat;
    this.rowAt = boundary * policy.value.shape[1];
    this.choiceAt = boundary * policy.chosen.shape[1];
  }

  /** @param {State} state @returns {Worth} */
  at(state) {
    const { policy } = this;
    const row = policy.row.get(keyOf(state));
    if (row !== undefined) {
      const exact = policy.exact
        ? fractionAt(policy.exact.numerator, policy.exact.denominator, row) : null;
      return {
        value: policy.value.data[this.rowAt + row],
        exact,
        bust: policy.bust.data[this.rowAt + row] * policy.unit,
      };
    }
    const what = policy.game.expand(state);
    if ("bank" in what) {
      const value = this.payoff(what.bank);
      const exact = policy.exact ? fraction(BigInt(value)) : null;
      return { value, exact, bust: Number(isBust(policy.game, what.bank)) };
    }
    if ("choose" in what) {
      return this.at(/** @type {State} */ (what.choose.get(/** @type {string} */ (this.choice(state)))));
    }
    throw new Error(`the table does not know ${keyOf(state)}`);
  }

  /** @param {State} state */
  choice(state) {
    const what = this.policy.game.expand(state);
    if (!("choose" in what)) return null;
    const number = this.policy.decision.get(keyOf(state));
    const actions = [...what.choose.keys()];
    if (number !== undefined) return actions[this.policy.chosen.data[this.choiceAt + number]];
    const values = [...what.choose.values()].map((after) => this.at(after).value);
    const best = Math.max(...values);
    return actions[values.findIndex((value) => value >= best - TIE)];
  }

  /** @param {State} state */
  chances(state) {
    if (this.seat === null) return null;
    const own = this.at(state).value;
    return this.seat === 0 ? [own, 1 - own] : [1 - own, own];
  }

  mix() {
    return {};
  }
}

/** Values from a turn solved here in exact rationals. @implements {StateValues} */
export class ExactTurn {
  /** @param {Game} game @param {TurnGraph} graph @param {(outcome: any) => number} payoff */
  constructor(game, graph, payoff) {
    this.values = solveExact(graph, graph.outcomes.map(payoff));
    const busts = graph.outcomes.map((outcome) => Number(isBust(game, outcome)));
    this.busts = solveExact(graph, busts, this.values.chosen);
    const value = new Float64Array(graph.kind.length);
    this.inner = new SolvedValues(game, graph, { value, chosen: this.values.chosen });
  }

  /** @param {State} state @returns {Worth} */
  at(state) {
    const node = this.inner.node(state);
    const exact = exactAt(this.values, node);
    return { value: rounded(exact), exact, bust: rounded(exactAt(this.busts, node)) };
  }

  /** @param {State} state */
  choice(state) {
    return this.inner.choice(state);
  }

  chances() {
    return null;
  }

  mix() {
    return {};
  }
}

/** @param {import("../core/exact.js").ExactValues} values @param {number} node @returns {Fraction} */
function exactAt(values, node) {
  return { n: values.numerator[node], d: values.denominator[node] };
}

/** Values from a turn solved here. @implements {StateValues} */
export class SolvedValues {
  /**
   * @param {Game} game
   * @param {TurnGraph} graph
   * @param {TurnValues} turn
   * @param {number[][]|null} ahead By outcome, every seat's chance to win; null if it is not about winning.
   * @param {{share: number, above: TurnValues, below: TurnValues}|null} mixed
   */
  constructor(game, graph, turn, ahead = null, mixed = null) {
    this.game = game;
    this.graph = graph;
    this.turn = turn;
    this.mixed = mixed;
    this.ahead = ahead;
    const busts = graph.outcomes.map((outcome) => Number(isBust(game, outcome)));
    this.busts = evaluateTurn(graph, busts, turn.chosen);
    this.seats = ahead && ahead[0].map((_, m) => evaluateTurn(graph, ahead.map((v) => v[m]), turn.chosen));
  }

  /** @param {State} state */
  node(state) {
    const node = this.graph.nodeOf.get(keyOf(state));
    if (node === undefined) throw new Error(`no legal turn comes to ${keyOf(state)}`);
    return node;
  }

  /** @param {State} state @returns {Worth} */
  at(state) {
    const node = this.node(state);
    return { value: this.turn.value[node], exact: null, bust: this.busts[node] };
  }

  /** @param {State} state */
  choice(state) {
    const what = this.game.expand(state);
    if (!("choose" in what)) return null;
    const chosen = this.turn.chosen[this.node(state)];
    const actions = [...what.choose];
    const same = new Set(actions.map(([, after]) => this.node(after))).size === 1;
    return /** @type {[string, State]} */ (actions.find(([, after]) => same || this.node(after) === chosen))[0];
  }

  /** @param {State} state */
  chances(state) {
    const node = this.node(state);
    return this.seats && this.seats.map((value) => value[node]);
  }

  /** @param {import("../rules/position.js").Position} position @returns {Record<string, number>} */
  mix(position) {
    if (!this.mixed) return {};
    const { share, above, below } = this.mixed;
    const node = this.node(position.state);
    const [first, second] = [above.chosen[node], below.chosen[node]];
    if (first === second) return {};
    /** @param {number} wanted */
    const named = (wanted) => [...position.options].find(([, after]) => this.node(after) === wanted)?.[0];
    const [one, other] = [named(first), named(second)];
    return one && other ? { [one]: share, [other]: 1 - share } : {};
  }
}

