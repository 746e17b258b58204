// From the log of a tracked game to turns and their steps: dice, and decisions.

import { GAMES } from "../games.js";
import { writeCounts } from "../rules/martian-dice.js";
import { entryOf, logOf } from "../track/log.js";

/** @typedef {import("../track/game.js").Track} Track */
/** @typedef {import("../track/log.js").Entry} Entry */
/** @typedef {import("../core/turn.js").State} State */
/**
 * @typedef {object} Step
 * @property {"dice"|"choice"} kind
 * @property {string} text What the dice showed, or the action.
 * @property {State} state Before it.
 * @property {State} after
 * @property {Map<string, State>} options Empty for dice.
 * @property {Record<string, string>} shown The position, in the sheet's short notation.
 */
/**
 * @typedef {object} Turn A turn, or what was tracked of it.
 * @property {number} seat From 0.
 * @property {number} round
 * @property {number[]} scores Before it.
 * @property {number[]} stages
 * @property {boolean} cut Whether something before it was not tracked.
 * @property {State} start
 * @property {Step[]} steps
 * @property {any} outcome How it ended, undefined if it did not.
 */

/** Games that can be reviewed: how dice are written, and where the rules stand before they are rolled. */
const NOTATION = /** @type {Record<string, {dice: (turn: any) => string|null, rolling: (turn: any, game: any) => State}>} */ ({
  "martian-dice": {
    dice: ({ roll }) => roll && writeCounts(roll),
    rolling: ({ aside: { T, R, H, C, K } }) => ["roll", T, R, H + C + K, [H, C, K].filter(Boolean).length],
  },
  "alien-crew": {
    dice: ({ roll }) => roll.join(" "),
    rolling: ({ stage, throws, kept }, game) => (kept.length || (stage === 3 && throws + 1 < game.throws)
      ? ["again", throws + 1, ...Array(game.dice - 3 - kept.length).fill(0), ...[...kept].sort()]
      : ["throw", stage, throws + 1]),
  },
});

/** @param {Track} track */
export function isReviewed(track) {
  return track.game in NOTATION;
}

/** Every turn that was tracked, the one that is on included. @param {Track} track @returns {Turn[]} */
export function turnsOf(track) {
  const tracked = GAMES[track.game];
  const rules = tracked.rulesOf(track.rules);
  const { dice, rolling } = NOTATION[track.game];
  const log = logOf(tracked, track);
  const entries = log.entries.slice();
  if (!track.over && tracked.position(track) && dice(track.turn)) entries.push(entryOf(track, log, null));
  /** @type {Turn[]} */
  const turns = [];
  /** @type {Turn|null} */
  let turn = null;
  for (const entry of entries) {
    if (entry.turn.death) break; // the death round is told by its winner alone
    const { told } = /** @type {{told: any}} */ (tracked.position({ ...track, over: false, turn: entry.turn }));
    const position = rules.position(told);
    const text = dice(entry.turn);
    const decides = "choose" in rules.expand(position.state);
    if (!turn || entry.cut) {
      const { seat, round, scores, stages, cut } = entry;
      const start = text ? rolling(entry.turn, rules) : position.state;
      turns.push((turn = { seat, round, scores, stages, cut, start, steps: [], outcome: undefined }));
    }
    if (text) turn.steps.push({ kind: "dice", text, state: rolling(entry.turn, rules), after: position.state, options: new Map(), shown: position.shown });
    if (decides && entry.action !== null) turn.steps.push(choice(entry.action, position));
    else if (decides && position.options.size === 1 && position.options.has("stop")) turn.steps.push(choice("stop", position));
    const ended = rules.expand(turn.steps[turn.steps.length - 1].after);
    if ("bank" in ended) {
      turn.outcome = ended.bank;
      turn = null;
    }
  }
  return turns;
}

/** @param {string} action @param {import("../rules/position.js").Position} position @returns {Step} */
function choice(action, { state, options, shown }) {
  return { kind: "choice", text: action, state, after: /** @type {State} */ (options.get(action)), options, shown };
}
