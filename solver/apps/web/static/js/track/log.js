// What happened in a tracked game, kept with it: every decision, and the dice it was made on.

/** @typedef {import("./game.js").Track} Track */
/** @typedef {import("./game.js").TrackedGame} TrackedGame */
/**
 * @typedef {object} Entry A decision, or the end of a turn that went without one.
 * @property {number} seat From 0.
 * @property {number} round From 1.
 * @property {number[]} scores Of every seat, before the turn.
 * @property {number[]} stages
 * @property {any} turn What lay on the table.
 * @property {string|null} action Null for dice on which nothing has been decided yet.
 * @property {boolean} cut Whether something before it was not tracked.
 */
/** @typedef {{next: string, entries: Entry[]}} Log Next: how the game stood after the last entry. */

const KEY = "log";

/** How a game stands, but for dice on the table. @param {Track} track */
function standing({ players, seat, round, turn }) {
  const roll = Array.isArray(turn.roll) || turn.roll !== null;
  return JSON.stringify([players.map(({ score, stage }) => [score, stage]), seat, round, { ...turn, roll }]);
}

/** What was tracked of a game. @param {TrackedGame} game @param {Track} track @returns {Log} */
export function logOf(game, track) {
  if (track.log) return track.log;
  const names = track.players.map((player) => player.name);
  return { next: standing(game.create({ rules: track.rules, names, aim: track.aim })), entries: [] };
}

/** What lies on the table, as an entry. @param {Track} track @param {Log} log @param {string|null} action @returns {Entry} */
export function entryOf(track, log, action) {
  return {
    seat: track.seat,
    round: track.round,
    scores: track.players.map((player) => player.score),
    stages: track.players.map((player) => player.stage ?? 0),
    turn: track.turn,
    action,
    cut: standing(track) !== log.next,
  };
}

/** Whether something was not tracked since the last entry. @param {TrackedGame} game @param {Track} track */
export function isCut(game, track) {
  return !track.over && standing(track) !== logOf(game, track).next;
}

/** Do something, and write it down. @param {TrackedGame} game @param {Track} track @param {string} action @returns {Track} */
export function played(game, track, action) {
  const after = game.apply(track, action);
  if (after === track) return track;
  const log = logOf(game, track);
  return { ...after, log: { next: standing(after), entries: [...log.entries, entryOf(track, log, action)] } };
}

/** Keep the log of the game at an address, for when the page is loaded again. @param {string} address @param {Log|undefined} log */
export function keepLog(address, log) {
  try {
    if (log) localStorage.setItem(KEY, JSON.stringify({ address, log }));
  } catch {
    // without storage, or with a full one, a reload begins a new record
  }
}

/** The log that was kept for an address. @param {string} address @returns {Log|undefined} */
export function keptLog(address) {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return kept?.address === address ? kept.log : undefined;
  } catch {
    return undefined;
  }
}
