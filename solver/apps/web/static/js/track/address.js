// A tracked game in the address, so that a link shares it: #/martian-dice?aside=T2+R3&roll=...

import { PositionError, wholeNumber } from "../rules/position.js";

/** @typedef {import("./game.js").Track} Track */
/** @typedef {import("./game.js").TrackedGame} TrackedGame */

/** The part of the address behind "#". @param {TrackedGame} game @param {Track} track */
export function writeAddress(game, track) {
  const told = new URLSearchParams(game.write(track));
  told.set("scores", track.players.map((player) => player.score).join(","));
  told.set("seat", String(track.seat + 1));
  told.set("round", String(track.round));
  if (track.aim !== game.aims(track.players.length)[0]) told.set("objective", track.aim);
  if (track.players.some((player, i) => player.name !== defaultName(i, track.players.length))) {
    told.set("names", track.players.map((player) => player.name.replaceAll(",", " ")).join(","));
  }
  if (track.players.some((player) => player.last !== null)) {
    told.set("last", track.players.map((player) => player.last ?? "").join(","));
  }
  for (const [name, value] of Object.entries(track.rules)) told.append("set", `${name}=${value}`);
  if (track.over) told.set("over", "1");
  return `#/${game.name}?${told}`;
}

/**
 * The game that an address tells of, null if it tells of none.
 * @param {string} address The part behind and with "#".
 * @param {Record<string, TrackedGame>} games
 * @returns {Track|null}
 */
export function readAddress(address, games) {
  const found = /^#\/([a-z-]+)(?:\?(.*))?$/.exec(address);
  if (!found) return null;
  const game = games[found[1]];
  if (!game) throw new PositionError(`this page knows no game "${found[1]}"`);
  const told = new URLSearchParams(found[2] ?? "");
  /** @type {Record<string, string>} */
  const rules = {};
  for (const setting of told.getAll("set")) {
    const at = setting.indexOf("=");
    if (at < 1) throw new PositionError(`a rule is changed by name=value, not "${setting}"`);
    rules[setting.slice(0, at)] = setting.slice(at + 1);
  }
  game.rulesOf(rules); // throws if there are no such rules
  const scores = (told.get("scores") ?? "0").split(",").map((text) => wholeNumber(text, "a score", 0, 9999));
  if (!game.seats.includes(scores.length)) {
    throw new PositionError(`${game.title} is tracked here for ${game.seats[0]} to ${game.seats[game.seats.length - 1]} seats, not ${scores.length}`);
  }
  const names = (told.get("names") ?? "").split(",");
  const last = (told.get("last") ?? "").split(",");
  const aims = game.aims(scores.length);
  const aim = aims.find((known) => known === told.get("objective")) ?? aims[0];
  const fresh = game.create({ rules, names: scores.map((_, i) => names[i] || defaultName(i, scores.length)), aim });
  const players = fresh.players.map((player, i) => ({
    ...player,
    score: scores[i],
    last: last[i] ? wholeNumber(last[i], "points", 0, 999) : null,
  }));
  const seat = told.has("seat") ? wholeNumber(told.get("seat") ?? "", "the seat on turn", 1, scores.length) - 1 : 0;
  const round = told.has("round") ? wholeNumber(told.get("round") ?? "", "the round", 1, 9999) : 1;
  return game.read({ ...fresh, players, seat, round, over: told.get("over") === "1" }, told);
}

/** @param {number} seat @param {number} seats */
export function defaultName(seat, seats) {
  return seats === 1 ? "You" : `Player ${seat + 1}`;
}
