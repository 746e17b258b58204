// What every state of a turn is worth, from what the advice is made of.

import { MOST_STATES, statesAhead } from "../advisor/rounds.js";
import { evaluateTurn } from "../core/turn.js";

/** @typedef {import("../advisor/advise.js").Advisor} Advisor */
/** @typedef {import("../advisor/advise.js").Asked} Asked */
/** @typedef {import("../core/turn.js").State} State */

/** The biggest crew of a turn. */
const MOST_CREW = 12;

/** The best expected points of the turn from a state. @param {Advisor} advisor @param {any} game @returns {Promise<(state: State) => number>} */
export async function pointsValues(advisor, game) {
  const asked = { game, told: null, objective: "points" };
  await advisor.prepare(asked);
  const values = advisor.turnValues(asked);
  return remembered((state) => values.at(state).value);
}

/**
 * Every seat's chance to win from a state of a turn; null if it cannot be known here.
 * @param {Advisor} advisor @param {any} game @param {import("./steps.js").Turn} turn
 * @returns {Promise<((state: State) => number[])|null>}
 */
export async function winValues(advisor, game, turn) {
  const { scores, stages, round } = turn;
  /** @type {Asked} */
  const asked = { game, told: null, objective: "win", scores, seat: turn.seat + 1 };
  if (game.match) {
    Object.assign(asked, { stages, round });
    const state = { round: round - 1, seat: turn.seat, scores, stages };
    if (statesAhead(game.match, state, MOST_CREW) > MOST_STATES) return null;
  } else if (!advisor.table(asked)) return null;
  await advisor.prepare(asked);
  /** @type {any} */
  const values = game.match ? advisor.roundsValues(asked) : advisor.raceValues(asked);
  return remembered(values.mixed ? mean(values) : (state) => /** @type {number[]} */ (values.chances(state)));
}

/** Where equilibrium play mixes two turns, the mean of both. @param {any} values @returns {(state: State) => number[]} */
function mean(values) {
  const { graph, ahead, mixed } = values;
  /** @param {import("../core/turn.js").TurnValues} turn @returns {Float64Array[]} */
  const played = (turn) => ahead[0].map((/** @type {number} */ _, /** @type {number} */ m) => evaluateTurn(graph, ahead.map((/** @type {number[]} */ v) => v[m]), turn.chosen));
  const [above, below] = [played(mixed.above), played(mixed.below)];
  return (state) => {
    const node = values.node(state);
    return above.map((value, m) => mixed.share * value[node] + (1 - mixed.share) * below[m][node]);
  };
}

/** @template T @param {(state: State) => T} value @returns {(state: State) => T} */
function remembered(value) {
  /** @type {Map<State, T>} */
  const known = new Map();
  return (state) => {
    let found = known.get(state);
    if (found === undefined) known.set(state, (found = value(state)));
    return found;
  };
}
