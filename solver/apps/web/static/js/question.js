// From a tracked game to a question: what can be played for here, and what is said if it is less.

import { MOST_STATES, statesAhead } from "./advisor/rounds.js";
import { GAMES } from "./games.js";

/** @typedef {import("./track/game.js").Track} Track */
/** @typedef {import("./advisor/advise.js").Asked} Asked */
/** @typedef {import("./advisor/advise.js").Advisor} Advisor */

/** The biggest crew of a turn. */
const MOST_CREW = 12;

/** What the position asks, once all dice are known. @param {Advisor} advisor @param {Track} track @returns {Asked|null} */
export function question(advisor, track) {
  const position = GAMES[track.game].position(track);
  if (!position) return null;
  const asked = { ...position, ...aimOf(advisor, track) };
  return isPending(advisor, asked) ? { ...asked, objective: "points" } : asked;
}

/** What the game will ask, whatever the dice. @param {Advisor} advisor @param {Track} track @returns {Asked} */
export function wanted(advisor, track) {
  return { game: GAMES[track.game].asked(track), told: null, ...aimOf(advisor, track) };
}

/** Whether a match of rounds is still being solved. @param {Advisor} advisor @param {Asked} asked */
function isPending(advisor, asked) {
  return asked.objective === "win" && asked.round !== undefined && !advisor.ready(asked);
}

/**
 * What can be played for: the win, if it can be known here.
 * @param {Advisor} advisor @param {Track} track
 * @returns {{objective: string} & Partial<Asked>}
 */
function aimOf(advisor, track) {
  const scores = track.players.map((player) => player.score);
  const game = GAMES[track.game].asked(track);
  if (track.aim !== "win") return { objective: track.aim };
  if (game.match) return roundsAim(track, game.match, scores);
  const wins = advisor.table({ game, told: null, objective: "win", scores });
  return wins ? { objective: "win", scores, seat: track.seat + 1 } : { objective: "points" };
}

/**
 * The win in a match of rounds, if the states that can come are few enough to solve here.
 * @param {Track} track @param {import("./advisor/rounds.js").Match} match @param {number[]} scores
 */
function roundsAim(track, match, scores) {
  const stages = track.players.map((player) => player.stage ?? 0);
  const { seat, round } = track;
  const { death } = track.turn;
  const state = { round: round - 1, seat, scores, stages };
  if (!death && statesAhead(match, state, MOST_CREW) > MOST_STATES) return { objective: "points" };
  return { objective: "win", scores, seat: seat + 1, stages, round, death };
}

/** Why the advice is not for the win, if it is not. @param {Advisor} advisor @param {Track} track */
export function aimInstead(advisor, track) {
  if (track.aim !== "win" || track.over) return null;
  const asked = wanted(advisor, track);
  const seats = track.players.length;
  if (asked.objective === "win") {
    return isPending(advisor, asked) ? "Working out the chances to win … Until then, the advice is for the most points in this turn." : null;
  }
  if (track.game === "alien-crew") {
    return `The win of ${seats} seats is worked out here near the end of the match. Until then, the advice is for the most points in each turn.`;
  }
  return `There is no table here for the win of ${seats} seats under these rules: the advice is for the most points in this turn.`;
}

/** What answers under some rules. @param {Advisor} advisor @param {Track} track */
export function answeredBy(advisor, track) {
  const objective = track.aim;
  const game = GAMES[track.game].asked(track);
  if (objective === "win" && game.match) return "The win is solved in this browser, once the match is near enough to its end.";
  const scores = track.players.map((player) => player.score);
  const table = advisor.table({ game, told: null, objective, scores });
  if (table) return `Answered from the table ${table.name}.`;
  if (objective === "win") return "There is no table for the win under these rules: the advice will be for the most points in each turn.";
  return "There is no table for these rules: each turn is solved in this browser.";
}
