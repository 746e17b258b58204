// A tracked game as a game record in plain text (docs/reference/game-record.md).

import { GAMES } from "../games.js";

/** @typedef {import("../track/game.js").Track} Track */
/** @typedef {import("./steps.js").Turn} Turn */

/** Names that are words of the record. */
const WORDS = ["game", "rules", "seats", "winner"];
const MARTIAN = /** @type {Record<string, string>} */ ({ human: "humans", cow: "cows", chicken: "chickens" });

/** How many of the turns a record can hold: it begins at the beginning, and leaves nothing out. @param {Turn[]} turns */
export function recorded(turns) {
  const at = turns.findIndex((turn) => turn.cut);
  return at < 0 ? turns.length : at;
}

/** The record; null if there is nothing that it could hold. @param {Track} track @param {Turn[]} turns */
export function writeRecord(track, turns) {
  const count = recorded(turns);
  if (!count) return null;
  const rules = GAMES[track.game].rulesOf(track.rules);
  const official = GAMES[track.game].rulesOf({}).rules;
  const changed = Object.entries(rules.rules).filter(([name, value]) => value !== official[name]);
  const names = seatNames(track);
  const lines = [`game: ${track.game}`];
  if (changed.length) lines.push(`rules: ${changed.map(([name, value]) => `${name}=${value}`).join(", ")}`);
  lines.push(`seats: ${names.join(", ")}`, "");
  for (const turn of turns.slice(0, count)) {
    lines.push(`${names[turn.seat]}:`);
    for (const step of turn.steps) {
      if (step.kind === "dice") lines.push(`  ${step.text}`);
      else lines[lines.length - 1] += `${/ -> /.test(lines[lines.length - 1]) ? "," : " ->"} ${word(step.text)}`;
    }
    if (turn.outcome === undefined) continue;
    const points = rules.points(turn.outcome);
    lines.push(`  = ${points} (${turn.scores[turn.seat] + points})`);
  }
  if (winnerOf(track, turns) !== null) lines.push(`winner: ${names[track.seat]}`);
  return `${lines.join("\n")}\n`;
}

/** Who won the death round, from 0; null if there was none. @param {Track} track @param {Turn[]} turns */
export function winnerOf(track, turns) {
  return track.over && track.turn.death && recorded(turns) === turns.length ? track.seat : null;
}

/** @param {string} action */
function word(action) {
  return MARTIAN[action] ?? action.replaceAll("-", " ");
}

/** The players' names, as far as they can stand in a record. @param {Track} track */
export function seatNames({ players }) {
  /** @type {string[]} */
  const names = [];
  for (const [i, { name }] of players.entries()) {
    let found = name.replace(/[:>=#,]|[\p{C}\p{Z}]/gu, " ").replace(/ +/g, " ").trim().slice(0, 40).trim();
    const taken = [...WORDS, ...names.map((other) => other.toLowerCase())];
    if (!found || taken.includes(found.toLowerCase())) found = `Seat ${i + 1}`;
    while (taken.includes(found.toLowerCase())) found += "'";
    names.push(found);
  }
  return names;
}
